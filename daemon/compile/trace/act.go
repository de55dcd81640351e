package trace

import (
	"slices"
	"strings"
	"time"

	"showhow/capture"
	"showhow/daemon/compile/page"
	"showhow/daemon/workflow"
)

// Anchor is the evidence that stands for an act: the event that began it.
func (a *Act) Anchor() string {
	if len(a.Recs) == 0 {
		return ""
	}
	return "@" + a.Recs[0].Event.EventID
}

// Act is one thing that a person did, with everything that followed from it: the click, its submit, its navigation and its
// download are one act. recs are its evidence; the first is its cause.
type Act struct {
	Recs    []*capture.Record
	At      time.Time
	Surface string
	Verb    capture.Verb
	Target  *capture.Target
	Drop    *capture.Target // of a drag: where to
	Page    *capture.Page   // where it was done
	Value   *capture.Value
	Command *capture.Command
	Call    *capture.ToolCall
	File    *capture.File // that it produced or used
	Dialog  *capture.DialogInfo
	Keys    string
	MIDI    *capture.MIDIGesture
	Device  string  // that it was played on
	Passage [][]int // the notes of several gestures in a row
	Before  *capture.State
	After   *capture.State
	Changed bool
	Moved   bool // another page was shown because of it
	NewTab  bool
	Times   int // how often it was done in a row, when more than once
	Section string
	unfolds bool // a list from which something was taken
	From    *Act // of an entry of a list: the act on the field that the list hangs on
}

// surfaceOf says where a record happened, in the graph's words.
func surfaceOf(r *capture.Record) string {
	switch r.Event.AdapterKind {
	case capture.BrowserDOM, capture.BrowserSnapshot, "":
		return workflow.OnBrowser
	case capture.TerminalCommand:
		return workflow.OnShell
	case capture.MIDI:
		return workflow.OnMIDI
	case capture.MCPReceipt, capture.WrapperReceipt:
		if r.Action.Command != nil {
			return workflow.OnShell // what an agent ran, anybody can run
		}
		if r.Action.Call != nil && r.Action.Call.Connector != "" {
			return workflow.OnConnector
		}
		return workflow.OnAgent
	}
	return workflow.OnProgram
}

func newAct(r *capture.Record, at time.Time) *Act {
	a := &Act{At: at, Surface: surfaceOf(r), Verb: r.Action.Verb, Times: 1}
	a.take(r)
	return a
}

// take adds a record to the act: what is already known stays, except for the state after, of which the last is right.
func (a *Act) take(r *capture.Record) {
	x := &r.Action
	a.Recs = append(a.Recs, r)
	a.Target = keep(a.Target, x.Target)
	a.Drop = keep(a.Drop, x.Drop)
	a.Page = keep(a.Page, x.Page)
	a.Command = keep(a.Command, x.Command)
	a.Call = keep(a.Call, x.Call)
	a.File = keep(a.File, x.File)
	a.Dialog = keep(a.Dialog, x.Dialog)
	a.Before = keep(a.Before, quietState(r.Before))
	a.MIDI = joined(a.MIDI, x.MIDI)
	if a.Device == "" {
		a.Device = x.Device
	}
	if x.Value != nil {
		a.Value = x.Value
	}
	if a.Keys == "" {
		a.Keys = x.Keys
	}
	a.Changed = a.Changed || r.Event.CausedStateChange
	if x.Verb == capture.Navigate && x.Keys != "Reload" {
		a.Moved = true
	}
	if r.After == nil {
		return
	}
	after := quietState(r.After)
	if x.Verb == capture.PageChange && a.After != nil && occurred(r).Sub(a.At) > shortly {
		told := *a.After
		told.Alerts, told.Dialogs = after.Alerts, after.Dialogs
		after = &told
	}
	a.After = laterState(a.After, after)
}

// quietState is a state without the messages that only say something is under way. Records are the caller's and stay as they are.
func quietState(s *capture.State) *capture.State {
	if s == nil || !slices.ContainsFunc(s.Alerts, page.SaysNothingOf) {
		return s
	}
	quiet := *s
	quiet.Alerts = slices.DeleteFunc(slices.Clone(s.Alerts), page.SaysNothingOf)
	return &quiet
}

// shortly bounds how long after an act a page that fills by itself is its outcome; a message or a dialog may take longer.
const shortly = 10 * time.Second

func keep[T any](old, next *T) *T {
	if old != nil {
		return old
	}
	return next
}

// laterState is the later state with the messages of both: a toast may be gone when the next page is read.
func laterState(old, next *capture.State) *capture.State {
	if old == nil {
		return next
	}
	s := *next
	s.Alerts = union(old.Alerts, next.Alerts)
	s.Files = append(slices.Clone(old.Files), next.Files...)
	if s.URL == "" {
		s.URL, s.Title, s.Headings = old.URL, old.Title, old.Headings
	}
	return &s
}

func union(a, b []string) []string {
	out := slices.Clone(a)
	for _, x := range b {
		if !slices.Contains(out, x) {
			out = append(out, x)
		}
	}
	return out
}

// Tab is the tab in which the act was done, "" outside a browser.
func (a *Act) Tab() string {
	if a.Page == nil {
		return ""
	}
	return a.Page.Tab
}

// Role is the role of the target, "" for none.
func (a *Act) Role() string {
	if a.Target == nil {
		return ""
	}
	return a.Target.Role
}

// Name is what a person would call the target: its label, its name, its placeholder, its text.
func (a *Act) Name() string {
	if a.Target == nil {
		return ""
	}
	return page.TargetName(a.Target)
}

// Supplies reports whether the person gave a value with this act.
func (a *Act) Supplies() bool {
	return a.Value != nil && (a.Verb == capture.Type || a.Verb == capture.Select || a.Verb == capture.Upload || a.ManyBoxes())
}

// Fills reports whether the act sets a form's field.
func (a *Act) Fills() bool {
	switch a.Verb {
	case capture.Type, capture.Select, capture.Check, capture.Uncheck, capture.Upload:
		return true
	}
	return false
}

// Secret reports whether the act entered something that is never kept.
func (a *Act) Secret() bool { return a.Value != nil && a.Value.Kind.Secret() }

// Field identifies a form field within a page, by meaning.
func (a *Act) Field() string {
	if a.Target == nil {
		return ""
	}
	t := a.Target
	where := t.Frame
	if t.Landmark != nil {
		where += "/" + t.Landmark.Role + ":" + t.Landmark.Name
	}
	name := page.TargetName(t)
	if name == "" && len(t.Locators) > 0 { // two that have no name are two
		name = t.Locators[len(t.Locators)-1].Value
	}
	return strings.Join([]string{a.Tab(), where, t.Role, name}, "|")
}

// URL is the address after the act, or where it was done.
func (a *Act) URL() string {
	if a.After != nil && a.After.URL != "" {
		return a.After.URL
	}
	if a.Page != nil {
		return a.Page.URL
	}
	return ""
}

// URLBefore is the address before the act.
func (a *Act) URLBefore() string {
	if a.Before != nil && a.Before.URL != "" {
		return a.Before.URL
	}
	if a.Page != nil {
		return a.Page.URL
	}
	return ""
}

// Events are the ids of the act's evidence.
func (a *Act) Events() []string {
	ids := make([]string, 0, len(a.Recs))
	for _, r := range a.Recs {
		ids = append(ids, r.Event.EventID)
	}
	return ids
}

// State is the state after the act, never nil.
func (a *Act) State() *capture.State {
	if a.After == nil {
		return &capture.State{}
	}
	return a.After
}

// StateBefore is the state before the act, never nil.
func (a *Act) StateBefore() *capture.State {
	if a.Before == nil {
		return &capture.State{}
	}
	return a.Before
}

// Marked makes a pick of an Enter that took the suggestion which the page had marked.
func (a *Act) Marked() {
	v := a.Value
	if a.Verb != capture.Press || a.Keys != "Enter" || v == nil || !v.Chosen || v.LinkID == "" && v.Text == "" {
		return
	}
	name := v.Text
	if v.LinkID != "" {
		name = v.Mask()
	}
	a.Verb, a.Keys = capture.Click, ""
	a.Target = &capture.Target{Role: "option", Name: name, Landmark: &capture.Landmark{Role: "listbox"}}
}
