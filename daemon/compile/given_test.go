package compile

import (
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"showhow/capture"
	"showhow/daemon/workflow"
)

// booking is a dialog as design systems build it: a field with a list, radio buttons and a calendar drawn by the page.
const booking = `-- input.json --
{"goal":"Book an appointment","values":{"v_p":"Ada Winther","v_d":"9"}}
-- trace1.jsonl --
{"action":{"verb":"navigate","page":{"url":"https://app.example/plan"}},"after":{"url":"https://app.example/plan","title":"Plan",` +
	`"headings":["Plan"],"tables":[{"name":"Plan","columns":["Patient","Date"],"rows":1}]}}
{"action":{"verb":"click","target":{"role":"button","name":"New ` +
	`appointment"},"page":{"url":"https://app.example/plan"}},"before":{"url":"https://app.example/plan","headings":["Plan"]},` +
	`"after":{"url":"https://app.example/plan","headings":["Plan","New appointment"],"dialogs":["New appointment"]}}
{"action":{"verb":"click","target":{"role":"combobox","name":"Search patient…","placeholder":"Search ` +
	`patient…","landmark":{"role":"dialog","name":"New ` +
	`appointment"}},"page":{"url":"https://app.example/plan"}},"before":{"url":"https://app.example/plan","headings":["Plan","New ` +
	`appointment"],"dialogs":["New appointment"]},"after":{"url":"https://app.example/plan","headings":["Plan","New ` +
	`appointment"],"dialogs":["New appointment"]}}
{"action":{"verb":"click","target":{"role":"option","name":"[[choice 11 v_p]]","landmark":{"role":"heading","name":"New ` +
	`appointment"}},"value":{"policy":"masked","kind":"choice","length":11,"link_id":"v_p","chosen":true},` +
	`"page":{"url":"https://app.example/plan"}},"before":{"url":"https://app.example/plan","headings":["Plan","New ` +
	`appointment"],"dialogs":["New appointment"]},"after":{"url":"https://app.example/plan","headings":["Plan","New ` +
	`appointment"],"dialogs":["New appointment"]}}
{"action":{"verb":"click","target":{"role":"radio","name":"30 min","options":["15 min","30 ` +
	`min"],"landmark":{"role":"radiogroup","name":"Length"}},"page":{"url":"https://app.example/plan"}},` +
	`"before":{"url":"https://app.example/plan","headings":["Plan","New appointment"],"dialogs":["New ` +
	`appointment"]},"after":{"url":"https://app.example/plan","headings":["Plan","New appointment"],"dialogs":["New appointment"]}}
{"action":{"verb":"click","target":{"role":"button","name":"Pick a date","landmark":{"role":"dialog","name":"New ` +
	`appointment"}},"page":{"url":"https://app.example/plan"}},"before":{"url":"https://app.example/plan","headings":["Plan","New ` +
	`appointment"],"dialogs":["New appointment"]},"after":{"url":"https://app.example/plan","headings":["Plan","New ` +
	`appointment"],"dialogs":["New appointment","Choose date"]}}
{"action":{"verb":"click","target":{"role":"button","name":"9","landmark":{"role":"dialog","name":"Choose ` +
	`date"}},"value":{"policy":"masked","kind":"choice","length":1,"link_id":"v_d","chosen":true},` +
	`"page":{"url":"https://app.example/plan"}},"before":{"url":"https://app.example/plan","headings":["Plan","New ` +
	`appointment"],"dialogs":["New appointment","Choose date"]},"after":{"url":"https://app.example/plan","headings":["Plan","New ` +
	`appointment"],"dialogs":["New appointment"]}}
{"action":{"verb":"click","target":{"role":"button","name":"Book","landmark":{"role":"dialog","name":"New ` +
	`appointment"}},"page":{"url":"https://app.example/plan"}},"before":{"url":"https://app.example/plan","headings":["Plan","New ` +
	`appointment"],"dialogs":["New appointment"]},"after":{"url":"https://app.example/plan?ok=[[text 6 ` +
	`v_m]]","headings":["Plan"],"alerts":["Booked"],"tables":[{"name":"Plan","columns":["Patient","Date"],"rows":2}]}}
`

// A choice from a list is named after the list's field, which is opened again; a radio button and the day of a calendar
// are values; a message that is also in the address belongs to the page.
func TestGiven(t *testing.T) {
	in := loadFixture(t, txtar.Parse([]byte(booking)))
	in.Values["v_m"] = "Booked"
	out, err := Compile(in)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, i := range out.Interpretation.Inputs {
		names = append(names, i.Name)
	}
	if !slices.Equal(names, []string{"patient", "length", "day"}) {
		t.Errorf("inputs: %q", names)
	}
	opens := slices.ContainsFunc(out.Graph.Steps, func(s workflow.Step) bool {
		return s.Verb == capture.Click && s.Target != nil && s.Target.Role == "combobox"
	})
	chosen := slices.ContainsFunc(out.Graph.Steps, func(s workflow.Step) bool { return s.Verb == capture.Select && s.Value == "{length}" })
	if !opens || !chosen {
		t.Errorf("the list is opened: %v; the radio button is a choice: %v", opens, chosen)
	}
	told := ""
	for _, c := range out.Interpretation.Checkpoints {
		told += c.SuccessCondition + "\n"
	}
	if !strings.Contains(told, "Booked") {
		t.Errorf("the message is hidden: %s", told)
	}
}
