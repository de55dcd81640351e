package compile

import (
	"slices"
	"strings"
	"time"

	"showhow/capture"
	"showhow/daemon/workflow"
	"showhow/internal/plain"
)

// Detours that span several acts: what a person began and gave up, looked at by mistake, did and took back, or did again
// because the first time was wrong. Each is left out and told.

// abandoned drops a visit to a form that was left without sending it: by Cancel, Back, or a link, back to the page that the
// person had come from. What was entered there has gone with it.
func (n *normalised) abandoned() {
	for j := 1; j < len(n.acts); j++ {
		b := n.acts[j]
		if b.surface != workflow.OnBrowser || !b.moved || b.verb == capture.Submit || b.file != nil || len(fresh(b.stateBefore().Alerts, b.state().Alerts)) > 0 || j+1 == len(n.acts) {
			continue
		}
		if !leavesForm(b) {
			continue
		}
		if i := n.formEntry(j); i >= 0 {
			n.drop(i, j+1, say("A form that was opened and left without sending it."))
			j = max(0, i-1)
		}
	}
}

// leavesForm reports whether an act goes away from a form rather than on with it: the way back, a link, a button that says so.
func leavesForm(b *act) bool {
	if b.verb == capture.Navigate || b.role() == "link" {
		return true
	}
	ws := plain.Words(b.name())
	return len(ws) > 0 && cancelWords[ws[0]]
}

// formEntry is the act that led to the form which act j leaves for the page before it, or -1.
func (n *normalised) formEntry(j int) int {
	b := n.acts[j]
	filled := false
	for i := j - 1; i >= 0; i-- {
		a := n.acts[i]
		switch {
		case a.surface != workflow.OnBrowser || a.tab() != b.tab() || a.run != nil:
			return -1
		case a.fills() && !a.moved:
			filled = true
		case a.moved && filled && onlyMoves(a) && a.urlBefore() != "" && pathOf(a.urlBefore()) == pathOf(b.url()) && pathOf(a.url()) == pathOf(b.urlBefore()):
			return i
		case a.moved || a.verb == capture.Submit || len(newsOf(a)) > 0 || starts(a.verb) && !a.watched():
			return -1
		}
	}
	return -1
}

// roundTrip drops several looks in a row that end where they began, with nothing done on the way.
func (n *normalised) roundTrip() {
	for i := 0; i < len(n.acts); i++ {
		a := n.acts[i]
		if !onlyMoves(a) || a.urlBefore() == "" || a.urlBefore() == a.url() {
			continue
		}
		for j := min(i+6, len(n.acts)-2); j > i+1; j-- {
			b := n.acts[j]
			if b.url() != a.urlBefore() || !all(n.acts[i:j+1], onlyMoves) || slices.ContainsFunc(n.acts[i:j+1], func(x *act) bool { return dataLike(x) && n.visitsAlike(x) > 1 }) {
				continue
			}
			n.drop(i, j+1, say("A look at other pages and back."))
			i--
			break
		}
	}
}

func all(acts []*act, f func(*act) bool) bool {
	return !slices.ContainsFunc(acts, func(a *act) bool { return !f(a) })
}

var undoWords = set("undo revert rueckgaengig annuler deshacer annulla")

// takenBack drops a deed and the "Undo" that took it back.
func (n *normalised) takenBack() {
	for i := 1; i < len(n.acts); i++ {
		a, b := n.acts[i-1], n.acts[i]
		if ws := plain.Words(b.name()); len(ws) == 0 || len(ws) > 3 || !undoWords[ws[0]] || !starts(b.verb) || a.surface != b.surface || a.fills() {
			continue
		}
		n.drop(i-1, i+1, say("Something that was undone at once."))
		i = max(0, i-2)
	}
}

// searchedAgain drops a search whose words were corrected: nothing was done with its results.
func (n *normalised) searchedAgain() {
	for i := 0; i+3 < len(n.acts); i++ {
		typed, sent, again, resent := n.acts[i], n.acts[i+1], n.acts[i+2], n.acts[i+3]
		if typed.verb != capture.Type || again.verb != capture.Type || typed.field() != again.field() || !sends(sent) || !sends(resent) || sent.file != nil {
			continue
		}
		if foundNothing(sent) || alikeValues(typed, again) {
			n.drop(i, i+2, say(`A search in "%s" that was corrected.`, again.name()))
			i--
		}
	}
}

func sends(a *act) bool {
	return a.verb == capture.Submit || a.verb == capture.Press && a.keys == "Enter" || a.verb == capture.Click && a.role() == "button"
}

// foundNothing reports whether what a search showed is empty.
func foundNothing(a *act) bool {
	s := a.state()
	if len(s.Tables) > 0 && !slices.ContainsFunc(s.Tables, func(t capture.Table) bool { return t.Rows > 0 }) {
		return true
	}
	if len(s.Tables) == 0 && len(a.stateBefore().Tables) > 0 && pathOf(a.urlBefore()) == pathOf(a.url()) {
		return true
	}
	for _, text := range append(fresh(a.stateBefore().Alerts, s.Alerts), fresh(a.stateBefore().Headings, s.Headings)...) {
		if ws := plain.Words(text); slices.Contains(ws, "no") || slices.Contains(ws, "nothing") || slices.Contains(ws, "0") || slices.Contains(ws, "keine") {
			return true
		}
	}
	return false
}

// alikeValues reports whether two typed texts could be one with a slip of the finger. Only what was kept readable can be
// compared here; of a sealed one, not even that is known.
func alikeValues(a, b *act) bool {
	return a.value != nil && b.value != nil && (a.value.LinkID != "" && a.value.LinkID == b.value.LinkID || a.value.Text != "" && near(strings.ToLower(a.value.Text), strings.ToLower(b.value.Text)))
}

// interrupted drops a command that was stopped with Control+C at once; one that ran for a while, as a server does, was meant.
func (n *normalised) interrupted() {
	for i := 0; i < len(n.acts); i++ {
		c := n.acts[i].command
		if c == nil || c.Exit != 130 || time.Duration(c.DurationMS)*time.Millisecond > longRun || len(filesOf(n.acts[i])) > 0 && i+1 == len(n.acts) {
			continue
		}
		if !slices.ContainsFunc(n.acts, func(a *act) bool { return a.command != c && (a.command == nil || a.command.Exit == 0) }) {
			continue // nothing else was done
		}
		n.drop(i, i+1, say("A command that was stopped with Control+C."))
		i--
	}
}

const longRun = time.Minute

// undoneCommands drops a command with the one that takes it back: moved and moved back, made and removed.
func (n *normalised) undoneCommands() {
	for i := 1; i < len(n.acts); i++ {
		a, b := n.acts[i-1], n.acts[i]
		if a.command == nil || b.command == nil || a.command.Exit != 0 || b.command.Exit != 0 || a.command.CwdTo != b.command.CwdFrom {
			continue
		}
		if takesBack(readLine(a.command), readLine(b.command)) {
			n.drop(i-1, i+1, say("A command whose result was taken back at once."))
			i = max(0, i-2)
		}
	}
}

// takesBack reports whether the one command of b undoes the one command of a.
func takesBack(a, b shellLine) bool {
	if len(a.calls) != 1 || len(b.calls) != 1 || a.opaque || b.opaque || len(a.makes())+len(b.makes()) > 0 {
		return false
	}
	x, y := a.calls[0], b.calls[0]
	p, q := operands(x.args), operands(y.args)
	switch x.program {
	case "mv":
		return y.program == "mv" && len(p) == 2 && len(q) == 2 && p[0] == q[1] && p[1] == q[0]
	case "mkdir":
		return (y.program == "rmdir" || y.program == "rm") && len(p) > 0 && slices.Equal(p, q)
	case "touch":
		return y.program == "rm" && len(p) > 0 && slices.Equal(p, q)
	case "cp", "ln":
		return y.program == "rm" && len(p) == 2 && len(q) == 1 && p[1] == q[0]
	case "git":
		return len(p) > 1 && len(q) > 1 && y.program == "git" && p[0] == "add" && (q[0] == "reset" || q[0] == "restore") && slices.Equal(p[1:], q[1:])
	}
	return false
}

func operands(args []string) []string {
	return slices.DeleteFunc(slices.Clone(args), func(s string) bool { return strings.HasPrefix(s, "-") })
}

// savedAgain drops a form that was sent and, at once, opened again, corrected and sent again: the second time is what counts.
// Only where both times were about the same thing, and nothing else was done in between.
func (n *normalised) savedAgain() {
	for i := 0; i < len(n.acts); i++ {
		first := n.acts[i]
		if first.verb != capture.Submit || first.surface != workflow.OnBrowser || rejected(first) {
			continue
		}
		for j := i + 1; j < len(n.acts) && j <= i+8; j++ {
			b := n.acts[j]
			if b.surface != workflow.OnBrowser || b.file != nil || b.tab() != first.tab() {
				break
			}
			if b.verb == capture.Submit {
				if k := n.sameWork(i, j); k >= 0 {
					n.drop(k, i+1, say("A form that was sent, corrected and sent again: only the last time counts."))
					i = max(-1, k-1)
				}
				break
			}
			if !b.fills() && !onlyMoves(b) {
				break
			}
		}
	}
}

// sameWork is where the work began that act i ended and act j did once more on the same page of the same thing; -1 when it
// did not. A page that is about nothing in particular (a form for something new) can be used twice on purpose.
func (n *normalised) sameWork(i, j int) int {
	a, b := n.acts[i], n.acts[j]
	page := pathOf(a.urlBefore())
	if page != pathOf(b.urlBefore()) || a.field() != b.field() || page == pathPattern(a.urlBefore()) {
		return -1
	}
	begin := i
	for begin > 0 && n.acts[begin-1].fills() && pathOf(n.acts[begin-1].urlBefore()) == page {
		begin--
	}
	again := map[string]bool{}
	for _, x := range n.acts[i+1 : j] {
		if x.fills() {
			again[x.field()] = true
		}
	}
	if begin == i || len(again) == 0 {
		return -1
	}
	kept := []*act{}
	for _, x := range n.acts[begin:i] {
		if !again[x.field()] {
			kept = append(kept, x) // entered once only: it still counts
		}
	}
	if len(kept) > 0 {
		return -1
	}
	return begin
}
