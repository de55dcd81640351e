//go:build unix

package cli_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/creack/pty"
	"github.com/rogpeppe/go-internal/testscript"
)

// ttyTime bounds how long a line of a tty script may take.
const ttyTime = time.Minute

// onTerminal runs a program with a terminal of its own as its controlling terminal, in a session of its own. Lines of the script:
//
//	expect REGEX     wait until the output since the last match holds it
//	send TEXT        type a line; $1 is the last match's first group
//	interrupt        press Ctrl-C
func onTerminal(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: tty SCRIPT PROGRAM ARG...")
	}
	program, err := exec.LookPath(ts.Getenv("WORK") + "/.bin/" + args[1])
	if err != nil {
		program, err = exec.LookPath(args[1])
	}
	ts.Check(err)
	cmd := exec.Command(program, args[2:]...)
	cmd.Env, cmd.Dir = environment(ts), ts.MkAbs(".")
	f, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 40, Cols: 200})
	ts.Check(err)
	defer f.Close()
	s := &screen{}
	read := make(chan struct{})
	go func() {
		defer close(read)
		io.Copy(s, f) // ends with EIO when the last process on the terminal has ended
	}()
	failed := s.play(f, ts.ReadFile(args[0]))
	if failed != nil {
		cmd.Process.Kill()
	}
	err = cmd.Wait()
	select {
	case <-read:
	case <-time.After(time.Second): // something in the background keeps the terminal
	}
	ts.Check(os.WriteFile(ts.MkAbs("tty.out"), []byte(s.all()), 0o600))
	if failed != nil {
		ts.Fatalf("%v; the terminal shows:\n%s", failed, s.all())
	}
	if exit := new(exec.ExitError); (err != nil) != neg || err != nil && !errors.As(err, &exit) {
		ts.Fatalf("%s ended with %v; the terminal shows:\n%s", args[1], err, s.all())
	}
}

// screen collects what a terminal shows.
type screen struct {
	mu   sync.Mutex
	text bytes.Buffer
	seen int // where the last match ended
}

func (s *screen) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(b)
}

func (s *screen) all() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// match finds re after the last match.
func (s *screen) match(re *regexp.Regexp) (groups []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	rest := s.text.Bytes()[s.seen:]
	m := re.FindSubmatchIndex(rest)
	if m == nil {
		return nil
	}
	for i := 0; i < len(m); i += 2 {
		groups = append(groups, string(rest[m[i]:m[i+1]]))
	}
	s.seen += m[1]
	return groups
}

func (s *screen) play(keys io.Writer, script string) error {
	group := ""
	for line := range strings.Lines(script) {
		verb, text, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch verb {
		case "expect":
			re, err := regexp.Compile(text)
			if err != nil {
				return err
			}
			groups := s.match(re)
			for deadline := time.Now().Add(ttyTime); groups == nil; groups = s.match(re) {
				if time.Now().After(deadline) {
					return errors.New("nothing matches " + text)
				}
				time.Sleep(5 * time.Millisecond) // poll:
			}
			if len(groups) > 1 {
				group = groups[1]
			}
		case "send":
			io.WriteString(keys, strings.ReplaceAll(text, "$1", group)+"\r")
		case "interrupt":
			io.WriteString(keys, "\x03")
		}
	}
	return nil
}
