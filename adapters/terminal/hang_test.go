//go:build unix

package terminal

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"showhow/adapters"
	"showhow/adapters/adaptertest"
	"showhow/capture"
	"showhow/internal/fault"
)

// serve is an adapter in a process of its own, standing for the daemon: it prints one line per command.
func serve(runtimeDir, tty string) {
	err := New(runtimeDir).Run(context.Background(), adapters.Session{Scope: capture.Scope{Shells: []string{tty}}}, printer{},
		func(adapters.Control) { fmt.Println("ready") })
	fmt.Println("ended", err)
}

type printer struct{}

func (printer) Emit(o capture.Observation) { fmt.Println("emit", o.Command.Line) }
func (printer) Withhold(_ capture.Kind, r capture.WithheldReason, n int64) {
	fmt.Println("withhold", r, n)
}
func (printer) Indicate(string)        {}
func (printer) Health(adapters.Health) {}

// daemon starts serve and returns its process and its lines.
func daemon(t *testing.T, runtimeDir, tty string) (*os.Process, <-chan string) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, "serve", runtimeDir, tty)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := make(chan string, 10000)
	read := make(chan struct{})
	go func() {
		defer close(read)
		for s := bufio.NewScanner(out); s.Scan(); {
			lines <- s.Text()
		}
		_, _ = io.Copy(io.Discard, out)
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		<-read
		_ = cmd.Wait()
	})
	if got := <-lines; got != "ready" {
		t.Fatalf("the daemon says %q", got)
	}
	return cmd.Process, lines
}

// many types n commands as fast as the terminal takes them and waits for the last one's prompt.
func (tm *term) many(n int, format string) {
	tm.t.Helper()
	const batch = 50
	for i := 0; i < n; i += batch {
		from := tm.len()
		var b strings.Builder
		for j := i; j < min(i+batch, n); j++ {
			fmt.Fprintf(&b, format+"\n", j)
		}
		end := fmt.Sprintf("end-of-%d-", i)
		b.WriteString("echo " + end + "'0'\n")
		tm.send(b.String())
		out := tm.await(from, end+"0")
		tm.ready(from + strings.Index(out, end+"0"))
	}
}

// tooMany is how many commands exceed a shell's buffer: fish counts them, the others' is a pipe.
func tooMany(shell string) int {
	if shell == "fish" {
		return 1200
	}
	return 1100
}

func TestNobodyReads(t *testing.T) {
	eachShell(t, func(t *testing.T, shell string) {
		dir := newRuntime(t)
		tm := newTerm(t, dir, termOpts{shell: shell})
		pipe := filepath.Join(dirIn(dir), fileName(tm.tty))
		spool := filepath.Join(dir, "spool")
		write(t, spool, "")
		write(t, pipe+".who", fmt.Sprintf("%d left-behind on %s\n", os.Getpid(), spool))
		write(t, pipe+".left-behind", "")
		if _, err := makePipe(pipe + ".fifo"); err != nil {
			t.Fatal(err)
		}
		if out := tm.run("echo one"); !strings.Contains(out, "[watched]") {
			t.Fatalf("the shell did not join: %q", out)
		}
		// or the wait fails
		tm.many(tooMany(shell),
			": %d, this line and its like fill a pipe that nobody reads, of at most 256 KiB, and then some more of it ..........")
		if fi, err := os.Stat(spool); err != nil || fi.Size() > 512<<10 {
			t.Errorf("the file that nobody reads: %d bytes, %v", fi.Size(), err)
		}
		o := observe(t, dir, tm.tty)
		tm.run("echo fresh")
		o.expect("echo fresh") // nothing of what was buffered for nobody
	})
}

func TestStoppedAndDeadDaemon(t *testing.T) {
	eachShell(t, func(t *testing.T, shell string) {
		dir := newRuntime(t)
		tm := newTerm(t, dir, termOpts{shell: shell})
		p, lines := daemon(t, dir, tm.tty)
		tm.run("echo joined")
		if got := <-lines; got != "emit echo joined" {
			t.Fatalf("the daemon says %q", got)
		}
		if err := p.Signal(syscall.SIGSTOP); err != nil {
			t.Fatal(err)
		}
		n := tooMany(shell)
		tm.many(n, ": %d, this line and its like fill a pipe that nobody reads, of at most 256 KiB, and then some more of it ..........")
		if err := p.Signal(syscall.SIGCONT); err != nil {
			t.Fatal(err)
		}
		emitted, lost := 0, 0
		// The buffer's content first; the shell reports what was refused with the next command that is accepted.
		last, done := 1+n+n/50, false
		for deadline := time.Now().Add(time.Minute); !done || emitted+lost < last-1; {
			tm.run(fmt.Sprint("echo after ", last))
			last++
			for quiet := false; !quiet && !done; {
				var k int
				select {
				case l := <-lines:
					if strings.HasPrefix(l, "emit ") {
						emitted++
						done = l == fmt.Sprint("emit echo after ", last-1)
					} else if _, err := fmt.Sscanf(l, "withhold overflow %d", &k); err == nil {
						lost += k
					}
				case <-time.After(200 * time.Millisecond):
					quiet = true
				}
			}
			if time.Now().After(deadline) {
				t.Fatalf("after %d commands %d were emitted and %d counted as lost", last, emitted, lost)
			}
		}
		if emitted+lost != last-1 || lost == 0 || emitted < 100 {
			t.Errorf("of %d commands %d were emitted and %d counted as lost", last-1, emitted, lost)
		}

		if err := p.Kill(); err != nil {
			t.Fatal(err)
		}
		until(t, "the daemon's end", func() bool { return !alive(p.Pid) || zombie(p.Pid) })
		_, _ = p.Wait()
		if out := tm.run("echo alone"); strings.Contains(out, "[watched]") {
			t.Errorf("marked though nobody watches: %q", out)
		}
		o := observe(t, dir, tm.tty)
		tm.run("echo again")
		o.expect("echo again")
	})
}

func zombie(pid int) bool { _, ok := look(pid); return !ok }

func TestThousandCommands(t *testing.T) {
	eachShell(t, func(t *testing.T, shell string) {
		dir := newRuntime(t)
		tm := newTerm(t, dir, termOpts{shell: shell})
		o := observe(t, dir, tm.tty)
		const n = 1000
		tm.many(n, ": %d")
		o.lines(n + n/50)
		o.stop()
		seen := map[string]int{}
		for _, s := range o.Seen() {
			seen[s.Command.Line]++
		}
		for i := range n {
			if c := seen[fmt.Sprintf(": %d", i)]; c != 1 {
				t.Errorf("command %d was captured %d times", i, c)
			}
		}
		if len(o.Seen()) != n+n/50 || o.Withheld(capture.Overflow) != 0 {
			t.Errorf("%d captured, %d lost", len(o.Seen()), o.Withheld(capture.Overflow))
		}
	})
}

// Removing the pipe, or the whole folder, costs a second of capture and nothing else: the shell shows no error.
func TestRemovedPipeIsMadeAgain(t *testing.T) {
	eachShell(t, func(t *testing.T, shell string) {
		dir := newRuntime(t)
		tm := newTerm(t, dir, termOpts{shell: shell})
		o := observe(t, dir, tm.tty)
		tm.run("echo one")
		path := filepath.Join(dirIn(dir), fileName(tm.tty)+".fifo")
		for _, what := range []string{path, dir} {
			before := len(o.Seen())
			// Removed at once: in a folder emptied file by file the adapter would create new ones meanwhile.
			if err := os.Rename(what, filepath.Join(t.TempDir(), "gone")); err != nil {
				t.Fatal(err)
			}
			if out := tm.run("echo meanwhile"); strings.Contains(out, "rror") || strings.Contains(out, "No such") {
				t.Errorf("without %s the shell says %q", what, out)
			}
			until(t, "a new pipe", func() bool {
				who, err := os.ReadFile(strings.TrimSuffix(path, ".fifo") + ".who")
				_, stat := os.Lstat(path)
				return err == nil && stat == nil && len(who) > 0
			})
			until(t, "a command to be seen", func() bool {
				tm.run("echo two")
				s := o.Seen()
				return len(s) > before && s[len(s)-1].Command.Line == "echo two"
			})
		}
	})
}

func TestForeignPipeIsLeftAlone(t *testing.T) {
	t.Parallel()
	dir := newRuntime(t)
	tm := newTerm(t, dir, termOpts{})
	first := observe(t, dir, tm.tty)
	tm.run("echo first")
	second := observe(t, dir, tm.tty) // takes over
	tm.run("echo second")
	second.expect("echo second")
	until(t, "the loser's health", func() bool { return first.LastHealth().Code == "terminal_taken" })
	first.stop() // must not remove what is not its own
	tm.run("echo third")
	second.expect("echo second", "echo third")
}

// A daemon that takes a terminal over keeps it: the previous one never mistakes the moment in between for a removed
// pipe.
func TestATakenTerminalIsNotTakenBack(t *testing.T) {
	t.Parallel()
	dir := newRuntime(t)
	const tty = "pts/9999"
	for i := range 100 {
		first, second := newWatch(New(dir), dirIn(dir), adaptertest.NewSink()), newWatch(New(dir), dirIn(dir), adaptertest.NewSink())
		if err := first.want([]string{tty}); err != nil {
			t.Fatal(err)
		}
		end, ended := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(ended)
			for {
				select {
				case <-end:
					return
				default:
					first.check()
				}
			}
		}()
		err := second.want([]string{tty})
		close(end)
		<-ended
		first.check()
		if p := second.pipes[tty]; err != nil || p.inPlace() != here {
			t.Errorf("round %d: the new daemon has lost the terminal: %v", i, err)
		}
		first.end()
		if p := second.pipes[tty]; p.inPlace() != here {
			t.Errorf("round %d: the old daemon's end took the terminal along", i)
		}
		second.end()
		if t.Failed() {
			return
		}
	}
}

func TestUnusableFolder(t *testing.T) {
	root := t.TempDir()
	write(t, filepath.Join(root, "file"), "")
	link := filepath.Join(root, "link")
	if err := os.Symlink(t.TempDir(), link); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{filepath.Join(root, "file"), filepath.Join(root, "file", "below"), link} {
		a := New(dir)
		err := a.Run(t.Context(), adapters.Session{}, adaptertest.NewSink(), func(adapters.Control) { t.Error("ready") })
		if !fault.Is(err, fault.AdapterUnavailable) {
			t.Errorf("Run: %v", err)
		}
		if h := a.Probe(t.Context()); h.State != adapters.Unavailable || h.Fix == "" {
			t.Errorf("Probe: %+v", h)
		}
	}
	if os.Geteuid() == 0 {
		return // may write everywhere
	}
	closed := filepath.Join(root, "closed")
	if err := os.Mkdir(closed, 0o500); err != nil {
		t.Fatal(err)
	}
	if h := New(filepath.Join(closed, "showhow")).Probe(t.Context()); h.State != adapters.Unavailable {
		t.Errorf("Probe: %+v", h)
	}
}

func TestLongLinesAreCountedNotCut(t *testing.T) {
	eachShell(t, func(t *testing.T, shell string) {
		dir := newRuntime(t)
		tm := newTerm(t, dir, termOpts{shell: shell})
		o := observe(t, dir, tm.tty)
		long := filepath.Join(tm.home, "long")
		write(t, long, ": "+strings.Repeat("x", 30_000)+"\n")
		tm.run("echo one")
		// Too long to be typed into a pty at once: added to the history as if it had been typed.
		switch shell {
		case "bash":
			tm.run(`history -s "$(cat long)"`)
		case "fish":
			from := tm.len()
			tm.send("commandline -r -- (head -c 5000 long)\n")
			tm.ready(from)
			tm.run("")
		default:
			from := tm.len()
			tm.send(`print -z "$(head -c 5000 long)"` + "\n")
			tm.await(from, "xxxx")
			tm.run("")
		}
		tm.run("echo two")
		until(t, "the long line", func() bool { return o.Withheld(capture.TooLong) == 1 })
		o.lines(2)
		for _, s := range o.Seen() {
			if len(s.Command.Line) > MaxLine {
				t.Errorf("a line of %d bytes", len(s.Command.Line))
			}
		}
	})
}

func TestSetNonblock(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	if err := SetNonblock(int(w.Fd())); err != nil {
		t.Error(err)
	}
	f, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, fd := range []int{int(f.Fd()), -1, 9999} {
		if err := SetNonblock(fd); !fault.Is(err, fault.Usage) {
			t.Errorf("descriptor %d: %v", fd, err)
		}
	}
}
