package mining

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"time"

	"showhow/capture"
	"showhow/capture/cmdline"
	"showhow/capture/label"
	"showhow/daemon/danger"
	"showhow/daemon/mining/routine"
	"showhow/internal/plain"
)

// Mark is what is kept of a step: enough to recognise it, and no value. Where is a site or program; Target is a
// control's name, a program with its verb and flags, or a tool.
type Mark struct {
	At      time.Time `json:"at"`
	Where   string    `json:"where"`
	Verb    string    `json:"verb"`
	Role    string    `json:"role,omitempty"`
	Target  string    `json:"target,omitempty"`
	Value   string    `json:"value,omitempty"` // its kind
	Surface string    `json:"surface,omitempty"`
	Failed  bool      `json:"failed,omitempty"`
	Shown   bool      `json:"shown,omitempty"`
	Grave   bool      `json:"grave,omitempty"` // it destroys, sends or escalates
	Record  int       `json:"record"`          // its place among the records of the work, in order of occurrence
}

// maxTarget bounds the name that is kept.
const maxTarget = 80

func (m Mark) step(source string) routine.Step {
	kind := m.Verb
	if m.Role != "" {
		kind += " " + m.Role
	}
	return routine.Step{Source: source, At: m.At, App: m.Where, Kind: kind, Target: m.Target, Value: m.Value, Failed: m.Failed, Shown: m.Shown}
}

// said is the step in a person's words.
func (m Mark) said(target string) string {
	a := &capture.Action{Verb: capture.Verb(m.Verb)}
	switch a.Verb {
	case capture.Run:
		a.Command = &capture.Command{Line: target}
	case capture.Call:
		a.Call = &capture.ToolCall{Tool: target}
	case capture.Navigate, capture.NewTab:
		a.Page = &capture.Page{URL: "https://" + m.Where + target, Pattern: target}
		return plain.Clip("Went to "+m.Where+target, 240)
	default:
		a.Target = &capture.Target{Role: m.Role, Label: target}
		if m.Value != "" {
			a.Value = &capture.Value{Policy: capture.Masked, Kind: capture.ValueKind(m.Value)}
		}
	}
	return plain.Clip(label.Of(a), 240)
}

// evidence are verbs that record results of actions: they are no steps.
var evidence = []capture.Verb{capture.PageChange, capture.FileChange, capture.Activate, capture.SwitchTab, capture.CloseTab, capture.Crash}

// MarksOf converts records, in order of occurrence, to marks.
func MarksOf(records []capture.Record) (out []Mark) {
	for i := range records {
		r := &records[i]
		a := &r.Action
		if slices.Contains(evidence, a.Verb) || a.CauseEventID != "" && (a.Verb == capture.Navigate || a.Verb == capture.NewTab) {
			continue
		}
		m := Mark{At: r.Event.CreatedAt.Time, Where: cmp.Or(a.Site, r.Event.AppFamily), Verb: string(a.Verb), Record: i,
			Surface: string(r.Event.ControlSurface), Shown: r.Event.CausedStateChange}
		if a.Value != nil {
			m.Value = string(a.Value.Kind)
		}
		switch {
		case a.Command != nil:
			m.Target, m.Grave = commandMark(a.Command), danger.Command(a.Command.Line).Grave()
			m.Failed = !a.Command.Running && a.Command.Exit != 0
			m.Shown = !a.Command.Running // its exit code is a result that can be checked
		case a.Call != nil:
			m.Target, m.Failed, m.Grave = a.Call.Tool, a.Call.Failed, danger.Tool(a.Call.Tool).Grave()
			if a.File != nil && a.File.Ext != "" {
				m.Target += " *" + a.File.Ext
				m.Shown = true
			}
		case a.Verb == capture.Navigate || a.Verb == capture.NewTab:
			if a.Page != nil {
				m.Target = pathOf(a.Page)
			}
		case a.Verb == capture.Press && a.Target == nil:
			m.Target = a.Keys
		case a.Verb == capture.Play && a.MIDI != nil:
			m.Target = a.MIDI.Gesture
		case a.Target != nil:
			m.Role, m.Target = a.Target.Role, controlMark(a.Target)
			m.Grave = danger.Control(m.Role, m.Target, "").Grave()
		}
		m.Target = plain.Clip(unmasked(m.Target), maxTarget)
		out = append(out, m)
	}
	return out
}

// controlMark names a control. A control in a list is an entry's data, unless it is a button, which acts on the list.
func controlMark(t *capture.Target) string {
	if capture.IsData(t.Role) {
		return ""
	}
	if t.Landmark != nil && capture.IsRow(t.Landmark.Role) && t.Role != "button" {
		return ""
	}
	if isField(t) {
		return cmp.Or(t.Label, t.Name, t.Placeholder) // its text is what was typed
	}
	return cmp.Or(t.Label, t.Name, t.Text)
}

func isField(t *capture.Target) bool {
	return t.InputType != "" || slices.Contains([]string{"input", "textarea", "select"}, t.Tag) ||
		slices.Contains([]string{"textbox", "searchbox", "combobox", "spinbutton", "listbox", "slider"}, t.Role)
}

// pathOf is a page's address without its variable parts and query.
func pathOf(p *capture.Page) string {
	s := cmp.Or(p.Pattern, p.URL)
	if _, rest, ok := strings.Cut(s, "://"); ok {
		if _, at, ok := strings.Cut(rest, "/"); ok {
			s = "/" + at
		} else {
			s = "/"
		}
	}
	s, _, _ = strings.Cut(s, "?")
	s, _, _ = strings.Cut(s, "#")
	return s
}

// commandMark is a command without its operands: program, verb, the names of its flags, and only the kind of its
// files.
func commandMark(c *capture.Command) string {
	if c.Program == "" {
		return ""
	}
	out := []string{programMark(c)}
	for i, w := range c.Words {
		text := w.Text
		switch {
		case i == 0 || w.Value != nil || text == "":
		case strings.HasPrefix(text, "-"):
			out = append(out, flagMark(text))
		case i == 1 && danger.KnownVerb(c.Program, text):
			out = append(out, text)
		default:
			if ext := path.Ext(text); len(ext) > 1 && len(ext) <= 6 && isWord(ext[1:]) {
				out = append(out, "*"+strings.ToLower(ext))
			}
		}
	}
	if names, ok := cmdline.Programs(c.Line); ok && len(names) > 1 { // a pipeline is more than its first program
		for _, n := range names[1:] {
			out = append(out, "| "+n)
		}
	}
	return strings.Join(out, " ")
}

// programMark is the program's name; for a program among the person's own files, only its kind.
func programMark(c *capture.Command) string {
	text := c.Program
	if len(c.Words) > 0 && c.Words[0].Text != "" {
		text = c.Words[0].Text
	}
	system := slices.ContainsFunc([]string{"/usr/", "/bin/", "/sbin/", "/opt/"}, func(dir string) bool { return strings.HasPrefix(text, dir) })
	if !strings.Contains(text, "/") || system {
		return c.Program
	}
	if ext := path.Ext(text); len(ext) > 1 && len(ext) <= 6 && isWord(ext[1:]) {
		return "*" + strings.ToLower(ext)
	}
	return "a program of one's own"
}

// flagMark is a flag without its attached value: -p for -pSECRET, --user for --user=me.
func flagMark(text string) string {
	if !strings.HasPrefix(text, "--") {
		return text[:min(len(text), 2)]
	}
	name, _, _ := strings.Cut(text, "=")
	if len(name) > 2 && !isWord(name[2:]) {
		return "--"
	}
	return name
}

func isWord(s string) bool {
	return len(s) <= 20 && s != "" && strings.IndexFunc(s, func(r rune) bool { return (r < 'a' || r > 'z') && r != '-' }) < 0
}

// unmasked removes masks of values and secrets.
func unmasked(s string) string {
	for {
		from := strings.Index(s, "[[")
		if from < 0 {
			return s
		}
		to := strings.Index(s[from:], "]]")
		if to < 0 {
			return s[:from]
		}
		s = s[:from] + "‹›" + s[from+to+2:]
	}
}
