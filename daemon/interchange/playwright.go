package interchange

import (
	"encoding/json"
	"path"
	"regexp"
	"strings"

	"showhow/capture"
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
	ClickCount int      `json:"clickCount"`
	Options    []string `json:"options"`
	Files      []string `json:"files"`
	Checked    bool     `json:"checked"`
	PageAlias  string   `json:"pageAlias"`
	FramePath  []string `json:"framePath"`
	Signals    []struct {
		Name string `json:"name"`
		URL  string `json:"url"`
	} `json:"signals"`
}

func (b *builder) playwright(text string) error {
	n := 0
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
		if alias := a.PageAlias; alias == "page" || alias == "" {
			b.tab("main")
		} else {
			b.tab(cut(alias, 40))
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
		return
	}
	t := pwTarget(a.Selector)
	if t == nil {
		b.leave("a step whose target cannot be told")
		return
	}
	switch a.Name {
	case "click":
		verb := capture.Click
		switch {
		case a.Button == "right":
			verb = capture.RightClick
		case a.ClickCount == 2:
			verb = capture.DoubleClick
		case isField(t) && t.Role != "combobox":
			return
		}
		b.add(capture.Observation{Verb: verb, Target: t})
	case "fill":
		if t.Role == "" {
			t.Role = "textbox"
		}
		b.enter(capture.Observation{Verb: capture.Type, Target: t, Value: typed(a.Text, t)})
	case "press":
		if key := pwKey(a); key != "" {
			b.add(capture.Observation{Verb: capture.Press, Target: t, Keys: key})
		}
	case "select":
		if len(a.Options) == 1 {
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
		name := path.Base(strings.ReplaceAll(a.Files[0], `\`, "/"))
		b.add(capture.Observation{Verb: capture.Upload, Target: t, File: &capture.File{Name: short(name), Ext: strings.ToLower(path.Ext(name))}, Value: &capture.RawValue{Text: short(name), Kind: capture.KindFile, FieldName: t.Label}})
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
	default:
		b.leave("a step of a kind that is not known")
	}
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
	pwRole = regexp.MustCompile(`^internal:role=([a-z]+)`)
	pwName = regexp.MustCompile(`\[name="((?:[^"\\]|\\.)*)"[is]?\]`)
	pwAttr = regexp.MustCompile(`^internal:attr=\[(placeholder|alt|title|[\w-]+)="((?:[^"\\]|\\.)*)"[is]?\]`)
	pwText = regexp.MustCompile(`^internal:(text|label)="((?:[^"\\]|\\.)*)"[is]?`)
	pwTest = regexp.MustCompile(`^internal:testid=\[([\w-]+)="((?:[^"\\]|\\.)*)"[is]?\]`)
)

// pwTarget reads a selector: parts joined by ">>" lead from the place to the target; a frame's part only leads into it.
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
	for _, p := range parts[:len(parts)-1] {
		if place := pwPart(p); place != nil && place.Role != "" && place.Name != "" {
			t.Landmark = &capture.Landmark{Role: place.Role, Name: place.Name}
		}
	}
	return t
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
		dtCSS(t, p)
		t.Role = roleOf(t.Tag, t.InputType)
	}
	if strings.Contains(strings.ToLower(t.Label+t.Name+t.Placeholder), "password") && t.InputType == "" && (t.Role == "textbox" || t.Role == "") {
		t.InputType = "password"
	}
	return t
}
