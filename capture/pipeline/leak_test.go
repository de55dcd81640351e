package pipeline_test

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"showhow/capture"
	"showhow/capture/pipeline"
)

// TestTypedTextNeverComesBack: whatever place of whatever later observation shows a typed text, no record contains
// three of its words in a row, and none contains any part of an entered password.
func TestTypedTextNeverComesBack(t *testing.T) {
	words := []string{"marmalade", "quince", "teapot", "lantern", "orchard", "velvet", "harbour", "thimble", "walnut", "saffron"}
	rapid.Check(t, func(rt *rapid.T) {
		typed := strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 3, 8).Draw(rt, "typed"), " ")
		password := rapid.StringMatching(`[A-Za-z0-9!%=&/ ]{6,16}`).Filter(func(s string) bool {
			return strings.TrimSpace(s) == s && len(strings.Trim(s, "!%=&/ ")) >= 4
		}).Draw(rt, "password")
		log := &memory{}
		p, err := pipeline.New(config(t, log))
		if err != nil {
			rt.Fatal(err)
		}
		p.Start()
		for _, v := range []capture.RawValue{{Text: typed, FieldName: "note"}, {Text: password, InputType: "password"}} {
			o := click("field")
			o.Verb, o.Value = capture.Type, &v
			p.Emit(o)
		}
		shown := rapid.IntRange(1, 6).Draw(rt, "places")
		for range shown {
			text := rapid.SampledFrom([]string{typed, strings.ToUpper(typed), "Saved: " + typed, "«" + typed + "» and more", password,
				"pw " + password + "."}).Draw(rt, "text")
			p.Emit(at(rapid.IntRange(0, places-1).Draw(rt, "place"), text))
		}
		runToEnd(rt, p)
		if got := len(log.all()); got != shown+2 {
			rt.Fatalf("%d records of %d: %v", got, shown+2, p.Withheld())
		}
		all := strings.ToLower(dump(t, log.all()))
		parts := strings.Fields(typed)
		for i := 0; i+3 <= len(parts); i++ {
			if s := strings.Join(parts[i:i+3], " "); strings.Contains(all, s) || strings.Contains(all, strings.ReplaceAll(s, " ", "%20")) ||
				strings.Contains(all, strings.ReplaceAll(s, " ", "+")) {
				rt.Fatalf("%q survives in %s", s, all)
			}
		}
		quoted := dump(t, strings.ToLower(password))
		if s := quoted[1 : len(quoted)-1]; strings.Contains(all, s) {
			rt.Fatalf("password %q survives in %s", password, all)
		}
	})
}

func runToEnd(rt *rapid.T, p *pipeline.Pipeline) {
	done := make(chan error, 1)
	go func() { done <- p.Run(rtContext) }()
	if err := <-done; err != nil {
		rt.Fatal(err)
	}
	p.Close()
}

const places = 18

// at is an observation with text in its place number i.
func at(i int, text string) capture.Observation {
	o := click("Save")
	esc := strings.NewReplacer(" ", "%20", "%", "%25", "&", "%26", "=", "%3D", "/", "%2F", "«", "", "»", "").Replace(text)
	plus := strings.NewReplacer(" ", "+", "%", "%25", "&", "%26", "=", "%3D", "/", "%2F").Replace(text)
	switch i {
	case 0:
		o.Window = text
	case 1:
		o.Page.Title = text
	case 2:
		o.Page.URL = "http://127.0.0.1:8080/x?note=" + plus
	case 3:
		o.Page.URL = "http://127.0.0.1:8080/x/" + esc + "/y"
	case 4:
		o.Page.URL = "http://127.0.0.1:8080/x#" + esc
	case 5:
		o.Target.Name = text
	case 6:
		o.Target.Text, o.Target.Role = text, "row"
	case 7:
		o.Target.Landmark = &capture.Landmark{Role: "region", Name: text}
	case 8:
		o.Target.Locators = []capture.Locator{{By: "text", Value: text}}
	case 9:
		o.After = &capture.State{Headings: []string{text}, Alerts: []string{text}}
	case 10:
		o.After = &capture.State{Tables: []capture.Table{{Name: text, Columns: []string{text}}}, Focus: text, Dialogs: []string{text}}
	case 11:
		o.After = &capture.State{Fields: []capture.Field{{Label: text, Raw: &capture.RawValue{Text: text}}}}
	case 12:
		o.File = &capture.File{Name: text + ".txt", Path: "a/" + text + ".txt"}
	case 13:
		o.Dialog = &capture.DialogInfo{Type: "alert", Message: text}
	case 14:
		o.Before = &capture.State{URL: "http://127.0.0.1:8080/?q=" + plus, Title: text}
	case 15:
		o.Value = &capture.RawValue{Text: text, FieldName: "copy"}
	case 16:
		o.After = &capture.State{Details: []capture.Field{{Label: "Note", Raw: &capture.RawValue{Text: text}},
			{Label: text, Raw: &capture.RawValue{Text: "x"}}}}
	default:
		o = capture.Observation{Kind: capture.TerminalCommand, Origin: capture.Origin{App: "bash", Shell: "pts/3"}, Verb: capture.Run,
			Command: &capture.RawCommand{Line: `echo "` + text + `" > note.txt`, Shell: "bash", Duration: time.Millisecond}}
	}
	return o
}
