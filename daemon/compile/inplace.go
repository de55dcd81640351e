package compile

import (
	"slices"
	"strings"

	"showhow/capture"
	"showhow/daemon/workflow"
)

// choosers folds the click on whatever opens a file chooser into the choice of the file: the field behind it is given the file.
func (n *normalised) choosers() {
	for i := 0; i+1 < len(n.acts); i++ {
		a, b := n.acts[i], n.acts[i+1]
		if !starts(a.verb) || b.verb != capture.Upload || a.surface != workflow.OnBrowser || a.target == nil || b.target == nil || a.moved || opened(a) || a.tab() != b.tab() || targetName(b.target) != "" {
			continue
		}
		b.recs = append(a.recs, b.recs...)
		b.before = keep(a.before, b.before)
		n.acts = slices.Delete(n.acts, i, i+1)
	}
}

// cellsOpened makes a cell that a double click turned into a field the place of that field: what it showed before is no choice of the
// person's. It is the cell of its column, in the row that was picked.
func (n *normalised) cellsOpened() {
	for i := 0; i+1 < len(n.acts); i++ {
		a, b := n.acts[i], n.acts[i+1]
		if !starts(a.verb) || b.verb != capture.Type || a.target == nil || b.target == nil || a.role() != "cell" && a.role() != "gridcell" || a.moved {
			continue
		}
		at, in := pathIn(a.target), pathIn(b.target)
		l := a.target.Landmark
		if at == "" || !strings.HasPrefix(in, at+" > ") || l == nil || l.Role != "row" || l.Name == "" {
			continue
		}
		if a.target.Placeholder == "" {
			continue // nothing says which cell of the row
		}
		cell := *a.target
		cell.Name, cell.Text, cell.Label = "", "", ""
		cell.Locators = slices.DeleteFunc(slices.Clone(cell.Locators), func(l capture.Locator) bool { return l.By != "structure" && l.By != "css" })
		a.target, a.value = &cell, nil
	}
}

// unveiled: a list that opens over a page may hide the rest from assistive technology while it is open. What the page shows again when
// something was chosen is nothing new.
func (n *normalised) unveiled() {
	for i := 0; i+1 < len(n.acts); i++ {
		a, b := n.acts[i], n.acts[i+1]
		if a.before == nil || a.after == nil || b.before == nil || a.tab() != b.tab() || a.before.URL != b.before.URL || !itemRoles[b.role()] {
			continue
		}
		hidden := func(h string) bool { return !slices.Contains(b.before.Headings, h) }
		if len(a.after.Headings) < len(a.before.Headings) && slices.ContainsFunc(a.before.Headings, hidden) {
			before := *b.before
			before.Headings, before.Tables = a.before.Headings, append(slices.Clone(a.before.Tables), b.before.Tables...)
			b.before = &before
		}
	}
}

// pathIn is where a target stood in its document.
func pathIn(t *capture.Target) string {
	for _, l := range t.Locators {
		if l.By == "css" {
			return l.Value
		}
	}
	return ""
}

// InPlace reports whether a target is a text that is edited where it stands: one of a row, or one that is no field of a form. No
// form is sent for it: a page keeps it when it is left, when a key says so, or by itself.
func InPlace(t *capture.Target) bool {
	if t == nil {
		return false
	}
	switch t.Tag {
	case "input", "textarea", "select", "":
		l := t.Landmark
		return l != nil && (l.Role == "row" || l.Role == "listitem" || l.Role == "gridcell")
	}
	return !strings.Contains(t.Tag, "-")
}

// left leaves out clicks beside a text that was edited where it stands: they end the editing, and are on nothing.
func (n *normalised) left() {
	for i := len(n.acts) - 1; i > 0; i-- {
		a, b := n.acts[i-1], n.acts[i]
		if a.verb != capture.Type || !InPlace(a.target) || b.verb != capture.Click || b.target == nil || !onNothing[b.role()] || a.tab() != b.tab() ||
			b.moved || b.file != nil || b.after == nil || slices.ContainsFunc(newsOf(b), func(kind string) bool { return !ofLeaving[kind] }) {
			continue
		}
		a.recs, a.after = append(a.recs, b.recs...), b.after
		n.acts = slices.Delete(n.acts, i, i+1)
	}
}

// ofLeaving is what comes of leaving a text: the page says that it is kept, and shows it elsewhere.
var ofLeaving = set("alert heading detail")

// onNothing are roles of what nobody operates.
var onNothing = set("generic paragraph heading main document none presentation region banner contentinfo article group form label")
