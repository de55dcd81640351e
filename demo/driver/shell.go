package driver

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"showhow/internal/lazyre"
	"strings"
	"sync"
	"time"

	"github.com/creack/pty"
)

// prompt is the prompt of the person's shell; the recorder may put its mark before it.
const prompt = `clerk:\W\$ `

// atPrompt matches it at the end of the terminal's output.
var atPrompt = lazyre.New(`clerk:[^\r\n]*[$#] $`)

// escapes are a terminal's control sequences.
var escapes = lazyre.New(`\x1b(\[[0-9;?]*[ -/]*[@-~]|\][^\a\x1b]*(\a|\x1b\\)|[=>])`)

// shell is a real interactive bash in a pseudo terminal.
type shell struct {
	home     string
	tty      string // as a scope names it: pts/3
	cmd      *exec.Cmd
	pty      *os.File
	pace     time.Duration
	patience time.Duration
	done     chan struct{}

	mu   sync.Mutex
	out  []byte // since the last line was typed
	more chan struct{}
}

// startShell starts bash in the person's home and waits for its prompt.
func startShell(ctx context.Context, c Config) (*shell, error) {
	if c.Home == "" {
		return nil, errors.New("the shell needs a home folder")
	}
	if err := writeRC(c); err != nil {
		return nil, errors.New("the shell's start-up file cannot be written")
	}
	cmd := exec.Command("bash", "-i")
	cmd.Dir = c.Home
	cmd.Env = c.Env
	if cmd.Env == nil {
		cmd.Env = os.Environ()
	}
	cmd.Env = append(cmd.Env, "HOME="+c.Home, "TERM=xterm-256color")
	f, tty, err := pty.Open()
	if err != nil {
		return nil, errors.New("there is no pseudo terminal")
	}
	defer tty.Close()
	if err := pty.Setsize(f, &pty.Winsize{Rows: 40, Cols: 200}); err != nil {
		_ = f.Close()
		return nil, errors.New("the pseudo terminal has no size")
	}
	ownTerminal(cmd, tty)
	if err := cmd.Start(); err != nil {
		_ = f.Close()
		return nil, errors.New("bash does not start")
	}
	s := &shell{home: c.Home, tty: strings.TrimPrefix(tty.Name(), "/dev/"), cmd: cmd, pty: f, pace: c.pace(),
		patience: c.patience(), done: make(chan struct{}), more: make(chan struct{})}
	go s.read()
	if err := s.await(ctx); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

// writeRC writes the start-up file that `showhow shell-init` asks for, unless the person has one; its prompt must
// then be the one above.
func writeRC(c Config) error {
	path := filepath.Join(c.Home, ".bashrc")
	if _, err := os.Stat(path); err == nil {
		return nil
	}
	hook := ""
	if c.Showhow != "" {
		hook = "eval \"$(" + word(c.Showhow) + " shell-init bash)\"\n"
	}
	return os.WriteFile(path, []byte("PS1='"+prompt+"'\nHISTCONTROL=ignoreboth\n"+hook), 0o600)
}

func (s *shell) read() {
	defer close(s.done)
	buf := make([]byte, 16<<10)
	for {
		n, err := s.pty.Read(buf)
		s.mu.Lock()
		if s.out = append(s.out, buf[:n]...); len(s.out) > 1<<20 {
			s.out = s.out[len(s.out)-1<<16:] // only the end is looked at
		}
		close(s.more)
		s.more = make(chan struct{})
		s.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// shown is the terminal's output since the last line was typed, and a channel that is closed when there is more.
func (s *shell) shown() (string, <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return escapes.ReplaceAllString(string(s.out), ""), s.more
}

// await waits for the prompt.
func (s *shell) await(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, s.patience)
	defer cancel()
	for {
		text, more := s.shown()
		if atPrompt.MatchString(strings.TrimRight(text, "\r")) {
			return nil
		}
		select {
		case <-more:
		case <-s.done:
			return errors.New("the shell has ended")
		case <-ctx.Done():
			return errors.New("not seen in time: the shell's prompt")
		}
	}
}

// run types a line key by key and waits for the next prompt.
func (s *shell) run(ctx context.Context, line string) error {
	for _, r := range line {
		if err := s.key(ctx, string(r)); err != nil {
			return err
		}
	}
	s.mu.Lock()
	s.out = nil
	s.mu.Unlock()
	if err := s.key(ctx, "\n"); err != nil {
		return err
	}
	return s.await(ctx)
}

func (s *shell) key(ctx context.Context, k string) error {
	if _, err := s.pty.WriteString(k); err != nil {
		return errors.New("the shell has ended")
	}
	select {
	case <-time.After(s.pace):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// watched reports whether the prompt in view says that the shell is captured.
func (s *shell) watched() bool {
	text, _ := s.shown()
	return strings.Contains(text[strings.LastIndexByte(text, '\n')+1:], "[watched]")
}

// close ends the shell and waits for it.
func (s *shell) close() {
	_ = s.cmd.Process.Kill()
	_ = s.cmd.Wait()
	_ = s.pty.Close()
	<-s.done
}
