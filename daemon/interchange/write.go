package interchange

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"showhow/capture"
	"showhow/daemon/workflow"
	"showhow/internal/fault"
	"showhow/internal/lazyre"
)

// File is a skill's browser part for another player.
type File struct {
	FileName string
	Content  string
	Notes    []string // what the format cannot say
}

// Write writes a graph's browser part in a format. values are for inputs, by name; an input without one is replaced by
// its name.
func Write(format, title, slug string, g workflow.Graph, values map[string]string) (File, error) {
	w := &writer{values: map[string]string{}, noted: map[string]bool{}}
	for _, p := range g.Params {
		v := p.Name
		switch {
		case values[p.Name] != "":
			v = values[p.Name]
		case p.Default != "":
			v = p.Default
		case p.Example != "":
			v = p.Example
		case p.Role == "input" && (p.Derived == "" || p.FromItem()):
			w.note(fmt.Sprintf("the input %s has no value here: give it one", p.Name))
		}
		w.values[p.Name] = v
	}
	steps := w.steps(g)
	if len(steps) == 0 {
		return File{}, fault.New(fault.InvalidRequest,
			"no step of this skill is done in a browser").WithHint("only browser steps can be exported")
	}
	if len(g.Loops) > 0 {
		w.note("what is repeated for each item is written as it was shown: the formats have no repetition")
	}
	var content string
	var err error
	name := slug
	switch format {
	case DevTools:
		name += ".json"
		content, err = w.devtools(title, steps)
	case Playwright:
		name += ".jsonl"
		content, err = w.playwright(steps)
	default:
		return File{}, fault.New(fault.InvalidRequest, "this format is not known").WithHint("devtools or playwright")
	}
	if err != nil {
		return File{}, fault.Wrap(err, fault.Internal, "the export cannot be written")
	}
	return File{FileName: name, Content: content, Notes: w.notes}, nil
}

type writer struct {
	values map[string]string
	notes  []string
	noted  map[string]bool
}

func (w *writer) note(s string) {
	if !w.noted[s] {
		w.noted[s] = true
		w.notes = append(w.notes, s)
	}
}

// steps lists the browser's steps, with texts filled in.
func (w *writer) steps(g workflow.Graph) []workflow.Step {
	var out []workflow.Step
	for _, s := range g.Steps {
		if s.Surface != "browser" {
			w.note("steps outside the browser are left out")
			continue
		}
		if s.Verb == capture.Download {
			s.Verb = capture.Click // what a click leads to, no format has to say
		}
		if s.Dialog != "" {
			w.note("a question of the browser itself comes on the way: it is to be answered by hand (" + s.Dialog + ")")
		}
		s.Value, s.Title = w.text(s.Value), w.text(s.Title)
		if s.Target != nil {
			t := *s.Target
			t.Name, t.Label, t.Text, t.Placeholder = w.text(t.Name), w.text(t.Label), w.text(t.Text), w.text(t.Placeholder)
			if t.Landmark != nil {
				t.Landmark = &capture.Landmark{Role: t.Landmark.Role, Name: w.text(t.Landmark.Name)}
			}
			t.Locators = slices.Clone(t.Locators)
			for i := range t.Locators {
				t.Locators[i].Value = w.text(t.Locators[i].Value)
			}
			s.Target = &t
		}
		if s.Page != nil {
			p := *s.Page
			p.URL = w.address(p.URL)
			s.Page = &p
		}
		out = append(out, eachBox(s)...)
	}
	return out
}

// eachBox is one step for every box of a group, or for the one button that is chosen: neither format supports groups.
func eachBox(s workflow.Step) []workflow.Step {
	if one := workflow.OneOf(s.Verb, s.Target, s.Value); one != nil {
		s.Verb, s.Target, s.Value = capture.Check, one, ""
		if one.Role == "button" {
			s.Verb = capture.Click // their players only tick boxes and radio buttons
		}
	}
	if !s.ManyBoxes() {
		return []workflow.Step{s}
	}
	var out []workflow.Step
	for _, label := range workflow.SplitChoices(s.Value, s.Target.Options) {
		one := s
		one.Target, one.Value = workflow.Box(s.Target, label), ""
		out = append(out, one)
	}
	return out
}

var placeholder = lazyre.New(`\{(\w+)\}`)

// text fills in inputs; {*}, which matches anything, stays.
func (w *writer) text(s string) string { return w.filled(s, func(v string) string { return v }) }

func (w *writer) filled(s string, as func(string) string) string {
	return placeholder.ReplaceAllStringFunc(s, func(m string) string {
		if v, ok := w.values[m[1:len(m)-1]]; ok {
			return as(v)
		}
		return m
	})
}

// address fills in inputs with URL escaping.
func (w *writer) address(s string) string {
	path, query, asks := strings.Cut(s, "?")
	path = w.filled(path, url.PathEscape)
	if !asks {
		return path
	}
	return path + "?" + w.filled(query, url.QueryEscape)
}

// begin is the address at which the work starts, or where a step that changed it by itself leads.
func begin(steps []workflow.Step) string {
	for _, s := range steps {
		if s.Page != nil && s.Page.URL != "" && !strings.Contains(s.Page.URL, "{*}") {
			return s.Page.URL
		}
		if s.Before != nil && s.Before.URL != "" && !strings.Contains(s.Before.URL, "{*}") {
			return s.Before.URL
		}
	}
	return ""
}

// arrival is where a step leads, "" when it stays or that is unknown.
func arrival(w *writer, s workflow.Step) string {
	if s.After == nil || s.Before == nil || s.After.URL == "" || s.After.URL == s.Before.URL {
		return ""
	}
	if u := w.address(s.After.URL); !strings.Contains(u, "{*}") {
		return u
	}
	return ""
}

type object = map[string]any

func (w *writer) devtools(title string, steps []workflow.Step) (string, error) {
	out := []object{{"type": "setViewport", "width": 1280, "height": 800, "deviceScaleFactor": 1, "isMobile": false, "hasTouch": false,
		"isLandscape": false}}
	if steps[0].Verb != capture.Navigate {
		if u := begin(steps); u != "" {
			out = append(out, object{"type": "navigate", "url": u})
		} else {
			w.note("where the work starts is not known: begin with an address of your own")
		}
	}
	for _, s := range steps {
		made := w.dtStep(s)
		if u := arrival(w, s); u != "" && len(made) > 0 && s.Verb != capture.Navigate {
			made[len(made)-1]["assertedEvents"] = []object{{"type": "navigation", "url": u, "title": ""}}
		}
		out = append(out, made...)
	}
	return encode(object{"title": title, "steps": out}, "    ")
}

func encode(v any, indent string) (string, error) {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	err := e.Encode(v)
	return b.String(), err
}

func (w *writer) dtStep(s workflow.Step) []object {
	if s.Verb == capture.Navigate {
		u := s.Value
		if s.Page != nil && s.Page.URL != "" {
			u = s.Page.URL
		}
		return []object{{"type": "navigate", "url": u}}
	}
	if s.Verb == capture.Press {
		return w.dtKeys(s.Keys)
	}
	if s.Target == nil {
		return w.unsaid(s)
	}
	sel := dtSelectors(s.Target)
	click := object{"type": "click", "target": "main", "selectors": sel, "offsetX": 1, "offsetY": 1}
	switch s.Verb {
	case capture.Click, capture.Submit, capture.Check, capture.Uncheck:
		return []object{click}
	case capture.RightClick:
		click["button"] = "secondary"
		return []object{click}
	case capture.DoubleClick:
		click["type"] = "doubleClick"
		return []object{click}
	case capture.Type, capture.Select:
		return []object{{"type": "change", "target": "main", "selectors": sel, "value": s.Value}}
	}
	return w.unsaid(s)
}

func (w *writer) unsaid(s workflow.Step) []object {
	w.note("a step that the format cannot say is left out: " + strings.ReplaceAll(string(s.Verb), "_", " "))
	return nil
}

func (w *writer) dtKeys(keys string) []object {
	parts := strings.Split(keys, "+")
	var out []object
	for _, k := range parts {
		out = append(out, object{"type": "keyDown", "target": "main", "key": k})
	}
	for _, k := range slices.Backward(parts) {
		out = append(out, object{"type": "keyUp", "target": "main", "key": k})
	}
	return out
}

// dtSelectors lists a target's selectors, best first, in the recorder's syntax.
func dtSelectors(t *capture.Target) [][]string {
	var out [][]string
	if p := inRow(t); p != "" {
		out = append(out, []string{p})
	}
	name := t.Name
	if name == "" {
		name = t.Label
	}
	if name != "" && !strings.Contains(name, "{*}") {
		s := "aria/" + name
		if t.Role != "" {
			s += `[role="` + t.Role + `"]`
		}
		out = append(out, []string{s})
	}
	for _, l := range t.Locators {
		switch {
		case strings.Contains(l.Value, "{*}") || strings.Contains(l.Value, ">>"):
		case l.By == "css" || l.By == "testid" && strings.HasPrefix(l.Value, "["):
			out = append(out, []string{l.Value})
		case l.By == "testid":
			out = append(out, []string{"[data-testid=" + quoted(l.Value) + "]"})
		case l.By == "placeholder":
			out = append(out, []string{"[placeholder=" + quoted(l.Value) + "]"})
		}
	}
	if t.Text != "" && len(out) == 0 {
		out = append(out, []string{"text/" + t.Text})
	}
	if len(out) == 0 {
		out = append(out, []string{t.Tag})
	}
	return out
}

// inRow selects a control in one of many rows, by the row's text and the control's name; "" outside of rows.
func inRow(t *capture.Target) string {
	l, name := t.Landmark, t.Name
	if name == "" {
		name = t.Label
	}
	if l == nil || l.Role != "row" && l.Role != "listitem" || !sure(l.Name) || !sure(name) || strings.ContainsAny(l.Name+name, `"`) {
		return ""
	}
	says := func(s string) string { return `contains(normalize-space(.), "` + s + `")` }
	return fmt.Sprintf(`xpath///*[self::tr or self::li or @role="row" or @role="listitem"][%s]//*[self::a or self::button or self::input `+
		`or self::select or @role][%s or @aria-label="%s"]`, says(l.Name), says(name), name)
}

func quoted(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

func (w *writer) playwright(steps []workflow.Step) (string, error) {
	var lines []object
	page := func(o object) object {
		o["pageAlias"], o["framePath"] = "page", []string{}
		if o["signals"] == nil {
			o["signals"] = []object{}
		}
		return o
	}
	lines = append(lines, object{"browserName": "chromium", "launchOptions": object{}, "contextOptions": object{}},
		page(object{"name": "openPage", "url": "about:blank"}))
	if steps[0].Verb != capture.Navigate {
		if u := begin(steps); u != "" {
			lines = append(lines, page(object{"name": "navigate", "url": u}))
		}
	}
	for _, s := range steps {
		o := w.pwStep(s)
		if o == nil {
			continue
		}
		if u := arrival(w, s); u != "" && s.Verb != capture.Navigate {
			o["signals"] = []object{{"name": "navigation", "url": u}}
		}
		lines = append(lines, page(o))
	}
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	for _, l := range lines {
		if err := e.Encode(l); err != nil {
			return "", err
		}
	}
	return b.String(), nil
}

func (w *writer) pwStep(s workflow.Step) object {
	if s.Verb == capture.Navigate {
		u := s.Value
		if s.Page != nil && s.Page.URL != "" {
			u = s.Page.URL
		}
		return object{"name": "navigate", "url": u}
	}
	sel := "body"
	if s.Target != nil {
		sel = pwSelector(s.Target)
	}
	click := object{"name": "click", "selector": sel, "button": "left", "modifiers": 0, "clickCount": 1}
	switch s.Verb {
	case capture.Click, capture.Submit:
		return click
	case capture.RightClick:
		click["button"] = "right"
		return click
	case capture.DoubleClick:
		click["clickCount"] = 2
		return click
	case capture.Type:
		return object{"name": "fill", "selector": sel, "text": s.Value}
	case capture.Select:
		return object{"name": "select", "selector": sel, "options": []string{s.Value}}
	case capture.Check, capture.Uncheck:
		return object{"name": string(s.Verb), "selector": sel}
	case capture.Upload:
		name := s.Value
		if name == "" && s.File != nil {
			name = w.text(s.File.Name)
		}
		return object{"name": "setInputFiles", "selector": sel, "files": []string{name}}
	case capture.Press:
		parts := strings.Split(s.Keys, "+")
		bits := 0
		for _, k := range parts[:len(parts)-1] {
			bits |= map[string]int{"Alt": 1, "Control": 2, "Meta": 4, "Shift": 8}[k]
		}
		return object{"name": "press", "selector": sel, "key": parts[len(parts)-1], "modifiers": bits}
	}
	w.unsaid(s)
	return nil
}

// pwSelector is a target in Playwright's syntax: by role and name, label or placeholder within its row or dialog, or
// else by its path in the page.
func pwSelector(t *capture.Target) string {
	within := ""
	if l := t.Landmark; l != nil && sure(l.Name) && placed[l.Role] {
		within = "internal:role=" + l.Role
		if l.Role == "row" || l.Role == "listitem" { // a dialog may be named by something other than its own name
			within += "[name=" + quoted(l.Name) + "i]"
		}
		within += " >> "
	}
	name := t.Name
	if name == "" {
		name = t.Label
	}
	switch role := t.Role != "" && t.Role != "generic"; {
	case role && sure(name):
		return within + "internal:role=" + t.Role + "[name=" + quoted(name) + "s]"
	case sure(t.Label):
		return within + "internal:label=" + quoted(t.Label) + "s"
	case sure(t.Placeholder):
		return within + "internal:attr=[placeholder=" + quoted(t.Placeholder) + "s]"
	case role && within != "":
		return within + "internal:role=" + t.Role
	}
	for _, l := range t.Locators {
		switch {
		case !sure(l.Value):
		case l.By == "css":
			return l.Value
		case l.By == "testid":
			return "internal:testid=[data-testid=" + quoted(l.Value) + "s]"
		}
	}
	if sure(t.Text) {
		return "internal:text=" + quoted(t.Text) + "s"
	}
	return t.Tag
}

// sure reports whether a text is non-empty and has no varying part.
func sure(s string) bool { return s != "" && !strings.Contains(s, "{*}") }

// placed are containers in which the same control occurs several times.
var placed = map[string]bool{"row": true, "dialog": true, "alertdialog": true, "listitem": true}
