//go:build unix

package terminal

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"showhow/adapters"
	"showhow/adapters/adaptertest"
	"showhow/capture"
	"showhow/internal/await"
)

// observed is an adapter while it runs.
type observed struct {
	*adaptertest.Sink
	t       testing.TB
	control adapters.Control
	stop    func()
}

func observe(t testing.TB, runtimeDir string, ttys ...string) *observed {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	o := &observed{Sink: adaptertest.NewSink(), t: t}
	done, ready := make(chan error, 1), make(chan adapters.Control, 1)
	a := New(runtimeDir)
	a.tick = 50 * time.Millisecond
	go func() {
		done <- a.Run(ctx, adapters.Session{Scope: capture.Scope{Shells: ttys}}, o.Sink, func(c adapters.Control) { ready <- c })
	}()
	stopped := false
	o.stop = func() {
		if stopped {
			return
		}
		stopped = true
		cancel()
		if err := <-done; err != nil {
			t.Errorf("Run: %v", err)
		}
	}
	t.Cleanup(o.stop)
	select {
	case o.control = <-ready:
	case err := <-done:
		stopped = true
		t.Fatalf("Run: %v", err)
	}
	return o
}

// lines waits for n commands and returns their lines.
func (o *observed) lines(n int) []string {
	defer func() {
		if o.t.Failed() {
			for _, r := range []capture.WithheldReason{capture.NotCapturing, capture.Overflow, capture.ShellPrivate, capture.HistoryOff,
				capture.TooLong} {
				o.t.Logf("withheld %s: %d", r, o.Withheld(r))
			}
		}
	}()
	o.t.Helper()
	seen := o.Wait(o.t, fmt.Sprintf("%d commands", n), time.Minute, func(s []adaptertest.Seen) bool { return len(s) >= n })
	var out []string
	for _, s := range seen {
		if s.Command == nil {
			out = append(out, "own")
		} else {
			out = append(out, s.Command.Line)
		}
	}
	return out
}

func (o *observed) expect(want ...string) {
	o.t.Helper()
	got := o.lines(len(want))
	if fmt.Sprintf("%q", got) != fmt.Sprintf("%q", want) {
		o.t.Errorf("captured %q\nwant     %q", got, want)
	}
}

// unmarked waits until no shell shows the mark: the adapter has looked, and did not renew the lease.
func (o *observed) unmarked() {
	o.t.Helper()
	await.Until(o.t, "the indicator's end", func() bool {
		n := o.Indicated(Indicator)
		o.control.(*watch).check()
		return n == o.Indicated(Indicator)
	})
}

// until waits for a condition that only the sink or the file system tells.
func until(t testing.TB, what string, cond func() bool) {
	t.Helper()
	await.Until(t, what, cond)
}

func eachShell(t *testing.T, f func(t *testing.T, shell string)) {
	t.Parallel()
	for _, shell := range Shells {
		t.Run(shell, func(t *testing.T) {
			t.Parallel()
			f(t, shell)
		})
	}
}

func TestCommandsAreCapturedWhole(t *testing.T) {
	eachShell(t, func(t *testing.T, shell string) {
		dir := newRuntime(t)
		tm := newTerm(t, dir, termOpts{shell: shell})
		o := observe(t, dir, tm.tty)
		before := time.Now()
		loop, background, seven := "for i in 1 2; do\necho $i\ndone", "sleep 0.2 & true", "(exit 7)"
		if shell == "fish" {
			loop, seven = "for i in 1 2\necho $i\nend", "sh -c 'exit 7'"
		}
		tm.run(`echo "grüße, \n 'welt'" | cat; false`)
		tm.run("mkdir sub && cd sub")
		tm.run(loop)
		tm.run(background)
		tm.run(seven)
		tm.run("showhow status")
		tm.run("echo last")
		got := o.lines(7)
		want := []string{`echo "grüße, \n 'welt'" | cat; false`, "mkdir sub && cd sub", loop, background, seven, "own", "echo last"}
		if shell == "bash" {
			want[2] = "for i in 1 2; do echo $i; done" // as its history keeps it
		}
		if fmt.Sprintf("%q", got) != fmt.Sprintf("%q", want) {
			t.Errorf("captured %q\nwant     %q", got, want)
		}
		seen := o.Seen()
		for i, exit := range map[int]int{0: 1, 1: 0, 4: 7} {
			if c := seen[i].Command; c.Exit != exit || c.Shell != shell || c.Duration < 0 || c.Duration > 20*time.Second {
				t.Errorf("%q: exit %d, shell %s, %v", c.Line, c.Exit, c.Shell, c.Duration)
			}
		}
		cd := seen[1]
		if cd.Command.CwdFrom != tm.home || cd.Command.CwdTo != filepath.Join(tm.home, "sub") || !cd.Changed {
			t.Errorf("from %q to %q", cd.Command.CwdFrom, cd.Command.CwdTo)
		}
		if cd.Origin.Shell != tm.tty || cd.Origin.App != shell || cd.Origin.PID != tm.pid {
			t.Errorf("origin %+v", cd.Origin)
		}
		if cd.OccurredAt.Before(before) || cd.OccurredAt.After(time.Now()) {
			t.Errorf("occurred at %v", cd.OccurredAt)
		}
		if !seen[5].Origin.Own || seen[5].Command != nil {
			t.Error("Showhow's own command line was described")
		}
	})
}

func TestInterruptedAndEmptyLinesAreNoCommands(t *testing.T) {
	eachShell(t, func(t *testing.T, shell string) {
		dir := newRuntime(t)
		tm := newTerm(t, dir, termOpts{shell: shell})
		o := observe(t, dir, tm.tty)
		tm.run("echo one")
		tm.run("")
		from := tm.len()
		tm.send("echo never")
		tm.await(from, "never")
		tm.interrupt()
		tm.send("sleep 30\n")
		until(t, "sleep to run", func() bool { return runs(tm.pid, "sleep") })
		tm.interrupt()
		tm.run("echo two")
		o.expect("echo one", "sleep 30", "echo two")
		if exit := o.Seen()[1].Command.Exit; exit != 130 {
			t.Errorf("the interrupted command ended with %d", exit)
		}
	})
}

// runs reports whether a process of this name is a child of pid.
func runs(pid int, name string) bool {
	data, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", pid, pid))
	for _, f := range strings.Fields(string(data)) {
		var child int
		fmt.Sscan(f, &child)
		if p, ok := look(child); ok && p.name == name {
			return true
		}
	}
	return false
}

func TestStatusOfTheShellIsUntouched(t *testing.T) {
	eachShell(t, func(t *testing.T, shell string) {
		dir := newRuntime(t)
		tm := newTerm(t, dir, termOpts{shell: shell})
		check := func(when string) {
			t.Helper()
			status, fail := "$?.${PIPESTATUS[*]}", "(exit 3) | (exit 4)"
			switch shell {
			case "zsh":
				status = "$?.$pipestatus"
			case "fish":
				status, fail = "$status.$pipestatus", "sh -c 'exit 3' | sh -c 'exit 4'"
			}
			tm.run(fail)
			if got := tm.ask(status); got != "4.3 4" {
				t.Errorf("%s: status %q", when, got)
			}
			if shell == "fish" {
				return
			}
			tm.run("true some last-argument")
			if got := tm.ask("$_"); got != "last-argument" {
				t.Errorf("%s: $_ is %q", when, got)
			}
			tm.run("IFS=x")
			if got := tm.ask("$IFS"); got != "x" {
				t.Errorf("%s: IFS is %q", when, got)
			}
			tm.run(`IFS=$' \t\n'`)
			tm.run("true & wait")
			pid := tm.ask("$!")
			if again := tm.ask("$!"); again != pid {
				t.Errorf("%s: $! changed", when)
			}
		}
		check("uncaptured")
		o := observe(t, dir, tm.tty)
		check("captured")
		o.stop()
		check("after the end")
	})
}

func TestMarkIsShownOnlyWhileCaptured(t *testing.T) {
	eachShell(t, func(t *testing.T, shell string) {
		dir := newRuntime(t)
		tm := newTerm(t, dir, termOpts{shell: shell})
		if out := tm.run("echo a"); strings.Contains(out, "[watched]") {
			t.Fatal("marked before capture")
		}
		o := observe(t, dir, tm.tty)
		if o.Indicated(Indicator) != 0 {
			t.Error("indicated before the mark was shown")
		}
		if out := tm.run("echo b"); !strings.Contains(out, "[watched] "+prompt) {
			t.Errorf("no mark in %q", out)
		}
		until(t, "the indicator", func() bool { return o.Indicated(Indicator) > 2 })
		renew := "PS1='newP''> '"
		if shell == "fish" {
			renew = "function fish_prompt; echo -n 'newP''> '; end"
		}
		tm.run(renew)
		if out := tm.run("echo c"); !strings.Contains(out, "[watched] new"+prompt) {
			t.Errorf("no mark in the new prompt: %q", out)
		}
		o.control.Pause()
		if out := tm.run("echo d"); strings.Contains(out, "[watched]") {
			t.Errorf("marked while paused: %q", out)
		}
		n := o.Indicated(Indicator)
		o.control.Resume()
		if out := tm.run("echo e"); !strings.Contains(out, "[watched]") {
			t.Errorf("no mark after resume: %q", out)
		}
		until(t, "the indicator after resume", func() bool { return o.Indicated(Indicator) > n })
		o.expect("echo b", renew, "echo c", "echo e")
		tm.send("exit\n")
		<-tm.done
		o.unmarked()
	})
}

func TestEffectsOnFiles(t *testing.T) {
	t.Parallel()
	dir := newRuntime(t)
	tm := newTerm(t, dir, termOpts{})
	write(t, filepath.Join(tm.home, "old.csv"), "a,b\n")
	tm.run("true")
	o := observe(t, dir, tm.tty)
	for i, line := range []string{"cut -d, -f1 old.csv > Summary.CSV", "echo x >> Summary.CSV; rm old.csv", "cat Summary.CSV"} {
		tm.run(line)
		o.lines(i + 1) // the folder is looked at when a command is reported: one within the same moment would share its files
	}
	seen := o.Seen()
	if s := seen[0]; len(s.After.Files) != 1 || s.After.Files[0] != (capture.File{Name: "Summary.CSV", Ext: ".csv", Size: 2}) ||
		len(s.Before.Files) != 0 || !s.Changed {
		t.Errorf("made: before %+v after %+v", s.Before, s.After)
	}
	if s := seen[1]; len(s.After.Files) != 1 || len(s.Before.Files) != 2 || s.Before.Files[1].Name != "old.csv" {
		t.Errorf("changed and removed: before %+v after %+v", s.Before, s.After)
	}
	if s := seen[2]; s.Changed || len(s.After.Files) != 0 {
		t.Errorf("nothing changed, but after %+v", s.After)
	}
	// Lines that come faster than the adapter looks at them keep their own files.
	tm.send("sleep .05; echo 1 > one.txt\nsleep .05; echo 22 > two.txt\n")
	o.lines(4) // a file that is gone before anybody looked was never seen
	tm.send("sleep .05; rm one.txt\n")
	o.lines(6)
	seen = o.Seen()
	for i, want := range []string{"one.txt", "two.txt"} {
		if s := seen[3+i]; len(s.After.Files) != 1 || s.After.Files[0].Name != want || len(s.Before.Files) != 0 {
			t.Errorf("pasted line %d: before %+v after %+v", i+1, s.Before, s.After)
		}
	}
	if s := seen[5]; len(s.After.Files) != 0 || len(s.Before.Files) != 1 || s.Before.Files[0].Name != "one.txt" {
		t.Errorf("the last pasted line: before %+v after %+v", s.Before, s.After)
	}
}

func TestNestedShellsAreKeptApart(t *testing.T) {
	t.Parallel()
	dir := newRuntime(t)
	tm := newTerm(t, dir, termOpts{})
	o := observe(t, dir, tm.tty)
	tm.run("echo outer")
	tm.run(`bash --noprofile --rcfile "$HOME/rc" -i`)
	tm.run("echo inner")
	tm.run("exit 5")
	tm.run("echo outer again")
	o.expect("echo outer", "echo inner", `bash --noprofile --rcfile "$HOME/rc" -i`, "echo outer again")
	seen := o.Seen()
	if seen[0].Origin.PID == seen[1].Origin.PID || seen[0].Origin.PID != seen[2].Origin.PID || seen[2].Command.Exit != 5 {
		t.Error("the nested shell is not told from the outer one")
	}
}

func TestOnlyNamedTerminals(t *testing.T) {
	t.Parallel()
	dir := newRuntime(t)
	in, off := newTerm(t, dir, termOpts{}), newTerm(t, dir, termOpts{})
	o := observe(t, dir, in.tty, "../../etc/passwd", "")
	off.run("echo off")
	in.run("echo in")
	off.run("echo off")
	o.expect("echo in")
}

func TestLiveListsHookedShells(t *testing.T) {
	t.Parallel()
	dir := newRuntime(t)
	a := New(dir)
	if h := a.Probe(t.Context()); h.State != adapters.Degraded || h.Code != "no_hooked_shell" {
		t.Errorf("health without a shell: %+v", h)
	}
	tm := newTerm(t, dir, termOpts{})
	z := newTerm(t, dir, termOpts{shell: "zsh"})
	live := Live(dir)
	if len(live) != 2 || !hasShell(live, tm.tty, tm.pid, "bash") || !hasShell(live, z.tty, z.pid, "zsh") {
		t.Errorf("live shells %+v, want %s %d and %s %d", live, tm.tty, tm.pid, z.tty, z.pid)
	}
	if h := a.Probe(t.Context()); h.State != adapters.Ready {
		t.Errorf("health: %+v", h)
	}
	tm.stop()
	if live := Live(dir); len(live) != 1 {
		t.Errorf("a shell that ended is still listed: %+v", live)
	}
}

func hasShell(live []Shell, tty string, pid int, shell string) bool {
	for _, s := range live {
		if s.TTY == tty && s.PID == pid && s.Shell == shell {
			return true
		}
	}
	return false
}

// A shell creates its file and then writes its name into it; whoever looks in between must not remove it.
func TestAShellThatStillWritesItsName(t *testing.T) {
	t.Parallel()
	dir := newRuntime(t)
	tm := newTerm(t, dir, termOpts{shell: "bash"})
	live := Live(dir)
	if len(live) != 1 {
		t.Fatalf("live: %+v", live)
	}
	file := filepath.Join(dirIn(dir), fmt.Sprintf("%s.%d.shell", strings.ReplaceAll(tm.tty, "/", "-"), live[0].PID))
	write(t, file, "")
	if live := Live(dir); len(live) != 0 {
		t.Errorf("a shell without a name is listed: %+v", live)
	}
	f, err := os.OpenFile(file, os.O_WRONLY, 0) // as the shell's own descriptor: no new file
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString("bash\n"); err != nil {
		t.Fatal(err)
	}
	if live := Live(dir); len(live) != 1 {
		t.Errorf("after it wrote its name: %+v", live)
	}
}
