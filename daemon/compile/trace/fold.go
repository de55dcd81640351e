package trace

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"showhow/capture"
	"showhow/daemon/compile/page"
	"showhow/daemon/workflow"
	"showhow/internal/plain"
)

// Timed is a record with its time and its depth in the chain of causes.
type Timed struct {
	*capture.Record
	at    time.Time
	depth int // 0: it has no cause
}

// Order sorts records by occurrence; a cause comes before its effects whatever the clocks say (decisions A12).
func Order(records []capture.Record) []Timed {
	index := make(map[string]int, len(records))
	out := make([]Timed, len(records))
	for i := range records {
		r := &records[i]
		index[r.Event.EventID] = i
		out[i] = Timed{Record: r, at: occurred(r)}
	}
	done := make([]bool, len(out))
	for i := range out {
		settle(out, index, done, i, 0)
	}
	slices.SortStableFunc(out, func(a, b Timed) int {
		return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.depth, b.depth), cmp.Compare(a.Seq, b.Seq))
	})
	return out
}

// settle moves an effect that is dated before its cause to the time of the cause.
func settle(out []Timed, index map[string]int, done []bool, i, level int) {
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

// Fold joins records that belong to one act.
func Fold(records []Timed) []*Act {
	f := folder{byEvent: map[string]*Act{}}
	for _, r := range records {
		f.add(r)
	}
	ownStates(f.acts)
	for _, a := range f.acts {
		a.settle()
	}
	for _, a := range f.acts {
		if a.Surface == workflow.OnBrowser {
			if a.Verb == capture.NewTab && a.URL() != "" && a.URL() != "about:blank" {
				a.Verb, a.Moved = capture.Navigate, true // the tab that the work begins in
			}
			a.NewTab = false
			break
		}
	}
	sent(f.acts)
	unfolded(f.acts)
	return slices.DeleteFunc(f.acts, idle)
}

// ownStates gives an act the state that was observed only at the start of the next act in its tab, unless the act opened
// the page itself. A page that was opened by its address, and has written a route into it since, was not complete before.
func ownStates(acts []*Act) {
	last := map[string]*Act{}
	for _, b := range acts {
		if b.Surface != workflow.OnBrowser || b.Page == nil {
			continue
		}
		a := last[b.Tab()]
		last[b.Tab()] = b
		if a != nil && routedLater(a, b) {
			a.After = b.Before
		}
		if a == nil || a.After == nil || b.Before == nil || a.Moved || a.Before == nil || a.After.URL == "" || b.Before.URL == "" {
			continue
		}
		if page.PathOf(a.Before.URL) == page.PathOf(b.Before.URL) && page.PathOf(a.After.URL) != page.PathOf(a.Before.URL) {
			a.After = b.Before
		}
	}
}

// routedLater reports whether an act opened a page by its address, and only the route in that address is another one when the next act
// begins.
func routedLater(a, b *Act) bool {
	if a.Verb != capture.Navigate && a.Verb != capture.NewTab || a.After == nil || b.Before == nil || b.Verb == capture.Navigate {
		return false
	}
	return page.Unrouted(a.After.URL) == page.Unrouted(b.Before.URL) && page.PathOf(a.After.URL) != page.PathOf(b.Before.URL)
}

// settle decides from the states before and after whether the act led to another page.
func (a *Act) settle() {
	if a.Surface == workflow.OnBrowser && a.Before != nil && a.After != nil && a.Before.URL != "" && a.After.URL != "" &&
		page.WithoutAnchor(a.Before.URL) != page.WithoutAnchor(a.After.URL) {
		a.Moved = true
	}
}

// sent turns the click that sends a form into a submit: the first button with an effect after fields of its page were
// filled in.
func sent(acts []*Act) {
	filled := map[string]string{} // tab -> page
	for i, a := range acts {
		if a.Surface != workflow.OnBrowser {
			continue
		}
		switch here := page.PathOf(a.URLBefore()); {
		case a.Fills():
			filled[a.Tab()] = here
		case a.Verb == capture.Click && a.Role() == "button" && !IsPick(a) && !Opened(a) && !turns(a) && filled[a.Tab()] == here &&
			filled[a.Tab()] != "" && (a.Moved || len(ChangeKinds(a)) > 0 || len(a.State().Invalid) > 0 || a.Changed && Finishing(a.Name()) &&
			!goesOn(acts[i:])):
			a.Verb = capture.Submit
			if len(a.State().Invalid) == 0 {
				delete(filled, a.Tab())
			}
		case a.Moved || a.Verb == capture.Submit:
			delete(filled, a.Tab())
		}
	}
}

// goesOn reports whether the first act is only part of filling in a form, like adding a tag: other fields still hold
// what was entered, and another button sends the form later.
func goesOn(acts []*Act) bool {
	a := acts[0]
	held := func(s *capture.State) (out []string) {
		for _, f := range s.Fields {
			if f.Value != nil && f.Value.LinkID != "" {
				out = append(out, f.Label+"\x00"+f.Value.LinkID)
			}
		}
		return out
	}
	kept := held(a.State())
	for _, b := range acts[1:] {
		if b.Surface != workflow.OnBrowser || b.Tab() != a.Tab() {
			continue
		}
		if len(kept) == 0 || page.PathOf(b.URLBefore()) != page.PathOf(a.URL()) {
			return false
		}
		still := held(b.StateBefore())
		kept = slices.DeleteFunc(kept, func(f string) bool { return !slices.Contains(still, f) })
		sends := b.Verb == capture.Submit || b.Verb == capture.Click && b.Role() == "button"
		if sends && !strings.EqualFold(b.Name(), a.Name()) && (b.Moved || len(ChangeKinds(b)) > 0) {
			return len(kept) > 0
		}
	}
	return false
}

// unfolded links every entry that was chosen from a list to the act on the field that opened the list. If nothing is
// typed into the field, the click that opens it is a step of its own.
func unfolded(acts []*Act) {
	last := map[string]*Act{}
	for _, a := range acts {
		if a.Surface != workflow.OnBrowser {
			continue
		}
		f := last[a.Tab()]
		if turns(a) {
			continue // turning the months of a calendar that the field opened
		}
		last[a.Tab()] = a
		if hangsOn(a, f) && page.IsClick(a.Verb) && f != nil && page.FieldRoles[f.Role()] && (page.IsClick(f.Verb) || f.Verb == capture.Type ||
			f.Verb == capture.Press) {
			a.From = f
		}
	}
	for _, a := range acts {
		if f := a.From; f != nil && page.IsClick(f.Verb) {
			f.unfolds = true
		}
	}
}

// turns reports whether an act only turns to another month or page.
func turns(a *Act) bool {
	return page.Turns(workflow.Step{Surface: a.Surface, Verb: a.Verb, Target: a.Target})
}

// hangsOn reports whether an act chose something that a field had opened: an entry of a list or tree, or a day of a
// calendar.
func hangsOn(a, field *Act) bool {
	switch a.Role() {
	case "option":
		return true
	case "menuitemcheckbox", "menuitemradio":
		return true // cascading columns
	case "menuitem":
		return field != nil && (page.IsClick(field.Verb) || a.Value != nil && a.Value.Chosen)
	case "treeitem", "generic", "listitem":
		return field != nil && field.Role() == "combobox" && a.Value != nil && a.Value.Chosen
	}
	l := (*capture.Landmark)(nil)
	if a.Target != nil {
		l = a.Target.Landmark
	}
	if a.Value == nil || !a.Value.Chosen || l == nil {
		return false
	}
	_, month := page.MonthShown(l.Name)
	return month
}

type folder struct {
	acts    []*Act
	byEvent map[string]*Act
}

func (f *folder) add(r Timed) {
	if r.Action.Verb == capture.FileChange {
		if into := f.writer(r); into != nil {
			into.sawFile(r.Record)
			f.byEvent[r.Event.EventID] = into
		}
		return // a file is never an act of its own
	}
	if into := f.owner(r); into != nil {
		into.take(r.Record)
		into.Verb = foldedVerb(into, r.Action.Verb)
		f.byEvent[r.Event.EventID] = into
		return
	}
	if r.Action.Verb == capture.PageChange {
		return // not an action of a person
	}
	a := newAct(r.Record, r.at)
	f.acts = append(f.acts, a)
	f.byEvent[r.Event.EventID] = a
}

// owner returns the act that a record belongs to, or nil when the record is an act of its own.
func (f *folder) owner(r Timed) *Act {
	if effect(r.Action.Verb) {
		if cause := f.byEvent[r.Action.CauseEventID]; cause != nil {
			return cause
		}
	}
	last := f.last(r)
	if last == nil {
		return nil
	}
	gap := r.at.Sub(last.At)
	switch r.Action.Verb {
	case capture.PageChange:
		return last
	case capture.Submit:
		if r.Action.CauseEventID == "" && gap < 2*time.Second && (page.IsClick(last.Verb) || last.Verb == capture.Press && last.Keys == "Enter") {
			return last
		}
	case capture.Navigate:
		if r.Action.CauseEventID != "" || r.Action.Keys != "" || gap > 3*time.Second {
			return nil
		}
		if last.Verb == capture.NewTab || last.After == nil && (page.IsClick(last.Verb) || last.Verb == capture.Submit ||
			last.Verb == capture.Press) {
			return last // the act led here, though nobody saw it
		}
	case capture.Download, capture.Dialog:
		if r.Action.CauseEventID == "" && gap < 10*time.Second && (page.IsClick(last.Verb) || last.Verb == capture.Submit) && !last.Moved &&
			len(ChangeKinds(last)) == 0 {
			return last // nothing else came of the act
		}
	case capture.Type, capture.Select, capture.Check, capture.Uncheck, capture.Upload:
		next := newAct(r.Record, r.at)
		same := next.Target != nil && last.Target != nil && next.Field() == last.Field()
		if same && last.Verb == r.Action.Verb && (next.Verb == capture.Type || next.Verb == capture.Select) {
			return last // one entry, keystroke after keystroke: the last value counts
		}
		if last.Verb == capture.Click && gap < 2*time.Second && (same || last.Role() == "option" && next.Verb == capture.Select) && !last.Moved {
			return last // the click that focuses the field
		}
	case capture.Play:
		if sameKnob(last, r.Record) && gap < turnGap {
			return last
		}
	case capture.Click:
		if last.Verb == capture.Press && last.Keys == "Enter" && gap < 200*time.Millisecond && !last.Watched() {
			return last // the browser's own click on the default button, which only a foreign recording holds
		}
	}
	return nil
}

// last returns the previous act in the same place: the same tab or shell.
func (f *folder) last(r Timed) *Act {
	if len(f.acts) == 0 {
		return nil
	}
	last := f.acts[len(f.acts)-1]
	if last.Surface != surfaceOf(r.Record) {
		return nil
	}
	if r.Action.Page != nil && last.Page != nil && r.Action.Page.Tab != last.Page.Tab && r.Action.Verb != capture.Navigate {
		return nil
	}
	return last
}

// effect reports whether records with this verb can be effects of an act.
func effect(v capture.Verb) bool {
	switch v {
	case capture.Navigate, capture.Submit, capture.Download, capture.Dialog, capture.NewTab, capture.Run, capture.Click, capture.SwitchTab,
		capture.CloseTab,
		capture.PageChange:
		return true
	}
	return false
}

// foldedVerb returns the act's verb after a record with verb v was added: the more telling of the two.
func foldedVerb(a *Act, v capture.Verb) capture.Verb {
	switch {
	case v == capture.NewTab:
		a.NewTab = true
	case v == capture.Submit && a.Verb != capture.Download:
		return capture.Submit
	case v == capture.Download:
		return capture.Download
	case page.IsClick(a.Verb) && (v == capture.Type || v == capture.Select || v == capture.Check || v == capture.Uncheck ||
		v == capture.Upload):
		return v
	}
	return a.Verb
}

// idle reports whether an act does nothing by itself: focusing a field, pressing Tab, switching tabs.
func idle(a *Act) bool {
	switch a.Verb {
	case capture.SwitchTab, capture.CloseTab:
		return true
	case capture.Navigate:
		return a.Keys == "Reload" && !a.Moved
	case capture.NewTab:
		return !a.Moved && (a.Page == nil || a.Page.URL == "" || a.Page.URL == "about:blank")
	case capture.Press:
		return !a.Changed && !a.Moved && (quietKeys[a.Keys] && (a.Watched() || !outcomeKeys[a.Keys]) || clipboardKeys[a.Keys])
	case capture.Click, capture.DoubleClick:
		return page.FieldRoles[a.Role()] && !a.Moved && !Opened(a) && a.File == nil && !a.unfolds
	}
	return false
}

var quietKeys = map[string]bool{"Tab": true, "Shift+Tab": true, "ArrowUp": true, "ArrowDown": true, "ArrowLeft": true, "ArrowRight": true,
	"Home": true, "End": true, "PageUp": true, "PageDown": true, "Shift": true, "Escape": true, "Backspace": true, "Delete": true,
	"Enter": true}

// outcomeKeys are keys whose effect cannot be ruled out in a recording without states: sending a search, closing a list.
var outcomeKeys = plain.Set("Enter Escape")

// clipboardKeys are keys that change only the clipboard or the selection.
var clipboardKeys = plain.Set("Control+C Meta+C Control+A Meta+A Control+c Meta+c Control+a Meta+a")

// Watched reports whether the page was observed before or after the act. An imported recording only lists what was done.
func (a *Act) Watched() bool { return a.Before != nil || a.After != nil }
