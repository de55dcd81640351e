package align

import (
	"showhow/capture"
	"showhow/daemon/compile/trace"
)

// Cell is an act in its column: its relation to the acts of other demonstrations and rounds. The act itself belongs to
// the trace and is not changed.
type Cell struct {
	*trace.Act
	Run    *run       // the loop it stands for a step of, when it does
	Place  int        // its place in the loop's round
	varies bool       // other demonstrations chose another one of several that stand side by side
	entry  bool       // every demonstration chose the same entry of a row's menu, which is no deed
	prev   *trace.Act // what was done before it
}

// cells are the acts of one demonstration, each for itself.
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

// Ticks reports whether an act sets a box that is on or off.
func (a *Cell) Ticks() bool {
	return (a.Verb == capture.Check || a.Verb == capture.Uncheck) && a.Target != nil && a.Role() != "radio" && !a.ManyBoxes() &&
		a.Run == nil && !a.IsPick()
}

// Varies reports whether other demonstrations chose another one of several things that stand side by side.
func (a *Cell) Varies() bool { return a.varies }

// Entry reports whether every demonstration chose the same entry of a row's menu, and that is no deed: one of several values, of which it
// says nothing that the same one was taken.
func (a *Cell) Entry() bool { return a.entry }

// TicksItem reports whether a box chooses a thing rather than an option of a form.
func (a *Cell) TicksItem() bool {
	return a.varies && (a.Verb == capture.Check || a.Verb == capture.Uncheck) || a.Act.TicksItem()
}

// IsPick reports whether an act picked one of many objects rather than used a control. A tab is the view in which the
// work is done, unless others were chosen in its place.
func (a *Cell) IsPick() bool {
	return a.varies || trace.IsPick(a.Act)
}

// NamedByData reports whether the target's own name names one thing among many.
func (a *Cell) NamedByData() bool {
	return a.varies || trace.NamedByData(a.Act)
}

// meaning is what the act has in common with others that are the same step.
func (a *Cell) meaning() string {
	return trace.MeaningOf(a.Act, a.IsPick() && (a.NamedByData() || a.TicksItem()))
}
