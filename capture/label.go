package capture

import (
	"fmt"
	"strings"

	"showhow/capture/redact"
	"showhow/internal/clock"
)

// event is the small public shape of a record (DOC3 0C.22), within the bounds of its schema.
func (j *job) event(o Observation, rec *Record, id string) Event {
	e := Event{
		EventID: id, LearnSessionID: j.cfg.SessionID, AdapterKind: o.Kind,
		AppFamily: j.plain(o.Origin.App, 80), WindowTitle: j.text(o.Window, 200),
		ControlSurface: o.Surface, CausedStateChange: o.Changed, CreatedAt: clock.At(o.OccurredAt), SchemaVersion: 1,
		TargetRef: "action:" + id,
	}
	if rec.Before != nil {
		e.BeforeStateRef = "before:" + id
	}
	if rec.After != nil {
		e.AfterStateRef = "after:" + id
	}
	e.ActionLabel = redact.Cut(label(&rec.Action), 240)
	e.RedactionMode = j.redactionMode(rec.Action.Value)
	return e
}

// redactionMode (decisions B12): literal = none; masked and omitted values, and text with something taken out or nothing
// to hide, = mask_text; no value of its own but links in its texts = hash_only.
func (j *job) redactionMode(v *Value) string {
	switch {
	case v != nil && v.Policy == Literal:
		return "none"
	case v == nil && len(j.links) > 0:
		return "hash_only"
	}
	return "mask_text"
}

// label says what was done in a person's words, from what is already clean. Masks read as ‹kind›.
func label(a *Action) string {
	return unmasked(rawLabel(a))
}

func rawLabel(a *Action) string {
	what := thing(a.Target)
	switch a.Verb {
	case Click:
		return "Clicked " + what
	case DoubleClick:
		return "Double-clicked " + what
	case RightClick:
		return "Right-clicked " + what
	case Type:
		return fmt.Sprintf("Entered %s into %s", noun(a.Value), what)
	case Select:
		if a.Value != nil && a.Value.Policy == Literal && a.Value.Text != "" {
			return fmt.Sprintf("Chose '%s' in %s", a.Value.Text, what)
		}
		return "Chose an option in " + what
	case Check:
		if a.Target != nil && a.Target.Role == "button" {
			return "Chose " + what // one of a group
		}
		return "Ticked " + what
	case Uncheck:
		return "Unticked " + what
	case Press:
		if a.Target == nil {
			return "Pressed " + a.Keys
		}
		return fmt.Sprintf("Pressed %s in %s", a.Keys, what)
	case Submit:
		return "Submitted " + what
	case Navigate:
		return "Went to " + pageName(a.Page)
	case NewTab:
		return "Opened a new tab" + onPage(a.Page)
	case CloseTab:
		return "Closed the tab" + onPage(a.Page)
	case SwitchTab:
		return "Switched to the tab" + onPage(a.Page)
	case Upload:
		return fmt.Sprintf("Chose %s for upload in %s", fileName(a.File), what)
	case Download:
		return "Downloaded " + fileName(a.File)
	case Dialog:
		return dialogLabel(a.Dialog)
	case Run:
		if a.Command != nil {
			return "Ran " + strings.Join(strings.Fields(a.Command.Line), " ")
		}
		return "Ran a program"
	case Play:
		return playLabel(a.MIDI) + onDevice(a.Device)
	case Call:
		if a.Call != nil {
			return "Used the tool '" + a.Call.Tool + "'"
		}
		return "Used a tool"
	case Drag:
		return "Dragged " + what + " to " + thing(a.Drop)
	case Crash:
		return "The page ended unexpectedly" + onPage(a.Page)
	case Activate:
		return "Switched to another window"
	case PageChange:
		return "The page changed" + onPage(a.Page)
	case FileChange:
		return fileLabel(a.File)
	}
	return "Did something with " + what
}

// thing is the target as a person would point at it: the button 'Save', 'Note', the row.
func thing(t *Target) string {
	if t == nil {
		return "the page"
	}
	name := firstOf(t.Label, t.Name, t.Text, t.Placeholder)
	role := roleWords[t.Role]
	switch {
	case name == "" && role == "":
		return "the page"
	case name == "":
		return "the " + role
	case isField(t.Role):
		return "'" + name + "'"
	case role == "":
		return "'" + name + "'"
	}
	return "the " + role + " '" + name + "'"
}

var roleWords = map[string]string{
	"button": "button", "link": "link", "textbox": "field", "field": "field", "searchbox": "search field", "combobox": "list", "listbox": "list",
	"checkbox": "checkbox", "radio": "option", "switch": "switch", "slider": "slider", "spinbutton": "number field", "tab": "tab",
	"menuitem": "menu entry", "option": "option", "row": "row", "cell": "cell", "gridcell": "cell", "heading": "heading",
	"img": "picture", "dialog": "dialog", "form": "form", "columnheader": "column heading", "treeitem": "tree entry", "listitem": "list entry",
}

func isField(role string) bool {
	switch role {
	case "textbox", "field", "searchbox", "combobox", "listbox", "checkbox", "radio", "switch", "slider", "spinbutton":
		return true
	}
	return false
}

func noun(v *Value) string {
	if v == nil {
		return "text"
	}
	switch v.Kind {
	case KindNumber:
		return "a number"
	case KindDate:
		return "a date"
	case KindEmail:
		return "an email address"
	case KindURL:
		return "a web address"
	case KindID:
		return "an id"
	case KindFile:
		return "a file name"
	case KindPassword:
		return "a password"
	case KindOTP:
		return "a one-time code"
	case KindCard:
		return "a card number"
	case KindSecret:
		return "a secret"
	}
	return "text"
}

func pageName(p *Page) string {
	if p == nil {
		return "a page"
	}
	if p.Title != "" {
		return "'" + p.Title + "'"
	}
	if p.URL != "" {
		return p.URL
	}
	return "a page"
}

func onPage(p *Page) string {
	if p == nil || p.Title == "" {
		return ""
	}
	return " '" + p.Title + "'"
}

func fileName(f *File) string {
	if f == nil || f.Name == "" {
		return "a file"
	}
	return "'" + f.Name + "'"
}

func dialogLabel(d *DialogInfo) string {
	if d == nil {
		return "Answered a dialog"
	}
	verb := "Dismissed"
	if d.Accepted {
		verb = "Accepted"
	}
	if d.Message == "" {
		return verb + " a dialog"
	}
	return verb + " the dialog '" + d.Message + "'"
}

func firstOf(ss ...string) string {
	for _, s := range ss {
		if s != "" {
			return s
		}
	}
	return ""
}

// unmasked writes masks and tokens as a person reads them: ‹id›, ‹password›.
func unmasked(s string) string {
	s = Replace(s, func(m Mask) string { return "‹" + string(m.Kind) + "›" })
	for strings.Contains(s, "[[secret ") {
		a, rest, _ := strings.Cut(s, "[[secret ")
		kind, b, ok := strings.Cut(rest, "]]")
		if !ok {
			return a
		}
		s = a + "‹" + strings.ReplaceAll(kind, "_", " ") + "›" + b
	}
	return s
}
