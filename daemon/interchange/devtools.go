package interchange

import (
	"encoding/json"
	"slices"
	"strings"

	"showhow/capture"
	"showhow/internal/lazyre"
	"showhow/internal/plain"
)

// dtRecording is the part of a Chrome DevTools recording that is read.
type dtRecording struct {
	Title string   `json:"title"`
	Steps []dtStep `json:"steps"`
}

type dtStep struct {
	Type           string            `json:"type"`
	URL            string            `json:"url"`
	Key            string            `json:"key"`
	Value          *string           `json:"value"`
	Button         string            `json:"button"`
	Selectors      []json.RawMessage `json:"selectors"`
	Frame          []int             `json:"frame"`
	Target         string            `json:"target"`
	Visible        *bool             `json:"visible"`
	AssertedEvents []struct {
		Type  string `json:"type"`
		URL   string `json:"url"`
		Title string `json:"title"`
	} `json:"assertedEvents"`
}

func (b *builder) devtools(text string) error {
	var r dtRecording
	if err := json.Unmarshal([]byte(text), &r); err != nil || r.Steps == nil {
		return broken(err)
	}
	if len(r.Steps) > maxSteps {
		return unreadable("the recording has too many steps")
	}
	b.Title = short(r.Title)
	keys, fields := &chord{}, changed(r.Steps)
	for i, s := range r.Steps {
		if next := i + 1; s.Type == "navigate" && s.Target == "" && next < len(r.Steps) && r.Steps[next].Target == s.URL {
			s.Target = s.URL // the recorder does not say that it is in the tab in which the next step is
		}
		b.tab(s.Target)
		if i > 0 && s.Type == "navigate" && r.Steps[i-1].Type == "navigate" && r.Steps[i-1].URL == s.URL {
			continue
		}
		b.dtStep(s, keys, fields)
		for _, e := range s.AssertedEvents {
			if e.Type == "navigation" && s.Type != "navigate" {
				b.arrive(e.URL, e.Title)
			}
		}
	}
	return nil
}

// changed lists the selectors of fields: whatever the recording entered something into.
func changed(steps []dtStep) map[string]bool {
	out := map[string]bool{}
	for _, s := range steps {
		if s.Type == "change" {
			for _, raw := range s.Selectors {
				out[string(raw)] = true
			}
		}
	}
	return out
}

// tab switches to a step's tab: "main", or a page by its address.
func (b *builder) tab(target string) {
	if target == "" || target == "main" {
		target = "main"
	}
	if b.tabs == nil {
		b.tabs, b.pages = map[string]string{}, map[string]string{}
	}
	name, ok := b.tabs[target]
	clean, isPage := webAddress(target)
	if !ok && len(b.tabs) < 20 {
		name = "tab" + string(rune('1'+len(b.tabs)))
		b.tabs[target] = name
		if isPage {
			b.pages[name] = clean
		}
	}
	if name == b.page.Tab {
		return
	}
	b.pages[b.page.Tab] = b.page.URL
	switch {
	case !isPage && strings.Contains(target, "://"): // a page of the browser's own
		b.opener = ""
	case b.page.URL != "":
		b.opener = b.page.URL
		if o := b.last(); !ok && o != nil && o.Verb == capture.Click && o.After == nil {
			b.add(capture.Observation{Verb: capture.NewTab, CauseKey: o.Key}) // the click opened the tab in which the recording continues
		}
	}
	b.page.Tab, b.page.URL, b.page.Title = name, b.pages[name], ""
}

func (b *builder) dtStep(s dtStep, keys *chord, fields map[string]bool) {
	switch s.Type {
	case "setViewport", "scroll":
		return
	case "emulateNetworkConditions":
		b.leave("an artificial network speed")
		return
	case "hover":
		b.leave(onlyPointed)
		return
	case "navigate":
		title := ""
		for _, e := range s.AssertedEvents {
			title = e.Title
		}
		b.goTo(s.URL, title)
		return
	case "close":
		b.add(capture.Observation{Verb: capture.CloseTab})
		return
	case "keyDown":
		if press := keys.down(s.Key); press != "" {
			b.add(capture.Observation{Verb: capture.Press, Keys: press})
		} else if len([]rune(s.Key)) == 1 {
			b.leave("a letter that was pressed outside of a field")
		}
		return
	case "keyUp":
		keys.up(s.Key)
		return
	case "waitForExpression":
		b.leave("a wait for a JavaScript expression: no code of a file is run")
		return
	case "customStep":
		b.leave("a step that only the program that recorded it knows")
		return
	case "click", "doubleClick", "change", "waitForElement":
	default:
		b.leave(unknownKind(s.Type))
		return
	}
	if len(s.Frame) > 0 {
		b.leave("which frame a step was in: it is looked for in all of them")
	}
	entered := slices.ContainsFunc(s.Selectors, func(raw json.RawMessage) bool { return fields[string(raw)] })
	t := dtTarget(s.Selectors, entered)
	if t == nil {
		b.leave("a step whose target cannot be told")
		return
	}
	switch s.Type {
	case "click":
		verb := capture.Click
		switch s.Button {
		case "secondary":
			verb = capture.RightClick
		case "auxiliary", "back", "forward":
			b.leave(otherButton)
			return
		}
		switch {
		case t.Tag == "input" && t.InputType == "" && t.Role == "textbox":
			t.Role, t.Label = "", "" // it may be a checkbox as well; if an entry follows, that says everything
			t.Locators = slices.DeleteFunc(t.Locators, func(l capture.Locator) bool { return l.By == "role" })
			b.add(capture.Observation{Verb: verb, Target: t})
		case t.Role == "checkbox" || t.Role == "radio" || t.Role == "switch":
			b.add(capture.Observation{Verb: capture.Check, Target: t})
		default:
			b.add(capture.Observation{Verb: verb, Target: t})
		}
	case "doubleClick":
		b.add(capture.Observation{Verb: capture.DoubleClick, Target: t})
	case "change":
		b.dtChange(s, t)
	case "waitForElement":
		if s.Visible == nil || *s.Visible {
			b.seen(t, t.Name)
		} else {
			b.leave("a wait for something to go away")
		}
	}
}

func (b *builder) dtChange(s dtStep, t *capture.Target) {
	if s.Value == nil {
		b.leave("an entry without a value")
		return
	}
	v := typed(*s.Value, t)
	switch {
	case t.InputType == "file":
		b.leave("a file that was chosen: recordings of this kind do not name it")
	case t.Role == "listbox" || t.Tag == "select":
		v.Chosen = true
		b.enter(capture.Observation{Verb: capture.Select, Target: t, Value: v})
	case t.Role == "radio":
		b.add(capture.Observation{Verb: capture.Check, Target: t})
	case (t.Role == "checkbox" || t.Role == "switch") && ticks[*s.Value] != "":
		b.add(capture.Observation{Verb: ticks[*s.Value], Target: t})
	default:
		if t.Role == "" || t.Role == "generic" || t.Tag == "input" && t.InputType == "" {
			ofAnyKind(t)
		}
		b.clickedInto(t)
		b.enter(capture.Observation{Verb: capture.Type, Target: t, Value: v})
	}
}

// ticks maps a box's values to check or uncheck.
var ticks = map[string]capture.Verb{"true": capture.Check, "on": capture.Check, "false": capture.Uncheck, "off": capture.Uncheck}

// ofAnyKind makes a target a field of unknown kind, if the recording does not say which: the page will.
func ofAnyKind(t *capture.Target) {
	t.Role, t.Label = anyField, t.Name
	if t.InputType != "" {
		t.Role = roleOf("input", t.InputType)
	}
	for i, l := range t.Locators {
		if l.By == "role" {
			t.Locators[i].Role = t.Role
		}
	}
}

const anyField = "field" // browser/find.AnyField

func sameTarget(a, b *capture.Target) bool {
	return a != nil && a.Role == b.Role && a.Name == b.Name && len(a.Locators) > 0 && len(b.Locators) > 0 &&
		a.Locators[len(a.Locators)-1] == b.Locators[len(b.Locators)-1]
}

// clickedInto gives a field the name by which it was clicked just before, if its own selectors have only the id.
func (b *builder) clickedInto(t *capture.Target) {
	o := b.last()
	if o == nil || o.Verb != capture.Click || o.After != nil || t.Name != "" || o.Target.Name == "" || o.Target.Role != "" {
		return
	}
	id := strings.ToLower(strings.TrimLeft(lastLocator(t), "#."))
	for _, word := range strings.Fields(strings.ToLower(o.Target.Name)) {
		if id != "" && strings.Contains(id, strings.Trim(word, ":*.")) {
			t.Name, t.Label = o.Target.Name, o.Target.Name
			t.Locators = append([]capture.Locator{{By: "role", Role: t.Role, Value: t.Name}}, t.Locators...)
			return
		}
	}
}

func isField(t *capture.Target) bool {
	switch t.Role {
	case "textbox", anyField, "searchbox", "combobox", "spinbutton", "listbox", "slider":
		return true
	}
	return false
}

// chord combines keys held together: Control, then s, is Control+s. A character by itself is part of an entry.
type chord struct{ held []string }

func (c *chord) down(key string) string {
	switch key {
	case "Control", "Meta", "Alt", "Shift":
		if !slices.Contains(c.held, key) { // a held key is reported repeatedly
			c.held = append(c.held, key)
		}
		return ""
	}
	if !keyName.MatchString(key) {
		return ""
	}
	strong := strings.Trim(strings.Join(c.held, "+"), "+")
	if len([]rune(key)) == 1 && (strong == "" || strong == "Shift") || key == "Tab" || key == "CapsLock" ||
		key == "Backspace" && strong == "" {
		return ""
	}
	if strong != "" {
		return strong + "+" + strings.ToUpper(key[:1]) + key[1:]
	}
	return key
}

func (c *chord) up(key string) {
	for i, k := range c.held {
		if k == key {
			c.held = append(c.held[:i:i], c.held[i+1:]...)
			return
		}
	}
}

var keyName = lazyre.New(`^(?:[A-Za-z][A-Za-z0-9]{0,20}|.)$`)

var ariaAttr = lazyre.New(`\[\s*(role|name)\s*=\s*"((?:[^"\\]|\\.)*)"\s*\]`)

// dtTarget reads a step's alternative selectors for its target: each a selector or a chain of selectors through shadow
// roots. The text of a field is what somebody entered, not its own wording.
func dtTarget(alternatives []json.RawMessage, field bool) *capture.Target {
	t, pierced, part := &capture.Target{}, "", false
	for _, raw := range alternatives[:min(len(alternatives), 10)] {
		var chain []string
		if json.Unmarshal(raw, &chain) != nil {
			var one string
			if json.Unmarshal(raw, &one) != nil {
				continue
			}
			chain = []string{one}
		}
		if len(chain) == 0 {
			continue
		}
		s := plain.CutBytes(chain[len(chain)-1], maxText)
		switch {
		case strings.HasPrefix(s, "aria/"):
			dtAria(t, strings.TrimPrefix(s, "aria/"))
			if n := len(chain); n > 1 && strings.HasPrefix(chain[n-2], "aria/") {
				part = dtWithin(t, plain.CutBytes(strings.TrimPrefix(chain[n-2], "aria/"), maxText)) || part
			}
		case strings.HasPrefix(s, "text/"):
			if t.Text == "" {
				t.Text = short(strings.TrimPrefix(s, "text/"))
			}
		case strings.HasPrefix(s, "xpath/"):
		case strings.HasPrefix(s, "pierce/"):
			pierced = strings.TrimPrefix(s, "pierce/")
		default:
			dtCSS(t, s)
		}
	}
	if pierced != "" && !slices.ContainsFunc(t.Locators, func(l capture.Locator) bool { return l.By == "css" || l.By == "testid" }) {
		dtCSS(t, pierced)
	}
	if part { // the paths lead to the part
		t.Tag, t.InputType = "", ""
		t.Locators = nil
	}
	if field {
		t.Text = ""
	}
	switch {
	case t.Role == "" && t.Tag != "":
		t.Role = roleOf(t.Tag, t.InputType)
	case t.Role == "" && t.Name != "" && t.Text == t.Name:
		t.Role = "button"
	}
	if isField(t) {
		t.Text = ""
	}
	if t.Name == "" {
		t.Name = t.Text
	}
	if t.Name == "" && len(t.Locators) == 0 {
		return nil
	}
	if isField(t) && t.Label == "" {
		t.Label = t.Name
	}
	if t.Name != "" && t.Role != "" {
		t.Locators = append([]capture.Locator{{By: "role", Role: t.Role, Value: t.Name}}, t.Locators...)
	}
	return t
}

// dtWithin reads the container of a target with an accessible name: for a nameless part of a control the control
// itself, otherwise its landmark. It reports whether the target is such a part.
func dtWithin(t *capture.Target, s string) (part bool) {
	around := &capture.Target{}
	dtAria(around, s)
	switch {
	case around.Name == "":
	case t.Name == "" && (t.Role == "generic" || t.Role == "" || t.Role == "img" || t.Role == "statictext" || t.Role == "presentation"):
		t.Name, t.Role = around.Name, around.Role
		return true
	case around.Role != "":
		t.Landmark = &capture.Landmark{Role: around.Role, Name: around.Name}
	}
	return false
}

func dtAria(t *capture.Target, s string) {
	for _, m := range ariaAttr.FindAllStringSubmatch(s, 4) {
		switch m[1] {
		case "role":
			t.Role = short(strings.ToLower(m[2]))
		case "name":
			t.Name = short(m[2])
		}
	}
	if name := short(ariaAttr.ReplaceAllString(s, "")); name != "" && t.Name == "" {
		t.Name = name
	}
}

var (
	lastPart  = lazyre.New(`[^\s>+~]+$`)
	tagName   = lazyre.New(`^[a-z][a-z0-9-]*`)
	testID    = lazyre.New(`^[a-z0-9-]*\[data-(?:testid|test-id|test|cy|qa)=['"]?([\w .:-]{1,80})['"]?\]$`) // as the page script reads them
	inputType = lazyre.New(`\[type=['"]?([a-z-]+)['"]?\]`)
)

func dtCSS(t *capture.Target, s string) {
	part := lastPart.FindString(s)
	if tag := tagName.FindString(part); tag != "" && t.Tag == "" {
		t.Tag = tag
	}
	if m := inputType.FindStringSubmatch(part); m != nil {
		t.InputType = m[1]
	}
	if low := strings.ToLower(part); t.InputType == "" && (strings.Contains(low, "password") || strings.Contains(low, "passwd")) {
		t.InputType = "password"
	}
	if m := testID.FindStringSubmatch(s); m != nil {
		t.Locators = append(t.Locators, capture.Locator{By: "testid", Value: m[1]})
		return
	}
	t.Locators = append(t.Locators, capture.Locator{By: "css", Value: short(s)})
}

func roleOf(tag, typ string) string {
	switch tag {
	case "button", "summary":
		return "button"
	case "a":
		return "link"
	case "select":
		return "combobox"
	case "textarea":
		return "textbox"
	case "h1", "h2", "h3":
		return "heading"
	case "input":
		switch typ {
		case "checkbox", "radio":
			return typ
		case "submit", "button", "image", "reset":
			return "button"
		case "number":
			return "spinbutton"
		case "search":
			return "searchbox"
		}
		return "textbox"
	}
	return ""
}
