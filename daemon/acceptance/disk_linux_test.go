package acceptance_test

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"showhow/daemon"
	"showhow/daemon/client"
	"showhow/internal/fault"
)

// disk mounts a small file system at the data directory, which only root can.
func (w *world) disk(size string) {
	w.t.Helper()
	dir := w.o.Roots.Data
	must(w.t, os.MkdirAll(dir, 0o700))
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size="+size+",mode=0700"); err != nil {
		w.t.Skip("cannot mount a small disk here: ", err)
	}
	w.t.Cleanup(func() {
		w.stop()
		if err := unix.Unmount(dir, unix.MNT_DETACH); err != nil {
			w.t.Error(err)
		}
	})
}

func (w *world) remount(flags uintptr, data string) {
	w.t.Helper()
	must(w.t, unix.Mount("tmpfs", w.o.Roots.Data, "tmpfs", unix.MS_REMOUNT|flags, data))
}

func TestReadOnlyDataDirectory(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.disk("20m")
	for _, when := range []string{"empty", "with a database"} {
		w.remount(unix.MS_RDONLY, "")
		f := refused(t, w.start(), fault.StoreReadOnly)
		if f.Hint == "" || f.Message == "" {
			t.Errorf("%s: %+v", when, f)
		}
		w.remount(0, "size=20m")
		must(t, w.start())
		w.stop()
	}
}

// The disk fills up while a session captures: capture visibly stops, nothing acknowledged is lost, and with room it goes on.
func TestFullDiskStopsCaptureVisibly(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(o *daemon.Options) { o.Config.Memory = filepath.Join(filepath.Dir(o.Roots.Data), "memory") })
	w.disk("16m")
	must(t, w.start())
	s := w.shell()
	sess := w.capturing(s, asked(s))
	id := sess.LearnSessionID
	s.run("echo before")
	w.until("the first observation", func() bool { return len(w.commands(id)) == 1 })
	ballast := filepath.Join(w.o.Roots.Data, "ballast")
	fill(t, ballast)

	scope := func() client.ObservationScopeRuntime { return got(w.c.ObservationScope(t.Context(), id))(t) }
	for i := 0; scope().CaptureState == "capturing"; i++ {
		if i == 400 {
			t.Fatalf("after %d commands on a full disk it still captures", i)
		}
		s.run("echo " + strconv.Itoa(i) + strings.Repeat("x", 1000))
	}
	x := scope()
	if x.CaptureState != "paused" || x.PauseReason != "store_failed" {
		t.Errorf("capture is %s (%s)", x.CaptureState, x.PauseReason)
	}
	st := got(w.c.Status(t.Context()))(t)
	if !slices.ContainsFunc(st.Warnings, func(s string) bool { return strings.Contains(s, "store_failed") }) {
		t.Errorf("the status warns of %q", st.Warnings)
	}
	s.marked(false)
	acknowledged := w.commands(id)
	s.run("echo unseen")

	must(t, os.Remove(ballast))
	got(w.c.ResumeSession(t.Context(), id))(t)
	s.marked(true)
	s.run("echo after")
	got(w.c.StopSession(t.Context(), id))(t)
	now := w.commands(id)
	if len(now) < len(acknowledged)+1 || !slices.Equal(now[:len(acknowledged)], acknowledged) || now[len(now)-1] != "echo after" ||
		slices.Contains(now, "echo unseen") {
		t.Errorf("%d were acknowledged, %d are there, the last %q", len(acknowledged), len(now), now[len(now)-1])
	}
}

// fill writes a file until the disk is full.
func fill(t *testing.T, path string) {
	t.Helper()
	f := got(os.Create(path))(t)
	defer f.Close()
	for size := 64 << 10; size > 0; {
		if _, err := f.Write(make([]byte, size)); err != nil {
			size /= 4
		}
	}
}
