//go:build linux

package window

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"

	"showhow/daemon/client"
	"showhow/daemon/wire"
	"showhow/internal/single"
)

// TestStaysAsItWas: a window is maximised, closed and opened again.
func TestStaysAsItWas(t *testing.T) {
	d := display(t)
	s := d.stage(t)
	state := filepath.Join(s.Home, ".local", "state", "showhow", "window.json")
	maximised := func() bool {
		out, err := d.run("xdotool", "search", "--onlyvisible", "--name", "^Showhow$", "getwindowgeometry", "--shell")
		return err == nil && strings.Contains(out, "WIDTH=1400")
	}
	window := d.start(t, s)
	b := openBus(t, d.bus)
	b.named(t, "heading", "Ability Learning")
	if maximised() {
		t.Fatal("it is as wide as the screen before anybody wanted that")
	}
	d.maximise(t)
	if !until(maximised) {
		t.Fatal("it does not become as wide as the screen")
	}
	d.closed(t, window)
	kept, err := os.ReadFile(state)
	var how struct {
		Width     int
		Maximised bool
	}
	if err != nil || json.Unmarshal(kept, &how) != nil || !how.Maximised || how.Width >= 1400 {
		t.Errorf("kept: %s, %v; want maximised, and the size before", kept, err)
	}
	d.start(t, s)
	if !until(maximised) {
		t.Error("opened again, it is not as it was")
	}
}

// TestANewerShowhow: an update under an open window, after which the daemon has another version.
func TestANewerShowhow(t *testing.T) {
	d := display(t)
	s := d.stage(t)
	d.start(t, s)
	b := openBus(t, d.bus)
	b.named(t, "heading", "Ability Learning")
	b.press(t, "link", "Trust")
	b.named(t, "heading", "What works here") // the daemon has answered as it is: the page knows which it was
	newer(t, filepath.Join(s.Run, "showhow", "daemon.sock"))
	b.press(t, "link", "Active")
	b.named(t, "label", "Showhow is now v99.0.0")
	d.picture(t, "updated")
	b.press(t, "button", "No")
	b.press(t, "link", "Skills")
	b.named(t, "heading", "Skills") // it goes on showing
}

// newer answers at a daemon's socket as a later version would.
func newer(t *testing.T, socket string) {
	t.Helper()
	real := socket + ".before"
	if err := os.Rename(socket, real); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Rename(real, socket) })
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	p := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: "http", Host: "daemon"})
	p.FlushInterval = -1
	p.Transport = &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "unix", real)
	}}
	p.ModifyResponse = func(r *http.Response) error {
		r.Header.Set(wire.HeaderVersion, "v99.0.0")
		return nil
	}
	p.ErrorHandler = func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusBadGateway) }
	srv := &http.Server{Handler: p, ReadHeaderTimeout: 10 * time.Second}
	go srv.Serve(l)
	t.Cleanup(func() { srv.Close() })
}

// TestLosingTheDisplay kills the X server while the window is the only indicator of a capture: the window ends, and
// nothing more is kept until somebody sees an indicator again.
func TestLosingTheDisplay(t *testing.T) {
	d := display(t)
	s := d.stage(t)
	window := d.start(t, s)
	b := openBus(t, d.bus)
	c := client.Unix(filepath.Join(s.Run, "showhow", "daemon.sock"), client.WithSource("user_click"))
	b.press(t, "link", "Demonstrating Skill")
	d.fill(t, b, "What will you show?", "Lose the display")
	d.fill(t, b, "Add: folders", s.Home)
	b.press(t, "button", "Add")
	b.press(t, "button", "Start watching")
	b.said(t, "Watching since")
	session := func() client.Session {
		all, err := c.Sessions(t.Context(), client.SessionFilter{Active: true, PageQuery: client.PageQuery{Page: 1, PageSize: 5}})
		if err != nil || len(all.Sessions) != 1 {
			return client.Session{}
		}
		return all.Sessions[0]
	}
	if got := session(); got.State != "capturing" {
		t.Fatalf("the session is %q", got.State)
	}
	d.server.Kill()
	if !window.ended(patience) {
		t.Fatal("the window outlives its display")
	}
	if window.err == nil {
		t.Error("the window ended as if it had been closed")
	}
	if !until(func() bool { return session().State == "paused" }) {
		t.Fatalf("nothing shows it, and it is %q", session().State)
	}
	if why := session().PauseReason; why != "no_indicator" {
		t.Errorf("it paused because of %q", why)
	}
}

// TestTheEntryForLogin makes a desktop's own starter run the entry that --at-login wrote.
func TestTheEntryForLogin(t *testing.T) {
	d := display(t)
	if _, err := exec.LookPath("gio"); err != nil {
		t.Skip("gio is not installed")
	}
	s := d.stage(t)
	if out, err := d.command(s, "showhow", "tray", "--at-login", "on").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	icon := func() int { return single.Holder(filepath.Join(s.Run, "showhow", "tray.lock")) }
	if icon() != 0 {
		t.Fatal("there is an icon before the login")
	}
	start := d.command(s, "showhow")
	gio := exec.Command("gio", "launch", filepath.Join(s.Home, ".config", "autostart", "showhow-tray.desktop"))
	gio.Env = start.Env
	run(t, gio)
	if !until(func() bool { return icon() != 0 }) {
		t.Fatal("the desktop started the entry, and there is no icon")
	}
	syscall.Kill(icon(), syscall.SIGTERM)
	if !until(func() bool { return icon() == 0 }) {
		t.Error("the icon does not go when it is asked to")
	}
}

// run runs a tool on the display.
func (d *screen) run(name string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = append(os.Environ(), "DISPLAY="+d.display)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// maximise asks the window manager to maximise a window, as its own button does.
func (d *screen) maximise(t *testing.T) {
	t.Helper()
	out, err := d.run("xdotool", "search", "--onlyvisible", "--name", "^Showhow$")
	ids := strings.Fields(out)
	if err != nil || len(ids) == 0 {
		t.Fatalf("%v: %s", err, out)
	}
	id, err := strconv.ParseUint(ids[len(ids)-1], 10, 32)
	if err != nil {
		t.Fatal(err)
	}
	conn, err := xgb.NewConnDisplay(d.display)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	atom := func(name string) uint32 {
		a, err := xproto.InternAtom(conn, false, uint16(len(name)), name).Reply()
		if err != nil {
			t.Fatal(err)
		}
		return uint32(a.Atom)
	}
	const add, pager = 1, 2
	e := xproto.ClientMessageEvent{Format: 32, Window: xproto.Window(id), Type: xproto.Atom(atom("_NET_WM_STATE")),
		Data: xproto.ClientMessageDataUnionData32New([]uint32{add, atom("_NET_WM_STATE_MAXIMIZED_VERT"), atom("_NET_WM_STATE_MAXIMIZED_HORZ"),
			pager, 0})}
	root := xproto.Setup(conn).DefaultScreen(conn).Root
	if err := xproto.SendEventChecked(conn, false, root, xproto.EventMaskSubstructureNotify|xproto.EventMaskSubstructureRedirect,
		string(e.Bytes())).Check(); err != nil {
		t.Fatal(err)
	}
}
