package process

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/jezek/xgb/xproto"

	"showhow/adapters"
	"showhow/adapters/adaptertest"
	"showhow/capture"
	"showhow/internal/await"
)

// need finds a program or says what to install.
func need(t testing.TB, name, pkg string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatalf("%s is missing: apt install %s", name, pkg)
		}
		t.Skipf("%s is missing: apt install %s", name, pkg)
	}
	return path
}

// xserver starts a private X server and returns its display.
func xserver(t *testing.T) string {
	t.Helper()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	cmd := exec.Command(need(t, "Xvfb", "xvfb"), "-displayfd", "3", "-screen", "0", "640x480x24", "-nolisten", "tcp", "-noreset")
	cmd.ExtraFiles = []*os.File{write}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = write.Close()
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	_ = read.SetReadDeadline(time.Now().Add(time.Minute))
	line, err := bufio.NewReader(read).ReadString('\n')
	if err != nil {
		t.Fatalf("Xvfb did not start: %v", err)
	}
	return ":" + strings.TrimSpace(line)
}

// manager plays a window manager: it creates windows and activates them.
type manager struct {
	t testing.TB
	*screen
	last xproto.Window
}

func manage(t testing.TB, display string) *manager {
	t.Helper()
	s, err := openScreen(display)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.close)
	return &manager{t, s, 0}
}

func (m *manager) window(class, title string, pid int) xproto.Window {
	m.t.Helper()
	w, err := xproto.NewWindowId(m.conn)
	if err != nil {
		m.t.Fatal(err)
	}
	xproto.CreateWindow(m.conn, 0, w, m.root, 0, 0, 10, 10, 0, xproto.WindowClassInputOutput, 0, 0, nil)
	m.set(w, xproto.AtomWmClass, xproto.AtomString, 8, []byte("instance\x00"+class+"\x00"))
	m.set(w, m.atoms["_NET_WM_NAME"], xproto.AtomString, 8, []byte(title))
	if pid != 0 {
		m.set(w, m.atoms["_NET_WM_PID"], xproto.AtomCardinal, 32, number(uint32(pid)))
	}
	return w
}

func (m *manager) set(w xproto.Window, name, kind xproto.Atom, format byte, data []byte) {
	m.t.Helper()
	if err := xproto.ChangePropertyChecked(m.conn, xproto.PropModeReplace, w, name, kind, format,
		uint32(len(data))/uint32(format/8), data).Check(); err != nil {
		m.t.Fatal(err)
	}
}

func number(n uint32) []byte { return binary.LittleEndian.AppendUint32(nil, n) }

func (m *manager) front(w xproto.Window) {
	m.set(m.root, m.atoms["_NET_ACTIVE_WINDOW"], xproto.AtomWindow, 32, number(uint32(w)))
}

func onScreen(display string) *Adapter {
	a := nobody()
	a.display = display
	return a
}

func TestWindows(t *testing.T) {
	t.Parallel()
	needEvents(t)
	display := xserver(t)
	m := manage(t, display)
	editor, other := m.window("Editor-2.1", "Report – Editor", 0), m.window("Secretive", "canary title", 0)
	browser, term := m.window("Firefox", "Bank - Firefox", 0), m.window("XTerm", "vim secret.txt", 0)
	o := observe(t, onScreen(display), apps("editor", "firefox", "xterm"))
	before := o.Withheld(capture.OffScope)
	count := 0 // a switch that lasts for less than a look takes is none: each is waited for
	for _, w := range []xproto.Window{0, editor, editor, 0, browser, 0, browser, term, other, editor} {
		seen, withheld := len(o.Seen()), o.Withheld(capture.OffScope)
		m.front(w)
		if w != 0 && w != m.last {
			o.until("the switch", func() bool { return len(o.Seen()) > seen || o.Withheld(capture.OffScope) > withheld })
			m.last = w
			count++
		}
	}
	seen := o.launches(4)
	var got []string
	for _, s := range seen {
		got = append(got, fmt.Sprintf("%s %s %s %q", s.Kind, s.Verb, s.Origin.App, s.Window))
	}
	want := []string{`process_launch activate editor "Report – Editor"`, `process_launch activate firefox ""`,
		`process_launch activate xterm ""`, `process_launch activate editor "Report – Editor"`}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if n := o.Withheld(capture.OffScope) - before; n < 1 || count != 5 {
		t.Errorf("%d windows withheld, %d switches", n, count)
	}
	o.control.Rescope(capture.Scope{})
	m.front(term)
	o.until("no scope", func() bool { return o.Withheld(capture.NoScope) > 0 })
}

func TestConformanceOfWindows(t *testing.T) {
	needEvents(t)
	display := xserver(t)
	adaptertest.Run(t, adaptertest.Harness{
		Quiet: 100 * time.Millisecond,
		Start: func(t *testing.T) adaptertest.World {
			m := manage(t, display)
			return adaptertest.World{
				Adapter:  onScreen(display),
				Scope:    capture.Scope{Apps: []string{"editor"}},
				OffScope: capture.Scope{Apps: []string{"painter"}},
				In:       func(t testing.TB, i int) { m.front(m.window("Editor", fmt.Sprintf("act %d", i), 0)) },
				Off:      func(t testing.TB, canary string) { m.front(m.window("Painter", canary, 0)) },
				Is: func(o capture.Observation, i int) bool {
					return o.Verb == capture.Activate && o.Window == fmt.Sprintf("act %d", i)
				},
				Stop: func() { m.close() },
			}
		},
	})
}

// A real program under a real window manager: its start, and its window as evidence.
func TestRealWindow(t *testing.T) {
	t.Parallel()
	needEvents(t)
	box, message := need(t, "openbox", "openbox"), need(t, "xmessage", "x11-utils")
	display := xserver(t)
	env := append(os.Environ(), "DISPLAY="+display, "HOME="+t.TempDir())
	wm := exec.Command(box, "--sm-disable")
	wm.Env = env
	if err := wm.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = wm.Process.Kill(); _ = wm.Wait() })
	s := manage(t, display)
	await.Until(t, "the window manager", func() bool {
		return s.number(s.root, s.atom("_NET_SUPPORTING_WM_CHECK"), xproto.AtomWindow) != 0
	})
	o := observe(t, onScreen(display), apps("xmessage"))
	cmd := exec.Command(message, "-title", "Greeting", "-timeout", "60", "Good morning")
	cmd.Env = env
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	seen := o.launches(2)
	start, up := seen[0], seen[1]
	if start.Verb != capture.Run || start.Command == nil || !start.Command.Running || start.Origin.App != "xmessage" ||
		start.Command.Line != message+" -title Greeting -timeout 60 'Good morning'" {
		t.Errorf("%+v %+v", start.Origin, start.Command)
	}
	if up.Verb != capture.Activate || up.Window != "Greeting" || up.Origin.App != "xmessage" {
		t.Errorf("%+v", up)
	}
	if up.CauseKey != start.Key {
		t.Errorf("%q is not caused by %q", up.CauseKey, start.Key)
	}
}

// A window causes its launch to be reported early, and names it as its cause.
func TestWindowOfALaunch(t *testing.T) {
	display := xserver(t)
	w := newWorldOf(t, onScreen(display))
	m := manage(t, display)
	cmd := exec.Command(w.tool, "60")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }()
	run(t, exec.Command(w.tool, "0.05"))
	w.launches(1)
	m.front(m.window("Whatever", "Its title", cmd.Process.Pid))
	seen := w.launches(3)
	start, up := seen[1], seen[2]
	if start.Origin.PID != cmd.Process.Pid || !start.Command.Running || up.CauseKey != start.Key || up.Window != "Its title" ||
		up.Origin.App != w.name("t") {
		t.Errorf("%+v\n%+v", start, up)
	}
}

func TestWithoutWindows(t *testing.T) {
	needEvents(t)
	for _, c := range []struct{ display, wayland, code string }{
		{"", "", "no_windows"}, {"", "wayland-0", "no_windows"}, {":1", "wayland-0", "some_windows"}, {":1", "", ""}} {
		t.Setenv("WAYLAND_DISPLAY", c.wayland)
		t.Setenv("XDG_SESSION_TYPE", "")
		h := onScreen(c.display).Probe(t.Context())
		if h.State != adapters.Ready || h.Code != c.code || (h.Reason == "") != (c.code == "") {
			t.Errorf("%+v: %+v", c, h)
		}
	}
	o := observe(t, onScreen(":9999"), apps("x"))
	o.until("a remark", func() bool { return o.LastHealth().Code == "no_windows" })
}

func (s *screen) atom(name string) xproto.Atom {
	r, err := xproto.InternAtom(s.conn, false, uint16(len(name)), name).Reply()
	if err != nil {
		return 0
	}
	return r.Atom
}
