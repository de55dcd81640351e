package interchange

import (
	"encoding/json"
	"path"
	"strings"

	"showhow/capture"
	"showhow/internal/lazyre"
	"showhow/internal/plain"
)

// pwAction is one line of `playwright codegen --target=jsonl`.
type pwAction struct {
	Name       string   `json:"name"`
	URL        string   `json:"url"`
	Selector   string   `json:"selector"`
	Text       string   `json:"text"`
	Value      string   `json:"value"`
	Key        string   `json:"key"`
	Modifiers  int      `json:"modifiers"`
	Button     string   `json:"button"`
	ClickCount *int     `json:"clickCount"`
	Options    []string `json:"options"`
	Files      []string `json:"files"`
	Checked    bool     `json:"checked"`
	PageAlias  string   `json:"pageAlias"`
	PageGUID   string   `json:"pageGuid"` // since 1.60 instead of the alias
	FramePath  []string `json:"framePath"`
	Signals    []struct {
		Name string `json:"name"`
		URL  string `json:"url"`
	} `json:"signals"`
}

func (b *builder) playwright(text string) error {
	n, main := 0, ""
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		if n++; n > maxSteps {
			return unreadable("the recording has too many steps")
		}
		var a pwAction
		if err := json.Unmarshal([]byte(line), &a); err != nil {
			return unreadable("a line of the recording is not JSON")
		}
		if a.Name == "" {
			continue // the browser's own settings
		}
		if main == "" {
			main = pageOf(a)
		}
		if page := pageOf(a); page == "" || page == main || page == "page" {
			b.tab("main")
		} else {
			b.tab(plain.CutBytes(page, 80))
		}
		b.pwAction(a)
		for _, s := range a.Signals {
			switch {
			case s.Name == "navigation" && a.Name != "navigate" && a.Name != "openPage":
				b.arrive(s.URL, "")
			case s.Name == "download":
				b.add(capture.Observation{Verb: capture.Download, File: &capture.File{}, Changed: true})
			}
		}
	}
	return nil
}

// pageOf names the tab of an action by its alias, or else by its id.
func pageOf(a pwAction) string {
	if a.PageAlias != "" {
		return a.PageAlias
	}
	return a.PageGUID
}

func (b *builder) pwAction(a pwAction) {
	switch a.Name {
	case "openPage", "navigate":
		if a.URL != b.page.URL {
			b.goTo(a.URL, "")
		}
		return
	case "closePage":
		b.add(capture.Observation{Verb: capture.CloseTab})
		return
	case "assertSnapshot":
		b.leave("a check of the page's whole structure")
		return
	case "hover":
		b.leave(onlyPointed)
		return
	case "click", "fill", "press", "select", "check", "uncheck", "setInputFiles", "assertText", "assertVisible", "assertValue",
		"assertChecked":
	default:
		b.leave(unknownKind(a.Name))
		return
	}
	t := pwTarget(a.Selector)
	if t == nil {
		b.leave("a step whose target cannot be told")
		return
	}
	t.Frame = pwFrame(a)
	switch a.Name {
	case "click":
		verb := capture.Click
		switch {
		case a.ClickCount != nil && *a.ClickCount == 0:
			return // the browser's own, on the default button of a form that Enter sent
		case a.Button == "middle":
			b.leave(otherButton)
			return
		case a.Button == "right":
			verb = capture.RightClick
		case a.ClickCount != nil && *a.ClickCount == 2:
			verb = capture.DoubleClick
		}
		b.add(capture.Observation{Verb: verb, Target: t})
	case "fill":
		if name, ok := strings.CutPrefix(a.Text, `C:\fakepath\`); ok { // what a browser reports as a file field's value
			b.upload(t, name)
			return
		}
		if t.Role == "" || t.Tag == "input" && t.InputType == "" {
			ofAnyKind(t)
		}
		b.enter(capture.Observation{Verb: capture.Type, Target: t, Value: typed(a.Text, t)})
	case "press":
		if key := pwKey(a); key != "" {
			b.add(capture.Observation{Verb: capture.Press, Target: t, Keys: key})
		}
	case "select":
		if len(a.Options) == 1 {
			withoutOptions(t, a.Options[0])
			v := typed(a.Options[0], t)
			v.Chosen = true
			b.enter(capture.Observation{Verb: capture.Select, Target: t, Value: v})
		} else {
			b.leave("a choice of several options at once")
		}
	case "check", "uncheck":
		b.add(capture.Observation{Verb: map[string]capture.Verb{"check": capture.Check, "uncheck": capture.Uncheck}[a.Name], Target: t})
	case "setInputFiles":
		if len(a.Files) != 1 {
			b.leave("a choice of several files at once")
			return
		}
		b.upload(t, a.Files[0])
	case "assertText":
		b.seen(t, a.Text)
	case "assertVisible":
		b.seen(t, t.Name)
	case "assertValue":
		if o := b.last(); o != nil {
			if o.After == nil {
				o.After = &capture.State{URL: b.page.URL}
			}
			o.After.Fields = append(o.After.Fields, capture.Field{Label: t.Label, Role: t.Role, Raw: typed(a.Value, t)})
		}
	case "assertChecked":
		b.leave("a check whether something is ticked")
	}
}

// upload adds a chosen file, by its name only.
func (b *builder) upload(t *capture.Target, file string) {
	name := short(path.Base(strings.ReplaceAll(file, `\`, "/")))
	b.enter(capture.Observation{Verb: capture.Upload, Target: t, File: &capture.File{Name: name, Ext: strings.ToLower(path.Ext(name))},
		Value: &capture.RawValue{Text: name, Kind: capture.KindFile, FieldName: t.Label}})
}

// pwKey: modifiers are bits (Alt 1, Control 2, Meta 4, Shift 8).
func pwKey(a pwAction) string {
	if !keyName.MatchString(a.Key) || a.Key == "Tab" {
		return ""
	}
	held := ""
	for i, name := range []string{"Alt", "Control", "Meta", "Shift"} {
		if a.Modifiers&(1<<i) != 0 {
			held += name + "+"
		}
	}
	if held == "" && len([]rune(a.Key)) == 1 {
		return ""
	}
	return held + a.Key
}

var (
	pwRole     = lazyre.New(`^internal:role=([a-z]+)`)
	pwName     = lazyre.New(`\[name="((?:[^"\\]|\\.)*)"[is]?\]`)
	pwAttr     = lazyre.New(`^internal:attr=\[(placeholder|alt|title|[\w-]+)="((?:[^"\\]|\\.)*)"[is]?\]`)
	pwText     = lazyre.New(`^internal:(text|label)="((?:[^"\\]|\\.)*)"[is]?`)
	pwHas      = lazyre.New(`^internal:has-text="((?:[^"\\]|\\.)*)"[is]?`)
	frameNamed = lazyre.New(`\[(?:name|title|src)="((?:[^"\\]|\\.)*)"`)
	pwTest     = lazyre.New(`^internal:testid=\[([\w-]+)="((?:[^"\\]|\\.)*)"[is]?\]`)
)

// pwTarget reads a selector: parts joined by ">>" lead from the container to the target; a frame's part only leads
// into it.
func pwTarget(selector string) *capture.Target {
	if selector == "" || len(selector) > maxText {
		return nil
	}
	parts := strings.Split(selector, " >> ")
	for len(parts) > 1 && (strings.HasPrefix(parts[len(parts)-1], "nth=") || strings.HasPrefix(parts[len(parts)-1], "internal:has")) {
		parts = parts[:len(parts)-1]
	}
	t := pwPart(parts[len(parts)-1])
	if t == nil {
		return nil
	}
	role := ""
	for _, p := range parts[:len(parts)-1] {
		if m := pwHas.FindStringSubmatch(p); m != nil && role != "" {
			t.Landmark = &capture.Landmark{Role: role, Name: unquote(m[1])} // the row, by its content
			continue
		}
		place := pwPart(p)
		if place == nil {
			continue
		}
		role = place.Role
		if role != "" && place.Name != "" {
			t.Landmark = &capture.Landmark{Role: role, Name: place.Name}
		}
	}
	return t
}

// pwFrame is the frame of an action, by its name or address if its selector has one.
func pwFrame(a pwAction) string {
	frames := a.FramePath
	parts := strings.Split(a.Selector, " >> ")
	for i, p := range parts[1:] {
		if p == "internal:control=enter-frame" {
			frames = append(frames, parts[i])
		}
	}
	if len(frames) == 0 {
		return ""
	}
	last := frames[len(frames)-1]
	if m := frameNamed.FindStringSubmatch(last); m != nil {
		return unquote(m[1])
	}
	return short(strings.TrimPrefix(last, "#"))
}

// withoutOptions removes a list's entries from the label around it: "Level BronzeSilverGold" is the label "Level".
func withoutOptions(t *capture.Target, chosen string) {
	words := strings.Fields(t.Label)
	for i, w := range words {
		if i > 0 && len(w) > len(chosen) && chosen != "" && strings.Contains(w, chosen) {
			t.Label = strings.Join(words[:i], " ")
			t.Name = t.Label
			for k := range t.Locators {
				if t.Locators[k].By == "label" {
					t.Locators[k].Value = t.Label
				}
			}
			return
		}
	}
}

func unquote(s string) string {
	return short(strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(s))
}

func pwPart(p string) *capture.Target {
	t := &capture.Target{}
	locator := func(by, value string) { t.Locators = append(t.Locators, capture.Locator{By: by, Value: value}) }
	switch {
	case pwRole.MatchString(p):
		t.Role = pwRole.FindStringSubmatch(p)[1]
		if m := pwName.FindStringSubmatch(p); m != nil {
			t.Name = unquote(m[1])
		}
		if isField(t) {
			t.Label = t.Name
		}
		t.Locators = append(t.Locators, capture.Locator{By: "role", Role: t.Role, Value: t.Name})
	case pwText.MatchString(p):
		m := pwText.FindStringSubmatch(p)
		t.Name = unquote(m[2])
		if m[1] == "label" {
			t.Label = t.Name
		} else {
			t.Text = t.Name
		}
		locator(m[1], t.Name)
	case pwTest.MatchString(p):
		m := pwTest.FindStringSubmatch(p)
		locator("testid", unquote(m[2]))
	case pwAttr.MatchString(p):
		m := pwAttr.FindStringSubmatch(p)
		switch t.Name = unquote(m[2]); m[1] {
		case "placeholder":
			t.Placeholder, t.Role = t.Name, "textbox"
			locator("placeholder", t.Name)
		case "title", "alt":
			locator(m[1], t.Name)
		default:
			return nil
		}
	case strings.HasPrefix(p, "internal:"), strings.HasPrefix(p, "xpath="), strings.HasPrefix(p, "//"):
		return nil
	default:
		dtCSS(t, strings.TrimPrefix(p, "css="))
		t.Role = roleOf(t.Tag, t.InputType)
	}
	if strings.Contains(strings.ToLower(t.Label+t.Name+t.Placeholder), "password") && t.InputType == "" &&
		(t.Role == "textbox" || t.Role == "") {
		t.InputType = "password"
	}
	return t
}
