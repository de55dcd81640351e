package compile

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"showhow/daemon/compile/decision"
	"showhow/daemon/compile/page"
	"showhow/daemon/compile/prove"
	"showhow/daemon/compile/revise"
	"showhow/daemon/workflow"
	"showhow/internal/fault"
)

func fixture(t testing.TB, name string) Input {
	t.Helper()
	ar, err := txtar.ParseFile("testdata/" + name + ".txtar")
	if err != nil {
		t.Fatal(err)
	}
	return loadFixture(t, ar)
}

func compiled(t testing.TB, in Input) Output {
	t.Helper()
	out, err := Compile(in)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func paramOf(t testing.TB, out Output, id string) workflow.Param {
	t.Helper()
	for _, p := range out.Graph.Params {
		if p.ParamID == id {
			return p
		}
	}
	t.Fatalf("no parameter %s", id)
	return workflow.Param{}
}

// How an answer about a value is read, and which values become text by it.
func TestValueAnswers(t *testing.T) {
	for _, c := range []struct {
		key, answer string
		id          string
		role        string
		text        string // that must be seen
		hidden      string // that must not
	}{
		{"p2/input", "input", "p2", "input", "{status}", ""},
		{"p5/input", "input", "p5", "input", "{note_to_customer}", "Your order now arrives"},
		{"p5/input", "constant", "p5", "constant", "Your order now arrives on 24 December.", ""},
		{"p5/input", "constant: Thank you!", "p5", "constant", "Thank you!", "Your order now arrives"},
		{"p5/input", "Thank you!", "p5", "constant", "Thank you!", "Your order now arrives"},
		{"p5/input", "example", "p5", "input", "Your order now arrives on 24 December.", ""},
		{"p5/input", "example: See you soon", "p5", "input", "See you soon", "Your order now arrives"},
		{"p5/input", "default: None", "p5", "input", "default: None", "Your order now arrives"},
		{"p5/input", "drop", "p5", "dropped", "", "Your order now arrives"},
		{"p1,p3/input", "input", "p3", "input", "{delivery_date}", "2026-12-24"},
		{"p1,p3/input", "order: input; delivery date: constant", "p3", "constant", "2026-12-24", "A-1042"},
		{"p1,p3/input", "delivery_date: example: 2027-01-02", "p3", "input", "2027-01-02", "2026-12-24"},
		{"note_to_customer/input", "drop", "p5", "dropped", "", "Your order now arrives"},
		{"p5/constant", "constant", "p5", "constant", "Your order now arrives on 24 December.", ""},
	} {
		in := fixture(t, "orderdesk")
		in.Answers = map[string]string{c.key: c.answer}
		out := compiled(t, in)
		if got := paramOf(t, out, c.id).Role; got != c.role {
			t.Errorf("%s = %q: role %s, want %s", c.key, c.answer, got, c.role)
		}
		all := everything(panicker{}, out)
		if c.text != "" && !strings.Contains(all, c.text) {
			t.Errorf("%s = %q: %q is not in the output", c.key, c.answer, c.text)
		}
		if c.hidden != "" && strings.Contains(all, c.hidden) {
			t.Errorf("%s = %q: %q is in the output", c.key, c.answer, c.hidden)
		}
		for _, q := range out.Questions {
			if q.SubjectRef+"/"+q.Field == c.key {
				t.Errorf("%s is asked again", c.key)
			}
		}
	}
}

func TestDroppedValueLosesItsStep(t *testing.T) {
	in := fixture(t, "orderdesk")
	in.Answers = map[string]string{"p5/input": "drop"}
	out := compiled(t, in)
	for _, s := range out.Graph.Steps {
		if strings.Contains(s.Title, "Note to customer") {
			t.Errorf("the step is still there: %s", s.Title)
		}
	}
}

func TestOtherAnswers(t *testing.T) {
	in := fixture(t, "orderdesk")
	in.Answers = map[string]string{"/name": "Move a delivery", "/goal_summary": "Give an order a new delivery date.",
		"/non_use_conditions": "the order was shipped; the customer is on hold",
		"/use_conditions":     "move a delivery\npostpone an order", "/project_scope": "global",
		"/success_condition": "The customer has had a message."}
	out := compiled(t, in)
	if out.Title != "Move a delivery" || out.Slug != "move-delivery" ||
		out.Interpretation.GoalSummary != "Give an order a new delivery date." || out.Interpretation.ProjectScope != "global" {
		t.Errorf("%+v", out.Interpretation)
	}
	if !slices.Contains(out.Interpretation.NonUseConditions, "The order was shipped.") ||
		!slices.Contains(out.Interpretation.SuccessConditions, "The customer has had a message.") {
		t.Errorf("%+v", out.Interpretation)
	}
	if out.TriggerPhrases[0] != "move a delivery" || slices.Contains(out.Generated, "move a delivery") || len(out.Generated) == 0 {
		t.Errorf("triggers %q, generated %q", out.TriggerPhrases, out.Generated)
	}
}

func TestBranchAnswers(t *testing.T) {
	in := fixture(t, "two-examples")
	find := func(out Output) *workflow.Step {
		for i, s := range out.Graph.Steps {
			if strings.Contains(s.Title, "Got it") {
				return &out.Graph.Steps[i]
			}
		}
		return nil
	}
	st := find(compiled(t, in))
	if st == nil || !st.Optional || st.Condition == "" {
		t.Fatalf("%+v", st)
	}
	for answer, want := range map[string]func(*workflow.Step) bool{
		"never":                         func(s *workflow.Step) bool { return s == nil },
		"always":                        func(s *workflow.Step) bool { return s != nil && !s.Optional },
		"there is news after a release": func(s *workflow.Step) bool { return s != nil && s.Condition == "there is news after a release" },
	} {
		in.Answers = map[string]string{st.StepID + "/branch": answer}
		if !want(find(compiled(t, in))) {
			t.Errorf("%q is not understood", answer)
		}
	}
}

func TestEdits(t *testing.T) {
	in := fixture(t, "orderdesk")
	in.Edits = map[string]any{
		"title": "Reschedule an order", "slug": "Reschedule Order!", "goal_summary": "An order gets a new day.",
		"use_conditions": []any{"Somebody moves a delivery."}, "non_use_conditions": []any{"It is shipped."},
		"success_conditions": []any{"The page shows the new day."},
		"trigger_phrases":    []any{"reschedule an order", "move a delivery", "postpone a delivery"}, "negative_triggers": []any{
			"cancel an order",
			"refund an order", "track an order"},
		"project_scope": "global", "rename_inputs": map[string]any{"delivery_date": "New day"},
		"constants": map[string]any{"status": "Confirmed"},
		"examples":  map[string]any{"p1": "B-7"}, "defaults": map[string]any{"note_to_customer": "We will be in touch."},
		"descriptions": map[string]any{"p1": "The order's number"},
		"drop_steps":   []any{"s15"}, "rename_steps": map[string]any{"s5": "Begin to edit"},
		"step_conditions": map[string]any{"s8": "the customer wants to know"},
		"checkpoints":     map[string]any{"cp-02": map[string]any{"goal": "The summary of changes is open"}}, "remove_checkpoints": []any{
			"cp-05"},
	}
	out := compiled(t, in)
	md := string(out.Bundle.File("SKILL.md").Data)
	for _, want := range []string{"# Reschedule an order", "name: reschedule-order", "{new_day}", "The summary of changes is open",
		"The order's number", "B-7", "Status: `Confirmed`",
		"default: We will be in touch.", "- It is shipped.", "- The page shows the new day.",
		"Only when the customer wants to know"} {
		if !strings.Contains(md, want) {
			t.Errorf("SKILL.md lacks %q", want)
		}
	}
	for _, gone := range []string{"delivery_date", "grep -c", "summary.csv is written"} {
		if strings.Contains(md, gone) {
			t.Errorf("SKILL.md still has %q", gone)
		}
	}
	if len(out.Generated) != 0 || out.Slug != "reschedule-order" || out.Interpretation.ProjectScope != "global" {
		t.Errorf("generated %q, slug %s", out.Generated, out.Slug)
	}
}

// A control that a rehearsal found under another name has that name in the next revision, and locators with the old name
// are dropped.
func TestAControlIsCalledOtherwiseNow(t *testing.T) {
	in := fixture(t, "orderdesk")
	var was workflow.Step
	for _, s := range compiled(t, in).Graph.Steps {
		if s.Target != nil && s.Target.Name == "Edit order" {
			was = s
		}
	}
	in.Edits = map[string]any{"controls": map[string]any{was.StepID: map[string]any{"role": "button", "name": "Change it"}}}
	out := compiled(t, in)
	for _, s := range out.Graph.Steps {
		if s.StepID != was.StepID {
			continue
		}
		if s.Target.Role != "button" || s.Target.Name != "Change it" || !strings.Contains(s.Title, "Change it") ||
			strings.Contains(s.Title, "Edit order") {
			t.Errorf("%s: %+v", s.Title, s.Target)
		}
		for _, l := range s.Target.Locators {
			if l.Value == "Edit order" {
				t.Errorf("still found by %+v", l)
			}
		}
	}
	if was.StepID == "" || !strings.Contains(string(out.Bundle.File("SKILL.md").Data), "Change it") {
		t.Errorf("step %q; the new name is nowhere", was.StepID)
	}
}

// A question uses the person's own name for an input.
func TestQuestionOfARenamedInput(t *testing.T) {
	in := fixture(t, "orderdesk")
	var id string
	for _, q := range compiled(t, in).Questions {
		if q.Field == decision.FieldInput && !strings.Contains(q.SubjectRef, ",") && id == "" {
			id = q.SubjectRef
		}
	}
	in.Edits = map[string]any{"rename_inputs": map[string]any{id: "wished_thing"}}
	for _, q := range compiled(t, in).Questions {
		if q.Field == decision.FieldInput && q.SubjectRef == id && strings.Contains(q.Prompt, "ished thing") &&
			strings.Contains(q.Subjects[0], "ished thing") {
			return
		}
	}
	t.Errorf("input %q: %+v", id, compiled(t, in).Questions)
}

// The difference of two drafts mentions a renamed control even if no title contains its name.
func TestARenamedControlIsADifference(t *testing.T) {
	in := fixture(t, "orderdesk")
	before := compiled(t, in)
	for i, s := range before.Graph.Steps {
		if s.Target == nil || s.Target.Name != "Edit order" {
			continue
		}
		in.Edits = map[string]any{"controls": map[string]any{s.StepID: map[string]any{"name": "Change this order"}}}
		said := revise.Difference(before, compiled(t, in))
		want := fmt.Sprintf("Step %d acts on %s “Change this order”, it was %[2]s “Edit order”", i+1, s.Target.Role)
		if !slices.Contains(said, want) {
			t.Errorf("%q is not in %q", want, said)
		}
		return
	}
	t.Fatal("no such step")
}

// A control that only moved has the place that the rehearsal found, and keeps its name.
func TestAControlStandsElsewhereNow(t *testing.T) {
	in := fixture(t, "orderdesk")
	var was workflow.Step
	for _, s := range compiled(t, in).Graph.Steps {
		if s.Target != nil && s.Target.Name == "Edit order" {
			was = s
		}
	}
	for place, want := range map[string]string{"form": "form Tools", "none": ""} {
		in.Edits = map[string]any{"controls": map[string]any{was.StepID: map[string]any{"role": was.Target.Role, "name": was.Target.Name,
			"place_role": place, "place": "Tools"}}}
		for _, s := range compiled(t, in).Graph.Steps {
			if s.StepID != was.StepID {
				continue
			}
			got := ""
			if l := s.Target.Landmark; l != nil {
				got = l.Role + " " + l.Name
			}
			if got != want || s.Target.Name != was.Target.Name || s.Title != was.Title {
				t.Errorf("%s: in %q: %+v", s.Title, got, s.Target)
			}
		}
	}
}

// What routers read otherwise is told in words (baseline 1.1N): a reviewer reads no JSON.
func TestR9_1_1N_TheManifestsDifferenceIsToldInWords(t *testing.T) {
	before := compiled(t, fixture(t, "orderdesk"))
	if said := revise.Difference(before, before); len(said) > 0 {
		t.Errorf("nothing changed: %q", said)
	}
	after := before
	after.Manifest.Permissions = append(slices.Clone(before.Manifest.Permissions), "site:mail.example")
	after.Manifest.RequiresSupervision = !before.Manifest.RequiresSupervision
	after.Manifest.SurfaceOrder = []string{"raw_ui"}
	after.Manifest.HealthProbe.Target = "https://mail.example/"
	said := strings.Join(revise.Difference(before, after), "\n")
	for _, want := range []string{"it may reach, new: site:mail.example", "somebody must watch it: ",
		"the ways, most semantic first, are now: raw_ui", "whether it can work is asked by: browser https://mail.example/"} {
		if !strings.Contains(said, "Manifest: "+want) {
			t.Errorf("%q is missing in:\n%s", want, said)
		}
	}
	before.Manifest.CapabilityID = ""
	if said := revise.Difference(before, after); len(said) > 0 {
		t.Errorf("there was none before: %q", said)
	}
}

func TestDroppingAStepDropsItsCheckpoint(t *testing.T) {
	in := fixture(t, "orderdesk")
	before := compiled(t, in)
	last := before.Interpretation.Checkpoints[len(before.Interpretation.Checkpoints)-1]
	in.Edits = map[string]any{"drop_steps": []string{last.StepID}}
	after := compiled(t, in)
	for _, c := range after.Interpretation.Checkpoints {
		if c.StepID == last.StepID {
			t.Error("the checkpoint of a dropped step is still there")
		}
	}
	for i, c := range after.Interpretation.Checkpoints {
		if c.CheckpointID != before.Interpretation.Checkpoints[i].CheckpointID {
			t.Error("ids moved")
		}
	}
}

func TestUnknownEditsAreRefused(t *testing.T) {
	for _, edits := range []map[string]any{{"titel": "x"}, {"title": 1}, {"drop_steps": "s1"}, {"rename_inputs": []any{"a"}},
		{"checkpoints": map[string]any{"cp-01": "x"}}, {"project_scope": "everywhere"}} {
		in := fixture(t, "shell")
		in.Edits = edits
		if _, err := Compile(in); fault.CodeOf(err) != fault.InvalidRequest {
			t.Errorf("%v: %v", edits, err)
		}
	}
	if _, err := Compile(Input{}); fault.CodeOf(err) != fault.InsufficientTraces {
		t.Errorf("no trace: %v", err)
	}
}

func TestSlugs(t *testing.T) {
	for title, want := range map[string]string{
		"Update an order's delivery and export it": "update-order-delivery-export", "Zürich: Übergabe vorbereiten": "zurich-ubergabe-vorbereiten",
		"日本語": "ri-ben-yu", "☎": "learned-skill", "": "learned-skill",
		"The the of": "learned-skill", "Check A/B test #42": "check-b-test-42",
	} {
		if got := page.SlugOf(title); got != want {
			t.Errorf("%q: %s, want %s", title, got, want)
		}
	}
	in := fixture(t, "shell")
	in.TakenSlugs = []string{"back-up-notes-folder-log", "back-up-notes-folder-log-2"}
	if out := compiled(t, in); out.Slug != "back-up-notes-folder-log-3" || out.Bundle.Name != out.Slug {
		t.Errorf("%s", out.Slug)
	}
	in.ImprovesSlug = "back-up-notes-folder-log"
	if out := compiled(t, in); out.Slug != in.ImprovesSlug {
		t.Errorf("a delta got a name of its own: %s", out.Slug)
	}
}

func TestExecutionModes(t *testing.T) {
	count := map[string]int{}
	for _, mode := range []string{"strict", "guided", "adaptive"} {
		in := fixture(t, "orderdesk")
		in.ExecutionMode = mode
		out := compiled(t, in)
		count[mode] = len(out.Interpretation.Checkpoints)
		if !out.Lint.Passed {
			t.Errorf("%s: %+v", mode, out.Lint.Findings)
		}
	}
	if !(count["strict"] > count["guided"] && count["guided"] > count["adaptive"]) {
		t.Errorf("%v", count)
	}
}

// A check that a person adds to a step, by an answer, an edit or a sentence, becomes a checkpoint where none was
// observed.
func TestAddedChecks(t *testing.T) {
	in := fixture(t, "no-state-change")
	out := compiled(t, in)
	if len(out.Questions) == 0 || out.Questions[0].Field != decision.FieldSuccess || out.Questions[0].SubjectRef != "s1" ||
		out.Verdict.Result == workflow.Generalises {
		t.Fatalf("%+v, %+v", out.Verdict, out.Questions)
	}
	said, err := revise.Instruct(`after the first step check that the message "Saved for {display_name}" is shown`, out)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		answers map[string]string
		edits   map[string]any
		kind    string
	}{
		"answer": {answers: map[string]string{"s1/success_condition": `"Saved for {display_name}"`}, kind: "text"},
		"edit": {edits: map[string]any{"add_checks": map[string]any{"s1": map[string]any{"kind": "heading", "expect": "Saved for {p1}"}}},
			kind: "heading"},
		"sentence": {edits: said.Edits, kind: "alert"},
	} {
		in := fixture(t, "no-state-change")
		in.Answers, in.Edits = c.answers, decision.MergeEdits(c.edits, map[string]any{"rename_inputs": map[string]any{"p1": "shown_name"},
			"inputs": []any{"p1"}})
		if name == "answer" {
			in.Answers["s1/success_condition"] = `"Saved for {p1}"`
		}
		if err := decision.CheckEdits(in.Edits); err != nil {
			t.Fatal(name, err)
		}
		out := compiled(t, in)
		cps := out.Interpretation.Checkpoints
		if out.Verdict.Result != workflow.Generalises || len(cps) != 1 || cps[0].StepID != "s1" || cps[0].Check.Kind != c.kind ||
			cps[0].Check.Expect != "Saved for {shown_name}" {
			t.Errorf("%s: %+v, %+v", name, out.Verdict, cps)
		}
		if slices.ContainsFunc(out.Questions, func(q Question) bool { return q.Field == decision.FieldSuccess }) {
			t.Errorf("%s: it is asked again", name)
		}
		if md := string(out.Bundle.File("SKILL.md").Data); !strings.Contains(md, `"Saved for {shown_name}"`) {
			t.Errorf("%s: the skill does not say it:\n%s", name, md)
		}
		if r := prove.Lint(out.Graph, out.Interpretation, out.Bundle, nil); !r.Passed {
			t.Errorf("%s: %+v", name, r.Findings)
		}
	}
	for _, bad := range []map[string]any{{"s1": map[string]any{"kind": "feeling", "expect": "x"}}, {"s1": map[string]any{"kind": "text"}}} {
		if err := decision.CheckEdits(map[string]any{"add_checks": bad}); !fault.Is(err, fault.InvalidRequest) {
			t.Errorf("%v: %v", bad, err)
		}
	}
}

// A person picks the projects that a skill is for (R9 0.7): they are its scope, and with none it is for all.
func TestProjectsAreTheScope(t *testing.T) {
	in := fixture(t, "orderdesk")
	for _, c := range []struct {
		edit  any
		scope string
		ids   []string
	}{
		{[]any{"henderson-2026", "baker"}, "project_scoped", []string{"henderson-2026", "baker"}},
		{[]any{}, "global", nil},
	} {
		in.Edits = map[string]any{decision.EditProjects: c.edit}
		if err := decision.CheckEdits(in.Edits); err != nil {
			t.Fatal(err)
		}
		if got := compiled(t, in).Interpretation; got.ProjectScope != c.scope || !slices.Equal(got.ProjectIDs, c.ids) {
			t.Errorf("%v: %s %v", c.edit, got.ProjectScope, got.ProjectIDs)
		}
	}
	if decision.CheckEdits(map[string]any{decision.EditProjects: "henderson-2026"}) == nil {
		t.Error("a text is no list of projects")
	}
}

// A repair whose new name says that the control destroys or sends makes the step grave: the skill asks before it, however harmless
// the old name was.
func TestARepairByAGraveNameIsGrave(t *testing.T) {
	in := fixture(t, "orderdesk")
	var was workflow.Step
	for _, s := range compiled(t, in).Graph.Steps {
		if s.Target != nil && s.Target.Name == "Edit order" {
			was = s
		}
	}
	if was.StepID == "" || was.Grave {
		t.Fatalf("%+v", was)
	}
	for name, grave := range map[string]bool{"Change it": false, "Delete order": true, "Send to customer": true} {
		in.Edits = map[string]any{"controls": map[string]any{was.StepID: map[string]any{"role": "button", "name": name}}}
		for _, s := range compiled(t, in).Graph.Steps {
			if s.StepID == was.StepID && s.Grave != grave {
				t.Errorf("%q: grave %v", name, s.Grave)
			}
		}
	}
}
