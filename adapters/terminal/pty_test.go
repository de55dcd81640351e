//go:build unix

package terminal

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
)

// TestMain lets this binary stand in for showhow as the hook calls it: EXE shell-init --nonblock FD.
func TestMain(m *testing.M) {
	if len(os.Args) == 4 && os.Args[1] == "shell-init" && os.Args[2] == "--nonblock" {
		fd, err := strconv.Atoi(os.Args[3])
		if err != nil || SetNonblock(fd) != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	if len(os.Args) == 4 && os.Args[1] == "serve" {
		serve(os.Args[2], os.Args[3])
		os.Exit(0)
	}
	if signal.Ignored(os.Interrupt) { // as with nohup and &: what the shells start would inherit it, and could not be interrupted
		signal.Notify(make(chan os.Signal, 1), os.Interrupt)
	}
	os.Exit(m.Run())
}

// prompt is what the test shells show when they are ready. fish redraws it with every word typed, and zsh when the
// mark changes; there an invisible sign precedes it, once per prompt.
const (
	prompt = "P> "
	sign   = "\x1b]7777;ready\a"
)

// term is a real interactive shell in a pty.
type term struct {
	t     testing.TB
	shell string
	tty   string
	pid   int
	home  string
	cmd   *exec.Cmd
	pty   *os.File
	done  chan struct{}

	mu  sync.Mutex
	out bytes.Buffer
	new chan struct{}
}

type termOpts struct {
	shell  string // bash when empty
	before string // start-up lines before the hook
	after  string // and after it
	bare   bool   // no hook
}

// newRuntime creates a runtime root; its showhow folder is what an adapter gets.
func newRuntime(t testing.TB) string {
	t.Helper()
	root := t.TempDir()
	dir := filepath.Join(root, "showhow")
	if err := EnsureDir(dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

func hook(t testing.TB, shell, runtimeDir string) string {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	s, err := Script(shell, Options{Exe: exe, RuntimeDir: runtimeDir})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// newTerm starts a shell and waits for its first prompt.
func newTerm(t testing.TB, runtimeDir string, o termOpts) *term {
	t.Helper()
	if o.shell == "" {
		o.shell = "bash"
	}
	if _, err := exec.LookPath(o.shell); err != nil {
		missing(t, o.shell)
	}
	home := t.TempDir()
	script := ""
	if !o.bare {
		script = `eval "$(cat "$HOME/hook")"`
		write(t, filepath.Join(home, "hook"), hook(t, o.shell, runtimeDir))
	}
	var cmd *exec.Cmd
	switch o.shell {
	case "bash":
		write(t, filepath.Join(home, "rc"), "PS1='"+prompt+"' PS2='C> '\nHISTFILE=\n"+o.before+"\n"+script+"\n"+o.after+"\n")
		cmd = exec.Command("bash", "--noprofile", "--rcfile", filepath.Join(home, "rc"), "-i")
	case "fish":
		config := filepath.Join(home, ".config", "fish")
		// fish generates completions in the background if it finds that it never has.
		for _, dir := range []string{config, filepath.Join(home, ".local", "share", "fish", "generated_completions")} {
			if err := os.MkdirAll(dir, 0o700); err != nil {
				t.Fatal(err)
			}
		}
		if script != "" {
			script = "source $HOME/hook"
		}
		write(t, filepath.Join(config, "config.fish"),
			"set -g fish_greeting\nfunction fish_prompt\n echo -n '"+prompt+"'\nend\n"+o.before+"\n"+script+"\n"+o.after+
				"\nfunction test_ready --on-event fish_prompt --on-event fish_cancel\n printf '\\e]7777;ready\\a'\nend\n")
		cmd = exec.Command("fish", "-i")
	default:
		write(t, filepath.Join(home, ".zshrc"),
			"PROMPT='"+prompt+"' PROMPT2='C> '\nunsetopt prompt_sp bang_hist\n"+o.before+"\n"+script+"\n"+o.after+
				"\ntest_ready() { printf '\\e]7777;ready\\a'; }\nprecmd_functions+=(test_ready)\n")
		cmd = exec.Command("zsh", "-d", "-i")
	}
	cmd.Dir = home
	data, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatal(err)
	}
	cmd.Env = []string{"DATA=" + data, "HOME=" + home, "ZDOTDIR=" + home, "PATH=" + os.Getenv("PATH"), "TERM=dumb", "LANG=C.UTF-8",
		"GORACE=atexit_sleep_ms=0"} // the race detector lets this binary, as the hook's helper, linger for a second
	f, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 40, Cols: 400})
	if err != nil {
		t.Fatal(err)
	}
	tm := &term{t: t, shell: o.shell, home: home, cmd: cmd, pty: f, pid: cmd.Process.Pid, done: make(chan struct{}), new: make(chan struct{})}
	go tm.read()
	t.Cleanup(tm.stop)
	if tm.tty, err = TTYOf(tm.pid); err != nil {
		t.Fatal(err)
	}
	tm.ready(0)
	return tm
}

func write(t testing.TB, path, s string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(s), 0o600); err != nil {
		t.Fatal(err)
	}
}

func (tm *term) read() {
	defer close(tm.done)
	buf := make([]byte, 32<<10)
	for {
		n, err := tm.pty.Read(buf)
		tm.mu.Lock()
		tm.out.Write(buf[:n])
		close(tm.new)
		tm.new = make(chan struct{})
		tm.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// stop hangs the terminal up, ends the shell and waits for both.
func (tm *term) stop() {
	_ = tm.cmd.Process.Signal(syscall.SIGKILL)
	_ = tm.cmd.Wait()
	_ = tm.pty.Close()
	<-tm.done
}

func (tm *term) text() (string, <-chan struct{}) {
	tm.mu.Lock()
	defer tm.mu.Unlock()
	return tm.out.String(), tm.new
}

// len is the length of the terminal's output.
func (tm *term) len() int {
	s, _ := tm.text()
	return len(s)
}

// await waits until the output after from contains want and returns that output.
func (tm *term) await(from int, want string) string {
	tm.t.Helper()
	deadline := time.After(time.Minute)
	for {
		s, more := tm.text()
		if strings.Contains(s[from:], want) {
			return s[from:]
		}
		select {
		case <-more:
		case <-deadline:
			tm.t.Fatalf("waited a minute for %q; the terminal shows:\n... %q", want, s[max(from, len(s)-2000):])
		}
	}
}

// ready waits for the prompt that comes after from and returns what was shown up to it.
func (tm *term) ready(from int) string {
	tm.t.Helper()
	if tm.shell != "bash" {
		before, _, _ := strings.Cut(tm.await(from, sign), sign)
		from += len(before)
		return before + tm.await(from, prompt)
	}
	return tm.await(from, prompt)
}

func (tm *term) send(s string) {
	tm.t.Helper()
	if _, err := tm.pty.WriteString(s); err != nil {
		tm.t.Fatal(err)
	}
}

// run types a line, waits for the next prompt, and returns what was shown up to it.
func (tm *term) run(line string) string {
	tm.t.Helper()
	from := tm.len()
	tm.send(line + "\n")
	out := tm.ready(from)
	if i := strings.LastIndex(out, "\x1b[?2004l"); i >= 0 && tm.shell == "fish" {
		return out[i:] // without the line, which it drew again and again
	}
	return out
}

// interrupt presses Ctrl-C until the next prompt appears. Once in a hundred times a shell misses it when it comes
// just after a key, with and without the hook; a person presses again.
func (tm *term) interrupt() {
	tm.t.Helper()
	from := tm.len()
	for range 30 {
		tm.send("\x03")
		deadline := time.After(time.Second)
		for waiting := true; waiting; {
			s, more := tm.text()
			if at := max(strings.Index(s[from:], sign), 0); strings.Contains(s[from+at:], prompt) && (at > 0 || tm.shell == "bash") {
				return
			}
			select {
			case <-more:
			case <-deadline:
				waiting = false
			}
		}
	}
	tm.t.Fatal("the shell does not let itself be interrupted")
}

// ask runs an echo and returns what it printed.
func (tm *term) ask(expr string) string {
	tm.t.Helper()
	out := strings.ReplaceAll(tm.run(fmt.Sprintf(`echo "<<%s>>"`, expr)), "\r", "")
	for _, before := range []string{"\n<<", "\x1b[?2004l<<"} {
		if i := strings.LastIndex(out, before); i >= 0 {
			out = out[i+len(before):]
			break
		}
	}
	answer, _, ok := strings.Cut(out, ">>")
	if !ok {
		tm.t.Fatalf("no answer in %q", out)
	}
	return answer
}
