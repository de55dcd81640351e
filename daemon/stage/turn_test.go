package stage

import (
	"slices"
	"strings"
	"testing"

	"showhow/capture"
	"showhow/daemon/compile"
	"showhow/daemon/rehearse"
	"showhow/daemon/workflow"
	"showhow/internal/clock"
)

const calendarPage = `<!doctype html><title>Visits</title><h1>Visits</h1><div><button id=p aria-label="Previous month">&lsaquo;</button>` +
	` <div id=m></div> <button id=n aria-label="Next month">&rsaquo;</button><div id=d></div></div>
<p id=said role=status></p><ul aria-label=People id=l></ul><button id=more>Next</button>
<script>
const $ = id => document.getElementById(id), names = ` +
	`["January","February","March","April","May","June","July","August","September","October","November","December"];
let at = 0, page = 0;
const month = () => {
  $("m").textContent = names[(at % 12 + 12) % 12] + " " + (2027 + Math.floor(at / 12));
  $("d").replaceChildren(...Array.from({ length: 28 }, (_, i) => {
    const b = document.createElement("button"), text = $("m").textContent;
    b.textContent = i + 1;
    b.onclick = () => fetch("/took?" + encodeURIComponent(i + 1 + " " + text));
    return b;
  }));
};
const list = () => {
  $("l").replaceChildren(...["Abel", "Bruns", "Castor", "Dorn", "Ebert", "Falk"].slice(page * 2, page * 2 + 2).map(n => {
    const li = document.createElement("li"), b = document.createElement("button");
    b.textContent = "Open " + n;
    b.onclick = () => fetch("/took?" + n);
    li.append(b);
    return li;
  }));
  $("more").disabled = page === 2;
};
$("n").onclick = () => setTimeout(() => { at++; month(); }, 150);
$("p").onclick = () => setTimeout(() => { at--; month(); }, 150);
$("more").onclick = () => setTimeout(() => { page++; list(); }, 150);
month(); list();
</script>`

// Months and pages are turned until what comes next is in sight, the other way too, and never for ever.
func TestTurnsUntilItIsInSight(t *testing.T) {
	t.Parallel()
	h := newTheatre(t)
	site := newLoggedSite(t, func(string) string { return calendarPage })
	page, state := &capture.Page{URL: site.URL + "/", Tab: "tab1"}, &capture.State{URL: site.URL + "/"}
	step := func(id, value string, target capture.Target, times int) workflow.Step {
		return workflow.Step{StepID: id, Title: id, Surface: "browser", Verb: capture.Click, Page: page, Before: state, After: state,
			Target: &target, Value: value, Times: times}
	}
	draft := compile.Output{RequiredSites: []string{site.host()}, Graph: workflow.Graph{
		Params: []workflow.Param{{ParamID: "p1", Name: "date", Kind: capture.KindDate, Role: "input", Required: true},
			{ParamID: "p2", Name: "person", Role: "input", Required: true},
			{ParamID: "p1.day", Name: "date_day", Derived: "the day", Role: "input"},
			{ParamID: "p1.month_long", Name: "date_month", Derived: "the month", Role: "input"}},
		Steps: []workflow.Step{
			{StepID: "s1", Title: "Open", Surface: "browser", Verb: capture.Navigate, Page: page, After: state},
			step("s2", "", capture.Target{Role: "button", Name: "Next month"}, 2),
			step("s3", "{date_day}", capture.Target{Role: "button", Name: "{date_day}",
				Landmark: &capture.Landmark{Role: "group", Name: "{date_month}"},
				Locators: []capture.Locator{{By: "role", Role: "button", Value: "{date_day}", Matches: 1}}}, 0),
			step("s4", "", capture.Target{Role: "button", Name: "Next"}, 1),
			step("s5", "{person}", capture.Target{Role: "button", Name: "Open {person}"}, 0),
		}}}
	perform := func(date, person string) (rehearse.Result, []string) {
		site.took(nil)
		res := h.runner.Perform(t.Context(), rehearse.Request{
			Draft: draft, Policy: all(), Parameters: map[string]string{"date": date, "person": person},
			Run: rehearse.ValidationRun{ProposalID: clock.NewID(), Revision: 1, RunKinds: []rehearse.RunKind{rehearse.RunRehearsal}}})
		return res, site.took(map[string]string{"day": "GET /took?21%20August%202027", "earlier": "GET /took?5%20November%202026",
			"same": "GET /took?9%20January%202027",
			"Abel": "GET /took?Abel", "Falk": "GET /took?Falk"})
	}
	for _, c := range []struct{ date, person, day string }{{"2027-08-21", "Falk", "day"}, {"2026-11-05", "Abel", "earlier"},
		{"9 January 2027", "Falk", "same"}} {
		res, got := perform(c.date, c.person)
		want := []string{c.day, c.person}
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%s, %s: %v %s %+v", c.date, c.person, got, res.Reason, res.Steps)
		}
	}
	res, got := perform("2027-01-09", "Nobody")
	if res.Overall != rehearse.Failed || !slices.Equal(got, []string{"same"}) {
		t.Errorf("somebody who is not there: %s %v", res.Overall, got)
	}
	if !strings.Contains(res.Reason, `expected button "Open {person}"; "Next" was used 3 times and it is not there`) {
		t.Errorf("reason: %s", res.Reason)
	}
}
