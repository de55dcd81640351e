package trace

import (
	"slices"
	"strings"
	"time"

	"showhow/capture"
	"showhow/daemon/compile/page"
	"showhow/daemon/compile/shell"
	"showhow/daemon/workflow"
	"showhow/internal/lang"
)

// Detours that span several acts: work that was begun and given up, viewed by mistake, done and undone, or repeated
// because the first time was wrong. Each is removed and noted.

// abandoned drops a visit to a form that was left without sending it, by Cancel, Back or a link to the page from which
// the person had come. What was entered there is lost with it.
func (n *Trace) abandoned() {
	for j := 1; j < len(n.Acts); j++ {
		b := n.Acts[j]
		if b.Surface != workflow.OnBrowser || !b.Moved || b.Verb == capture.Submit || b.File != nil ||
			len(page.Fresh(b.StateBefore().Alerts, b.State().Alerts)) > 0 || j+1 == len(n.Acts) {
			continue
		}
		if !leavesForm(b) {
			continue
		}
		if i := formEntry(n, j); i >= 0 {
			n.drop(i, j+1, Note{Code: FormLeft})
			j = max(0, i-1)
		}
	}
}

// leavesForm reports whether an act leaves a form without sending it: by address, by a link, or by a button such as
// Cancel.
func leavesForm(b *Act) bool {
	if b.Verb == capture.Navigate || b.Role() == "link" {
		return true
	}
	return cancelWords.Has(page.FirstLabelWord(b.Name()))
}

// formEntry returns the index of the act that opened the form that act j backs out of, or -1.
func formEntry(n *Trace, j int) int {
	b := n.Acts[j]
	filled := false
	for i := j - 1; i >= 0; i-- {
		a := n.Acts[i]
		switch {
		case a.Surface != workflow.OnBrowser || a.Tab() != b.Tab():
			return -1
		case a.Fills() && !a.Moved:
			filled = true
		case a.Moved && filled && OnlyMoves(a) && a.URLBefore() != "" && page.PathOf(a.URLBefore()) == page.PathOf(b.URL()) &&
			page.PathOf(a.URL()) == page.PathOf(b.URLBefore()):
			return i
		case a.Moved || a.Verb == capture.Submit || len(ChangeKinds(a)) > 0 || page.IsClick(a.Verb) && !a.Watched():
			return -1
		}
	}
	return -1
}

// roundTrip drops several moves in a row that end where they began, with nothing done on the way.
func (n *Trace) roundTrip() {
	for i := 0; i < len(n.Acts); i++ {
		a := n.Acts[i]
		if !OnlyMoves(a) || a.URLBefore() == "" || a.URLBefore() == a.URL() {
			continue
		}
		for j := min(i+6, len(n.Acts)-2); j > i+1; j-- {
			b := n.Acts[j]
			if b.URL() != a.URLBefore() || !all(n.Acts[i:j+1], OnlyMoves) ||
				slices.ContainsFunc(n.Acts[i:j+1], func(x *Act) bool { return IsPick(x) && visitsAlike(n, x) > 1 }) {
				continue
			}
			n.drop(i, j+1, Note{Code: LookedElsewhere})
			i--
			break
		}
	}
}

func all(acts []*Act, f func(*Act) bool) bool {
	return !slices.ContainsFunc(acts, func(a *Act) bool { return !f(a) })
}

var undoWords = lang.English("controls.undoing")

// takenBack drops an act and the "Undo" that took it back.
func (n *Trace) takenBack() {
	for i := 1; i < len(n.Acts); i++ {
		a, b := n.Acts[i-1], n.Acts[i]
		if ws := page.LabelWords(b.Name()); len(ws) == 0 || len(ws) > 3 || !undoWords.Has(ws[0]) || !page.IsClick(b.Verb) ||
			a.Surface != b.Surface || a.Fills() {
			continue
		}
		n.drop(i-1, i+1, Note{Code: UndoneAtOnce})
		i = max(0, i-2)
	}
}

// searchedAgain drops a search whose words were then corrected, when nothing was done with its results.
func (n *Trace) searchedAgain() {
	for i := 0; i+3 < len(n.Acts); i++ {
		typed, sent, again, resent := n.Acts[i], n.Acts[i+1], n.Acts[i+2], n.Acts[i+3]
		if typed.Verb != capture.Type || again.Verb != capture.Type || typed.Field() != again.Field() || !sends(sent) || !sends(resent) ||
			sent.File != nil {
			continue
		}
		if foundNothing(sent) || alikeValues(typed, again) {
			n.drop(i, i+2, Note{Code: SearchCorrected, Args: []string{again.Name()}})
			i--
		}
	}
}

func sends(a *Act) bool {
	return a.Verb == capture.Submit || a.Verb == capture.Press && a.Keys == "Enter" || a.Verb == capture.Click && a.Role() == "button"
}

var noResults = lang.Of(lang.Nothing)

// foundNothing reports whether a search showed no results.
func foundNothing(a *Act) bool {
	s := a.State()
	if len(s.Tables) > 0 && !slices.ContainsFunc(s.Tables, func(t capture.Table) bool { return t.Rows > 0 }) {
		return true
	}
	if len(s.Tables) == 0 && len(a.StateBefore().Tables) > 0 && page.PathOf(a.URLBefore()) == page.PathOf(a.URL()) {
		return true
	}
	for _, text := range append(page.Fresh(a.StateBefore().Alerts, s.Alerts), page.Fresh(a.StateBefore().Headings, s.Headings)...) {
		if noResults.In(text) {
			return true
		}
	}
	return false
}

// alikeValues reports whether two entered texts are the same but for one typing slip. Sealed texts can only be compared
// for being equal.
func alikeValues(a, b *Act) bool {
	return a.Value != nil && b.Value != nil && (a.Value.LinkID != "" && a.Value.LinkID == b.Value.LinkID || a.Value.Text != "" &&
		near(strings.ToLower(a.Value.Text), strings.ToLower(b.Value.Text)))
}

// interrupted drops a command that was stopped with Control+C within longRun. One that ran longer, as a server does, was
// meant.
func (n *Trace) interrupted() {
	for i := 0; i < len(n.Acts); i++ {
		c := n.Acts[i].Command
		if c == nil || c.Exit != 130 || time.Duration(c.DurationMS)*time.Millisecond > longRun || len(FilesOf(n.Acts[i])) > 0 &&
			i+1 == len(n.Acts) {
			continue
		}
		if !slices.ContainsFunc(n.Acts, func(a *Act) bool { return a.Command != c && (a.Command == nil || a.Command.Exit == 0) }) {
			continue // nothing else succeeded
		}
		n.drop(i, i+1, Note{Code: CommandStopped})
		i--
	}
}

const longRun = time.Minute

// undoneCommands drops a command together with the next one that reverses it: moved and moved back, made and removed.
func (n *Trace) undoneCommands() {
	for i := 1; i < len(n.Acts); i++ {
		a, b := n.Acts[i-1], n.Acts[i]
		if a.Command == nil || b.Command == nil || a.Command.Exit != 0 || b.Command.Exit != 0 || a.Command.CwdTo != b.Command.CwdFrom {
			continue
		}
		if takesBack(shell.Read(a.Command), shell.Read(b.Command)) {
			n.drop(i-1, i+1, Note{Code: ResultTakenBack})
			i = max(0, i-2)
		}
	}
}

// takesBack reports whether the only command of b reverses the only command of a.
func takesBack(a, b shell.Line) bool {
	if len(a.Calls) != 1 || len(b.Calls) != 1 || a.Opaque || b.Opaque || len(a.Makes())+len(b.Makes()) > 0 {
		return false
	}
	x, y := a.Calls[0], b.Calls[0]
	p, q := operands(x.Args), operands(y.Args)
	switch x.Program {
	case "mv":
		return y.Program == "mv" && len(p) == 2 && len(q) == 2 && p[0] == q[1] && p[1] == q[0]
	case "mkdir":
		return (y.Program == "rmdir" || y.Program == "rm") && len(p) > 0 && slices.Equal(p, q)
	case "touch":
		return y.Program == "rm" && len(p) > 0 && slices.Equal(p, q)
	case "cp", "ln":
		return y.Program == "rm" && len(p) == 2 && len(q) == 1 && p[1] == q[0]
	case "git":
		return len(p) > 1 && len(q) > 1 && y.Program == "git" && p[0] == "add" && (q[0] == "reset" || q[0] == "restore") &&
			slices.Equal(p[1:], q[1:])
	}
	return false
}

func operands(args []string) []string {
	return slices.DeleteFunc(slices.Clone(args), func(s string) bool { return strings.HasPrefix(s, "-") })
}

// savedAgain drops a form that was sent and, at once, opened again, corrected and sent again: the second time counts. It
// requires that both are about the same object and that nothing else was done in between.
func (n *Trace) savedAgain() {
	for i := 0; i < len(n.Acts); i++ {
		first := n.Acts[i]
		if first.Verb != capture.Submit || first.Surface != workflow.OnBrowser || rejected(first) {
			continue
		}
		for j := i + 1; j < len(n.Acts) && j <= i+8; j++ {
			b := n.Acts[j]
			if b.Surface != workflow.OnBrowser || b.File != nil || b.Tab() != first.Tab() {
				break
			}
			if b.Verb == capture.Submit {
				if k := sameWork(n, i, j); k >= 0 {
					n.drop(k, i+1, Note{Code: SentAgain})
					i = max(-1, k-1)
				}
				break
			}
			if !b.Fills() && !OnlyMoves(b) {
				break
			}
		}
	}
}

// sameWork returns the index at which the work began that act i ended and that act j repeated on the same page for the
// same object, or -1. A page without a particular object (a form for a new one) can be used twice on purpose.
func sameWork(n *Trace, i, j int) int {
	a, b := n.Acts[i], n.Acts[j]
	here := page.PathOf(a.URLBefore())
	if here != page.PathOf(b.URLBefore()) || a.Field() != b.Field() || here == page.PathPattern(a.URLBefore()) {
		return -1
	}
	begin := i
	for begin > 0 && n.Acts[begin-1].Fills() && page.PathOf(n.Acts[begin-1].URLBefore()) == here {
		begin--
	}
	again := map[string]bool{}
	for _, x := range n.Acts[i+1 : j] {
		if x.Fills() {
			again[x.Field()] = true
		}
	}
	if begin == i || len(again) == 0 {
		return -1
	}
	kept := []*Act{}
	for _, x := range n.Acts[begin:i] {
		if !again[x.Field()] {
			kept = append(kept, x) // entered once only, so it still counts
		}
	}
	if len(kept) > 0 {
		return -1
	}
	return begin
}
