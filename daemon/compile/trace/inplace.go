package trace

import (
	"slices"
	"strings"

	"showhow/capture"
	"showhow/daemon/compile/page"
	"showhow/daemon/workflow"
	"showhow/internal/plain"
)

// choosers folds the click on whatever opens a file chooser into the choice of the file: the field behind it is given the file.
func (n *Trace) choosers() {
	for i := 0; i+1 < len(n.Acts); i++ {
		a, b := n.Acts[i], n.Acts[i+1]
		if !page.IsClick(a.Verb) || b.Verb != capture.Upload || a.Surface != workflow.OnBrowser || a.Target == nil || b.Target == nil ||
			a.Moved ||
			Opened(a) || a.Tab() != b.Tab() || page.TargetName(b.Target) != "" {
			continue
		}
		b.Recs = append(a.Recs, b.Recs...)
		b.Before = keep(a.Before, b.Before)
		n.Acts = slices.Delete(n.Acts, i, i+1)
	}
}

// cellsOpened makes a cell that a double click turned into a field the place of that field: what it showed before is no choice of the
// person's. It is the cell of its column, in the row that was picked.
func (n *Trace) cellsOpened() {
	for i := 0; i+1 < len(n.Acts); i++ {
		a, b := n.Acts[i], n.Acts[i+1]
		if !page.IsClick(a.Verb) || b.Verb != capture.Type || a.Target == nil || b.Target == nil ||
			a.Role() != "cell" && a.Role() != "gridcell" ||
			a.Moved {
			continue
		}
		at, in := a.Target.Located("css"), b.Target.Located("css")
		l := a.Target.Landmark
		if at == "" || !strings.HasPrefix(in, at+" > ") || l == nil || l.Role != "row" || l.Name == "" {
			continue
		}
		if a.Target.Placeholder == "" {
			continue // nothing says which cell of the row
		}
		cell := *a.Target
		cell.Name, cell.Text, cell.Label = "", "", ""
		cell.Locators = slices.DeleteFunc(slices.Clone(cell.Locators), func(l capture.Locator) bool {
			return l.By != "structure" &&
				l.By != "css"
		})
		a.Target, a.Value = &cell, nil
	}
}

// Unveiled: a list that opens over a page may hide the rest from assistive technology while it is open. What the page shows again when
// something was chosen is nothing new.
func (n *Trace) Unveiled() {
	for i := 0; i+1 < len(n.Acts); i++ {
		a, b := n.Acts[i], n.Acts[i+1]
		if a.Before == nil || a.After == nil || b.Before == nil || a.Tab() != b.Tab() || a.Before.URL != b.Before.URL ||
			!page.ItemRoles[b.Role()] {
			continue
		}
		hidden := func(h string) bool { return !slices.Contains(b.Before.Headings, h) }
		if len(a.After.Headings) < len(a.Before.Headings) && slices.ContainsFunc(a.Before.Headings, hidden) {
			before := *b.Before
			before.Headings, before.Tables = a.Before.Headings, append(slices.Clone(a.Before.Tables), b.Before.Tables...)
			b.Before = &before
		}
	}
}

// left leaves out clicks beside a text that was edited where it stands: they end the editing, and are on nothing.
func (n *Trace) left() {
	for i := len(n.Acts) - 1; i > 0; i-- {
		a, b := n.Acts[i-1], n.Acts[i]
		if a.Verb != capture.Type || !page.InPlace(a.Target) || b.Verb != capture.Click || b.Target == nil || !page.OnNothing[b.Role()] ||
			a.Tab() != b.Tab() ||
			b.Moved || b.File != nil || b.After == nil || slices.ContainsFunc(NewsOf(b), func(kind string) bool { return !ofLeaving[kind] }) {
			continue
		}
		a.Recs, a.After = append(a.Recs, b.Recs...), b.After
		n.Acts = slices.Delete(n.Acts, i, i+1)
	}
}

// ofLeaving is what comes of leaving a text: the page says that it is kept, and shows it elsewhere.
var ofLeaving = plain.Set("alert heading detail")
