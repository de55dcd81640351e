package label

import (
	"fmt"
	"strings"

	"showhow/capture"
)

// Of describes a cleaned action in a person's words. Masks read as ‹kind›.
func Of(a *capture.Action) string {
	return unmasked(rawLabel(a))
}

func rawLabel(a *capture.Action) string {
	what := thing(a.Target)
	switch a.Verb {
	case capture.Click:
		return "Clicked " + what
	case capture.DoubleClick:
		return "Double-clicked " + what
	case capture.RightClick:
		return "Right-clicked " + what
	case capture.Type:
		return fmt.Sprintf("Entered %s into %s", noun(a.Value), what)
	case capture.Select:
		if a.Value != nil && a.Value.Policy == capture.Literal && a.Value.Text != "" {
			return fmt.Sprintf("Chose '%s' in %s", a.Value.Text, what)
		}
		return "Chose an option in " + what
	case capture.Check:
		if a.Target != nil && a.Target.Role == "button" {
			return "Chose " + what // one of a group
		}
		return "Ticked " + what
	case capture.Uncheck:
		return "Unticked " + what
	case capture.Press:
		if a.Target == nil {
			return "Pressed " + a.Keys
		}
		return fmt.Sprintf("Pressed %s in %s", a.Keys, what)
	case capture.Submit:
		return "Submitted " + what
	case capture.Navigate:
		return "Went to " + pageName(a.Page)
	case capture.NewTab:
		return "Opened a new tab" + onPage(a.Page)
	case capture.CloseTab:
		return "Closed the tab" + onPage(a.Page)
	case capture.SwitchTab:
		return "Switched to the tab" + onPage(a.Page)
	case capture.Upload:
		return fmt.Sprintf("Chose %s for upload in %s", fileName(a.File), what)
	case capture.Download:
		return "Downloaded " + fileName(a.File)
	case capture.Dialog:
		return dialogLabel(a.Dialog)
	case capture.Run:
		if a.Command != nil {
			return "Ran " + strings.Join(strings.Fields(a.Command.Line), " ")
		}
		return "Ran a program"
	case capture.Play:
		return playLabel(a.MIDI) + onDevice(a.Device)
	case capture.Call:
		if a.Call != nil {
			return "Used the tool '" + a.Call.Tool + "'"
		}
		return "Used a tool"
	case capture.Drag:
		return "Dragged " + what + " to " + thing(a.Drop)
	case capture.Crash:
		return "The page ended unexpectedly" + onPage(a.Page)
	case capture.Activate:
		return "Switched to another window"
	case capture.PageChange:
		return "The page changed" + onPage(a.Page)
	case capture.FileChange:
		return fileLabel(a.File)
	}
	return "Did something with " + what
}

// thing names the target as a person would: the button 'Save', 'Note', the row.
func thing(t *capture.Target) string {
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
	"button": "button", "link": "link", "textbox": "field", "field": "field", "searchbox": "search field", "combobox": "list",
	"listbox":  "list",
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

func noun(v *capture.Value) string {
	if v == nil {
		return "text"
	}
	switch v.Kind {
	case capture.KindNumber:
		return "a number"
	case capture.KindDate:
		return "a date"
	case capture.KindEmail:
		return "an email address"
	case capture.KindURL:
		return "a web address"
	case capture.KindID:
		return "an id"
	case capture.KindFile:
		return "a file name"
	case capture.KindPassword:
		return "a password"
	case capture.KindOTP:
		return "a one-time code"
	case capture.KindCard:
		return "a card number"
	case capture.KindSecret:
		return "a secret"
	}
	return "text"
}

func pageName(p *capture.Page) string {
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

func onPage(p *capture.Page) string {
	if p == nil || p.Title == "" {
		return ""
	}
	return " '" + p.Title + "'"
}

func fileName(f *capture.File) string {
	if f == nil || f.Name == "" {
		return "a file"
	}
	return "'" + f.Name + "'"
}

func dialogLabel(d *capture.DialogInfo) string {
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
	s = capture.Replace(s, func(m capture.Mask) string { return "‹" + string(m.Kind) + "›" })
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
