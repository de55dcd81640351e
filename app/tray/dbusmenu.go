package tray

import (
	"fmt"
	"strings"
	"sync"

	"github.com/godbus/dbus/v5"
)

// menu implements com.canonical.dbusmenu for the current entries.
type menu struct {
	it *item

	mu       sync.Mutex
	revision uint32
	ids      map[string]int32 // by key, for as long as this connection lives
	next     int32
	top      []entry
	byID     map[int32]entry
	told     string
}

func newMenu(it *item) *menu { return &menu{it: it, ids: map[string]int32{}, byID: map[int32]entry{}} }

// layout is a node of the tree: number, properties, children.
type layout struct {
	ID       int32
	Props    map[string]dbus.Variant
	Children []dbus.Variant
}

// set replaces the entries and notifies the host if they differ.
func (m *menu) set(top []entry) {
	m.mu.Lock()
	m.top, m.byID = top, map[int32]entry{}
	var text strings.Builder
	m.number(top, &text)
	changed := text.String() != m.told
	m.told = text.String()
	if changed {
		m.revision++
	}
	revision := m.revision
	m.mu.Unlock()
	if changed {
		_ = m.it.conn.Emit(menuPath, menuFace+".LayoutUpdated", revision, int32(0))
	}
}

// number gives every entry the number of its key and writes down what the host sees of it.
func (m *menu) number(es []entry, text *strings.Builder) {
	for _, e := range es {
		id, ok := m.ids[e.key]
		if !ok {
			m.next++
			id = m.next
			m.ids[e.key] = id
		}
		m.byID[id] = e
		fmt.Fprintf(text, "%d|%s|%t{", id, e.label, e.off)
		m.number(e.sub, text)
		text.WriteByte('}')
	}
}

func (m *menu) properties(e entry) map[string]dbus.Variant {
	p := map[string]dbus.Variant{}
	set := func(k string, v any) { p[k] = dbus.MakeVariant(v) }
	if e.line {
		set("type", "separator")
		return p
	}
	set("label", strings.ReplaceAll(e.label, "_", "__")) // an underline marks a key
	set("enabled", !e.off)
	set("visible", true)
	if len(e.sub) > 0 {
		set("children-display", "submenu")
	}
	return p
}

func (m *menu) tree(id int32, props map[string]dbus.Variant, sub []entry, depth int32) layout {
	l := layout{ID: id, Props: props, Children: []dbus.Variant{}}
	if depth == 0 {
		return l
	}
	for _, e := range sub {
		l.Children = append(l.Children, dbus.MakeVariant(m.tree(m.ids[e.key], m.properties(e), e.sub, depth-1)))
	}
	return l
}

// GetLayout returns the tree below parent.
func (m *menu) GetLayout(parent, depth int32, _ []string) (uint32, layout, *dbus.Error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if parent == 0 {
		return m.revision, m.tree(0, map[string]dbus.Variant{"children-display": dbus.MakeVariant("submenu")}, m.top, depth), nil
	}
	e, ok := m.byID[parent]
	if !ok {
		return 0, layout{}, dbus.MakeFailedError(fmt.Errorf("no such entry"))
	}
	return m.revision, m.tree(parent, m.properties(e), e.sub, depth), nil
}

type group struct {
	ID    int32
	Props map[string]dbus.Variant
}

// GetGroupProperties returns the properties of some entries; of all without ids.
func (m *menu) GetGroupProperties(ids []int32, _ []string) ([]group, *dbus.Error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	out := []group{}
	if len(ids) == 0 {
		for id, e := range m.byID {
			out = append(out, group{id, m.properties(e)})
		}
	}
	for _, id := range ids {
		if e, ok := m.byID[id]; ok {
			out = append(out, group{id, m.properties(e)})
		}
	}
	return out, nil
}

// GetProperty returns one of them.
func (m *menu) GetProperty(id int32, name string) (dbus.Variant, *dbus.Error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if v, ok := m.properties(m.byID[id])[name]; ok {
		return v, nil
	}
	return dbus.Variant{}, dbus.MakeFailedError(fmt.Errorf("no such property"))
}

// Event handles a person's action on an entry. One that is gone meanwhile does nothing.
func (m *menu) Event(from dbus.Sender, id int32, what string, _ dbus.Variant, _ uint32) *dbus.Error {
	m.press(from, id, what)
	return nil
}

type event struct {
	ID   int32
	What string
	Data dbus.Variant
	Time uint32
}

// EventGroup handles several at once.
func (m *menu) EventGroup(from dbus.Sender, events []event) ([]int32, *dbus.Error) {
	unknown := []int32{}
	for _, e := range events {
		if !m.press(from, e.ID, e.What) {
			unknown = append(unknown, e.ID)
		}
	}
	return unknown, nil
}

func (m *menu) press(from dbus.Sender, id int32, what string) bool {
	m.mu.Lock()
	e, ok := m.byID[id]
	m.mu.Unlock()
	if ok && what == "clicked" && e.do != nil && !e.off {
		m.it.click(e, from)
	}
	return ok
}

// AboutToShow reports that the menu is up to date.
func (m *menu) AboutToShow(int32) (bool, *dbus.Error) { return false, nil }

// AboutToShowGroup does the same.
func (m *menu) AboutToShowGroup([]int32) ([]int32, []int32, *dbus.Error) {
	return []int32{}, []int32{}, nil
}
