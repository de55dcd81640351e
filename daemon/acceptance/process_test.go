package acceptance_test

import (
	"bufio"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"showhow/daemon"
	"showhow/daemon/client"
	"showhow/internal/fault"
)

// childDir in the environment makes this binary a daemon on the installation below that folder.
const childDir = "SHOWHOW_ACCEPTANCE_CHILD"

func child(dir string) int {
	o := options(dir)
	o.Test.AncestryUntil = os.Getppid()
	err := daemon.Run(context.Background(), o, func() { os.Stdout.WriteString("ready\n") })
	if err != nil {
		os.Stderr.WriteString(err.Error() + "\n")
		return 1
	}
	return 0
}

// startChild runs the world's daemon as a process of its own and returns it once it answers.
func (w *world) startChild() *exec.Cmd {
	w.t.Helper()
	cmd := exec.Command(got(os.Executable())(w.t))
	cmd.Env = append(os.Environ(), childDir+"="+filepath.Dir(w.o.Roots.Data))
	cmd.Stderr = w.log
	out := got(cmd.StdoutPipe())(w.t)
	must(w.t, cmd.Start())
	w.t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "ready\n" {
		w.t.Fatalf("the daemon's process: %q, %v", line, err)
	}
	w.o.DemoGrant = ""
	w.c = client.Unix(w.o.Roots.Socket())
	return cmd
}

// A daemon that is killed while it captures leaves a paused session behind, with everything that it had acknowledged.
func TestKilledWhileCapturing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	process := w.startChild()
	s := w.shell()
	sess := w.capturing(s, asked(s))
	id := sess.LearnSessionID

	const last = 40
	typed := make(chan struct{})
	go func() { // the person goes on working, whatever becomes of the daemon
		defer close(typed)
		for i := range last {
			s.run("true n" + strconv.Itoa(i))
		}
	}()
	var acknowledged []string
	for len(acknowledged) < last/4 {
		l := got(w.c.Observations(t.Context(), id, client.PageQuery{Page: 1, PageSize: 100}))(t)
		acknowledged = acknowledged[:0]
		for _, o := range l.Observations {
			acknowledged = append(acknowledged, o.Event.EventID)
		}
	}
	must(t, process.Process.Kill())
	process.Wait()
	<-typed // no shell hangs on a dead daemon

	must(t, w.start())
	x := got(w.c.Session(t.Context(), id))(t)
	if x.State != "paused" || x.PauseReason != "daemon_restart" {
		t.Errorf("the session is %s (%s)", x.State, x.PauseReason)
	}
	kept := got(w.c.Observations(t.Context(), id, client.PageQuery{Page: 1, PageSize: 100}))(t)
	var ids []string
	for _, o := range kept.Observations {
		ids = append(ids, o.Event.EventID)
	}
	for _, a := range acknowledged {
		if !slices.Contains(ids, a) {
			t.Errorf("the acknowledged observation %s is lost", a)
		}
	}
	if slices.Sort(ids); len(slices.Compact(slices.Clone(ids))) != len(ids) || int64(len(ids)) != x.EventsKept {
		t.Errorf("%d observations, some twice; the session counts %d", len(ids), x.EventsKept)
	}
	if lines := w.commands(id); !inOrder(lines, last) {
		t.Errorf("kept %q", lines)
	}
	s.marked(false) // the dead daemon's mark is gone

	// It goes on: what is typed after the resume is kept, what was typed meanwhile is not.
	s.run("true meanwhile")
	got(w.c.ResumeSession(t.Context(), id))(t)
	s.marked(true)
	s.run("true afterwards")
	out := got(w.c.StopSession(t.Context(), id))(t)
	lines := w.commands(id)
	if out.CapturedEventCount != int64(len(ids)+1) || lines[len(lines)-1] != "true afterwards" {
		t.Errorf("%d observations, the last %q", out.CapturedEventCount, lines[len(lines)-1])
	}
	if file := canonical(w, "learning/sessions/"+id+".json", func(x client.Session) bool {
		return x.State == "stopped"
	}); file.EventsKept != out.CapturedEventCount {
		t.Errorf("the file counts %d", file.EventsKept)
	}
}

// inOrder reports whether the lines are "true n0", "true n1", ...: a beginning of what was typed, without a gap.
func inOrder(lines []string, most int) bool {
	for i, l := range lines {
		if l != "true n"+strconv.Itoa(i) {
			return false
		}
	}
	return len(lines) > 0 && len(lines) <= most
}

// Stopping in order and starting again keeps what there is: the capture is paused, the ability stays usable.
func TestRestartKeepsData(t *testing.T) {
	t.Parallel()
	w := begin(t)
	a, _ := w.installed()
	s := w.shell()
	sess := w.capturing(s, asked(s))
	s.run("echo one", "echo two")
	before := len(w.receipts(client.ReceiptFilter{}))

	must(t, w.c.StopDaemon(t.Context(), true))
	if err := w.ended(); !errors.Is(err, daemon.ErrRestart) {
		t.Fatalf("asked to restart, Run returned %v", err)
	}
	if _, err := w.c.Version(t.Context()); !fault.Is(err, fault.DaemonUnreachable) {
		t.Errorf("a daemon that has ended: %v", err)
	}
	s.marked(false)
	w.c = client.Unix(w.o.Roots.Socket())
	must(t, w.start())
	x := got(w.c.Session(t.Context(), sess.LearnSessionID))(t)
	if x.State != "paused" || x.PauseReason != "daemon_restart" || x.EventsKept != 2 {
		t.Errorf("%s (%s), %d kept", x.State, x.PauseReason, x.EventsKept)
	}
	st := got(w.c.Status(t.Context()))(t)
	if st.ActiveSession != sess.LearnSessionID || !slices.ContainsFunc(st.Warnings, func(s string) bool {
		return strings.Contains(s, "paused")
	}) {
		t.Errorf("status %+v", st)
	}
	now := got(w.c.Ability(t.Context(), a.AbilityID))(t)
	if !now.UsableNow || now.ContentHash != a.ContentHash || w.there(a.SkillSlug) != 3 {
		t.Errorf("the ability: %+v", now)
	}
	if n := len(w.receipts(client.ReceiptFilter{})); n <= before {
		t.Errorf("%d receipts, before %d: none tells of the pause", n, before)
	}
	must(t, w.c.StopDaemon(t.Context(), false))
	if err := w.ended(); err != nil {
		t.Errorf("asked to stop, Run returned %v", err)
	}
}

func TestSecondDaemonIsRefused(t *testing.T) {
	t.Parallel()
	w := begin(t)
	second := w.o
	second.Roots.Runtime = filepath.Join(filepath.Dir(w.o.Roots.Data), "run2", "showhow")
	f := refused(t, daemon.Run(t.Context(), second, nil), fault.DataDirLocked)
	if f.Details["pid"] != os.Getpid() || f.Hint == "" {
		t.Errorf("%+v", f)
	}
	if _, err := os.Stat(second.Roots.Socket()); err == nil {
		t.Error("the refused daemon left a socket")
	}
	got(w.c.Version(t.Context()))(t) // the first one goes on
}

func TestCorruptedDatabase(t *testing.T) {
	t.Parallel()
	w := begin(t)
	w.armed(asked(nil))
	w.stop()
	db := filepath.Join(w.o.Roots.Data, "showhow.db")
	b := got(os.ReadFile(db))(t)
	for i := 4096; i < len(b); i++ { // every page but the first
		b[i] ^= 0x5a
	}
	must(t, os.WriteFile(db, b, 0o600))
	f := refused(t, w.start(), fault.StoreCorrupt)
	if f.Hint == "" || strings.Contains(f.Message+f.Hint, w.o.Roots.Home) {
		t.Errorf("%q, hint %q", f.Message, f.Hint)
	}
	if after := got(os.ReadFile(db))(t); string(after) != string(b) {
		t.Error("the damaged file was changed; somebody may still rescue it")
	}
}

// An idle daemon ends by itself: not while somebody listens, nor while it captures.
func TestIdleExit(t *testing.T) {
	t.Parallel()
	w := begin(t, func(o *daemon.Options) { o.Config.IdleExitMinutes = 10 })
	lives := func(why string) {
		t.Helper()
		w.forward(11 * time.Minute)
		w.stays(why)
	}
	h := w.listen("", 0)
	lives("somebody listens")
	h.stop()
	s := w.shell()
	sess := w.capturing(s, asked(s))
	lives("a session is being captured")
	got(w.c.CancelSession(t.Context(), sess.LearnSessionID, ""))(t)
	w.forward(11 * time.Minute)
	if err := w.ended(); err != nil {
		t.Errorf("an idle daemon ended with %v", err)
	}
	if _, err := os.Stat(w.o.Roots.Socket()); err == nil {
		t.Error("it left its socket")
	}
}

// Nothing that a daemon started runs on after Run has returned, whatever it did. Not parallel: others' goroutines would count.
func TestNoGoroutineIsLeft(t *testing.T) {
	before, files := goleak.IgnoreCurrent(), openFiles(t)
	t.Run("a daemon's life", func(t *testing.T) { // the test's own shells and streams end with it
		w := begin(t)
		w.installed()
		s := w.shell()
		w.capturing(s, asked(s))
		w.listen("", 0)
		got(w.c.Doctor(t.Context()))(t)
		w.stop() // while it captures and somebody listens
	})
	if err := goleak.Find(before); err != nil {
		t.Error(err)
	}
	if n := openFiles(t); n > files {
		t.Errorf("%d open files, before %d", n, files)
	}
}

func openFiles(t *testing.T) int {
	t.Helper()
	if runtime.GOOS != "linux" {
		return 0
	}
	return len(got(os.ReadDir("/proc/self/fd"))(t))
}
