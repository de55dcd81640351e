package process

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"showhow/capture/scope"

	"github.com/creack/pty"
)

// shell is an interactive shell in a terminal.
type shell struct {
	t    testing.TB
	tty  string
	file *os.File
	mu   sync.Mutex
	out  bytes.Buffer
}

func newShell(t testing.TB, name string, args ...string) *shell {
	t.Helper()
	file, end, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer end.Close()
	s := &shell{t: t, tty: strings.TrimPrefix(end.Name(), "/dev/"), file: file}
	cmd := exec.Command(name, args...)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "TERM=dumb", "PS1=$ "}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = end, end, end
	cmd.SysProcAttr = inTerminal()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	read := make(chan struct{})
	go func() {
		defer close(read)
		buf := make([]byte, 4096)
		for {
			n, err := file.Read(buf)
			s.mu.Lock()
			s.out.Write(buf[:n])
			s.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		_ = file.Close()
		<-read
	})
	s.do("true")
	return s
}

// do types a line and waits for its end.
func (s *shell) do(line string) {
	s.t.Helper()
	s.mu.Lock()
	from := s.out.Len()
	s.mu.Unlock()
	if _, err := s.file.WriteString(line + "; echo do''ne\n"); err != nil {
		s.t.Fatal(err)
	}
	for end := time.Now().Add(time.Minute); ; time.Sleep(2 * time.Millisecond) {
		s.mu.Lock()
		ok := bytes.Contains(s.out.Bytes()[from:], []byte("done\r\n"))
		text := s.out.String()
		s.mu.Unlock()
		if ok {
			return
		}
		if time.Now().After(end) {
			s.t.Fatalf("%q did not end: %q", line, text)
		}
	}
}

func TestAtAPrompt(t *testing.T) {
	for _, sh := range [][]string{{"bash", "--norc", "-i"}, {"zsh", "-f", "-i"}, {"sh", "-i"}} {
		t.Run(sh[0], func(t *testing.T) {
			w := newWorld(t)
			s := newShell(t, sh[0], sh[1:]...)
			s.do("cd " + w.dir + "; T=" + w.name("t"))
			s.do("./$T 0.15 && ./$T 0.15 | ./$T 0.16")
			s.do("(./$T 0.15)")
			s.do("X=1 ./$T 0.15")
			seen := w.settled(w.tool)
			if len(seen) != 5 {
				t.Fatalf("%d launches, not five:\n%s", len(seen), lines(seen))
			}
			for _, l := range seen {
				if l.Command.Parent != sh[0] || l.Command.CwdFrom != w.dir || l.Origin.Shell != "" {
					t.Errorf("%+v %+v", l.Origin, l.Command)
				}
			}
		})
	}
}

// Programs that a prompt runs were not run by the person.
func TestPromptsOwnPrograms(t *testing.T) {
	w := newWorld(t)
	s := newShell(t, "bash", "--norc", "-i")
	s.do("PS1='$(" + w.tool + " 0.15)$ '")
	s.do("true")
	s.do("y=$(" + w.tool + " 0.16)")
	s.do(w.tool + " 0.17")
	if c := w.one().Command; !strings.HasSuffix(c.Line, " 0.17") {
		t.Errorf("%+v", c)
	}
}

func TestUnderANamedTerminal(t *testing.T) {
	w := newWorld(t)
	s := newShell(t, "bash", "--norc", "-i")
	within := w.scope("t")
	within.Shells = []string{s.tty}
	w.control.Rescope(within)
	s.do(w.tool + " 0.15")
	s.do(w.program("sleep", "other") + " 0.15")
	l := w.one()
	if l.Origin.Shell != s.tty || l.Origin.App != w.name("t") || l.Origin.PID == 0 || l.CauseKey != "" {
		t.Errorf("%+v", l)
	}
	if ok, why := scope.Allows(within, l.Origin); !ok {
		t.Errorf("the pipeline would withhold it: %s", why)
	}
}

// In a terminal the person waits for a program, so its exit code is reported.
func TestForegroundIsWaitedFor(t *testing.T) {
	w := newWorld(t)
	s := newShell(t, "bash", "--norc", "-i")
	s.do(w.tool + " 1.3")
	if c := w.one().Command; c.Running || c.Duration < 1300*time.Millisecond {
		t.Errorf("%+v", c)
	}
	s.do(w.tool + " 1.4 & wait")
	if c := w.one().Command; !c.Running {
		t.Errorf("%+v", c)
	}
}

// What is typed into a terminal window is not a child of the window's program.
func TestTerminalInTerminal(t *testing.T) {
	w := newWorld(t, "termapp")
	outer := newShell(t, "bash", "--norc", "-i")
	term := w.program("script", "termapp")
	inner := `SHELL=/bin/bash ` + term + ` -qec 'bash --norc -i' /dev/null`
	if _, err := outer.file.WriteString(inner + "\n"); err != nil {
		t.Fatal(err)
	}
	outer.do("true") // in the inner one
	outer.do(w.tool + " 0.15")
	outer.do(w.tool + " 0.16")
	if _, err := outer.file.WriteString("exit\n"); err != nil {
		t.Fatal(err)
	}
	w.launches(3)
	seen := w.settled(w.tool)
	count := map[string]int{}
	for _, l := range seen {
		count[strings.TrimSuffix(l.Origin.App, w.id)+" from "+l.Command.Parent]++
	}
	if count["t from bash"] != 2 || count["termapp from bash"] != 1 || len(seen) != 3 {
		t.Errorf("%v\n%s", count, lines(seen))
	}
}
