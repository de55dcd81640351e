package trace

import (
	"slices"
	"strings"

	"showhow/daemon/compile/draft"
	"showhow/internal/plain"
)

// Trace is one demonstration as acts, with what was left out of it and what went wrong on the way.
type Trace struct {
	Acts     []*Act
	LeftOut  []Note
	Recovery []Note
	SignedIn []string // sites where the person signed in
	Notes    []string // what the person noted while demonstrating
	checked  []string // what the person said they were checking
}

// Read turns a trace's records into the acts that matter: in order, folded, without detours.
func Read(t draft.Trace) Trace {
	n := Trace{Acts: Fold(Order(t.Records))}
	for _, a := range n.Acts {
		a.ChooseOne()
		a.AcceptSuggestion()
	}
	n.Notes = namedNotes(t)
	for _, m := range t.Steps {
		if m.Kind == draft.MarkedCheck {
			n.checked = append(n.checked, m.Label)
		}
	}
	n.dropScreenClears()
	NameSections(n.Acts, t)
	n.joinFileChoosers()
	n.cellsOpened()
	n.RestoreHidden()
	n.dropEditingEnds()
	n.signIn()
	n.toolCalls()
	n.interrupted()
	n.failedCommands()
	n.undoneCommands()
	n.rejectedForms()
	n.reentered()
	n.undone()
	n.takenBack()
	n.cancelled()
	n.abandoned()
	n.searchedAgain()
	n.savedAgain()
	n.roundTrip()
	n.backAndForth()
	n.passedBy()
	n.boxes()
	n.wentBack()
	n.lookedAround()
	n.repeated()
	n.passages()
	n.pressedAgain()
	return n
}

func (n *Trace) drop(i, j int, why Note) {
	n.Acts = slices.Delete(n.Acts, i, j)
	n.LeftOut = append(n.LeftOut, why)
}

// namedNotes returns the marks that name no step but say something (decisions A11).
func namedNotes(t draft.Trace) []string {
	var out []string
	for _, m := range t.Steps {
		if m.Kind == "other" && strings.TrimSpace(m.Label) != "" {
			out = append(out, plain.Squeeze(m.Label))
		}
	}
	return out
}

// NameSections gives every act the label of the last step mark before it (mark_step names what follows).
func NameSections(acts []*Act, t draft.Trace) {
	marks := slices.DeleteFunc(slices.Clone(t.Steps), func(m draft.Mark) bool { return m.Kind == "other" || m.Kind == draft.MarkedCheck })
	slices.SortStableFunc(marks, func(a, b draft.Mark) int { return a.At.Compare(b.At.Time) })
	byEvent := map[string]string{}
	for _, m := range marks {
		if m.EventID != "" {
			byEvent[m.EventID] = m.Label
		}
	}
	label, next := "", 0
	for _, a := range acts {
		for next < len(marks) && marks[next].EventID == "" && !marks[next].At.After(a.At) {
			label = marks[next].Label
			next++
		}
		for _, r := range a.Recs {
			if l, ok := byEvent[r.Event.EventID]; ok {
				label = l
			}
		}
		a.Section = label
	}
}
