package align

import (
	"maps"
	"slices"

	"showhow/capture"
	"showhow/daemon/compile/page"
	"showhow/daemon/compile/trace"
)

// Cell is an act in its column, with its relation to the acts of other demonstrations and rounds. The act itself belongs
// to the trace and is not changed.
type Cell struct {
	*trace.Act
	Run    *run       // the loop of which it represents a step; nil outside loops
	Place  int        // its position in the loop's round
	varies bool       // other demonstrations chose another of several sibling elements
	entry  bool       // every demonstration chose the same entry of a row's menu, and it performs no action
	prev   *trace.Act // the act before it
	line   string     // what the line of a form is called in which a field is filled in
}

// cells wraps the acts of one demonstration.
func cells(acts []*trace.Act) []*Cell {
	out := make([]*Cell, len(acts))
	for i, a := range acts {
		out[i] = &Cell{Act: a}
		if i > 0 {
			out[i].prev = acts[i-1]
		}
	}
	return out
}

// Ticks reports whether an act switches a single check box on or off.
func (a *Cell) Ticks() bool {
	return (a.Verb == capture.Check || a.Verb == capture.Uncheck) && a.Target != nil && a.Role() != "radio" && !a.ManyBoxes() &&
		a.Run == nil && !a.IsPick()
}

// Marks reports whether an act marked an entry of a list by pressing it, and nothing of its like: the entries that were marked before stay
// so, and those that are marked together are what is meant.
func (a *Cell) Marks() bool { return a.Target != nil && a.Target.Marks && a.IsPick() }

// Varies reports whether other demonstrations chose another of several sibling elements.
func (a *Cell) Varies() bool { return a.varies }

// Entry reports whether every demonstration chose the same entry of a row's menu, and the entry is a value rather than
// an action. That the same value was chosen each time may be chance.
func (a *Cell) Entry() bool { return a.entry }

// TicksItem reports whether a check box selects an object rather than an option of a form.
func (a *Cell) TicksItem() bool {
	return a.varies && (a.Verb == capture.Check || a.Verb == capture.Uncheck) || a.Act.TicksItem()
}

// IsPick reports whether an act picked one of many objects rather than used a control. A tab is a view in which the work
// is done, unless other demonstrations chose another tab.
func (a *Cell) IsPick() bool {
	return a.varies || trace.IsPick(a.Act)
}

// NamedByData reports whether the target's own name names one thing among many.
func (a *Cell) NamedByData() bool {
	return a.varies || trace.NamedByData(a.Act)
}

// meaning returns what the act has in common with others that are the same step.
func (a *Cell) meaning() string {
	return trace.MeaningOf(a.Act, a.IsPick() && (a.NamedByData() || a.TicksItem())) + a.line
}

// markLines tells the lines of a form from the rows of a list: every demonstration filled in a field in all of them, and more than one.
func markLines(acts [][]*Cell) {
	if len(acts) < 2 {
		return
	}
	var first map[string]bool // the rows that the first one filled in
	for _, cells := range acts {
		rows := map[string]bool{}
		for _, a := range cells {
			if row := a.rowFilled(); row != "" {
				rows[row] = true
			}
		}
		if first == nil {
			first = rows
		}
		if len(rows) < 2 || !maps.Equal(rows, first) {
			return // another thing each time
		}
	}
	for _, a := range slices.Concat(acts...) {
		if row := a.rowFilled(); row != "" {
			a.line = "|" + row
		}
	}
}

// rowFilled is what the row is called in which an act filled in a field, "" for other acts.
func (a *Cell) rowFilled() string {
	if !a.Fills() || a.Verb != capture.Type && a.Verb != capture.Select || a.Target == nil || a.Target.Landmark == nil ||
		!page.ItemRoles[a.Target.Landmark.Role] {
		return ""
	}
	return a.Target.Landmark.Name
}
