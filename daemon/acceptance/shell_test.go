package acceptance_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"

	"showhow/adapters/terminal"
)

const (
	prompt = "P> "
	mark   = "[watched] " // what the hook puts before the prompt while the shell is captured
)

// sign is what zsh and fish print, unseen, when they are ready: they draw one prompt many times.
const sign = "\x1b]7777;ready\a"

// shell is a person's shell in a pseudo terminal, with the hook in its start-up file.
type shell struct {
	t    *testing.T
	kind string
	tty  string // as a scope names it: pts/3
	dir  string // where it works
	cmd  *exec.Cmd
	pty  *os.File
	done chan struct{}

	mu   sync.Mutex
	out  []byte
	more chan struct{}
}

// shell starts a bash.
func (w *world) shell() *shell {
	w.t.Helper()
	return w.shellOf("bash", filepath.Join(w.o.Roots.Home, "work"), filepath.Join(w.o.Roots.Home, "bin")+":"+os.Getenv("PATH"))
}

// shellOf starts a shell that works in dir and finds programs on path.
func (w *world) shellOf(kind, dir, path string) *shell {
	w.t.Helper()
	if _, err := exec.LookPath(kind); err != nil {
		if os.Getenv("CI") != "" {
			w.t.Fatalf("%s is missing: apt install %s", kind, kind)
		}
		w.t.Skipf("%s is missing: apt install %s", kind, kind)
	}
	hook := got(terminal.Script(kind, terminal.Options{Exe: got(os.Executable())(w.t), RuntimeDir: w.o.Roots.Runtime}))(w.t)
	s := &shell{t: w.t, kind: kind, dir: dir, done: make(chan struct{}), more: make(chan struct{})}
	must(w.t, os.MkdirAll(s.dir, 0o700))
	home := w.o.Roots.Home
	rc := func(path, before, after string) {
		must(w.t, os.MkdirAll(filepath.Dir(path), 0o700))
		must(w.t, os.WriteFile(path, []byte(before+"\n"+hook+"\n"+after), 0o600))
	}
	switch kind {
	case "bash":
		rc(filepath.Join(home, "rc"), "PS1='"+prompt+"'\nHISTFILE=\nHISTCONTROL=ignoreboth", "")
		s.cmd = exec.Command("bash", "--noprofile", "--rcfile", filepath.Join(home, "rc"), "-i")
	case "zsh":
		rc(filepath.Join(home, ".zshrc"), "PROMPT='"+prompt+"'\nunsetopt prompt_sp bang_hist\nsetopt hist_ignore_space",
			"test_ready() { printf '\\e]7777;ready\\a'; }\nprecmd_functions+=(test_ready)\n")
		s.cmd = exec.Command("zsh", "-d", "-i")
	case "fish":
		rc(filepath.Join(home, ".config", "fish", "config.fish"), "set -g fish_greeting\nfunction fish_prompt\n echo -n '"+prompt+"'\nend",
			"function test_ready --on-event fish_prompt\n printf '\\e]7777;ready\\a'\nend\n")
		s.cmd = exec.Command("fish", "-i")
	}
	history := filepath.Join(dir, ".fish") // fish remembers what is typed; and without this folder it looks for completions first
	must(w.t, os.MkdirAll(filepath.Join(history, "fish", "generated_completions"), 0o700))
	s.cmd.Dir = s.dir
	s.cmd.Env = []string{"HOME=" + home, "ZDOTDIR=" + home, "XDG_DATA_HOME=" + history, "PATH=" + path, "TERM=dumb", "LANG=C.UTF-8",
		"GORACE=atexit_sleep_ms=0"} // the race detector lets this binary, as the hook's helper, linger for a second
	var err error
	s.pty, err = pty.StartWithSize(s.cmd, &pty.Winsize{Rows: 40, Cols: 400})
	must(w.t, err)
	go s.read()
	w.t.Cleanup(s.close)
	s.tty, err = terminal.TTYOf(s.cmd.Process.Pid)
	must(w.t, err)
	s.ready(0)
	return s
}

func (s *shell) read() {
	defer close(s.done)
	buf := make([]byte, 16<<10)
	for {
		n, err := s.pty.Read(buf)
		s.mu.Lock()
		s.out = append(s.out, buf[:n]...)
		close(s.more)
		s.more = make(chan struct{})
		s.mu.Unlock()
		if err != nil {
			return
		}
	}
}

func (s *shell) close() {
	_ = s.cmd.Process.Kill()
	_ = s.cmd.Wait()
	_ = s.pty.Close()
	<-s.done
}

func (s *shell) shown() (string, <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return string(s.out), s.more
}

// await waits until what the terminal shows after from contains want.
func (s *shell) await(from int, want string) string {
	s.t.Helper()
	limit := time.After(patience)
	for {
		text, more := s.shown()
		if strings.Contains(text[from:], want) {
			return text[from:]
		}
		select {
		case <-more:
		case <-limit:
			s.t.Fatalf("waited %s for %q; the terminal shows:\n%s", patience, want, text[from:])
		}
	}
}

// ready waits for the prompt that comes after from.
func (s *shell) ready(from int) {
	s.t.Helper()
	if s.kind != "bash" {
		before, _, _ := strings.Cut(s.await(from, sign), sign)
		from += len(before)
	}
	s.await(from, prompt)
}

// afterPrompt is a person's least pause: longer than the kernel's tick, within which a file cannot be told from one
// that the previous command made.
const afterPrompt = 10 * time.Millisecond

// run types lines, each at a prompt, and returns what was shown.
func (s *shell) run(lines ...string) string {
	s.t.Helper()
	before, _ := s.shown()
	for _, line := range lines {
		time.Sleep(afterPrompt) // pace: a person reads before typing
		text, _ := s.shown()
		_, err := s.pty.WriteString(line + "\n")
		must(s.t, err)
		s.ready(len(text))
	}
	text, _ := s.shown()
	return text[len(before):]
}

// marked presses Enter until the prompt says what it should about being watched.
func (s *shell) marked(want bool) {
	s.t.Helper()
	for end := time.Now().Add(patience); strings.Contains(s.run(""), mark) != want; {
		if time.Now().After(end) {
			s.t.Fatalf("the prompt's mark: not %v within %s", want, patience)
		}
	}
}
