package compile

import (
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"showhow/capture"
	"showhow/daemon/compile/page"
	"showhow/daemon/workflow"
)

// visit is booked in a calendar drawn by the page: "Next month" twice, then a day under "March 2027".
const visit = `-- input.json --
{"goal":"Book a visit","values":{"v_d":"9"}}
-- trace1.jsonl --
{"action":{"verb":"navigate","page":{"url":"https://app.example/visits"}},"after":{"url":"https://app.example/visits","title":"Visits",` +
	`"headings":["Visits"]}}
{"action":{"verb":"click","target":{"role":"button","name":"Next ` +
	`month"},"page":{"url":"https://app.example/visits"}},"before":{"url":"https://app.example/visits","headings":["Visits"]},` +
	`"after":{"url":"https://app.example/visits","headings":["Visits"]}}
{"action":{"verb":"click","target":{"role":"button","name":"Next ` +
	`month"},"page":{"url":"https://app.example/visits"}},"before":{"url":"https://app.example/visits","headings":["Visits"]},` +
	`"after":{"url":"https://app.example/visits","headings":["Visits"]}}
{"action":{"verb":"click","target":{"role":"button","name":"[[choice 1 v_d]]","landmark":{"role":"group","name":"March ` +
	`2027"}},"value":{"policy":"masked","kind":"choice","length":1,"link_id":"v_d","chosen":true},` +
	`"page":{"url":"https://app.example/visits"}},"before":{"url":"https://app.example/visits","headings":["Visits"]},` +
	`"after":{"url":"https://app.example/visits","headings":["Visits"]}}
{"action":{"verb":"click","target":{"role":"button","name":"Book ` +
	`visit"},"page":{"url":"https://app.example/visits"}},"before":{"url":"https://app.example/visits","headings":["Visits"]},` +
	`"after":{"url":"https://app.example/visits","headings":["Visits"],"alerts":["Booked."]}}
`

// The day of such a calendar and the month above it form a date, and the months are turned until that date's month is in
// view.
func TestCalendar(t *testing.T) {
	out, err := Compile(loadFixture(t, txtar.Parse([]byte(visit))))
	if err != nil {
		t.Fatal(err)
	}
	if in := out.Interpretation.Inputs; len(in) != 1 || in[0].Name != "date" || in[0].Kind != "date" {
		t.Errorf("inputs: %+v", in)
	}
	var titles []string
	for _, s := range out.Graph.Steps {
		titles = append(titles, s.Title)
	}
	if !slices.Contains(titles, `Choose "Next month" until the month of {date} is in sight`) ||
		!slices.Contains(titles, "Choose the day of {date}") {
		t.Errorf("steps: %q", titles)
	}
	turn := slices.IndexFunc(out.Graph.Steps, page.Turns)
	if turn < 0 {
		t.Fatal("no step turns months")
	}
	aim := page.TurnedFor(out.Graph.Steps, turn)
	if aim == nil || aim.Target.Name != "{date_day}" || aim.Target.Landmark.Name != "{date_month}" {
		t.Errorf("aim: %+v", aim)
	}
	if got := workflow.Derive(out.Graph.Params, map[string]string{"date": "2027-11-21"}, fixtureStart); got["date_day"] != "21" ||
		got["date_month"] != "November 2027" {
		t.Errorf("derived: %v", got)
	}
	if md := string(out.Bundle.File("SKILL.md").Data); strings.Contains(md, "2 times") {
		t.Error(md)
	}
}

func TestTurns(t *testing.T) {
	for name, want := range map[string]string{"Next": "previous", "Previous month": "next month", "›": "‹", "次へ": "前へ"} {
		s := workflow.Step{Surface: workflow.OnBrowser, Verb: "click", Target: &capture.Target{Role: "button", Name: name}}
		if !page.Turns(s) || page.OppositeName(name) != want {
			t.Errorf("%s: %v, back is %q", name, page.Turns(s), page.OppositeName(name))
		}
	}
	for _, name := range []string{"Save", "Next step", "Delete", "Continue"} {
		if page.Turns(workflow.Step{Surface: workflow.OnBrowser, Verb: "click", Target: &capture.Target{Role: "button", Name: name}}) {
			t.Errorf("%s turns pages", name)
		}
	}
}

// leave has two days of one month, each typed into its own field.
const leave = `-- input.json --
{"goal":"Write down a leave","values":{"v_a":"2026-12-14","v_b":"2026-12-18"}}
-- trace1.jsonl --
{"action":{"verb":"type","target":{"role":"textbox","label":"First ` +
	`day","input_type":"date"},"value":{"policy":"masked","kind":"date","length":10,"link_id":"v_a"},` +
	`"page":{"url":"https://app.example/leave/new"}},"after":{"url":"https://app.example/leave/new","headings":["New leave"]}}
{"action":{"verb":"type","target":{"role":"textbox","label":"Last ` +
	`day","input_type":"date"},"value":{"policy":"masked","kind":"date","length":10,"link_id":"v_b"},` +
	`"page":{"url":"https://app.example/leave/new"}},"after":{"url":"https://app.example/leave/new","headings":["New leave"]}}
{"action":{"verb":"click","target":{"role":"button","name":"Write it ` +
	`down"},"page":{"url":"https://app.example/leave/new"}},"before":{"url":"https://app.example/leave/new","headings":["New ` +
	`leave"]},"after":{"url":"https://app.example/leave","headings":["Leave"],"alerts":["Written down."]}}
`

func TestTwoDaysOfOneMonth(t *testing.T) {
	out, err := Compile(loadFixture(t, txtar.Parse([]byte(leave))))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, in := range out.Interpretation.Inputs {
		names = append(names, in.Name)
	}
	if !slices.Equal(names, []string{"first_day", "last_day"}) {
		t.Errorf("inputs: %q", names)
	}
}
