package process

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"showhow/adapters"
	"showhow/adapters/adaptertest"
	"showhow/capture"
	"showhow/capture/scope"
)

// helper, in the environment, makes the test program play a program of helpers_linux_test.go.
const helper = "SHOWHOW_TEST_HELPER"

func TestMain(m *testing.M) {
	if role := os.Getenv(helper); role != "" {
		os.Exit(play(role, os.Args[1:]))
	}
	os.Exit(m.Run())
}

// nobody is an adapter that takes none of this test's programs for Showhow's own, and sees no screen.
func nobody() *Adapter {
	a := New()
	a.own, a.display = func(*image) bool { return false }, ""
	return a
}

// observed is a running adapter.
type observed struct {
	*adaptertest.Sink
	t       testing.TB
	control adapters.Control
	source  chan source // the sources it opened, in order
	markers []string
	stop    func() error
	ends    func() error // waits for it to end by itself
}

func observe(t testing.TB, a *Adapter, scope capture.Scope) *observed {
	t.Helper()
	return observeInto(t, a, scope, func(o *observed) adapters.Sink { return o.Sink })
}

// observeInto makes the adapter emit to another sink, which may pass on.
func observeInto(t testing.TB, a *Adapter, within capture.Scope, sink func(*observed) adapters.Sink) *observed {
	t.Helper()
	within, err := scope.Normalise(within)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	o := &observed{Sink: adaptertest.NewSink(), t: t, source: make(chan source, 8)}
	a.opened = func(s source) { o.source <- s }
	ready, done := make(chan adapters.Control, 1), make(chan error, 1)
	go func() {
		done <- a.Run(ctx, adapters.Session{ID: "s", Scope: within}, sink(o), func(c adapters.Control) { ready <- c })
	}()
	o.stop = func() error {
		cancel()
		err := <-done
		done <- err
		return err
	}
	o.ends = func() error {
		select {
		case err := <-done:
			done <- err
			return err
		case <-time.After(time.Minute):
			return errors.New("still runs")
		}
	}
	t.Cleanup(func() { _ = o.stop() })
	select {
	case o.control = <-ready:
	case err := <-done:
		done <- err
		t.Fatalf("not ready: %v", err)
	case <-time.After(time.Minute):
		t.Fatal("not ready in time")
	}
	return o
}

// launches waits for n launches and returns them.
func (o *observed) launches(n int) []adaptertest.Seen {
	o.t.Helper()
	return o.Wait(o.t, fmt.Sprintf("%d launches", n), time.Minute, func(s []adaptertest.Seen) bool { return len(s) >= n })
}

// settled returns what was seen, without markers, when the programs started so far have passed the adapter: a marker,
// one more launch of tool, has come out after them.
func (o *observed) settled(tool string) []adaptertest.Seen {
	o.t.Helper()
	arg := fmt.Sprintf("0.15%d", time.Now().UnixNano())
	o.markers = append(o.markers, arg)
	run(o.t, exec.Command(tool, arg))
	marks := func(s adaptertest.Seen) bool {
		return s.Command != nil && slices.ContainsFunc(o.markers, func(m string) bool { return strings.HasSuffix(s.Command.Line, m) })
	}
	all := o.Wait(o.t, "the marker", time.Minute, func(s []adaptertest.Seen) bool {
		n := 0
		for _, x := range s {
			if marks(x) {
				n++
			}
		}
		return n == len(o.markers)
	})
	return slices.DeleteFunc(all, marks)
}

// program copies a system program under another name.
func program(t testing.TB, dir, original, name string) string {
	t.Helper()
	from, err := exec.LookPath(original)
	if err != nil {
		t.Fatal(err)
	}
	in, err := os.Open(from)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	to := filepath.Join(dir, name)
	// A child that another test forks meanwhile would hold the file open for writing until its exec, and such a file
	// cannot be executed.
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o755)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(out, in); err != nil {
		t.Fatal(err)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	return to
}

func script(t testing.TB, dir, name, text string) string {
	t.Helper()
	file := filepath.Join(dir, name)
	syscall.ForkLock.RLock() // as above
	defer syscall.ForkLock.RUnlock()
	if err := os.WriteFile(file, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	return file
}

func run(t testing.TB, cmd *exec.Cmd) {
	t.Helper()
	err := cmd.Run()
	if _, exited := err.(*exec.ExitError); err != nil && !exited {
		t.Fatal(err)
	}
}

func needEvents(t testing.TB) {
	t.Helper()
	src, err := openEvents(t.Context(), nil)
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatalf("the kernel's process connector is refused: %v", err)
		}
		t.Skipf("the kernel's process connector is refused (it takes Linux 6.6, outside of containers): %v", err)
	}
	src.close()
}

func inTerminal() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true, Setctty: true} }
