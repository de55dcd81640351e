package process

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"showhow/adapters"
	"showhow/adapters/adaptertest"
	"showhow/capture"
	"showhow/internal/await"
)

// world is an adapter that observes tool, a program that sleeps, and whatever else it is told to. Tests run in
// parallel and see all programs of this user, so each world's programs have names of their own.
type world struct {
	*observed
	test  testing.TB
	id    string
	dir   string
	tool  string
	asked int
}

var worlds atomic.Int64

func newWorld(t *testing.T, more ...string) *world {
	t.Helper()
	return newWorldOf(t, nobody(), more...)
}

func newWorldOf(t *testing.T, a *Adapter, more ...string) *world {
	t.Helper()
	t.Parallel()
	needEvents(t)
	w := &world{test: t, id: fmt.Sprintf("%dx%d", worlds.Add(1), os.Getpid()), dir: t.TempDir()}
	w.tool = w.program("sleep", "t")
	w.observed = observe(t, a, w.scope(append(more, "t")...))
	return w
}

// name is a program's name in this world.
func (w *world) name(n string) string { return n + w.id }

func (w *world) scope(names ...string) capture.Scope {
	var s capture.Scope
	for _, n := range names {
		s.Apps = append(s.Apps, w.name(n))
	}
	return s
}

// program copies a system program under a name of this world.
func (w *world) program(original, name string) string {
	return program(w.test, w.dir, original, w.name(name))
}

// helper is a command that plays a role.
func (w *world) helper(role string, args ...string) *exec.Cmd {
	w.t.Helper()
	link := filepath.Join(w.dir, w.name("h"))
	if err := os.Symlink(os.Args[0], link); err != nil && !errors.Is(err, os.ErrExist) {
		w.t.Fatal(err)
	}
	cmd := exec.Command(link, args...)
	cmd.Env = append(os.Environ(), helper+"="+role)
	return cmd
}

// one returns the only launch since the last call, besides the marker.
func (w *world) one() adaptertest.Seen {
	w.t.Helper()
	seen := w.settled(w.tool)[w.asked:]
	w.asked += len(seen)
	if len(seen) != 1 {
		w.t.Fatalf("%d launches, not one:\n%s", len(seen), lines(seen))
	}
	return seen[0]
}

func lines(seen []adaptertest.Seen) string {
	var b strings.Builder
	for _, s := range seen {
		fmt.Fprintf(&b, "%s %+v %+v\n", s.Verb, s.Origin, s.Command)
	}
	return b.String()
}

func TestLaunch(t *testing.T) {
	w := newWorld(t)
	cmd := exec.Command(w.tool, "0.14", "0.01")
	cmd.Dir = w.dir
	begin := time.Now()
	run(t, cmd)
	s := w.one()
	c := s.Command
	if s.Origin.App != w.name("t") || s.Origin.PID != cmd.Process.Pid || s.Origin.Shell != "" || s.Verb != capture.Run {
		t.Errorf("%+v", s.Origin)
	}
	if c.Line != w.tool+" 0.14 0.01" || c.CwdFrom != w.dir || c.Exit != 0 || c.Running || c.Children != 0 || c.Shell != "" {
		t.Errorf("%+v", c)
	}
	if c.Duration < 150*time.Millisecond || c.Duration > time.Since(begin) {
		t.Errorf("took %v", c.Duration)
	}
}

func TestExits(t *testing.T) {
	w := newWorld(t, "failing", "crashing")
	run(t, exec.Command(w.program("sh", "failing"), "-c", "sleep 0.15; exit 3"))
	run(t, exec.Command(w.program("sh", "crashing"), "-c", "sleep 0.15; kill -SEGV $$"))
	w.seenBeforeItEnds(exec.Command(w.tool, "60"), w.tool)
	seen := w.settled(w.tool)
	exits := map[string]int{}
	for _, s := range seen {
		exits[s.Origin.App] = s.Command.Exit
		if s.Command.Running {
			t.Errorf("still runs: %+v", s.Command)
		}
	}
	if exits[w.name("failing")] != 3 || exits[w.name("crashing")] != 128+int(syscall.SIGSEGV) ||
		exits[w.name("t")] != 128+int(syscall.SIGKILL) || len(seen) != 3 {
		t.Errorf("%v\n%s", exits, lines(seen))
	}
}

func TestOneLaunchHowManyProcesses(t *testing.T) {
	w := newWorld(t, "many")
	run(t, exec.Command(w.program("sh", "many"), "-c",
		"for i in 1 2 3 4 5 6 7 8 9 10; do "+w.tool+" 0.01 & done; wait; (sleep 0.01; sleep 0.01)"))
	if c := w.one().Command; c.Children != 12 {
		t.Errorf("%+v", c)
	}
}

// Forked twice, in a session of its own, reparented: it is still what the person started.
func TestDaemonise(t *testing.T) {
	w := newWorld(t, "daemon")
	daemon := w.program("sh", "daemon")
	leave := func(seconds string) *exec.Cmd {
		return exec.Command(daemon, "-c", `setsid sh -c "$1 $2 & exit 0"; sleep 0.15`, "-", w.tool, seconds)
	}
	run(t, leave("3"))
	if c := w.launches(1)[0].Command; !c.Running || c.Children != 3 {
		t.Errorf("%+v", c)
	}
	begin := time.Now()
	run(t, leave("0.1"))
	c := w.launches(2)[1].Command
	if c.Exit != 0 || c.Children != 3 || c.Running && time.Since(begin) < soon {
		t.Errorf("%+v", c)
	}
	if more := w.settled(w.tool); len(more) != 2 {
		t.Errorf("%d launches, not two:\n%s", len(more), lines(more))
	}
}

func TestStillRunningIsReportedSoon(t *testing.T) {
	w := newWorld(t)
	cmd := exec.Command(w.tool, "60")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }()
	begin := time.Now()
	s := w.launches(1)[0]
	if !s.Command.Running || !s.Changed {
		t.Errorf("%+v", s.Command)
	}
	if d := time.Since(begin); d < 900*time.Millisecond {
		t.Errorf("reported after %v: it might have ended within the second", d)
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	if more := w.settled(w.tool); len(more) != 1 {
		t.Errorf("reported again:\n%s", lines(more))
	}
}

// A wrapper becomes the program that the scope names; the scope may name the wrapper instead.
func TestExecChains(t *testing.T) {
	for _, named := range []string{"wrapper", "real"} {
		t.Run(named, func(t *testing.T) {
			w := newWorld(t, named)
			target := w.program("sleep", "real")
			wrapper := script(t, w.dir, w.name("wrapper"), "#!/bin/sh -e\nexec env A=1 nice -n 1 "+target+" 0.05 \"$@\"\n")
			run(t, exec.Command(wrapper, "0.01"))
			s := w.one()
			want := map[string]string{"wrapper": wrapper + " 0.01", "real": target + " 0.05 0.01"}[named]
			if s.Origin.App != w.name(named) || s.Command.Line != want || s.Command.Exit != 0 {
				t.Errorf("%+v %+v", s.Origin, s.Command)
			}
		})
	}
}

func TestExecFromAThread(t *testing.T) {
	w := newWorld(t, "h")
	for range 5 {
		run(t, w.helper("thread-exec", "/bin/sleep", "0.05"))
	}
	seen := w.settled(w.tool)
	if len(seen) != 5 {
		t.Fatalf("%d launches, not 5:\n%s", len(seen), lines(seen))
	}
	for _, s := range seen {
		if s.Command.Duration < 50*time.Millisecond || !strings.Contains(s.Command.Line, w.name("h")) {
			t.Errorf("%+v", s.Command)
		}
	}
}

// The topmost program that the scope names is a launch if what started it is not named.
func TestBelowWhatIsNotNamed(t *testing.T) {
	w := newWorld(t)
	run(t, exec.Command("sh", "-c", w.tool+" 0.03; "+w.tool+" 0.04"))
	seen := w.settled(w.tool)
	if len(seen) != 2 || seen[0].Command.Parent != "" {
		t.Fatalf("not two:\n%s", lines(seen))
	}
	if n := w.Withheld(capture.OffScope); n < 1 {
		t.Errorf("%d withheld", n)
	}
}

func TestStrangeNamesAndArguments(t *testing.T) {
	w := newWorld(t, "ünï çode", "renamed", "a-program-with-a-very-long-name", "h")
	for _, name := range []string{"ünï çode", "a-program-with-a-very-long-name"} {
		run(t, exec.Command(w.program("sleep", name), "0.15"))
		if s := w.one(); s.Origin.App != w.name(name) || !strings.HasSuffix(s.Command.Line, " 0.15") {
			t.Errorf("%+v %+v", s.Origin, s.Command)
		}
	}
	sh := w.program("sh", "renamed")
	run(t, exec.Command(sh, "-c", "sleep 0.03", "--password=hunter 2", "it's", "", "tab\there", "\xff\xfe", "$(x) `y` *", "last\nline"))
	want := sh + ` -c 'sleep 0.03' --password='hunter 2' "it's" '' 'tab` + "\there' '\uFFFD' '$(x) `y` *' 'last\nline'"
	if s := w.one(); s.Command.Line != want {
		t.Errorf("%q\nwant %q", s.Command.Line, want)
	}
	w.seenBeforeItEnds(w.helper("rename"), os.Args[0])
	if s := w.one(); s.Origin.App != w.name("h") {
		t.Errorf("%+v", s.Origin)
	}
	if err := exec.Command("sh", "-c", `exec -a x true`).Run(); err != nil { // dash has no exec -a
		run(t, exec.Command("bash", "-c", "exec -a innocent "+sh+" -c 'sleep 0.03'"))
		if s := w.one(); s.Origin.App != w.name("renamed") {
			t.Errorf("%+v", s.Origin)
		}
	}
}

func TestHugeArguments(t *testing.T) {
	w := newWorld(t, "huge")
	huge := w.program("sh", "huge")
	args := []string{"-c", "sleep 0.05"}
	for n := range 5000 {
		args = append(args, fmt.Sprintf("argument-number-%d", n))
	}
	run(t, exec.Command(huge, args...))
	c := w.one().Command
	if len(c.Line) > maxLine+len(more)+1 || !strings.HasSuffix(c.Line, " "+more) ||
		!strings.HasPrefix(c.Line, huge+" -c 'sleep 0.05' argument-number-0 ") {
		t.Errorf("%d bytes: %.80q ... %q", len(c.Line), c.Line, c.Line[max(0, len(c.Line)-80):])
	}
	words := strings.Fields(c.Line)
	if last := words[len(words)-2]; !slices.Contains(args, last) {
		t.Errorf("an argument was cut: %q", last)
	}
	run(t, exec.Command(huge, "-c", "sleep 0.05", strings.Repeat("x", 100<<10)))
	if c := w.one().Command; c.Line != huge+" -c 'sleep 0.05' "+more {
		t.Errorf("%d bytes: %.80q", len(c.Line), c.Line)
	}
}

func TestFolderAndFileGone(t *testing.T) {
	w := newWorld(t, "gone")
	dir := filepath.Join(w.dir, "soon gone")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	w.seenBeforeItEnds(exec.Command("sh", "-c", `cd "$1" && rm -r "$1" && exec "$2" 60`, "-", dir, w.tool), w.tool)
	if s := w.one(); s.Command.CwdFrom != dir || s.Origin.App != w.name("t") {
		t.Errorf("%+v", s.Command)
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	gone := program(t, dir, "sh", w.name("gone"))
	w.seenBeforeItEnds(exec.Command(gone, "-c", "rm -r '"+dir+"' && read line"), gone+" (deleted)")
	if s := w.one(); s.Origin.App != w.name("gone") {
		t.Errorf("%+v", s.Origin)
	}
}

// seenBeforeItEnds starts a program that runs until killed, and kills it once it runs as exe and the adapter has seen
// it.
func (w *world) seenBeforeItEnds(cmd *exec.Cmd, exe string) {
	w.t.Helper()
	in, err := cmd.StdinPipe() // open, so that who reads it waits
	if err != nil {
		w.t.Fatal(err)
	}
	defer in.Close()
	if err := cmd.Start(); err != nil {
		w.t.Fatal(err)
	}
	w.until(exe, func() bool {
		now, _ := os.Readlink(fmt.Sprintf("/proc/%d/exe", cmd.Process.Pid))
		return now == exe
	})
	w.settled(w.tool)
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
}

func TestOwnIsWithheld(t *testing.T) {
	a := nobody()
	a.own = func(i *image) bool { return strings.HasPrefix(base(i.exe), "ours") }
	w := newWorldOf(t, a, "ours")
	run(t, exec.Command(w.program("sh", "ours"), "-c", w.tool+" 0.03; sleep 0.03"))
	if seen := w.settled(w.tool); len(seen) != 0 {
		t.Errorf("%s", lines(seen))
	}
	if n := w.Withheld(capture.OwnWindow); n != 1 {
		t.Errorf("%d withheld as own", n)
	}
}

func TestAgentsAreNotThePerson(t *testing.T) {
	w := newWorld(t)
	run(t, exec.Command(program(t, t.TempDir(), "sh", "codex"), "-c", w.tool+" 0.03; sh -c '"+w.tool+" 0.03; true'"))
	if seen := w.settled(w.tool); len(seen) != 0 {
		t.Errorf("%s", lines(seen))
	}
	if n := w.Withheld(capture.WrongMode); n != 2 {
		t.Errorf("%d withheld as an agent's", n)
	}
}

func TestPauseReportsWhatWasStarted(t *testing.T) {
	w := newWorld(t)
	cmd := exec.Command(w.tool, "60")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }()
	run(t, exec.Command(w.tool, "0.05")) // the first has passed the adapter now, or is about to
	w.launches(1)
	w.control.Pause()
	seen := w.Seen()
	if len(seen) != 2 || !seen[1].Command.Running || seen[1].Origin.PID != cmd.Process.Pid {
		t.Errorf("%s", lines(seen))
	}
}

func TestStopReportsWhatRuns(t *testing.T) {
	w := newWorld(t)
	cmd := exec.Command(w.tool, "60")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }()
	run(t, exec.Command(w.tool, "0.05"))
	w.launches(1)
	if err := w.stop(); err != nil {
		t.Fatal(err)
	}
	if seen := w.Seen(); len(seen) != 2 || !seen[1].Command.Running {
		t.Errorf("%s", lines(seen))
	}
}

// take replaces a connector's socket.
func take(t *testing.T, s source) {
	t.Helper()
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	if err := unix.Dup3(int(null.Fd()), s.(*connector).fd, unix.O_CLOEXEC); err != nil {
		t.Fatal(err)
	}
}

// When the connector's socket is closed under the adapter, it opens another and reports that something may be
// missing.
func TestConnectorBreaks(t *testing.T) {
	w := newWorld(t)
	first := <-w.source
	run(t, exec.Command(w.tool, "0.15"))
	w.launches(1)
	take(t, first)
	second := <-w.source
	w.until("degraded", func() bool { return w.LastHealth().Code == "events_interrupted" })
	run(t, exec.Command(w.tool, "0.16"))
	w.launches(2)
	take(t, second)
	third := <-w.source
	w.until("degraded", func() bool { return w.LastHealth().State == adapters.Degraded })
	take(t, third)
	if err := w.ends(); err != errUnsteady { // the daemon starts it afresh
		t.Errorf("%v", err)
	}
}

// until waits for a condition that no observation announces.
func (o *observed) until(what string, cond func() bool) {
	o.t.Helper()
	await.Until(o.t, what, cond)
}

// At an overflow the buffer's content is delivered, dropped messages are counted, and running programs are found
// again.
func TestOverflowIsCounted(t *testing.T) {
	t.Parallel()
	needEvents(t)
	tool := program(t, t.TempDir(), "sleep", "tool")
	c, err := openConnector(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer c.close()
	if err := unix.SetsockoptInt(c.fd, unix.SOL_SOCKET, unix.SO_RCVBUF, 2048); err != nil { // the smallest there is
		t.Fatal(err)
	}
	var lost int64
	calm := make(chan struct{}, 1)
	c.lost = func(n int64) { lost += n }
	c.calm = func() { calm <- struct{}{} }
	const programs = 300
	for range programs { // nobody reads meanwhile
		run(t, exec.Command(tool, "0"))
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	done := make(chan error, 1)
	delivered := 0
	go func() { done <- c.run(ctx, func() {}, func(change) { delivered++ }) }()
	select {
	case <-calm:
	case <-time.After(time.Minute):
		t.Fatal("no loss was noticed")
	}
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
	if sum := lost + int64(delivered); lost == 0 || delivered == 0 || sum < 3*programs {
		t.Errorf("%d delivered and %d lost of at least %d", delivered, lost, 3*programs)
	}
}

func TestPolling(t *testing.T) {
	a := nobody()
	a.polling = 100 * time.Millisecond
	if h := a.Probe(t.Context()); h.State != adapters.Degraded || h.Code != "polling" || h.Fix == "" {
		t.Errorf("%+v", h)
	}
	w := newWorldOf(t, a)
	w.until("health", func() bool { return w.LastHealth().Code == "polling" })
	begin := time.Now()
	for _, script := range []string{"exec " + w.tool + " 600", w.tool + " 600; true"} {
		cmd := exec.Command("sh", "-c", script)
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL); _ = cmd.Wait() })
	}
	for _, s := range w.launches(2) { // a busy machine looks when it can, so the programs stay
		if s.Origin.App != w.name("t") || s.Command.Line != w.tool+" 600" || !s.Command.Running ||
			s.OccurredAt.Before(begin.Add(-20*time.Millisecond)) {
			t.Errorf("%+v %+v", s, s.Command)
		}
	}
}

// Polling sees a program replace another that was new when it last looked.
func TestPollingSeesAReplacement(t *testing.T) {
	tool := program(t, t.TempDir(), "sleep", "tool")
	cmd := exec.Command("sh", "-c", "read go; exec "+tool+" 600")
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	p := &poller{known: map[int]string{}}
	if err := p.round(t.Context(), func(change) {}); err != nil { // what ran before is settled
		t.Fatal(err)
	}
	for pid := range p.known {
		p.known[pid] = ""
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	var ran []string
	round := func() {
		t.Helper()
		err := p.round(t.Context(), func(c change) {
			if c.pid == cmd.Process.Pid && c.what == started {
				ran = append(ran, filepath.Base(c.image.exe))
			}
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	round()
	if _, err := stdin.Write([]byte("\n")); err != nil {
		t.Fatal(err)
	}
	await.Until(t, "the program", func() bool { i := look(cmd.Process.Pid); return i != nil && filepath.Base(i.exe) == "tool" })
	round()
	round()
	if len(ran) != 2 || ran[1] != "tool" {
		t.Errorf("it ran %v", ran)
	}
}

// gopsutil agrees with the kernel.
func TestPortable(t *testing.T) {
	cmd := exec.Command(program(t, t.TempDir(), "sleep", "tool"), "60")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }()
	want := look(cmd.Process.Pid)
	for end := time.Now().Add(time.Minute); want == nil || len(want.argv) == 0; want = look(cmd.Process.Pid) {
		if time.Now().After(end) {
			t.Fatal("it does not start")
		}
	}
	got := lookPortable(t.Context(), cmd.Process.Pid)
	if got == nil || !slices.Equal(got.argv, want.argv) || got.exe != want.exe || got.comm != want.comm || got.cwd != want.cwd ||
		got.parent != want.parent || got.tty != want.tty || !got.mine {
		t.Errorf("%+v\n%+v", got, want)
	}
	if d := got.born.Sub(want.born).Abs(); d > 2*time.Second {
		t.Errorf("born %v apart", d)
	}
	if ids, err := pidsPortable(t.Context()); err != nil || !slices.Contains(ids, cmd.Process.Pid) {
		t.Errorf("not listed: %v", err)
	}
}
