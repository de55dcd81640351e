package acceptance_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"showhow/daemon"
)

// A person who starts to watch from a page gets the overlay on the display where the login was requested, whatever the
// daemon's own environment.
func TestCaptureFromAPageShowsTheOverlay(t *testing.T) {
	for _, k := range []string{"WAYLAND_DISPLAY", "XDG_SESSION_TYPE", "XAUTHORITY", "DISPLAY"} {
		t.Setenv(k, "")
	}
	var told, program string
	w := newWorld(t, func(o *daemon.Options) {
		told = filepath.Join(filepath.Dir(o.Roots.Data), "told")
		program = filepath.Join(filepath.Dir(o.Roots.Data), "program")
		o.Program = program
	})
	must(t, os.WriteFile(program, []byte("#!/bin/sh\necho \"$* on $DISPLAY with $XAUTHORITY\" >> "+told+"\n"), 0o700))
	must(t, w.start())
	s := w.shell()
	first := w.capturing(s, asked(s)).LearnSessionID // nobody named a display
	got(w.c.StopSession(t.Context(), first))(t)
	got(w.c.CancelSession(t.Context(), first, "user"))(t)

	t.Setenv("DISPLAY", ":77")
	t.Setenv("XAUTHORITY", "/tmp/nowhere")
	got(w.c.OpenSession(t.Context(), false))(t)
	t.Setenv("DISPLAY", "")
	t.Setenv("XAUTHORITY", "")
	w.capturing(s, asked(s))
	var line string
	w.until("the overlay", func() bool {
		b, _ := os.ReadFile(told)
		line = string(b)
		return strings.HasSuffix(line, "\n")
	})
	if line != "overlay --background on :77 with /tmp/nowhere\n" {
		t.Errorf("it was started so: %q", line)
	}
}
