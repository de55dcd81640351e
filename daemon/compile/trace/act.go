package trace

import (
	"slices"
	"strings"
	"time"

	"showhow/capture"
	"showhow/daemon/compile/page"
	"showhow/daemon/workflow"
)

// Anchor returns the evidence that identifies an act across compilations: "@" and the id of the event that began it.
func (a *Act) Anchor() string {
	if len(a.Recs) == 0 {
		return ""
	}
	return "@" + a.Recs[0].Event.EventID + a.part
}

// Act is one action of a person together with everything that followed from it: a click, the submit, the navigation and
// the download that it caused are one act. Recs are its evidence; the first is the cause.
type Act struct {
	Recs    []*capture.Record
	At      time.Time
	Surface string
	Verb    capture.Verb
	Target  *capture.Target
	Drop    *capture.Target // of a drag: the drop target
	Page    *capture.Page   // the page on which it was done
	Value   *capture.Value
	Command *capture.Command
	Call    *capture.ToolCall
	File    *capture.File // the file that it produced or used
	Dialog  *capture.DialogInfo
	Keys    string
	MIDI    *capture.MIDIGesture
	Device  string  // the MIDI device that it was played on
	Passage [][]int // the notes of several gestures played in a row
	Before  *capture.State
	After   *capture.State
	Changed bool
	Moved   bool // it led to another page
	NewTab  bool
	Times   int // how many times in a row it was done
	Section string
	unfolds bool   // it opened a list from which something was then chosen
	part    string // of an act that is known only from another one's state: which
	From    *Act   // of an entry of a list: the act on the field that opened the list
}

// surfaceOf returns the surface on which a record happened, as the graph names surfaces.
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

// take adds a record to the act. What is already known stays, except for After, which is that of the last record.
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
	if x.Verb == capture.PageChange && a.After != nil && occurred(r).Sub(a.At) > outcomeDelay {
		told := *a.After
		told.Alerts, told.Dialogs = after.Alerts, after.Dialogs
		after = &told
	}
	a.After = laterState(a.After, after)
}

// quietState returns a state without messages that only report progress. Records belong to the caller and are not
// changed.
func quietState(s *capture.State) *capture.State {
	if s == nil || !slices.ContainsFunc(s.Alerts, page.IsNoise) {
		return s
	}
	quiet := *s
	quiet.Alerts = slices.DeleteFunc(slices.Clone(s.Alerts), page.IsNoise)
	return &quiet
}

// outcomeDelay is how long after an act a change of the page counts as its outcome. A message or a dialog may take longer.
const outcomeDelay = 10 * time.Second

func keep[T any](old, next *T) *T {
	if old != nil {
		return old
	}
	return next
}

// laterState returns the later state with the messages of both: a toast may be gone when the page is next read.
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

// Tab returns the tab in which the act was done, or "" outside a browser.
func (a *Act) Tab() string {
	if a.Page == nil {
		return ""
	}
	return a.Page.Tab
}

// Role returns the role of the target, or "" without one.
func (a *Act) Role() string {
	if a.Target == nil {
		return ""
	}
	return a.Target.Role
}

// Name returns the target's name as a person sees it: its label, name, placeholder or text.
func (a *Act) Name() string {
	if a.Target == nil {
		return ""
	}
	return page.TargetName(a.Target)
}

// Supplies reports whether the person entered or chose a value with this act.
func (a *Act) Supplies() bool {
	return a.Value != nil && (a.Verb == capture.Type || a.Verb == capture.Select || a.Verb == capture.Upload || a.ManyBoxes())
}

// Fills reports whether the act sets a form field.
func (a *Act) Fills() bool {
	switch a.Verb {
	case capture.Type, capture.Select, capture.Check, capture.Uncheck, capture.Upload:
		return true
	}
	return false
}

// Secret reports whether the act entered a secret, whose value is never stored.
func (a *Act) Secret() bool { return a.Value != nil && a.Value.Kind.Secret() }

// Field identifies a form field within a page by its meaning: frame, landmark, role and name.
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
	if name == "" && len(t.Locators) > 0 { // two fields without a name are told apart by their locators
		name = t.Locators[len(t.Locators)-1].Value
	}
	return strings.Join([]string{a.Tab(), where, t.Role, name}, "|")
}

// URL returns the address after the act, or else that of the page on which it was done.
func (a *Act) URL() string {
	if a.After != nil && a.After.URL != "" {
		return a.After.URL
	}
	if a.Page != nil {
		return a.Page.URL
	}
	return ""
}

// URLBefore returns the address before the act.
func (a *Act) URLBefore() string {
	if a.Before != nil && a.Before.URL != "" {
		return a.Before.URL
	}
	if a.Page != nil {
		return a.Page.URL
	}
	return ""
}

// Events returns the ids of the act's evidence.
func (a *Act) Events() []string {
	ids := make([]string, 0, len(a.Recs))
	for _, r := range a.Recs {
		ids = append(ids, r.Event.EventID)
	}
	return ids
}

// State returns the state after the act, never nil.
func (a *Act) State() *capture.State {
	if a.After == nil {
		return &capture.State{}
	}
	return a.After
}

// StateBefore returns the state before the act, never nil.
func (a *Act) StateBefore() *capture.State {
	if a.Before == nil {
		return &capture.State{}
	}
	return a.Before
}

// AcceptSuggestion turns a press of Enter that accepted a highlighted suggestion into a click on that suggestion.
func (a *Act) AcceptSuggestion() {
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
