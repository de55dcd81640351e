//go:build linux

package window

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"
)

// bus is the accessibility bus, as an assistive technology sees it.
type bus struct{ conn *dbus.Conn }

// node is one accessible object.
type node struct {
	bus  *bus
	path dbus.ObjectPath
	app  string
}

type reference struct {
	App  string
	Path dbus.ObjectPath
}

const accessible = "org.a11y.atspi.Accessible"

func openBus(t *testing.T, session string) *bus {
	t.Helper()
	s, err := dbus.Connect(session)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var address string
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if err := s.Object("org.a11y.Bus", "/org/a11y/bus").CallWithContext(ctx, "org.a11y.Bus.GetAddress", 0).Store(&address); err != nil {
		t.Fatal("no accessibility bus: ", err)
	}
	c, err := dbus.Connect(address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return &bus{c}
}

func (b *bus) root() node {
	return node{b, "/org/a11y/atspi/accessible/root", "org.a11y.atspi.Registry"}
}

// answering is how long an object may take to answer: WebKit drops a question about an object that goes away
// meanwhile; the search is then repeated.
const answering = 5 * time.Second

func (n node) call(method string, args ...any) *dbus.Call {
	ctx, cancel := context.WithTimeout(context.Background(), answering)
	defer cancel()
	return n.bus.conn.Object(n.app, n.path).CallWithContext(ctx, method, 0, args...)
}

// children asks for children one by one where there is no list: the toolkit's object that contains a page lists them
// only so.
func (n node) children() (out []node) {
	var refs []reference
	if n.call(accessible+".GetChildren").Store(&refs) != nil {
		return nil // it went away meanwhile: what is looked for is looked for again
	}
	if len(refs) == 0 {
		count, _ := n.property("ChildCount").(int32)
		for i := range count {
			var r reference
			if n.call(accessible+".GetChildAtIndex", i).Store(&r) == nil {
				refs = append(refs, r)
			}
		}
	}
	for _, r := range refs {
		if r.Path != "/org/a11y/atspi/null" {
			out = append(out, node{n.bus, r.Path, r.App})
		}
	}
	return out
}

func (n node) property(name string) any {
	var v dbus.Variant
	if n.call("org.freedesktop.DBus.Properties.Get", accessible, name).Store(&v) != nil {
		return nil
	}
	return v.Value()
}

// roles are the roles used in the tests, by number: a web page's objects have no role names.
var roles = map[uint32]string{2: "alert", 16: "dialog", 29: "label", 37: "tab", 23: "frame", 43: "button", 44: "radio", 61: "text",
	62: "toggle button", 69: "application", 75: "application",
	79: "entry", 83: "heading", 88: "link"}

func (n node) role() string {
	var number uint32
	if n.call(accessible+".GetRole").Store(&number) != nil {
		return ""
	}
	if name := roles[number]; name != "" {
		return name
	}
	return fmt.Sprintf("(%d)", number)
}

func (n node) name() string {
	s, _ := n.property("Name").(string)
	return s
}

// text is the object's own text; objects inside it have their own.
func (n node) text() (s string) {
	if !strings.Contains(string(n.path), "-") && !strings.Contains(string(n.path), "_") {
		return "" // the toolkit's own objects complain when they are asked
	}
	if n.call("org.a11y.atspi.Text.GetText", int32(0), int32(-1)).Store(&s) != nil {
		return ""
	}
	return strings.ReplaceAll(s, "\ufffc", "")
}

// press performs the object's own action, as a screen reader's user would.
func (n node) press() error {
	var ok bool
	if err := n.call("org.a11y.atspi.Action.DoAction", int32(0)).Store(&ok); err != nil {
		return err
	}
	if !ok {
		return fmt.Errorf("%s refuses its action", n.role())
	}
	return nil
}

func (n node) focus() error {
	return n.call("org.a11y.atspi.Component.GrabFocus").Err
}

// focused reports whether typed text arrives here: a request for the focus does not say when the page grants it.
func (n node) focused() bool {
	const bit = 12 // ATSPI_STATE_FOCUSED
	var states []uint32
	return n.call("org.a11y.atspi.Accessible.GetState").Store(&states) == nil && len(states) > 0 && states[0]&(1<<bit) != 0
}

// walk visits everything below n until visit says stop; a tree is a few hundred objects.
func (n node) walk(visit func(n node, depth int) bool) {
	var down func(n node, depth int) bool
	down = func(n node, depth int) bool {
		if depth > 60 || !visit(n, depth) {
			return false
		}
		for _, c := range n.children() {
			if !down(c, depth+1) {
				return false
			}
		}
		return true
	}
	down(n, 0)
}

// tree formats everything below n, for error messages and for inspection.
func (n node) tree() string {
	var b strings.Builder
	n.walk(func(n node, depth int) bool {
		fmt.Fprintf(&b, "%s%s %q %q\n", strings.Repeat("  ", depth), n.role(), n.name(), n.text())
		return true
	})
	return b.String()
}

// find waits for an object of a role and name.
func (b *bus) find(t *testing.T, what string, fits func(n node, role string) bool) node {
	t.Helper()
	var found *node
	if !until(func() bool {
		b.root().walk(func(n node, _ int) bool {
			if fits(n, n.role()) {
				found = &n
			}
			return found == nil
		})
		return found != nil
	}) {
		t.Fatalf("the window shows no %s within a minute:\n%s", what, b.root().tree())
	}
	return *found
}

// named finds an object by one of its roles ("a|b") and the beginning of its name.
func (b *bus) named(t *testing.T, roles, name string) node {
	t.Helper()
	return b.find(t, roles+" "+name, func(n node, role string) bool {
		return strings.Contains("|"+roles+"|", "|"+role+"|") && strings.HasPrefix(n.name(), name)
	})
}

// said waits for an object whose own text begins so.
func (b *bus) said(t *testing.T, text string) {
	t.Helper()
	b.find(t, "text "+text, func(n node, _ string) bool { return strings.HasPrefix(n.text(), text) })
}

// press finds a control and presses it.
func (b *bus) press(t *testing.T, roles, name string) {
	t.Helper()
	if !until(func() bool { return b.named(t, roles, name).press() == nil }) {
		t.Fatalf("%q cannot be pressed", name)
	}
}

func until(ok func() bool) bool {
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
		if ok() {
			return true
		}
	}
	return false
}
