package tray

import (
	"context"
	"fmt"
	"html"
	"image"
	"os"
	"sync"
	"time"

	"github.com/godbus/dbus/v5"
	"github.com/godbus/dbus/v5/prop"

	"showhow/app/follow"
	"showhow/app/lamp"
	"showhow/internal/desktop"
)

// Names of the protocol.
const (
	itemFace     = "org.kde.StatusNotifierItem"
	itemPath     = dbus.ObjectPath("/StatusNotifierItem")
	menuFace     = "com.canonical.dbusmenu"
	menuPath     = dbus.ObjectPath("/MenuBar")
	answerWithin = 2 * time.Second // of a host; one that hangs shows nothing
)

// pixmap is an icon in the protocol's format: ARGB, the most significant byte first.
type pixmap struct {
	Width, Height int32
	Data          []byte
}

// tooltip is icon name, icon, title and text.
type tooltip struct {
	Icon   string
	Pixmap []pixmap
	Title  string
	Text   string
}

// item is the icon on one connection to the bus.
type item struct {
	t     *tray
	conn  *dbus.Conn
	name  string
	props *prop.Properties
	menu  *menu
	ctx   context.Context // of clicks; ends with the connection
	stop  context.CancelFunc
	acts  sync.WaitGroup

	mu     sync.Mutex
	shown  string // the last state sent to the panel, as one comparable text
	joined bool   // the watcher took us
	closed bool   // no click is followed any more
}

func newItem(ctx context.Context, t *tray) (*item, error) {
	conn, err := desktop.Bus(ctx, t.o.Bus)
	if err != nil {
		return nil, err
	}
	it := &item{t: t, conn: conn, name: fmt.Sprintf("%s-%d-1", itemFace, os.Getpid())}
	it.ctx, it.stop = context.WithCancel(conn.Context()) // which ends with ctx
	it.menu = newMenu(it)
	if err := it.export(); err != nil {
		it.close()
		return nil, err
	}
	it.update()
	return it, nil
}

func (it *item) export() error {
	v, _ := it.t.now()
	// Changes are announced by the protocol's own signals (update).
	readable := func(value any) *prop.Prop { return &prop.Prop{Value: value, Emit: prop.EmitFalse} }
	fixed := func(value any) *prop.Prop { return &prop.Prop{Value: value, Emit: prop.EmitConst} }
	var err error
	it.props, err = prop.Export(it.conn, itemPath, prop.Map{itemFace: {
		"Category": fixed("ApplicationStatus"), "Id": fixed("showhow"), "WindowId": fixed(int32(0)),
		"Menu": fixed(menuPath), "ItemIsMenu": fixed(true), "IconThemePath": fixed(""), "IconName": fixed(""),
		"OverlayIconName": fixed(""), "OverlayIconPixmap": fixed([]pixmap{}), "AttentionIconName": fixed(""), "AttentionMovieName": fixed(""),
		"Title": readable("Showhow"), "Status": readable("Active"), "IconPixmap": readable(icons(v)),
		"AttentionIconPixmap": readable(icons(v)), "ToolTip": readable(tooltip{Pixmap: []pixmap{}}),
	}})
	if err != nil {
		return err
	}
	if _, err := prop.Export(it.conn, menuPath, prop.Map{menuFace: {"Version": fixed(uint32(3)), "TextDirection": fixed("ltr"),
		"Status": readable("normal"), "IconThemePath": fixed([]string{})}}); err != nil {
		return err
	}
	if err := it.conn.Export(itemMethods{it}, itemPath, itemFace); err != nil {
		return err
	}
	if err := it.conn.Export(it.menu, menuPath, menuFace); err != nil {
		return err
	}
	_, err = it.conn.RequestName(it.name, dbus.NameFlagDoNotQueue)
	return err
}

// run registers with the current host and any later one, until the connection ends.
func (it *item) run(ctx context.Context) {
	signals := make(chan *dbus.Signal, 16)
	it.conn.Signal(signals)
	_ = it.conn.AddMatchSignal(dbus.WithMatchInterface("org.freedesktop.DBus"), dbus.WithMatchMember("NameOwnerChanged"),
		dbus.WithMatchArg(0, desktop.Watcher))
	_ = it.conn.AddMatchSignal(dbus.WithMatchInterface(desktop.Watcher))
	it.join(ctx)
	for {
		select {
		case <-it.ctx.Done():
			return
		case s, ok := <-signals:
			if !ok {
				return
			}
			if s.Name == "org.freedesktop.DBus.NameOwnerChanged" {
				it.join(ctx)
			}
			it.t.f.Look() // a host came or went: the lease depends on it
		}
	}
}

// join registers this icon with the watcher.
func (it *item) join(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	err := it.conn.Object(desktop.Watcher, desktop.WatcherPath).CallWithContext(ctx, desktop.Watcher+".RegisterStatusNotifierItem",
		dbus.FlagNoAutoStart, it.name).Err
	it.mu.Lock()
	it.joined = err == nil
	it.mu.Unlock()
}

// hosted reports whether a host shows the icon right now.
func (it *item) hosted(ctx context.Context) bool {
	it.mu.Lock()
	joined := it.joined
	it.mu.Unlock()
	return joined && desktop.PanelOn(ctx, it.conn)
}

// update announces changes to the panel.
func (it *item) update() {
	v, notice := it.t.now()
	title, text, status := headline(v), hint(v), "Active"
	if v.Waits() {
		status = "NeedsAttention"
	}
	it.mu.Lock()
	state := fmt.Sprint(v.State, v.Waits(), title, text, status)
	changed := state != it.shown
	it.shown = state
	it.mu.Unlock()
	if changed {
		pix := icons(v)
		it.props.SetMust(itemFace, "Title", "Showhow: "+title)
		it.props.SetMust(itemFace, "IconPixmap", pix)
		it.props.SetMust(itemFace, "AttentionIconPixmap", pix)
		it.props.SetMust(itemFace, "ToolTip", tooltip{Pixmap: []pixmap{}, Title: title, Text: text})
		it.props.SetMust(itemFace, "Status", status)
		for _, s := range []string{"NewTitle", "NewIcon", "NewAttentionIcon", "NewToolTip"} {
			_ = it.conn.Emit(itemPath, itemFace+"."+s)
		}
		_ = it.conn.Emit(itemPath, itemFace+".NewStatus", status)
	}
	it.menu.set(it.t.menu(v, notice))
}

// hint is the tooltip's text. Hosts interpret it as markup.
func hint(v follow.View) string {
	text := ""
	if v.On() {
		text = "Only: " + shorten(v.Places(), 120) + "\n" + v.Count() + withheld(v)
	}
	if v.Waits() {
		if text != "" {
			text += "\n"
		}
		text += "Something waits for your answer"
	}
	return html.EscapeString(text)
}

func (it *item) close() {
	it.mu.Lock()
	it.closed = true
	it.mu.Unlock()
	it.stop()
	it.acts.Wait()
	_ = it.conn.Close()
}

// itemMethods are the methods that a host calls. With ItemIsMenu the host shows the menu on every click; a host that
// does not know that property shows it on the second button and calls Activate on the first.
type itemMethods struct{ it *item }

func (m itemMethods) Activate(_, _ int32) *dbus.Error {
	if o := m.it.t.o.Open; o != nil {
		m.it.click(entry{key: "open", do: func(ctx context.Context, _ clicker) error { return o(ctx) }}, "")
	}
	return nil
}

func (itemMethods) SecondaryActivate(_, _ int32) *dbus.Error     { return nil }
func (itemMethods) ContextMenu(_, _ int32) *dbus.Error           { return nil }
func (itemMethods) Scroll(_ int32, _ string) *dbus.Error         { return nil }
func (itemMethods) ProvideXdgActivationToken(string) *dbus.Error { return nil }

// click handles a click in the background: a host does not wait.
func (it *item) click(e entry, from dbus.Sender) {
	it.mu.Lock()
	if it.closed {
		it.mu.Unlock()
		return
	}
	it.acts.Add(1)
	it.mu.Unlock()
	go func() {
		defer it.acts.Done()
		var by clicker
		if from != "" {
			var pid uint32
			if it.conn.BusObject().CallWithContext(it.ctx, "org.freedesktop.DBus.GetConnectionUnixProcessID", 0, string(from)).Store(&pid) == nil {
				by.pid = int(pid)
			}
		}
		it.t.clicked(it.ctx, e, by)
	}()
}

// icons is the icon in the sizes that panels ask for.
func icons(v follow.View) (out []pixmap) {
	for _, size := range []int{16, 22, 24, 32, 48, 64} {
		out = append(out, argb(lamp.Draw(v.State, v.Waits(), size)))
	}
	return out
}

// argb is img in the hosts' format: alpha not premultiplied.
func argb(img *image.RGBA) pixmap {
	b := img.Bounds()
	out := pixmap{int32(b.Dx()), int32(b.Dy()), make([]byte, 0, 4*b.Dx()*b.Dy())}
	for i := 0; i < len(img.Pix); i += 4 {
		r, g, bl, a := img.Pix[i], img.Pix[i+1], img.Pix[i+2], img.Pix[i+3]
		if a > 0 && a < 255 {
			r, g, bl = straight(r, a), straight(g, a), straight(bl, a)
		}
		out.Data = append(out.Data, a, r, g, bl)
	}
	return out
}

func straight(c, a uint8) uint8 { return uint8(min(255, int(c)*255/int(a))) }
