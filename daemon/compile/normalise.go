package compile

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"showhow/capture"
	"showhow/daemon/workflow"
	"showhow/internal/plain"
)

// normalised is one trace as acts, with what was left out of it and what went wrong on the way.
type normalised struct {
	acts     []*act
	leftOut  []note
	recovery []note
	signedIn []string // sites where the person signed in
	notes    []string // what the person noted while demonstrating
}

// normalise turns a trace's records into the acts that matter: in order, folded, without detours.
func normalise(t Trace) normalised {
	n := normalised{acts: fold(order(t.Records))}
	for _, a := range n.acts {
		a.radio()
		a.marked()
	}
	n.notes = namedNotes(t)
	n.wiped()
	nameSections(n.acts, t)
	n.choosers()
	n.cellsOpened()
	n.unveiled()
	n.left()
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

func (n *normalised) drop(i, j int, why note) {
	n.acts = slices.Delete(n.acts, i, j)
	n.leftOut = append(n.leftOut, why)
}

// timed is a record with its moment and its place among effects.
type timed struct {
	*capture.Record
	at    time.Time
	depth int // 0: nobody caused it
}

// order sorts by occurrence; a cause comes before its effects whatever the clocks say (decisions A12).
func order(records []capture.Record) []timed {
	index := make(map[string]int, len(records))
	out := make([]timed, len(records))
	for i := range records {
		r := &records[i]
		index[r.Event.EventID] = i
		out[i] = timed{Record: r, at: occurred(r)}
	}
	done := make([]bool, len(out))
	for i := range out {
		settle(out, index, done, i, 0)
	}
	slices.SortStableFunc(out, func(a, b timed) int {
		return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.depth, b.depth), cmp.Compare(a.Seq, b.Seq))
	})
	return out
}

// settle moves an effect that claims to be earlier than its cause to its cause's moment.
func settle(out []timed, index map[string]int, done []bool, i, level int) {
	if done[i] || level > 64 {
		return
	}
	done[i] = true
	c, ok := index[out[i].Action.CauseEventID]
	if !ok || c == i || out[i].Action.CauseEventID == "" {
		return
	}
	settle(out, index, done, c, level+1)
	out[i].depth = out[c].depth + 1
	if out[i].at.Before(out[c].at) {
		out[i].at = out[c].at
	}
}

func occurred(r *capture.Record) time.Time {
	if t, err := time.Parse(time.RFC3339Nano, r.Action.OccurredAt); err == nil {
		return t
	}
	return r.Event.CreatedAt.Time
}

// fold joins records that are one act.
func fold(records []timed) []*act {
	f := folder{byEvent: map[string]*act{}}
	for _, r := range records {
		f.add(r)
	}
	ownStates(f.acts)
	for _, a := range f.acts {
		a.settle()
	}
	for _, a := range f.acts {
		if a.surface == workflow.OnBrowser {
			if a.verb == capture.NewTab && a.url() != "" && a.url() != "about:blank" {
				a.verb, a.moved = capture.Navigate, true // the tab that the work begins in
			}
			a.newTab = false
			break
		}
	}
	sent(f.acts)
	unfolded(f.acts)
	return slices.DeleteFunc(f.acts, idle)
}

// ownStates gives back to an act what it led to, when it was looked at too late: what the next act in its tab found is nearer
// the truth than a page that only that one opened.
func ownStates(acts []*act) {
	last := map[string]*act{}
	for _, b := range acts {
		if b.surface != workflow.OnBrowser || b.page == nil {
			continue
		}
		a := last[b.tab()]
		last[b.tab()] = b
		if a == nil || a.after == nil || b.before == nil || a.moved || a.before == nil || a.after.URL == "" || b.before.URL == "" {
			continue
		}
		if pathOf(a.before.URL) == pathOf(b.before.URL) && pathOf(a.after.URL) != pathOf(a.before.URL) {
			a.after = b.before
		}
	}
}

// settle decides, from the states before and after, whether the act led to another page.
func (a *act) settle() {
	if a.surface == workflow.OnBrowser && a.before != nil && a.after != nil && a.before.URL != "" && a.after.URL != "" && withoutAnchor(a.before.URL) != withoutAnchor(a.after.URL) {
		a.moved = true
	}
}

// withoutAnchor is an address without a fragment that is no route.
func withoutAnchor(address string) string {
	rest, frag, _ := strings.Cut(address, "#")
	if strings.HasPrefix(frag, "/") || strings.HasPrefix(frag, "!/") {
		return address
	}
	return rest
}

// sent recognises the button that sends a form: the first one with an effect after fields of its page were filled in.
func sent(acts []*act) {
	filled := map[string]string{} // tab -> page
	for i, a := range acts {
		if a.surface != workflow.OnBrowser {
			continue
		}
		switch here := pathOf(a.urlBefore()); {
		case a.fills():
			filled[a.tab()] = here
		case a.verb == capture.Click && a.role() == "button" && !dataLike(a) && !opened(a) && !turns(a) && filled[a.tab()] == here && filled[a.tab()] != "" && (a.moved || len(newsOf(a)) > 0 || len(a.state().Invalid) > 0 || a.changed && finishing(a.name()) && !goesOn(acts[i:])):
			a.verb = capture.Submit
			if len(a.state().Invalid) == 0 {
				delete(filled, a.tab())
			}
		case a.moved || a.verb == capture.Submit:
			delete(filled, a.tab())
		}
	}
}

// goesOn reports whether the first act is only a part of filling in a form, like a tag that is added: other fields still hold what was
// entered, and the form is sent by another button afterwards.
func goesOn(acts []*act) bool {
	a := acts[0]
	held := func(s *capture.State) (out []string) {
		for _, f := range s.Fields {
			if f.Value != nil && f.Value.LinkID != "" {
				out = append(out, f.Label+"\x00"+f.Value.LinkID)
			}
		}
		return out
	}
	kept := held(a.state())
	for _, b := range acts[1:] {
		if b.surface != workflow.OnBrowser || b.tab() != a.tab() {
			continue
		}
		if len(kept) == 0 || pathOf(b.urlBefore()) != pathOf(a.url()) {
			return false
		}
		still := held(b.stateBefore())
		kept = slices.DeleteFunc(kept, func(f string) bool { return !slices.Contains(still, f) })
		sends := b.verb == capture.Submit || b.verb == capture.Click && b.role() == "button"
		if sends && !strings.EqualFold(b.name(), a.name()) && (b.moved || len(newsOf(b)) > 0) {
			return len(kept) > 0
		}
	}
	return false
}

// unfolded finds the field that a list of entries hangs on: a click that unfolds it is a step of its own when nothing is typed.
func unfolded(acts []*act) {
	last := map[string]*act{}
	for _, a := range acts {
		if a.surface != workflow.OnBrowser {
			continue
		}
		f := last[a.tab()]
		if turns(a) {
			continue // from month to month of what hangs on the field
		}
		last[a.tab()] = a
		if hangsOn(a, f) && starts(a.verb) && f != nil && fieldRoles[f.role()] && (starts(f.verb) || f.verb == capture.Type || f.verb == capture.Press) {
			a.from = f
		}
	}
	for _, a := range acts {
		if f := a.from; f != nil && starts(f.verb) {
			f.unfolds = true
		}
	}
}

// turns reports whether an act only goes on to another month, or page.
func turns(a *act) bool {
	return Turns(workflow.Step{Surface: a.surface, Verb: a.verb, Target: a.target})
}

// hangsOn reports whether an act chose something that a field had opened: an entry of a list or a tree, a day of a calendar.
func hangsOn(a, field *act) bool {
	switch a.role() {
	case "option":
		return true
	case "menuitemcheckbox", "menuitemradio":
		return true // what stands in columns that open from each other
	case "menuitem":
		return field != nil && (starts(field.verb) || a.value != nil && a.value.Chosen)
	case "treeitem", "generic":
		return field != nil && field.role() == "combobox" && a.value != nil && a.value.Chosen
	}
	l := (*capture.Landmark)(nil)
	if a.target != nil {
		l = a.target.Landmark
	}
	if a.value == nil || !a.value.Chosen || l == nil {
		return false
	}
	_, month := workflow.ParseMonth(strings.ReplaceAll(plain.Squeeze(l.Name), ",", ""))
	return month
}

type folder struct {
	acts    []*act
	byEvent map[string]*act
}

func (f *folder) add(r timed) {
	if r.Action.Verb == capture.FileChange {
		if into := f.writer(r); into != nil {
			into.sawFile(r.Record)
			f.byEvent[r.Event.EventID] = into
		}
		return // a file does nothing by itself
	}
	if into := f.owner(r); into != nil {
		into.take(r.Record)
		into.verb = foldedVerb(into, r.Action.Verb)
		f.byEvent[r.Event.EventID] = into
		return
	}
	if r.Action.Verb == capture.PageChange {
		return // nobody did anything
	}
	a := newAct(r.Record, r.at)
	f.acts = append(f.acts, a)
	f.byEvent[r.Event.EventID] = a
}

// owner is the act that a record belongs to, or nil when it is an act of its own.
func (f *folder) owner(r timed) *act {
	if effect(r.Action.Verb) {
		if cause := f.byEvent[r.Action.CauseEventID]; cause != nil {
			return cause
		}
	}
	last := f.last(r)
	if last == nil {
		return nil
	}
	gap := r.at.Sub(last.at)
	switch r.Action.Verb {
	case capture.PageChange:
		return last
	case capture.Submit:
		if r.Action.CauseEventID == "" && gap < 2*time.Second && (starts(last.verb) || last.verb == capture.Press && last.keys == "Enter") {
			return last
		}
	case capture.Navigate:
		if r.Action.CauseEventID != "" || r.Action.Keys != "" || gap > 3*time.Second {
			return nil
		}
		if last.verb == capture.NewTab || last.after == nil && (starts(last.verb) || last.verb == capture.Submit || last.verb == capture.Press) {
			return last // nobody saw where the act led: here
		}
	case capture.Download, capture.Dialog:
		if r.Action.CauseEventID == "" && gap < 10*time.Second && (starts(last.verb) || last.verb == capture.Submit) && !last.moved && len(newsOf(last)) == 0 {
			return last // nothing else came of it
		}
	case capture.Type, capture.Select, capture.Check, capture.Uncheck, capture.Upload:
		next := newAct(r.Record, r.at)
		same := next.target != nil && last.target != nil && next.field() == last.field()
		if same && last.verb == r.Action.Verb && (next.verb == capture.Type || next.verb == capture.Select) {
			return last // keystroke after keystroke: the value is the last one's
		}
		if last.verb == capture.Click && gap < 2*time.Second && (same || last.role() == "option" && next.verb == capture.Select) && !last.moved {
			return last // the click into the field
		}
	case capture.Play:
		if sameKnob(last, r.Record) && gap < turnGap {
			return last
		}
	case capture.Click:
		if last.verb == capture.Press && last.keys == "Enter" && gap < 200*time.Millisecond {
			return last // the browser's own click on the default button
		}
	}
	return nil
}

// last is the previous act in the same place: tab or shell.
func (f *folder) last(r timed) *act {
	if len(f.acts) == 0 {
		return nil
	}
	last := f.acts[len(f.acts)-1]
	if last.surface != surfaceOf(r.Record) {
		return nil
	}
	if r.Action.Page != nil && last.page != nil && r.Action.Page.Tab != last.page.Tab && r.Action.Verb != capture.Navigate {
		return nil
	}
	return last
}

// effect reports whether a verb is something that happens because of an act rather than an act.
func effect(v capture.Verb) bool {
	switch v {
	case capture.Navigate, capture.Submit, capture.Download, capture.Dialog, capture.NewTab, capture.Run, capture.Click, capture.SwitchTab, capture.CloseTab,
		capture.PageChange:
		return true
	}
	return false
}

func starts(v capture.Verb) bool { return v == capture.Click || v == capture.DoubleClick }

// foldedVerb names the act by the most telling of its records.
func foldedVerb(a *act, v capture.Verb) capture.Verb {
	switch {
	case v == capture.NewTab:
		a.newTab = true
	case v == capture.Submit && a.verb != capture.Download:
		return capture.Submit
	case v == capture.Download:
		return capture.Download
	case starts(a.verb) && (v == capture.Type || v == capture.Select || v == capture.Check || v == capture.Uncheck || v == capture.Upload):
		return v
	}
	return a.verb
}

// idle reports whether an act does nothing by itself: putting the cursor into a field, Tab, a switch of tabs.
func idle(a *act) bool {
	switch a.verb {
	case capture.SwitchTab, capture.CloseTab:
		return true
	case capture.Navigate:
		return a.keys == "Reload" && !a.moved
	case capture.NewTab:
		return !a.moved && (a.page == nil || a.page.URL == "" || a.page.URL == "about:blank")
	case capture.Press:
		return !a.changed && !a.moved && (quietKeys[a.keys] && (a.watched() || !deciding[a.keys]) || copying[a.keys])
	case capture.Click, capture.DoubleClick:
		return fieldRoles[a.role()] && !a.moved && !opened(a) && a.file == nil && !a.unfolds
	}
	return false
}

var quietKeys = map[string]bool{"Tab": true, "Shift+Tab": true, "ArrowUp": true, "ArrowDown": true, "ArrowLeft": true, "ArrowRight": true,
	"Home": true, "End": true, "PageUp": true, "PageDown": true, "Shift": true, "Escape": true, "Backspace": true, "Delete": true, "Enter": true}

// deciding are keys of which a recording without states cannot tell that nothing came: a search that was sent, a list that was left.
var deciding = set("Enter Escape")

// copying are keys that change nothing but what the person carries along.
var copying = set("Control+C Meta+C Control+A Meta+A Control+c Meta+c Control+a Meta+a")

// watched reports whether anybody looked at the page before or after an act: a recording made elsewhere says only what was done.
func (a *act) watched() bool { return a.before != nil || a.after != nil }

var fieldRoles = set("textbox field searchbox combobox spinbutton slider listbox")

// opened reports whether a dialog came up because of the act.
func opened(a *act) bool {
	return a.after != nil && len(fresh(a.stateBefore().Dialogs, a.after.Dialogs)) > 0
}

// fresh is what is in after and not in before.
func fresh(before, after []string) []string {
	var out []string
	for _, s := range after {
		if !slices.Contains(before, s) && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// namedNotes are the marks that name no step but say something (decisions A11).
func namedNotes(t Trace) []string {
	var out []string
	for _, m := range t.Steps {
		if m.Kind == "other" && strings.TrimSpace(m.Label) != "" {
			out = append(out, plain.Squeeze(m.Label))
		}
	}
	return out
}

// nameSections gives every act the label of the last step mark before it (mark_step names what follows).
func nameSections(acts []*act, t Trace) {
	marks := slices.DeleteFunc(slices.Clone(t.Steps), func(m Mark) bool { return m.Kind == "other" || m.Kind == markedCheck })
	slices.SortStableFunc(marks, func(a, b Mark) int { return a.At.Compare(b.At.Time) })
	byEvent := map[string]string{}
	for _, m := range marks {
		if m.EventID != "" {
			byEvent[m.EventID] = m.Label
		}
	}
	label, next := "", 0
	for _, a := range acts {
		for next < len(marks) && marks[next].EventID == "" && !marks[next].At.After(a.at) {
			label = marks[next].Label
			next++
		}
		for _, r := range a.recs {
			if l, ok := byEvent[r.Event.EventID]; ok {
				label = l
			}
		}
		a.section = label
	}
}
