package trace

import (
	"slices"
	"strings"

	"showhow/capture"
	"showhow/daemon/compile/page"
	"showhow/daemon/workflow"
	"showhow/internal/plain"
)

// joinFileChoosers joins the click that opens a file chooser with the choice of the file, which is given to the field behind it.
func (n *Trace) joinFileChoosers() {
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

// cellsOpened handles a table cell that a double click turned into a field. The field takes the cell's place: its
// column, in the row that was picked. The text that the cell showed before is not a choice of the person's.
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
			continue // nothing says which cell of the row it is
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

// RestoreHidden restores what an open list hid. A list that opens over a page may hide the rest from assistive technology;
// what reappears when it closes is not new.
func (n *Trace) RestoreHidden() {
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

// dropEditingEnds drops clicks on empty space beside a text that was edited in place: they only end the editing.
func (n *Trace) dropEditingEnds() {
	for i := len(n.Acts) - 1; i > 0; i-- {
		a, b := n.Acts[i-1], n.Acts[i]
		if a.Verb != capture.Type || !page.InPlace(a.Target) || b.Verb != capture.Click || b.Target == nil || !page.PassiveRoles[b.Role()] ||
			a.Tab() != b.Tab() ||
			b.Moved || b.File != nil || b.After == nil || slices.ContainsFunc(ChangeKinds(b), func(kind string) bool { return !editingEnds[kind] }) {
			continue
		}
		a.Recs, a.After = append(a.Recs, b.Recs...), b.After
		n.Acts = slices.Delete(n.Acts, i, i+1)
	}
}

// editingEnds are the kinds of changes that follow from leaving a text: the page says that it is saved, and shows it
// elsewhere.
var editingEnds = plain.Set("alert heading detail")
