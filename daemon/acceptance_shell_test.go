package daemon_test

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

// shell is a person's bash in a pseudo terminal, with the hook in its start-up file.
type shell struct {
	t    *testing.T
	tty  string // as a scope names it: pts/3
	dir  string // where it works
	cmd  *exec.Cmd
	pty  *os.File
	done chan struct{}

	mu   sync.Mutex
	out  []byte
	more chan struct{}
}

// shell starts a bash. bin is a folder of programs that only this shell finds.
func (w *world) shell() *shell {
	w.t.Helper()
	self, err := os.Executable()
	must(w.t, err)
	hook, err := terminal.Script("bash", terminal.Options{Exe: self, RuntimeDir: w.o.Roots.Runtime})
	must(w.t, err)
	home := w.o.Roots.Home
	s := &shell{t: w.t, dir: filepath.Join(home, "work"), done: make(chan struct{}), more: make(chan struct{})}
	must(w.t, os.MkdirAll(s.dir, 0o700))
	must(w.t, os.WriteFile(filepath.Join(home, "hook"), []byte(hook), 0o600))
	must(w.t, os.WriteFile(filepath.Join(home, "rc"), []byte("PS1='"+prompt+"'\nHISTFILE=\nHISTCONTROL=ignoreboth\n. ~/hook\n"), 0o600))
	s.cmd = exec.Command("bash", "--noprofile", "--rcfile", filepath.Join(home, "rc"), "-i")
	s.cmd.Dir = s.dir
	s.cmd.Env = []string{"HOME=" + home, "PATH=" + filepath.Join(home, "bin") + ":" + os.Getenv("PATH"), "TERM=dumb", "LANG=C.UTF-8"}
	s.pty, err = pty.StartWithSize(s.cmd, &pty.Winsize{Rows: 40, Cols: 400})
	must(w.t, err)
	go s.read()
	w.t.Cleanup(s.close)
	s.tty, err = terminal.TTYOf(s.cmd.Process.Pid)
	must(w.t, err)
	s.await(0, prompt)
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

// run types lines, each at a prompt, and returns what was shown.
func (s *shell) run(lines ...string) string {
	s.t.Helper()
	before, _ := s.shown()
	for _, line := range lines {
		text, _ := s.shown()
		_, err := s.pty.WriteString(line + "\n")
		must(s.t, err)
		s.await(len(text), prompt)
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
