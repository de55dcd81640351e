//go:build linux

package tray

import (
	"bufio"
	"context"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/godbus/dbus/v5"
	"github.com/godbus/dbus/v5/prop"
	"go.uber.org/goleak"

	"showhow/app/apptest"
	"showhow/internal/desktop"
)

// clickEnv lets this binary act as an agent's program that sends a click over the bus: ADDRESS ITEM ID.
const clickEnv = "SHOWHOW_TEST_CLICK"

func TestMain(m *testing.M) {
	if os.Getenv(clickEnv) != "" {
		os.Exit(clickAsAgent(strings.Fields(os.Getenv(clickEnv))))
	}
	os.Unsetenv("DBUS_SESSION_BUS_ADDRESS")
	goleak.VerifyTestMain(m)
}

var (
	until = apptest.Until
	must  = apptest.Must
)

// bus is a private session bus.
func bus(t *testing.T) (address string) {
	t.Helper()
	path, err := exec.LookPath("dbus-daemon")
	if err != nil {
		const missing = "needs dbus-daemon (Debian: apt install dbus-daemon, or build/setup.sh test)"
		if os.Getenv("CI") != "" {
			t.Fatal(missing)
		}
		t.Skip(missing)
	}
	dir, err := os.MkdirTemp("", "bus")
	must(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	conf := filepath.Join(dir, "bus.conf")
	must(t, os.WriteFile(conf, []byte(`<busconfig><type>session</type><listen>unix:path=`+dir+`/bus</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy>`+
		`</busconfig>`), 0o600))
	cmd := exec.Command(path, "--config-file="+conf, "--nofork", "--print-address")
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Signal(syscall.SIGTERM); _ = cmd.Wait() })
	line, err := bufio.NewReader(out).ReadString('\n')
	must(t, err)
	return strings.TrimSpace(line)
}

// host is a panel: it keeps the list of icons, reads their properties and clicks.
type host struct {
	t     *testing.T
	conn  *dbus.Conn
	props *prop.Properties
	mu    sync.Mutex
	items []string
}

func panel(t *testing.T, address string) *host {
	t.Helper()
	conn, err := dbus.Connect(address)
	must(t, err)
	h := &host{t: t, conn: conn}
	t.Cleanup(h.leave)
	h.props, err = prop.Export(conn, desktop.WatcherPath, prop.Map{desktop.Watcher: {
		"IsStatusNotifierHostRegistered": {Value: true, Emit: prop.EmitTrue}, "ProtocolVersion": {Value: int32(0), Emit: prop.EmitTrue}}})
	must(t, err)
	must(t, conn.Export(watcher{h}, desktop.WatcherPath, desktop.Watcher))
	_, err = conn.RequestName(desktop.Watcher, dbus.NameFlagDoNotQueue)
	must(t, err)
	return h
}

func (h *host) leave() { _ = h.conn.Close() }

type watcher struct{ h *host }

func (w watcher) RegisterStatusNotifierItem(service string) *dbus.Error {
	w.h.mu.Lock()
	defer w.h.mu.Unlock()
	w.h.items = append(w.h.items, service)
	return nil
}

// item is the icon's name on the bus, or an unused name while there is no icon.
func (h *host) item() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.items) == 0 {
		return "no.icon.yet"
	}
	return h.items[len(h.items)-1]
}

// get reads a property of the icon; the zero Variant if there is none.
func (h *host) get(name string) (v dbus.Variant) {
	_ = h.conn.Object(h.item(), itemPath).Call("org.freedesktop.DBus.Properties.Get", 0, itemFace, name).Store(&v)
	return v
}

// tooltip is its title and text together.
func (h *host) tooltip() string {
	v, ok := h.get("ToolTip").Value().([]any)
	if !ok {
		return ""
	}
	return v[2].(string) + "\n" + v[3].(string)
}

func (h *host) icon() string {
	v, ok := h.get("IconPixmap").Value().([][]any)
	if !ok || len(v) == 0 {
		return ""
	}
	return string(v[0][2].([]byte))
}

// labels are the menu's entries by label, with those of submenus after a slash.
func (h *host) labels() map[string]int32 {
	var revision uint32
	var l layout
	out := map[string]int32{}
	if h.conn.Object(h.item(), menuPath).Call(menuFace+".GetLayout", 0, int32(0), int32(-1), []string{}).Store(&revision, &l) != nil {
		return out
	}
	collect(h.t, "", l, out)
	return out
}

func collect(t *testing.T, above string, l layout, out map[string]int32) {
	for _, c := range l.Children {
		var kid layout
		must(t, dbus.Store([]any{c.Value()}, &kid))
		if label, ok := kid.Props["label"].Value().(string); ok {
			out[above+label] = kid.ID
			collect(t, above+label+"/", kid, out)
		}
	}
}

// shows waits for an entry that begins so, and returns its number.
func (h *host) shows(label string) (id int32) {
	h.t.Helper()
	defer func() {
		if h.t.Failed() {
			h.t.Logf("the menu has %v", h.labels())
		}
	}()
	until(h.t, "the entry "+label, func() bool {
		for l, n := range h.labels() {
			if strings.HasPrefix(l, label) {
				id = n
				return true
			}
		}
		return false
	})
	return id
}

func (h *host) click(id int32) {
	h.t.Helper()
	must(h.t, h.conn.Object(h.item(), menuPath).Call(menuFace+".Event", 0, id, "clicked", dbus.MakeVariant(0), uint32(0)).Err)
}

// twice clicks as an impatient person does: the second click finds that the action was done already.
func (h *host) twice(id int32) {
	h.t.Helper()
	click := event{id, "clicked", dbus.MakeVariant(0), 0}
	must(h.t, h.conn.Object(h.item(), menuPath).Call(menuFace+".EventGroup", 0, []event{click, click}).Err)
}

// content fails if the menu shows an error.
func (h *host) content() {
	h.t.Helper()
	for l := range h.labels() {
		if strings.HasPrefix(l, "Not done") {
			h.t.Errorf("the menu says: %s", l)
		}
	}
}

func clickAsAgent(args []string) int {
	conn, err := dbus.Connect(args[0])
	if err != nil {
		return 1
	}
	defer conn.Close()
	var id int32
	for _, c := range args[2] {
		id = id*10 + int32(c-'0')
	}
	if conn.Object(args[1], menuPath).Call(menuFace+".Event", 0, id, "clicked", dbus.MakeVariant(0), uint32(0)).Err != nil {
		return 1
	}
	<-conn.Context().Done() // the tray asks the bus who it was; killed as soon as the test is done
	return 0
}

// show runs a tray until the test ends.
func show(w *apptest.World, address string) {
	w.T.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() {
		done <- Run(ctx, Options{Client: w.Client, Bus: address, Logger: slog.New(slog.NewTextHandler(io.Discard, nil))})
	}()
	w.T.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			w.T.Error(err)
		}
	})
}
