package browserdom

import (
	"encoding/json"
	"slices"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/dom"

	"showhow/adapters/browserdom/script"
	"showhow/browser"
	"showhow/capture"
)

// lookInside queries the accessibility tree for the node under the pointer: a closed shadow root shows the page half
// only its host. If the answer is late, as on a page that navigates on mousedown, the target remains the host
// (decisions B9).
func (r *recorder) lookInside(d *doc, m *script.Message) {
	var view *view
	for _, v := range r.sessions {
		if v.tab != d.tab {
			continue
		}
		if page := v.s.Info().Type == "page"; m.Whole && page || !m.Whole && !page && string(v.s.Info().TargetID) == string(d.frame) {
			view = v
		}
	}
	if view == nil {
		return
	}
	key := m.ID
	if w := r.line.find(key); w != nil {
		w.looking = true
	}
	at := dom.GetNodeForLocationParams{X: int64(m.XY[0]), Y: int64(m.XY[1])}
	view.s.Send(dom.CommandGetNodeForLocation, at, func(raw jsonv2.Value, err error) {
		var node dom.GetNodeForLocationResult
		if err != nil || browser.Decode(raw, &node) != nil {
			r.client.Do(func() { r.line.describe(key, nil) })
			return
		}
		p := accessibility.GetPartialAXTreeParams{BackendNodeID: node.BackendNodeID, FetchRelatives: new(true)}
		view.s.Send(accessibility.CommandGetPartialAXTree, p, func(raw jsonv2.Value, err error) {
			var tree accessibility.GetPartialAXTreeResult
			if err != nil || browser.Decode(raw, &tree) != nil {
				tree.Nodes = nil
			}
			r.client.Do(func() { r.line.describe(key, tree.Nodes) })
		})
	})
}

// operable are the roles of elements that a person operates.
var operable = map[string]bool{"button": true, "link": true, "textbox": true, "searchbox": true, "combobox": true, "checkbox": true,
	"radio":  true,
	"switch": true, "tab": true, "menuitem": true, "option": true, "slider": true, "spinbutton": true, "listbox": true, "treeitem": true}

// describe replaces the host by the nearest control that the accessibility tree names, outwards from the node.
func (l *line) describe(key string, nodes []*accessibility.Node) {
	w := l.find(key)
	if w == nil {
		return
	}
	w.looking = false
	defer l.pump()
	if w.o.Target == nil {
		return
	}
	for _, n := range nodes {
		role, name := text(n.Role), text(n.Name)
		if n.Ignored || !operable[role] {
			continue
		}
		t := *w.o.Target
		t.Role, t.Name, t.Text = role, name, ""
		if name != "" {
			t.Locators = slices.Insert(t.Locators, 0, capture.Locator{By: "role", Role: role, Value: name})
		}
		w.o.Target = &t
		return
	}
}

func text(v *accessibility.Value) string {
	var s string
	if v != nil {
		_ = json.Unmarshal(v.Value, &s)
	}
	return s
}
