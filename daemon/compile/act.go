package compile

import (
	"slices"
	"strings"
	"time"

	"showhow/capture"
	"showhow/daemon/workflow"
	"showhow/internal/plain"
)

// act is one thing that a person did, with everything that followed from it: the click, its submit, its navigation and its
// download are one act. recs are its evidence; the first is its cause.
type act struct {
	recs    []*capture.Record
	at      time.Time
	surface string
	verb    capture.Verb
	target  *capture.Target
	drop    *capture.Target // of a drag: where to
	page    *capture.Page   // where it was done
	value   *capture.Value
	command *capture.Command
	call    *capture.ToolCall
	file    *capture.File // that it produced or used
	dialog  *capture.DialogInfo
	keys    string
	midi    *capture.MIDIGesture
	device  string  // that it was played on
	passage [][]int // the notes of several gestures in a row
	before  *capture.State
	after   *capture.State
	changed bool
	moved   bool // another page was shown because of it
	newTab  bool
	times   int // how often it was done in a row, when more than once
	section string
	run     *run // the loop it stands for a step of, when it does
	place   int  // its place in the loop's round
	varies  bool // of a tab: other demonstrations chose another one
	unfolds bool // a list from which something was taken
	from    *act // of an entry of a list: the act on the field that the list hangs on
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
		return workflow.OnAgent
	}
	return workflow.OnProgram
}

func newAct(r *capture.Record, at time.Time) *act {
	a := &act{at: at, surface: surfaceOf(r), verb: r.Action.Verb, times: 1}
	a.take(r)
	return a
}

// take adds a record to the act: what is already known stays, except for the state after, of which the last is right.
func (a *act) take(r *capture.Record) {
	x := &r.Action
	a.recs = append(a.recs, r)
	a.target = keep(a.target, x.Target)
	a.drop = keep(a.drop, x.Drop)
	a.page = keep(a.page, x.Page)
	a.command = keep(a.command, x.Command)
	a.call = keep(a.call, x.Call)
	a.file = keep(a.file, x.File)
	a.dialog = keep(a.dialog, x.Dialog)
	a.before = keep(a.before, quietState(r.Before))
	a.midi = joined(a.midi, x.MIDI)
	if a.device == "" {
		a.device = x.Device
	}
	if x.Value != nil {
		a.value = x.Value
	}
	if a.keys == "" {
		a.keys = x.Keys
	}
	a.changed = a.changed || r.Event.CausedStateChange
	if x.Verb == capture.Navigate && x.Keys != "Reload" {
		a.moved = true
	}
	if r.After == nil {
		return
	}
	after := quietState(r.After)
	if x.Verb == capture.PageChange && a.after != nil && occurred(r).Sub(a.at) > shortly {
		told := *a.after
		told.Alerts, told.Dialogs = after.Alerts, after.Dialogs
		after = &told
	}
	a.after = laterState(a.after, after)
}

// quietState is a state without the messages that only say something is under way. Records are the caller's and stay as they are.
func quietState(s *capture.State) *capture.State {
	if s == nil || !slices.ContainsFunc(s.Alerts, saysNothingOf) {
		return s
	}
	quiet := *s
	quiet.Alerts = slices.DeleteFunc(slices.Clone(s.Alerts), saysNothingOf)
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

func (a *act) tab() string {
	if a.page == nil {
		return ""
	}
	return a.page.Tab
}

func (a *act) role() string {
	if a.target == nil {
		return ""
	}
	return a.target.Role
}

// name is what a person would call the target: its label, its name, its placeholder, its text.
func (a *act) name() string {
	if a.target == nil {
		return ""
	}
	return targetName(a.target)
}

func targetName(t *capture.Target) string {
	for _, s := range []string{t.Label, t.Name, t.Placeholder, t.Text} {
		if s = plain.Squeeze(s); s != "" {
			return s
		}
	}
	return writtenName(t)
}

// supplies reports whether the person gave a value with this act.
func (a *act) supplies() bool {
	return a.value != nil && (a.verb == capture.Type || a.verb == capture.Select || a.verb == capture.Upload || a.manyBoxes())
}

// fills reports whether the act sets a form's field.
func (a *act) fills() bool {
	switch a.verb {
	case capture.Type, capture.Select, capture.Check, capture.Uncheck, capture.Upload:
		return true
	}
	return false
}

// secret reports whether the act entered something that is never kept.
func (a *act) secret() bool { return a.value != nil && a.value.Kind.Secret() }

// field identifies a form field within a page, by meaning.
func (a *act) field() string {
	if a.target == nil {
		return ""
	}
	t := a.target
	where := t.Frame
	if t.Landmark != nil {
		where += "/" + t.Landmark.Role + ":" + t.Landmark.Name
	}
	name := targetName(t)
	if name == "" && len(t.Locators) > 0 { // two that have no name are two
		name = t.Locators[len(t.Locators)-1].Value
	}
	return strings.Join([]string{a.tab(), where, t.Role, name}, "|")
}

// url is the address after the act, or where it was done.
func (a *act) url() string {
	if a.after != nil && a.after.URL != "" {
		return a.after.URL
	}
	if a.page != nil {
		return a.page.URL
	}
	return ""
}

func (a *act) urlBefore() string {
	if a.before != nil && a.before.URL != "" {
		return a.before.URL
	}
	if a.page != nil {
		return a.page.URL
	}
	return ""
}

// events are the ids of the act's evidence.
func (a *act) events() []string {
	ids := make([]string, 0, len(a.recs))
	for _, r := range a.recs {
		ids = append(ids, r.Event.EventID)
	}
	return ids
}

// state is the state after the act, never nil.
func (a *act) state() *capture.State {
	if a.after == nil {
		return &capture.State{}
	}
	return a.after
}

func (a *act) stateBefore() *capture.State {
	if a.before == nil {
		return &capture.State{}
	}
	return a.before
}

// radio makes a choice of a ticked radio button, or of a button of which always one is pressed: its group's name is the field, its
// own name what was chosen.
func (a *act) radio() {
	t := a.target
	if a.verb != capture.Check && a.verb != capture.Click || t == nil || t.Landmark == nil || len(t.Options) < 2 {
		return
	}
	role := workflow.RadioGroup
	if t.Role == "button" && a.verb == capture.Check {
		role = workflow.BoxGroup
	} else if t.Role != "radio" {
		return
	}
	group, name := t.Landmark, plain.Squeeze(targetName(t))
	if group.Role != workflow.BoxGroup && group.Role != workflow.RadioGroup || plain.Squeeze(group.Name) == "" || maskForm.MatchString(group.Name+name) {
		return
	}
	field := *t
	field.Label, field.Name, field.Landmark, field.Role = group.Name, group.Name, nil, role
	a.target, a.verb, a.value = &field, capture.Select, &capture.Value{Kind: capture.KindChoice, Text: name, Chosen: true}
}

// ticksItem reports whether the act ticked a row among many, to choose it: the row is named by data, and the box says no more
// than that. A box that has a readable name of its own is an option instead.
func (a *act) ticksItem() bool {
	t := a.target
	if a.verb != capture.Check && a.verb != capture.Uncheck || t == nil || t.Role != "checkbox" || t.Landmark == nil || !itemRoles[t.Landmark.Role] {
		return false
	}
	data := func(s string) bool { return maskForm.MatchString(s) || idLike(s) }
	name := plain.Squeeze(targetName(t))
	return data(t.Landmark.Name) && (name == "" || data(name) || choosing[strings.ToLower(name)])
}

// ofItem reports whether a box is one that every row has: the row was picked with it.
func (a *act) ofItem() bool {
	t := a.target
	return t != nil && t.Landmark != nil && itemRoles[t.Landmark.Role] && maskForm.MatchString(t.Landmark.Name) && a.value != nil && a.value.Chosen
}

// choosing are names of boxes that say nothing of what is chosen.
var choosing = map[string]bool{"select": true, "tick": true, "pick": true, "select row": true, "select this row": true, "choose": true, "mark": true}

// marked makes a pick of an Enter that took the suggestion which the page had marked.
func (a *act) marked() {
	v := a.value
	if a.verb != capture.Press || a.keys != "Enter" || v == nil || !v.Chosen || v.LinkID == "" && v.Text == "" {
		return
	}
	name := v.Text
	if v.LinkID != "" {
		name = v.Mask()
	}
	a.verb, a.keys = capture.Click, ""
	a.target = &capture.Target{Role: "option", Name: name, Landmark: &capture.Landmark{Role: "listbox"}}
}

// note is something to tell the person (left out) or the agent (recovery). args are texts of the trace: they are
// generalised before they are put into the format.
type note struct {
	format string
	args   []string
}

func say(format string, args ...string) note { return note{format: format, args: args} }
