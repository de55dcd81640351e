package perform

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"showhow/capture"
	"showhow/daemon/compile"
	"showhow/daemon/rehearse/policy"
	"showhow/daemon/rehearse/port"
	"showhow/daemon/rehearse/record"
	"showhow/daemon/rehearse/report"
	"showhow/daemon/rehearse/supply"
	"showhow/daemon/workflow"
	"showhow/internal/clock"
)

// labelled is a form, and whether using it can be taken back and reaches nobody.
type labelled struct {
	name, goal, control, method, path string
	labels                            []string
	harmless                          bool
}

// labelledForms are the forms of a file of testdata.
func labelledForms(t *testing.T, file string) (out []labelled) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	var kinds []labelled
	pairs := func(line string) map[string]string {
		m := map[string]string{}
		for _, p := range strings.Split(line, ";") {
			k, v, _ := strings.Cut(strings.TrimSpace(p), " ")
			m[k] = v
		}
		return m
	}
	lines := strings.Split(string(text), "\n")
	for i := 0; i < len(lines); i++ {
		part := strings.Split(lines[i], "|")
		for k := range part {
			part[k] = strings.TrimSpace(part[k])
		}
		switch part[0] {
		case "kind":
			method, path, _ := strings.Cut(part[3], " ")
			kinds = append(kinds, labelled{name: part[1], harmless: part[2] == "+", method: method, path: path, labels: strings.Fields(part[4]),
				goal: part[5]})
		case "lang":
			labels, words := pairs(lines[i+1]), pairs(lines[i+2]+";"+lines[i+3])
			for _, k := range kinds {
				one := k
				one.name, one.control, one.labels = part[1]+" "+k.name, words[k.name], nil
				if one.control == "" {
					t.Fatalf("%s has no word for %s", part[1], k.name)
				}
				for _, l := range k.labels {
					one.labels = append(one.labels, labels[l])
				}
				out = append(out, one)
			}
			i += 3
		}
	}
	return out
}

// draft is what is understood of a demonstration of the form.
func (f labelled) draft(t *testing.T) workflow.Graph {
	t.Helper()
	const at = "https://desk.example/form"
	pg := &capture.Page{URL: at, Tab: "tab1"}
	before := capture.State{URL: at, Title: "Form", Headings: []string{"Form"}}
	done := before
	if done.Alerts = []string{"✓ 12:04"}; f.method == "GET" {
		done = capture.State{URL: "https://desk.example" + f.path, Title: "Page", Headings: []string{"Page"}}
	}
	role := "button"
	if f.method == "GET" && len(f.labels) == 0 {
		role = "link"
	}
	var records []capture.Record
	act := func(a capture.Action, after capture.State) {
		a.Page, a.OccurredAt = pg, fmt.Sprintf("2026-11-21T09:00:%02d.000000Z", len(records))
		r := capture.Record{Action: a, Before: &before, After: &after, Seq: int64(len(records) + 1)}
		r.Event.EventID, r.Event.AdapterKind, r.Event.CausedStateChange = fmt.Sprintf("e%d", len(records)+1), capture.BrowserDOM, true
		records = append(records, r)
	}
	act(capture.Action{Verb: capture.Navigate}, before)
	values := map[string]string{}
	for i, l := range f.labels {
		link := fmt.Sprintf("v_%d", i)
		values[link] = fmt.Sprintf("given %d", 70+i)
		act(capture.Action{Verb: capture.Type, Target: &capture.Target{Role: "textbox", Name: l, Label: l},
			Value: &capture.Value{Policy: capture.Masked, Kind: capture.KindText, Length: 8, LinkID: link}}, before)
	}
	control := &capture.Target{Role: role, Name: f.control}
	if role == "link" {
		control.Href = "https://desk.example" + f.path
	}
	act(capture.Action{Verb: capture.Click, Target: control}, done)
	in := compile.Input{Goal: f.goal, EntryMode: "demonstrating_skill", ExecutionMode: "guided", Revision: 1, Now: clock.Now(),
		NewID: clock.NewID, Values: values,
		Traces: []compile.Trace{{TraceID: clock.NewID(), SessionID: clock.NewID(), Records: records}}}
	out, err := compile.Compile(in)
	if err != nil {
		t.Fatalf("%s: %v", f.name, err)
	}
	return out.Graph
}

// held says why a run under the usual policy does not use the form, "" where it does.
func (f labelled) held(t *testing.T) string {
	t.Helper()
	g := f.draft(t)
	obeyed := record.TestPolicy{Mode: policy.LiveReadSafeWrite}
	j := &job{Report: &report.Report{Req: record.Request{Draft: compile.Output{Graph: g}, AllowHosts: []string{"desk.example"}}},
		policy: obeyed, supply: &supply.Supply{Bindings: supply.Bindings{}}}
	j.sites = policy.Sites{Hosts: []string{"desk.example"}}
	j.guard = policy.NewGuard(obeyed, j.sites.Hosts)
	s := workflow.Step{StepID: "s9", Surface: policy.OnBrowser, Verb: capture.Click, Target: button(f.control),
		Effect: f.method != "GET"} // a detour is no step
	if n := len(g.Steps); n > 0 && g.Steps[n-1].Verb != capture.Type {
		s = g.Steps[n-1]
	}
	if why := j.refuses(s); why != "" {
		return "step: " + why
	}
	form := url.Values{}
	for i, l := range f.labels {
		form.Set(strings.ToLower(strings.ReplaceAll(l, " ", "_")), fmt.Sprintf("given %d", 70+i))
	}
	r := port.Outgoing{Method: f.method, URL: "https://desk.example" + f.path, Type: "Document", Navigation: true, Form: true}
	if f.method == "GET" {
		if len(form) > 0 {
			r.URL += "?" + form.Encode()
		}
	} else {
		r.Body = []byte(form.Encode())
	}
	j.guard.UseControl(j.says(s)...)
	j.guard.BeginStep(s.StepID, s.Effect && roleOf(s) == "link")
	if why := j.guard.Judge(r); why != "" {
		return "request: " + why
	}
	return ""
}

// Forms that can be undone and reach nobody are not held back by the usual policy, and those that cannot are: at most
// two of a hundred of either kind are misjudged.
func TestHeldBackForms(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "forms-*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatal("there are no forms")
	}
	slices.Sort(files)
	var harmless, held, grave, missed int
	for _, file := range files {
		for _, f := range labelledForms(t, filepath.Base(file)) {
			why := f.held(t)
			if f.harmless {
				harmless++
			} else {
				grave++
			}
			switch {
			case f.harmless && why != "":
				held++
				t.Logf("held back: %s %q %s %s: %s", f.name, f.control, f.method, f.path, why)
			case !f.harmless && why == "":
				missed++
				t.Logf("missed: %s %q %s %s", f.name, f.control, f.method, f.path)
			}
		}
	}
	t.Logf("%d of %d harmless ones held back, %d of %d grave ones missed", held, harmless, missed, grave)
	if held*50 > harmless || missed*50 > grave {
		t.Error("more than two of a hundred are taken for the other kind")
	}
}

// A file that the work itself downloads is not laid out for a later command: it would be there before the step that brings it.
func TestDownloadsAreNotCopiedIn(t *testing.T) {
	g := workflow.Graph{Steps: []workflow.Step{
		{StepID: "s1", Surface: policy.OnBrowser, Verb: capture.Download, File: &capture.File{Name: "items.csv"}},
		{StepID: "s2", Surface: policy.OnShell, Command: "join items.csv prices.csv"}}}
	p := performance(supply.Supply{Bindings: supply.Bindings{}})
	p.Req = record.Request{Draft: compile.Output{Graph: g}}
	if w := p.files; !w.downloadedBefore(g.Steps[1], "items.csv") || w.downloadedBefore(g.Steps[1], "prices.csv") {
		t.Error("what is downloaded is laid out, or what is not is left out")
	}
}
