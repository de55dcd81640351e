//go:build unix

package report

import (
	"bytes"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestTheHookStaysLight: every agent waits for the hook after every tool call, so its cost is what it loads.
func TestTheHookStaysLight(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "../hook").Output()
	must(t, err)
	for _, dep := range strings.Fields(string(out)) {
		switch {
		case dep == "net/http", dep == "crypto/tls", strings.HasPrefix(dep, "showhow/capture"), strings.HasPrefix(dep, "showhow/daemon"),
			strings.HasPrefix(dep, "showhow/store"), strings.HasPrefix(dep, "modernc.org/"):
			t.Errorf("the hook loads %s", dep)
		}
	}
}

// TestMain makes the test program a hook for its own tests.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "hook" {
		Main(os.Args[2:], "")
	}
	os.Exit(m.Run())
}

// calledHook calls this test program as an agent calls showhow. Its daemon is whatever listens on the socket in run.
type calledHook struct {
	t          *testing.T
	dir, marks string
}

func newHook(t *testing.T) calledHook {
	t.Helper()
	dir, err := os.MkdirTemp("", "sh") // a socket's path is limited to 104 bytes
	must(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	must(t, os.MkdirAll(filepath.Join(dir, "run", "showhow"), 0o700))
	h := calledHook{t, dir, Dir(filepath.Join(dir, "state", "showhow"))}
	must(t, Mark(h.marks, map[string]string{ClaudeCode: ForSession}, false))
	return h
}

// call requires success, no output and an end: the promise is 50 ms, measured by the bench; a loaded test machine has
// ten seconds.
func (h calledHook) call(stdin io.Reader) {
	h.t.Helper()
	self, err := os.Executable()
	must(h.t, err)
	cmd := exec.Command(self, "hook", ClaudeCode)
	cmd.Env = []string{"HOME=" + h.dir, "XDG_RUNTIME_DIR=" + filepath.Join(h.dir, "run"), "XDG_STATE_HOME=" + filepath.Join(h.dir, "state"),
		"GORACE=atexit_sleep_ms=0"} // the race detector lets a program linger for a second
	r, w, err := os.Pipe()
	must(h.t, err)
	defer r.Close()
	defer w.Close()
	cmd.Stdin = r
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	begun := time.Now()
	must(h.t, cmd.Start())
	if stdin != nil {
		go func() {
			io.Copy(w, stdin)
			w.Close()
		}()
	}
	err = cmd.Wait()
	if took := time.Since(begun); err != nil || out.Len() > 0 || took > 10*time.Second {
		h.t.Errorf("%v after %v: %s", err, took, out.Bytes())
	}
}

func (h calledHook) missed(want int64) {
	h.t.Helper()
	if n := Missed(h.marks, ClaudeCode); n != want {
		h.t.Errorf("%d missed, not %d", n, want)
	}
}

const bashCall = `{"hook_event_name":"PostToolUse","session_id":"r1","tool_use_id":"t1","cwd":"/w","tool_name":"Bash",` +
	`"tool_input":{"command":"make"},"tool_response":{}}`

func TestTheHookNeverBreaksTheAgent(t *testing.T) {
	h := newHook(t)
	socket := filepath.Join(h.dir, "run", "showhow", "daemon.sock")
	h.call(strings.NewReader(bashCall)) // no daemon at all
	h.missed(1)

	l, err := net.Listen("unix", socket) // a daemon that hangs: the system accepts for it, and nobody answers
	must(t, err)
	defer l.Close()
	h.call(strings.NewReader(bashCall))
	h.missed(2)

	for _, bad := range []string{"", "{", "null", `[]`, `{"hook_event_name":7}`, "\x00\xff", strings.Repeat("[", 1<<16)} {
		h.call(strings.NewReader(bad))
	}
	h.call(nil) // an agent that never closes its end
	h.missed(2) // none of them was a receipt

	go func() { // a daemon that is full, or something that is no daemon
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			c.Write([]byte("HTTP/1.1 503 Service Unavailable\r\n\r\n"))
			c.Close()
		}
	}()
	h.call(strings.NewReader(bashCall))
	h.missed(3)
	must(t, os.Chmod(h.marks, 0o500)) // and nowhere to count
	h.call(strings.NewReader(bashCall))
	must(t, os.Chmod(h.marks, 0o700))
}

// TestAHugePayload: an agent may pass on a tool's whole response.
func TestAHugePayload(t *testing.T) {
	h := newHook(t)
	huge := strings.Replace(bashCall, `"tool_response":{}`, `"tool_response":{"stdout":"`+strings.Repeat("x", 8<<20)+`"}`, 1)
	h.call(strings.NewReader(huge))
	must(t, Mark(h.marks, nil, false))
	h.call(strings.NewReader(huge))
}
