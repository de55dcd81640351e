package compile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
	"pgregory.net/rapid"

	"showhow/capture"
	"showhow/daemon/compile/page"
	"showhow/internal/clock"
)

// everything returns all text of an output: its JSON and every file of the bundle.
func everything(t fatal, out Output) string {
	t.Helper()
	b, err := json.Marshal(out)
	if err != nil {
		t.Fatalf("%v", err)
	}
	var all strings.Builder
	all.Write(b)
	for _, f := range out.Bundle.Files {
		all.Write(f.Data)
	}
	return all.String()
}

type fatal interface {
	Helper()
	Fatalf(string, ...any)
}

// plainWords are values of fixtures that are also the page's own words, such as chosen options; the list was made by
// hand.
var plainWords = map[string]bool{"Any status": true, "on": true, "Shipped": true, "shipped": true, "Solved": true, "EUR": true,
	"North":  true,
	"Parcel": true, "Pick up": true}

func TestFixturesKeepTheirValues(t *testing.T) {
	eachFixture(t, func(t *testing.T, in Input) {
		out, err := Compile(in)
		if err != nil {
			t.Fatal(err)
		}
		all := strings.ToLower(everything(t, out))
		for link, v := range in.Values {
			if !plainWords[v] && !answeredByHand[v] && strings.Contains(all, strings.ToLower(v)) {
				t.Errorf("the value of %s is in the output", link)
			}
		}
	})
}

// answeredByHand are values that the answer "example" allowed to be shown.
var answeredByHand = map[string]bool{"2026-09": true}

func eachFixture(t *testing.T, f func(*testing.T, Input)) {
	t.Helper()
	files, _ := filepath.Glob("testdata/*.txtar")
	for _, name := range files {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			ar, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			f(t, loadFixture(t, ar))
		})
	}
}

func TestCompilingTwiceIsTheSame(t *testing.T) {
	eachFixture(t, func(t *testing.T, in Input) {
		a, err := Compile(in)
		if err != nil {
			t.Fatal(err)
		}
		for range 5 {
			in.NewID = counter()
			b, err := Compile(in)
			if err != nil {
				t.Fatal(err)
			}
			c := a
			c.Interpretation.InterpretationID, b.Interpretation.InterpretationID = "", ""
			for i := range c.Questions {
				c.Questions[i].QuestionID, b.Questions[i].QuestionID = "", ""
			}
			if d := cmp.Diff(c, b); d != "" {
				t.Fatal(d)
			}
			if a.Bundle.Hash() != b.Bundle.Hash() {
				t.Fatal("two hashes for one input")
			}
		}
	})
}

// Properties that every output must have, whatever was demonstrated.
func TestFixturesAreSound(t *testing.T) {
	eachFixture(t, func(t *testing.T, in Input) {
		out, err := Compile(in)
		if err != nil {
			t.Fatal(err)
		}
		for _, msg := range unsound(in, out) {
			t.Error(msg)
		}
	})
}

func unsound(in Input, out Output) []string {
	var bad []string
	complain := func(format string, args ...any) { bad = append(bad, fmt.Sprintf(format, args...)) }
	if len(out.Questions) > 5 {
		complain("%d questions", len(out.Questions))
	}
	events := map[string]bool{}
	for _, tr := range in.Traces {
		for _, r := range tr.Records {
			events[r.Event.EventID] = true
		}
	}
	ids := map[string]bool{}
	for _, c := range out.Interpretation.Checkpoints {
		if len(c.Evidence) == 0 || !events[c.Evidence[0]] {
			complain("%s has no evidence in the trace", c.CheckpointID)
		}
		if c.Check == nil || c.Check.Kind == "" {
			complain("%s has no check", c.CheckpointID)
		}
		if ids[c.CheckpointID] {
			complain("%s twice", c.CheckpointID)
		}
		ids[c.CheckpointID] = true
	}
	names := map[string]bool{}
	for _, p := range out.Graph.Params {
		if names[p.Name] {
			complain("two parameters are called %s", p.Name)
		}
		names[p.Name] = true
	}
	for _, s := range out.Graph.Steps {
		if len(s.EventIDs) == 0 {
			complain("%s has no evidence", s.StepID)
		}
	}
	md := string(out.Bundle.File("SKILL.md").Data)
	if n := strings.Count(md, "\n"); n >= 500 {
		complain("SKILL.md has %d lines", n)
	}
	all := everything(panicker{}, out)
	for _, raw := range []string{string(page.RefOpen), "\\ue000", "[[text ", "[[secret "} {
		if i := strings.Index(all, raw); i >= 0 {
			complain("a reference or a mask was not resolved: %q", all[max(0, i-100):min(len(all), i+60)])
		}
	}
	for _, f := range out.Lint.Findings {
		if strings.HasPrefix(f.Rule, "SKILL-") && f.Severity == "error" {
			complain("the bundle breaks %s: %s", f.Rule, f.Message)
		}
	}
	if len(out.Manifest.Verification) == 0 || len(out.Manifest.SurfaceOrder) == 0 {
		complain("the manifest lacks verification or a surface")
	}
	if len(out.Graph.Steps) > 1 && (len(out.TriggerPhrases) < 3 || len(out.NegativeTriggers) < 3) {
		complain("%d triggers, %d negatives", len(out.TriggerPhrases), len(out.NegativeTriggers))
	}
	for _, n := range out.NegativeTriggers {
		for _, p := range out.TriggerPhrases {
			if strings.Contains(strings.ToLower(p), strings.ToLower(n)) {
				complain("the negative %q shuts out %q", n, p)
			}
		}
	}
	return bad
}

type panicker struct{}

func (panicker) Helper()                        {}
func (panicker) Fatalf(format string, a ...any) { panic(fmt.Sprintf(format, a...)) }

// Random demonstrations with values that cannot be mistaken for the page's own: typed, shown again in headings, titles,
// alerts, addresses, file names and command lines, masked or in clear text. None of them may appear in the output.
func TestNoValueLeaks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := world{t: t, values: map[string]string{}}
		in := Input{Goal: rapid.SampledFrom([]string{"", "Update an order", "Prepare the monthly report and send it",
			"Bestellung ändern"}).Draw(t, "goal"),
			ExecutionMode: rapid.SampledFrom([]string{"strict", "guided", "adaptive"}).Draw(t, "mode"),
			Now:           clock.At(fixtureStart), NewID: counter(), Values: w.values}
		for n := range rapid.IntRange(1, 3).Draw(t, "traces") {
			in.Traces = append(in.Traces, w.trace(n))
		}
		out, err := Compile(in)
		if err != nil {
			t.Fatal(err)
		}
		all := strings.ToLower(everything(t, out))
		for _, v := range w.values {
			if i := strings.Index(all, strings.ToLower(v)); i >= 0 {
				t.Fatalf("%q leaks: %s", v, all[max(0, i-120):min(len(all), i+60)])
			}
		}
		for _, msg := range unsound(in, out) {
			if !strings.Contains(msg, "negatives") {
				t.Fatalf("%s", msg)
			}
		}
		again, err := Compile(Input{Goal: in.Goal, ExecutionMode: in.ExecutionMode, Now: in.Now, NewID: counter(), Values: in.Values,
			Traces: in.Traces})
		if err != nil || again.Bundle.Hash() != out.Bundle.Hash() {
			t.Fatal("compiling again gives another skill")
		}
	})
}

type world struct {
	t      *rapid.T
	values map[string]string
	n      int
}

// secret returns a value and its mask.
func (w *world) secret() (text string, v capture.Value) {
	w.n++
	kinds := []struct {
		kind capture.ValueKind
		text string
	}{
		{capture.KindText, fmt.Sprintf("Zanzi%sbar Quox%d", rapid.StringMatching(`[a-z]{3,6}`).Draw(w.t, "a"), w.n)},
		{capture.KindText, "Vexil" + rapid.StringMatching(`[a-z]{4,8}`).Draw(w.t, "b") + "qz"},
		{capture.KindID, fmt.Sprintf("KX-%s", rapid.StringMatching(`[1-9][0-9]{4}`).Draw(w.t, "c"))},
		{capture.KindDate, fmt.Sprintf("20%d-0%d-1%d", rapid.IntRange(31, 89).Draw(w.t, "y"), rapid.IntRange(1, 9).Draw(w.t, "m"),
			rapid.IntRange(0, 9).Draw(w.t, "d"))},
		{capture.KindEmail, rapid.StringMatching(`[a-z]{5,8}`).Draw(w.t, "e") + "@qvexil.example"},
		{capture.KindFile, rapid.StringMatching(`[a-z]{5,8}`).Draw(w.t, "f") + "zqx7.pdf"},
		{capture.KindNumber, rapid.StringMatching(`[3-9][0-9]{5}`).Draw(w.t, "n")},
	}
	k := rapid.SampledFrom(kinds).Draw(w.t, "value")
	link := ""
	for l, have := range w.values {
		if have == k.text {
			link = l
		}
	}
	if link == "" {
		link = fmt.Sprintf("v_%d", w.n)
		w.values[link] = k.text
	}
	return k.text, capture.Value{Policy: capture.Masked, Kind: k.kind, Length: len(k.text), LinkID: link}
}

// shown returns a value as a text of the page may contain it.
func (w *world) shown(text string, v capture.Value) string {
	if rapid.Bool().Draw(w.t, "masked") {
		return v.Mask()
	}
	return text
}

func (w *world) trace(n int) Trace {
	tr := Trace{TraceID: fmt.Sprintf("00000000-0000-7000-8000-0000000000a%d", n), SessionID: "s"}
	add := func(r capture.Record) { tr.Records = append(tr.Records, fillRecord(r, tr, len(tr.Records), n)) }
	url, last, lastV := "https://app.example.com/start", "nothing", capture.Value{}
	state := func(u string, words ...string) *capture.State {
		return &capture.State{URL: u, Title: "Page " + strings.Join(words, " ") + " - App", Headings: append([]string{"Things"}, words...)}
	}
	for range rapid.IntRange(2, 14).Draw(w.t, "steps") {
		text, v := w.secret()
		if rapid.Bool().Draw(w.t, "again") && last != "nothing" {
			text, v = last, lastV
		}
		last, lastV = text, v
		s := w.shown(text, v)
		before := state(url)
		page := &capture.Page{URL: url, Title: "Page", Tab: "tab1"}
		switch rapid.IntRange(0, 7).Draw(w.t, "act") {
		case 0, 1:
			label := rapid.SampledFrom([]string{"Name", "Search orders", "Reference", "Note (optional)", ""}).Draw(w.t, "label")
			add(capture.Record{Action: capture.Action{Verb: capture.Type, Value: &v, Page: page, Target: &capture.Target{Role: "textbox",
				Label: label, Name: label}}, Before: before, After: before})
		case 2:
			after := state("https://app.example.com/things/"+s+"?q="+s, "Thing "+s)
			after.Alerts = []string{"Thing " + s + " was saved."}
			after.Fields = []capture.Field{{Label: "Name", Value: &v}}
			add(capture.Record{Action: capture.Action{Verb: capture.Click, Page: page, Target: &capture.Target{Role: "button", Name: "Save thing"}},
				Before: before, After: after})
			url = after.URL
		case 3:
			after := state("https://app.example.com/list/"+s, s)
			chosen := v
			chosen.Chosen = true
			add(capture.Record{Action: capture.Action{Verb: capture.Click, Page: page, Value: &chosen, Target: &capture.Target{Role: "link", Name: s,
				Href:     after.URL,
				Landmark: &capture.Landmark{Role: "row", Name: s}, Locators: []capture.Locator{{By: "role", Role: "link", Value: s}}}}, Before: before,
				After: after})
			url = after.URL
		case 4:
			f := capture.File{Name: "export-" + s + ".csv", Ext: ".csv", Size: 10}
			add(capture.Record{Action: capture.Action{Verb: capture.Download, Page: page, File: &f}, Before: before, After: before})
		case 5:
			line := rapid.SampledFrom([]string{"tool --input %s", "cat 'x %s y' > out-%s.txt", "grep %s file.txt | wc -l",
				"for f in %s; do echo $f; done", "unparsable ( %s", "./%s.sh --go", "mv %s.txt done/ && ./run-%s"}).Draw(w.t, "line")
			line = strings.ReplaceAll(line, "%s", s)
			add(capture.Record{Action: capture.Action{Verb: capture.Run, Command: &capture.Command{Line: line, CwdFrom: "~/work/" + s,
				Exit: rapid.IntRange(0, 1).Draw(w.t, "exit")}},
				After: &capture.State{Cwd: "~", Files: []capture.File{{Name: "made-" + s + ".txt", Size: 3}}}})
		case 6:
			after := state(url)
			after.Invalid, after.Alerts = []string{"Name"}, []string{"Error: " + s + " is not valid"}
			after.Dialogs = []string{"About " + s}
			add(capture.Record{Action: capture.Action{Verb: capture.Click, Page: page, Target: &capture.Target{Role: "button", Name: "Save thing"}},
				Before: before, After: after})
		case 7:
			after := state("https://app.example.com/open?ref="+s, "Opened "+s)
			add(capture.Record{Action: capture.Action{Verb: capture.Navigate, Page: &capture.Page{URL: after.URL, Title: "Opened " + s,
				Tab: "tab1"}}, Before: before, After: after})
			url = after.URL
		}
	}
	return tr
}

func TestGoldensHoldNoMask(t *testing.T) {
	files, _ := filepath.Glob("testdata/*.txtar")
	for _, name := range files {
		ar, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range ar.Files {
			if strings.HasPrefix(f.Name, "want/") && bytes.Contains(f.Data, []byte("[[")) {
				t.Errorf("%s: %s holds a mask", name, f.Name)
			}
		}
	}
}
