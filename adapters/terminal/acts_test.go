//go:build unix

package terminal

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"showhow/capture"
)

func TestFoldersAndDurations(t *testing.T) {
	eachShell(t, func(t *testing.T, shell string) {
		dir := newRuntime(t)
		tm := newTerm(t, dir, termOpts{shell: shell})
		write(t, filepath.Join(tm.home, "f"), "")
		tm.run("mkdir -p one/two 'with space'")
		o := observe(t, dir, tm.tty)
		acts := []struct{ line, from, to string }{ // below home
			{"cd one", "", "one"}, {"pushd two", "one", "one/two"}, {"popd", "one/two", "one"}, {"cd", "one", ""},
			{"cd 'with space'", "", "with space"}, {"cd ..", "with space", ""}, {"sleep 0.3", "", ""},
		}
		for _, a := range acts {
			tm.run(a.line)
		}
		o.lines(len(acts))
		for i, a := range acts {
			c := o.Seen()[i].Command
			if c.Line != a.line || c.CwdFrom != filepath.Join(tm.home, a.from) || c.CwdTo != filepath.Join(tm.home, a.to) {
				t.Errorf("%s: %q from %q to %q", a.line, c.Line, c.CwdFrom, c.CwdTo)
			}
			if slept := a.line == "sleep 0.3"; slept != (c.Duration >= 300*time.Millisecond) && (slept || c.Duration > 20*time.Second) {
				t.Errorf("%s took %v", a.line, c.Duration)
			}
		}
	})
}

func TestStoppedAndContinuedJobs(t *testing.T) {
	eachShell(t, func(t *testing.T, shell string) {
		dir := newRuntime(t)
		tm := newTerm(t, dir, termOpts{shell: shell})
		o := observe(t, dir, tm.tty)
		tm.run("echo one")
		from := tm.len()
		tm.send("sleep 20\n")
		until(t, "sleep to run", func() bool { return runs(tm.pid, "sleep") })
		tm.send("\x1a")
		tm.ready(from)
		from = tm.len()
		tm.send("fg\n")
		tm.await(from, "sleep 20")
		until(t, "sleep to run again", func() bool { return running1(tm.pid, "sleep") })
		tm.interrupt()
		tm.run("echo two")
		o.expect("echo one", "sleep 20", "fg", "echo two")
		if exit := o.Seen()[1].Command.Exit; shell != "fish" && exit != 148 && exit != 146 {
			t.Errorf("the stopped command has %d", exit)
		}
	})
}

// running1 reports whether a child of this name is not stopped.
func running1(pid int, name string) bool {
	data, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", pid, pid))
	for _, f := range strings.Fields(string(data)) {
		stat, _ := os.ReadFile("/proc/" + f + "/stat")
		if s := string(stat); strings.Contains(s, "("+name+") ") && !strings.Contains(s, ") T ") {
			return true
		}
	}
	return false
}

// Unusual input that a person may type; each is one whole command.
func TestOddLines(t *testing.T) {
	eachShell(t, func(t *testing.T, shell string) {
		dir := newRuntime(t)
		tm := newTerm(t, dir, termOpts{shell: shell,
			before: map[string]string{"fish": "alias ll='ls -l'\nfunction greet; echo hi $argv; end"}[shell] +
				map[bool]string{true: "alias ll='ls -l'\ngreet() { echo hi \"$@\"; }"}[shell != "fish"]})
		o := observe(t, dir, tm.tty)
		lines := []string{
			"ll /dev/null", "greet you", `printf '%s\n' 'a\nb' "two  here" | cat -A`, "echo é ü 漢字 🙂", `echo '$(date)' "\\" \'`,
			"true # 12  3* x", "echo " + strings.Repeat("y", 1500),
		}
		if shell != "fish" {
			lines = append(lines, "cat <<X | tr a b\na $HOME\n   12  a\nX", "{ echo a; echo b; } | (cat; exit 3)", "x=$(echo a; echo b)",
				"f() { echo 1; }; f", "case a in a) echo y;; esac", "coproc true; wait", "echo a; sleep 0.01 & wait")
		}
		for _, l := range lines {
			tm.run(l)
		}
		o.lines(len(lines))
		for i, l := range lines {
			if got := o.Seen()[i].Command.Line; got != l {
				t.Errorf("typed %q\ncaptured %q", l, got)
			}
		}
	})
}

// A bracketed paste, an escape sequence and a control character within a line.
func TestPasteAndEscapes(t *testing.T) {
	eachShell(t, func(t *testing.T, shell string) {
		dir := newRuntime(t)
		tm := newTerm(t, dir, termOpts{shell: shell, before: xterm(shell)})
		tm.run("echo start")
		o := observe(t, dir, tm.tty)
		from := tm.len()
		tm.send("\x1b[200~echo pasted one\necho pasted two\x1b[201~")
		tm.await(from, "two")
		tm.send("\n")
		tm.ready(from)
		if shell != "fish" {
			from = tm.len()
			tm.send("echo a\x16\x1b[31mb\x16\x02c\n") // Ctrl-V takes the next key as it is
			tm.ready(from)
		}
		tm.run("echo end")
		want := []string{"echo pasted one\necho pasted two", "echo a\x1b[31mb\x02c", "echo end"}
		switch shell {
		case "bash": // takes it line by line
			want = []string{"echo pasted one", "echo pasted two", want[1], want[2]}
		case "fish":
			want = []string{want[0], want[2]}
		}
		o.expect(want...)
	})
}

// Several commands that bash runs from one prompt are several commands, private ones included.
func TestPastedTogether(t *testing.T) {
	t.Parallel()
	dir := newRuntime(t)
	tm := newTerm(t, dir, termOpts{before: "TERM=xterm HISTCONTROL=ignoreboth"})
	tm.run("echo start")
	o := observe(t, dir, tm.tty)
	for range 2 {
		from := tm.len()
		tm.send("\x1b[200~false\n echo hidden\nfor i in 1 2; do\necho $i\ndone\n(exit 4)\nsleep 0.1\x1b[201~\n")
		tm.ready(from)
	}
	tm.run("echo end")
	loop := "for i in 1 2; do echo $i; done"
	o.expect("false", loop, "(exit 4)", "sleep 0.1", "false", loop, "(exit 4)", "sleep 0.1", "echo end")
	for i, exit := range []int{1, 0, 4, 0} {
		if c := o.Seen()[i].Command; c.Exit != exit {
			t.Errorf("%s: %d", c.Line, c.Exit)
		}
	}
	if d := o.Seen()[3].Command.Duration; d < 100*time.Millisecond {
		t.Errorf("the last one took %v", d)
	}
	for i, next := range o.Seen()[1:] { // each takes its own time
		if end := o.Seen()[i].OccurredAt.Add(o.Seen()[i].Command.Duration); end.After(next.OccurredAt) {
			t.Errorf("%s began at %v, before the end of what was run before it at %v", next.Command.Line, next.OccurredAt, end)
		}
	}
	if n := o.Withheld(capture.ShellPrivate); n != 2 {
		t.Errorf("%d withheld", n)
	}
}

// xterm is for what a dumb terminal does not support, such as pasting.
func xterm(shell string) string {
	if shell == "fish" {
		return ""
	}
	return "TERM=xterm"
}

// Lines of nearly MaxLine bytes are complete, longer ones are counted, and neither disturbs the next.
func TestLinesOfEveryLength(t *testing.T) {
	eachShell(t, func(t *testing.T, shell string) {
		dir := newRuntime(t)
		tm := newTerm(t, dir, termOpts{shell: shell, before: xterm(shell)})
		o := observe(t, dir, tm.tty)
		tm.run("echo one")
		paste := func(n int) {
			from := tm.len()
			tm.send("\x1b[200~: ")
			for sent := 2; sent < n; sent += 500 { // a terminal takes so much at a time
				tm.send(strings.Repeat("z", min(500, n-sent)))
			}
			tm.send("\x1b[201~\n")
			tm.ready(from)
		}
		paste(3400)
		paste(6000)
		tm.run("echo two")
		got := o.lines(3)
		if len(got) != 3 || got[0] != "echo one" || len(got[1]) != 3400 || got[2] != "echo two" || o.Withheld(capture.TooLong) != 1 {
			second := got[min(1, len(got)-1)]
			t.Errorf("%d lines, the second has %d bytes, %.20q to %q; %d too long", len(got), len(second), second, second[max(0, len(second)-9):],
				o.Withheld(capture.TooLong))
		}
	})
}

// Options that make a shell strict or verbose neither end it nor change what is captured.
func TestStrictShells(t *testing.T) {
	for shell, options := range map[string][]string{
		"bash": {"set -e", "set -u", "set -eu; set -o pipefail", "set -C", "set -x", "set -v", "set -f", "set -a", "set -o posix",
			"shopt -s extdebug", "shopt -s nocasematch"},
		"zsh": {"set -u", "setopt xtrace", "setopt verbose", "setopt no_clobber", "setopt no_rcs", "setopt err_exit", "setopt ksh_arrays",
			"setopt auto_cd correct", "setopt share_history", "setopt no_nomatch"},
		"fish": {"set -g fish_trace 1", "set -gx fish_features no-stderr-nocaret", "set -g PWD_ x"},
	} {
		for _, option := range options {
			t.Run(shell+" "+option, func(t *testing.T) {
				t.Parallel()
				dir := newRuntime(t)
				tm := newTerm(t, dir, termOpts{shell: shell})
				tm.run(option)
				o := observe(t, dir, tm.tty)
				tm.run("echo one")
				tm.run("cd / && cd")
				o.control.Pause()
				tm.run("echo unseen")
				o.control.Resume()
				tm.run("echo two")
				tm.run("echo three")
				o.expect("echo one", "cd / && cd", "echo two", "echo three")
				if c := o.Seen()[3].Command; c.Exit != 0 {
					t.Errorf("%+v", c)
				}
				o.stop()
				tm.run("echo after")
			})
		}
	}
}

// Programs started by the shell do not inherit the pipe, and one that stays does not keep it open.
func TestProgramsDoNotInheritThePipe(t *testing.T) {
	eachShell(t, func(t *testing.T, shell string) {
		dir := newRuntime(t)
		tm := newTerm(t, dir, termOpts{shell: shell, before: map[string]string{"bash": "HISTCONTROL=ignoreboth"}[shell]})
		before := strings.Count(tm.run("ls -l /proc/self/fd"), "pipe:") // inherited by us
		o := observe(t, dir, tm.tty)
		for range 2 { // a repeated line makes bash read its history back
			tm.run("echo joined")
		}
		if out := tm.run("ls -l /proc/self/fd"); strings.Contains(out, dir) || strings.Count(out, "pipe:") != before {
			t.Errorf("a program holds\n%s", out)
		}
		o.expect("echo joined", "echo joined", "ls -l /proc/self/fd")
	})
}

// Bash in zsh in bash: one terminal, three shells, each separate.
func TestNestedThreeDeep(t *testing.T) {
	t.Parallel()
	dir := newRuntime(t)
	tm := newTerm(t, dir, termOpts{})
	write(t, filepath.Join(tm.home, ".zshrc"), "PROMPT='"+prompt+"'\nunsetopt prompt_sp\n"+`eval "$(cat "$HOME/hook.zsh")"`+"\n")
	write(t, filepath.Join(tm.home, "hook.zsh"), hook(t, "zsh", dir))
	o := observe(t, dir, tm.tty)
	inner := `bash --noprofile --rcfile "$HOME/rc" -i`
	tm.run("echo 1")
	tm.run("zsh -d -i")
	tm.run("echo 2")
	tm.run(inner)
	tm.run("echo 3")
	from := tm.len()
	tm.send("bash --norc --noprofile\n") // without the hook: nothing of it is seen
	tm.await(from, "bash-")
	tm.run("PS1='" + prompt + "'")
	tm.run("echo not seen")
	tm.run("exit")
	tm.run("exit")
	tm.run("echo 2 again")
	tm.run("exit")
	tm.run("echo 1 again")
	o.expect("echo 1", "echo 2", "echo 3", "bash --norc --noprofile", inner, "echo 2 again", "zsh -d -i", "echo 1 again")
	pids := map[int][]string{}
	for _, s := range o.Seen() {
		pids[s.Origin.PID] = append(pids[s.Origin.PID], s.Origin.App)
	}
	if len(pids) != 3 {
		t.Errorf("shells %v", pids)
	}
}

// exec puts another shell under the same pid: with the hook it joins again; without it nothing is captured and
// nothing indicates capture.
func TestExec(t *testing.T) {
	t.Parallel()
	dir := newRuntime(t)
	tm := newTerm(t, dir, termOpts{before: "set -a"})
	o := observe(t, dir, tm.tty)
	tm.run("echo old")
	from := tm.len()
	tm.send(`exec bash --noprofile --rcfile "$HOME/rc" -i` + "\n")
	tm.ready(from)
	tm.run("echo new")
	o.expect("echo old", "echo new")
	if a, b := o.Seen()[0], o.Seen()[1]; a.Key == b.Key {
		t.Error("two commands have one key")
	}
	from = tm.len()
	tm.send("exec bash --norc --noprofile\n")
	tm.ready(from)
	tm.run("echo not seen")
	o.unmarked()
	o.stop()
	o.expect("echo old", "echo new")
}

func TestPausedPromptsSaySo(t *testing.T) {
	eachShell(t, func(t *testing.T, shell string) {
		dir := newRuntime(t)
		tm := newTerm(t, dir, termOpts{shell: shell})
		o := observe(t, dir, tm.tty)
		if out := tm.run("echo a"); strings.Count(out, watchedLine) != 1 || !strings.Contains(out, "[watched] ") {
			t.Errorf("joining says %q", out)
		}
		o.control.Pause()
		for range 2 {
			if out := tm.run("echo b"); !strings.Contains(out, "[paused] ") || strings.Contains(out, "[watched]") ||
				strings.Contains(out, "showhow:") {
				t.Errorf("paused: %q", out)
			}
		}
		young := newTerm(t, dir, termOpts{shell: shell}) // another terminal is not concerned
		if out := young.run("echo c"); strings.Contains(out, "[") && strings.Contains(out, "paused") {
			t.Errorf("another terminal shows %q", out)
		}
		o.control.Resume()
		if out := tm.run("echo d"); !strings.Contains(out, "[watched] ") || strings.Contains(out, "[paused]") ||
			strings.Contains(out, "showhow:") {
			t.Errorf("resumed: %q", out)
		}
		o.stop()
		if out := tm.run("echo e"); strings.Contains(out, "[watched]") || strings.Contains(out, "[paused]") {
			t.Errorf("ended: %q", out)
		}
		o.expect("echo a", "echo d")
	})
}

// In shells that can be signalled, the displayed prompt changes as soon as capture does.
func TestTheMarkChangesAtOnce(t *testing.T) {
	for _, shell := range []string{"zsh", "fish"} {
		t.Run(shell, func(t *testing.T) {
			t.Parallel()
			dir := newRuntime(t)
			tm := newTerm(t, dir, termOpts{shell: shell})
			o := observe(t, dir, tm.tty)
			tm.run("echo a")
			from := tm.len()
			o.control.Pause()
			tm.await(from, "[paused] "+prompt)
			from = tm.len()
			o.control.Resume()
			tm.await(from, "[watched] "+prompt)
			tm.run("echo b")
			o.expect("echo a", "echo b")
		})
	}
}

// Each pane of tmux is a terminal of its own; only the named one is captured.
func TestTmuxPanes(t *testing.T) {
	t.Parallel()
	tmux, err := exec.LookPath("tmux")
	if err != nil {
		missing(t, "tmux")
	}
	dir := newRuntime(t)
	home := t.TempDir()
	write(t, filepath.Join(home, "hook"), hook(t, "bash", dir))
	write(t, filepath.Join(home, "rc"), "PS1='"+prompt+"'\nHISTFILE=\n. $HOME/hook\n")
	run := func(args ...string) string {
		t.Helper()
		cmd := exec.Command(tmux, append([]string{"-S", filepath.Join(home, "s"), "-f", "/dev/null"}, args...)...)
		cmd.Env = []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "TERM=xterm", "LANG=C.UTF-8", "GORACE=atexit_sleep_ms=0"}
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("tmux %v: %v %s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	shell := `exec bash --noprofile --rcfile $HOME/rc -i`
	run("new-session", "-d", "-s", "x", "-x", "200", "-y", "50", shell)
	t.Cleanup(func() { run("kill-server") })
	run("split-window", "-t", "x", shell)
	ttys := strings.Fields(strings.ReplaceAll(run("list-panes", "-t", "x", "-F", "#{pane_tty}"), "/dev/", ""))
	until(t, "both shells", func() bool { return len(Live(dir)) == 2 })
	o := observe(t, dir, ttys[1])
	say := func(pane int, what string) {
		target := fmt.Sprintf("x.%d", pane)
		run("send-keys", "-t", target, "-l", what)
		run("send-keys", "-t", target, "Enter")
		until(t, what, func() bool {
			return strings.Count(run("capture-pane", "-p", "-t", target), strings.Fields(what)[1]) >= 2
		})
	}
	say(0, "echo not-this-pane")
	say(1, "echo this-pane")
	say(0, "echo nor-now")
	say(1, "echo this-pane-again")
	o.expect("echo this-pane", "echo this-pane-again")
	if screen := run("capture-pane", "-p", "-t", "x.0"); strings.Contains(screen, "[watched]") {
		t.Errorf("the other pane shows\n%s", screen)
	}
}

func missing(t testing.TB, program string) {
	t.Helper()
	if os.Getenv("CI") != "" {
		t.Fatalf("no %s here: build/setup.sh test installs it", program)
	}
	t.Skipf("no %s here: build/setup.sh test installs it", program)
}
