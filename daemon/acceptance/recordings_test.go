//go:build linux

package acceptance_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"showhow/capture"
	"showhow/daemon/client"
	"showhow/daemon/wire"
	"showhow/internal/canary"
	"showhow/internal/fault"
)

func recorded(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile("../interchange/testdata/" + name)
	must(t, err)
	return string(b)
}

// signedIn is a recording without the line that enters a password: what goes before one is signing in, and no part of the work.
func signedIn(content string) string {
	lines := slices.DeleteFunc(strings.Split(content, "\n"), func(l string) bool { return strings.Contains(l, "hunter2") })
	return strings.Join(lines, "\n")
}

// A recording made elsewhere is a demonstration like any other: scope, redaction, review and compile are the same.
func TestARecordingMadeElsewhereBecomesADraft(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"order.devtools.json", "order.playwright.jsonl"} {
		t.Run(file, func(t *testing.T) {
			w := begin(t)
			c, ctx := w.c, t.Context()
			r := got(c.ImportRecording(ctx, client.RecordingRequest{Content: signedIn(recorded(t, file)), Goal: "Change an order"}))(t)
			s := r.Session
			if s.State != "stopped" || s.EventsKept < 6 || !slices.Equal(s.Scope.Sites, []string{"shop.example"}) || len(r.LeftOut) == 0 {
				t.Errorf("%+v %v", s, r.LeftOut)
			}
			l := got(c.Observations(ctx, s.LearnSessionID, client.PageQuery{Page: 1, PageSize: 100}))(t)
			for _, x := range l.Observations {
				if x.Event.AdapterKind != capture.BrowserDOM {
					t.Errorf("%+v", x.Event)
				}
			}
			g := got(c.GenerateProposal(ctx, s.LearnSessionID))(t)
			d := got(c.Proposal(ctx, g.ProposalID))(t)
			if d.SkillMD == "" || d.Verdict == nil || d.Interpretation == nil ||
				!slices.ContainsFunc(d.Interpretation.Inputs, func(in wire.InputSpec) bool { return in.Name == "note" }) {
				t.Errorf("the draft lacks what was shown: %+v %+v %q", d.Interpretation.Inputs, d.Verdict, d.LeftOut)
			}
			for _, format := range []string{"devtools", "playwright"} {
				x := got(c.ExportProposal(ctx, g.ProposalID,
					client.ExportRequest{Format: format, Values: map[string]string{"note": "canary-export-value"}}))(t)
				if !strings.Contains(x.Content, "canary-export-value") || !strings.Contains(x.FileName, ".json") {
					t.Errorf("%s: %s %v", format, x.Content, x.Notes)
				}
			}
			hits, err := canary.Scan(w.o.Roots.Data, canary.Canary{Label: "value", Text: "by transfer"},
				canary.Canary{Label: "export", Text: "canary-export-value"}, canary.Canary{Label: "script", Text: "evil.example"})
			must(t, err)
			if len(hits) > 0 {
				t.Errorf("kept readable: %v", hits)
			}
		})
	}
}

// Signing in between takes nothing else with it; a password that is one field of a larger form stays a step that is the user's.
func TestARecordingInWhichAPasswordIsTyped(t *testing.T) {
	t.Parallel()
	w := begin(t)
	labels := func(d client.ProposalDetail) (out []string) {
		for _, s := range d.Graph.Steps {
			if s.Target != nil {
				out = append(out, s.Target.Name)
			}
		}
		return out
	}
	form := w.imported(recorded(t, "order.devtools.json"))
	if got := labels(form); !slices.Contains(got, "Status") || !slices.Contains(got, "Note") || !slices.Contains(got, "Save changes") {
		t.Errorf("of the form is left %q, left out %q", got, form.LeftOut)
	}
	if !slices.ContainsFunc(form.Graph.Steps, func(s wire.WorkflowStep) bool {
		return s.Target != nil && s.Target.InputType == "password" && slices.ContainsFunc(form.Interpretation.Inputs,
			func(in wire.InputSpec) bool { return in.Kind == "password" && s.Value == "{"+in.Name+"}" })
	}) {
		t.Errorf("nothing asks for the password: %q, inputs %+v", labels(form), form.Interpretation.Inputs)
	}
	w.dropped(form)

	between := w.imported(`{"title": "Add a lamp", "steps": [
		{"type": "navigate", "url": "https://shelf.example/", "assertedEvents": [{"type": "navigation", "url": "https://shelf.example/", ` +
		`"title": "Shelf"}]},
		{"type": "change", "value": "Lamp", "selectors": [["aria/Thing[role=\"textbox\"]"], ["#thing"]]},
		{"type": "click", "selectors": [["aria/Look up[role=\"button\"]"], ["#look"]]},
		{"type": "change", "value": "ada", "selectors": [["aria/User name[role=\"textbox\"]"], ["#user"]]},
		{"type": "change", "value": "hunter2-canary", "selectors": [["aria/Password"], ["input[type=password]"]]},
		{"type": "click", "selectors": [["aria/Sign in[role=\"button\"]"], ["#in"]]},
		{"type": "change", "value": "3", "selectors": [["aria/Count[role=\"spinbutton\"]"], ["#count"]]},
		{"type": "click", "selectors": [["aria/Add thing[role=\"button\"]"], ["#add"]]},
		{"type": "waitForElement", "selectors": [["aria/The thing was added[role=\"status\"]"]], "visible": true}]}`)
	if got := labels(between); !slices.Equal(got, []string{"Thing", "Look up", "Count", "Add thing"}) {
		t.Errorf("kept %q, left out %q", got, between.LeftOut)
	}
	if !strings.Contains(between.SkillMD, "signed in") {
		t.Errorf("nothing says that one has to be signed in:\n%s", between.SkillMD)
	}
	w.searched("a password in a recording", "hunter2-canary")
}

func TestARecordingIsRefused(t *testing.T) {
	t.Parallel()
	w := begin(t)
	c, ctx := w.c, t.Context()
	content := recorded(t, "order.devtools.json")
	_, err := c.ImportRecording(ctx, client.RecordingRequest{Content: "hello there"})
	refused(t, err, fault.InvalidRequest)
	_, err = c.ImportRecording(ctx, client.RecordingRequest{Content: content, Sites: []string{"other.example"}})
	refused(t, err, fault.InsufficientTraces)
	_, err = w.agent("scout").ImportRecording(ctx, client.RecordingRequest{Content: content})
	refused(t, err, fault.Forbidden)
	if l := got(c.Sessions(ctx, client.SessionFilter{}))(t); l.Total != 0 {
		t.Errorf("%d sessions were left behind", l.Total)
	}
	first := got(c.ImportRecording(ctx, client.RecordingRequest{Content: content}))(t).Session
	if first.Goal != "Change an order" {
		t.Errorf("the goal is %q", first.Goal)
	}
	_, err = c.ImportRecording(ctx, client.RecordingRequest{Content: content})
	refused(t, err, fault.LearnSessionAlreadyActive)
	second := got(c.ImportRecording(ctx, client.RecordingRequest{Content: recorded(t, "order.playwright.jsonl"),
		ExampleOf: first.LearnSessionID}))(t).Session
	if second.ExampleOf != first.LearnSessionID {
		t.Errorf("%+v", second)
	}
	w.searched("a password in a recording", "hunter2-canary")
}
