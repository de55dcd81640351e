//go:build linux

package window

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// patience is how long anything may take on the busiest machine; only a failing test waits that long.
const patience = time.Minute

// programs is the folder of the built programs; without it the test says why it does not run.
func programs(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("SHOWHOW_WINDOW")
	if dir == "" {
		t.Skip("SHOWHOW_WINDOW names no folder with showhow, showhow-desktop and stage: make test-window builds them")
	}
	for _, p := range []string{"showhow", "showhow-desktop", "stage"} {
		if _, err := os.Stat(filepath.Join(dir, p)); err != nil {
			t.Skip("not built: " + p)
		}
	}
	for _, p := range []string{"Xvfb", "openbox", "dbus-daemon", "xdotool"} {
		if _, err := exec.LookPath(p); err != nil {
			t.Skip(p + " is not installed")
		}
	}
	if _, err := os.Stat("/usr/libexec/at-spi-bus-launcher"); err != nil {
		t.Skip("at-spi2-core is not installed")
	}
	return dir
}

// screen is a display with a window manager and a session bus.
type screen struct {
	bin, display, bus string

	server *program // X
}

func display(t *testing.T) *screen {
	t.Helper()
	d := &screen{bin: programs(t)}
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	x := exec.Command("Xvfb", "-displayfd", "3", "-screen", "0", "1400x900x24", "-nolisten", "tcp")
	x.ExtraFiles = []*os.File{write}
	d.server = run(t, x)
	write.Close()
	number, err := line(read)
	if err != nil {
		t.Skip("Xvfb does not start here: ", err)
	}
	d.display = ":" + number
	wm := exec.Command("openbox")
	wm.Env = append(os.Environ(), "DISPLAY="+d.display, "HOME="+t.TempDir())
	run(t, wm)
	bus := exec.Command("dbus-daemon", "--session", "--nofork", "--print-address=1")
	bus.Env = append(os.Environ(), "DISPLAY="+d.display)
	out, err := bus.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	run(t, bus)
	if d.bus, err = line(out); err != nil {
		t.Fatal(err)
	}
	return d
}

// program is a program started by run.
type program struct {
	*os.Process

	done chan struct{}
	err  error // how it ended, once done is closed
}

// run starts a program and ends it, with its children, at the end of the test.
func run(t *testing.T, cmd *exec.Cmd) *program {
	t.Helper()
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	p := &program{Process: cmd.Process, done: make(chan struct{})}
	go func() {
		p.err = cmd.Wait()
		close(p.done)
	}()
	t.Cleanup(func() {
		syscall.Kill(-p.Pid, syscall.SIGTERM)
		if !p.ended(patience) {
			t.Errorf("%s does not end when it is asked to", filepath.Base(cmd.Path))
			syscall.Kill(-p.Pid, syscall.SIGKILL)
			<-p.done
		}
	})
	return p
}

// ended waits until a program has ended, and reports whether it did in time.
func (p *program) ended(most time.Duration) bool {
	select {
	case <-p.done:
		return true
	case <-time.After(most):
		return false
	}
}

// closed closes the window as its person would, and a second time if nothing happens; then the program ends.
func (d *screen) closed(t *testing.T, window *program) {
	t.Helper()
	const tries = 6
	for range tries {
		d.closeWindow(t)
		if window.ended(patience / tries) {
			if window.err != nil {
				t.Errorf("the window ended with %v", window.err)
			}
			return
		}
		t.Log("the window was closed and is still there")
	}
	window.Signal(syscall.SIGQUIT) // tells where it hangs
	window.ended(patience)
	t.Fatal("the window does not close")
}

// line reads the first line that a program writes.
func line(from io.Reader) (string, error) {
	if f, ok := from.(*os.File); ok {
		f.SetReadDeadline(time.Now().Add(patience))
		defer f.SetReadDeadline(time.Time{})
	}
	text, err := bufio.NewReader(from).ReadString('\n')
	return strings.TrimSpace(text), err
}

// stage is a home with a daemon, an order desk and a person.
type stage struct {
	Site, Home, Run string

	in   io.Writer
	pipe *os.File
	out  *json.Decoder
}

func (d *screen) stage(t *testing.T) *stage {
	t.Helper()
	cmd := exec.Command(filepath.Join(d.bin, "stage"), filepath.Join(d.bin, "showhow"))
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	run(t, cmd)
	s := &stage{in: in, pipe: out.(*os.File), out: json.NewDecoder(out)}
	s.pipe.SetReadDeadline(time.Now().Add(patience))
	if err := s.out.Decode(s); err != nil {
		t.Fatal(err)
	}
	return s
}

// perform has the person do the task.
func (s *stage) perform(t *testing.T) {
	t.Helper()
	fmt.Fprintln(s.in, "perform")
	s.pipe.SetReadDeadline(time.Now().Add(2 * patience))
	var r struct{ Error string }
	if err := s.out.Decode(&r); err != nil || r.Error != "" {
		t.Fatal(err, r.Error)
	}
}

// command runs one of the programs as the stage's person, on the display.
func (d *screen) command(s *stage, program string, args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(d.bin, program), args...)
	cmd.Env = []string{"HOME=" + s.Home, "XDG_RUNTIME_DIR=" + s.Run, "DISPLAY=" + d.display, "DBUS_SESSION_BUS_ADDRESS=" + d.bus,
		"PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8", "GTK_A11Y=atspi", "NO_AT_BRIDGE=0",
		"GOTRACEBACK=all"}
	return cmd
}

// start opens the window and returns when its pages are loaded.
func (d *screen) start(t *testing.T, s *stage, args ...string) *program {
	t.Helper()
	cmd := d.command(s, "showhow-desktop", args...)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	window := run(t, cmd)
	if said, err := line(out); err != nil || said != `{"window":"opened"}` {
		t.Fatalf("the window said %q, %v", said, err)
	}
	return window
}

// fill types into the field with this label.
func (d *screen) fill(t *testing.T, b *bus, label, text string) {
	t.Helper()
	n := b.named(t, "entry|text", label)
	if !until(func() bool { return n.focus() == nil && n.focused() }) {
		t.Fatalf("%q takes no focus", label)
	}
	d.keys(t, text)
	if !until(func() bool { return n.text() == text }) {
		t.Fatalf("%q holds %q", label, n.text())
	}
}

// picture saves a screenshot to the folder in SHOWHOW_SCREENSHOTS, if scrot is installed.
func (d *screen) picture(t *testing.T, name string) {
	t.Helper()
	dir := os.Getenv("SHOWHOW_SCREENSHOTS")
	if dir == "" {
		return
	}
	cmd := exec.Command("scrot", "--overwrite", "--delay", "1", filepath.Join(dir, "window-"+name+".png"))
	cmd.Env = append(os.Environ(), "DISPLAY="+d.display)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Logf("no picture: %v %s", err, out)
	}
}

// closeWindow closes the window in front through the window manager, as its person would.
func (d *screen) closeWindow(t *testing.T) {
	t.Helper()
	d.xdotool(t, "key", "--clearmodifiers", "alt+F4")
}

// keys types on the display's keyboard.
func (d *screen) keys(t *testing.T, text string) {
	t.Helper()
	d.xdotool(t, "type", "--delay", "5", text)
}

func (d *screen) xdotool(t *testing.T, args ...string) {
	t.Helper()
	if out, err := d.run("xdotool", args...); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}
