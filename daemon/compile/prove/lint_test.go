package prove

import (
	"testing"

	"showhow/daemon/compile/draft"
	"showhow/daemon/skill"
	"showhow/daemon/workflow"
)

// For each rule, texts that it must find and texts that it must not.
var wordingCases = []struct {
	rule  string
	bad   []string
	clean []string
}{
	{"CKP-001", []string{
		`The element #save-button is shown`, `button.primary is visible`, `The row div > span shows it`, `[data-testid="saved"] is shown`,
		`li:nth-child(3) is marked`, `The toast .alert-success is shown`, `input[name="q"] shows it`, `The element id changed and is shown`,
		`The field #orderNumber shows a value`, `The box div-8472 is shown`, `The row span8472 is marked`,
	}, []string{
		`The page "Order #1042" is open`, `Ticket #17 is closed`, `The page "Version 2.1" is open`, `The file report.final-v2.csv exists`,
		`The list shows C# and F# as rows`,
		`"Total" shows 5 > 3`, `The message "Saved." is shown`, `The channel #general is open`,
	}},
	{"CKP-002", []string{`The cursor is at (320, 240)`, `The dialog is open at x: 120`, `The box is 200 px wide`, `The pointer is at 640,480`,
		`The icon is shown 12 pixels lower`},
		[]string{`The heading reads "Results (2 of 14)"`, `The list has 3 rows more than before`, `The message "1,250 rows imported" is shown`,
			`The page "Orders, 2026" is open`, `The amount is 1,250.00`}},
	{"CKP-003", []string{`//div[@id="x"] is shown`, `/html/body/div[2] is shown`, `AXWindow/AXGroup is open`,
		`The node //button/span is visible`, `window[1] is open`, `/div[2]/span[1] is shown`},
		[]string{`The address is /orders/{order}/table/2`, `The address is https://example.com/a/b`, `The file a/b.csv exists`,
			`The page "Body / Table" is open`, `The address is /body-care/list`}},
	{"CKP-004", []string{`Click the button "Save"`, `The button "Save" was clicked`, `Type {order} into the field`, `The user clicks "Save"`,
		`Press Enter`, `You selected the row`, `Open the page "Orders"`, `The key has been pressed`, `Select the row`},
		[]string{`The button "Click to continue" is shown`, `The page "Open orders" is open`, `The order is open`,
			`Typed text is shown in the list`, `The type of the order is shown`, `The message "Press Enter to go on" is shown`,
			`Selected rows are marked`, `The run has ended with exit code 0`, `Search results are shown`, `Run log is empty`}},
	{"CKP-006", []string{`"Email" shows ada@northwind.com`, `The message "card 4111 1111 1111 1111 saved" is shown`,
		`The field shows AKIAIOSFODNN7EXAMPLE`, `The password is hunter2x`, `"IBAN" shows DE89 3704 0044 0532 0130 00`,
		`"Phone" shows +46 31 700 00 00`, `"SSN" shows 078-05-1120`, `"Token" shows ghp_abcdefghijklmnopqrstuvwx`},
		[]string{`"Email" shows {email}`, `The message "Sent to name@example.com" is shown`, `The password is shown as valid`,
			`The password is accepted and the page "Home" is open`, `The order 4111111111111112 is shown`, `The page of order {order} is open`,
			`The list has 12 rows`}},
	{"CKP-007", []string{`/home/ada/report.csv exists`, `The file C:\Users\Ada\x.csv exists`, `~/clients/acme.csv exists`,
		`The page localhost:8080 is open`, `The address is 192.168.1.20/x`, `The page files.local is open`, `The file /tmp/x exists`},
		[]string{`The file report.csv exists`, `The page "At home" is open`, `The address is /users/{user}/home`,
			`The page on example.com is open`, `The message "1.2.3.4.5 released" is shown`, `The address is /orders/{order}`,
			`The address is /home/settings`}},
}

func TestLintWording(t *testing.T) {
	for _, c := range wordingCases {
		for _, text := range c.bad {
			if !finds(lintOf(text), c.rule) {
				t.Errorf("%s does not find %q", c.rule, text)
			}
		}
		for _, text := range c.clean {
			if finds(lintOf(text), c.rule) {
				t.Errorf("%s finds %q", c.rule, text)
			}
		}
	}
}

func lintOf(condition string) draft.LintReport {
	it := workflow.Interpretation{Checkpoints: []workflow.Checkpoint{{CheckpointID: "cp-01", Goal: "The page is open",
		SuccessCondition: condition, StepID: "s1", Check: &workflow.Check{Kind: "heading", Expect: "Orders"}}}}
	return Lint(workflow.Graph{Steps: []workflow.Step{{StepID: "s1", Effect: true, Checkpoint: "cp-01"}}}, it, skill.Bundle{}, nil)
}

func finds(r draft.LintReport, rule string) bool {
	for _, f := range r.Findings {
		if f.Rule == rule {
			return true
		}
	}
	return false
}

func TestLintVague(t *testing.T) {
	for text, want := range map[string]bool{
		"": true, "It works": true, "Done": true, "Everything went as expected": true, "The task was completed successfully": true,
		"The page is open": false, "The file summary.csv exists": false, `The message "Done" is shown`: false, "The status is shipped": false,
	} {
		it := workflow.Interpretation{Checkpoints: []workflow.Checkpoint{{CheckpointID: "cp-01", Goal: "x", SuccessCondition: text}}}
		if got := finds(Lint(workflow.Graph{}, it, skill.Bundle{}, nil), "CKP-005"); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestLintForbiddenValues(t *testing.T) {
	it := workflow.Interpretation{Checkpoints: []workflow.Checkpoint{{CheckpointID: "cp-01", Goal: "x",
		SuccessCondition: `The page "Order A-1042" is open`, Check: &workflow.Check{Kind: "heading", Expect: "Order A-1042"}}}}
	if r := Lint(workflow.Graph{}, it, skill.Bundle{}, []string{"A-1042"}); r.Passed || !finds(r, "CKP-006") {
		t.Errorf("%+v", r)
	}
	if r := Lint(workflow.Graph{}, it, skill.Bundle{}, []string{"A-10"}); finds(r, "CKP-006") {
		t.Errorf("a part of a word is no value: %+v", r)
	}
}

func TestLintCoverage(t *testing.T) {
	cp := func(id, step, text string) workflow.Checkpoint {
		return workflow.Checkpoint{CheckpointID: id, StepID: step, Goal: text, SuccessCondition: text, Check: &workflow.Check{Kind: "heading",
			Expect: text}}
	}
	steps := []workflow.Step{{StepID: "s1", Effect: true, Checkpoint: "cp-01"}, {StepID: "s2"},
		{StepID: "s3", Effect: true, Checkpoint: "cp-02"}}
	both := workflow.Interpretation{Checkpoints: []workflow.Checkpoint{cp("cp-01", "s1", "The page A is open"),
		cp("cp-02", "s3", "The page B is open")}}
	if r := Lint(workflow.Graph{Steps: steps}, both, skill.Bundle{}, nil); !r.Passed || len(r.Findings) != 0 {
		t.Errorf("covered: %+v", r)
	}
	first := workflow.Interpretation{Checkpoints: both.Checkpoints[:1]}
	if r := Lint(workflow.Graph{Steps: steps}, first, skill.Bundle{}, nil); r.Passed || !finds(r, "CKP-008") {
		t.Errorf("the last effect is not covered: %+v", r)
	}
	last := workflow.Interpretation{Checkpoints: both.Checkpoints[1:]}
	if r := Lint(workflow.Graph{Steps: steps}, last, skill.Bundle{}, nil); !r.Passed || !finds(r, "CKP-008") {
		t.Errorf("an earlier effect without checkpoint is a warning: %+v", r)
	}
	if r := Lint(workflow.Graph{Steps: steps}, workflow.Interpretation{}, skill.Bundle{}, nil); r.Passed {
		t.Error("a skill without checkpoints passes")
	}
	gone := workflow.Interpretation{Checkpoints: []workflow.Checkpoint{cp("cp-01", "s9", "The page A is open"),
		cp("cp-02", "s3", "The page B is open")}}
	if r := Lint(workflow.Graph{Steps: steps}, gone, skill.Bundle{}, nil); r.Passed || !finds(r, "CKP-009") {
		t.Errorf("unreachable: %+v", r)
	}
	order := workflow.Interpretation{Checkpoints: []workflow.Checkpoint{cp("cp-02", "s3", "The page B is open"),
		cp("cp-01", "s1", "The page A is open")}}
	if r := Lint(workflow.Graph{Steps: steps}, order, skill.Bundle{}, nil); r.Passed || !finds(r, "CKP-009") {
		t.Errorf("out of order: %+v", r)
	}
	twice := workflow.Interpretation{Checkpoints: []workflow.Checkpoint{cp("cp-01", "s1", "The page A is open"),
		cp("cp-02", "s3", "The page A is open")}}
	if r := Lint(workflow.Graph{Steps: steps}, twice, skill.Bundle{}, nil); !r.Passed || !finds(r, "CKP-009") {
		t.Errorf("a double is a warning: %+v", r)
	}
}

func FuzzLint(f *testing.F) {
	for _, c := range wordingCases {
		for _, s := range append(c.bad, c.clean...) {
			f.Add(s)
		}
	}
	f.Fuzz(func(t *testing.T, s string) {
		a, b := lintOf(s), lintOf(s)
		if len(a.Findings) != len(b.Findings) {
			t.Fatal("two answers")
		}
	})
}
