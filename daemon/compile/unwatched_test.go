package compile

import (
	"fmt"
	"strings"
	"testing"

	"showhow/capture"
	"showhow/daemon/compile/page"
	"showhow/daemon/workflow"
)

// unwatched is an act of an imported recording: what was done, without its effect.
func unwatched(verb, target, more string) string {
	return `{"action":{"verb":"` + verb + `","target":{` + target + `},"page":{"url":"https://a.example/form.html","tab":"tab1"}` + more +
		`}}` + "\n"
}

const began = `{"action":{"verb":"navigate","page":{"url":"https://a.example/form.html","tab":"tab1"}},` +
	`"after":{"url":"https://a.example/form.html"}}` + "\n"

func entered(id, value string) string {
	return unwatched("type", `"role":"textbox","locators":[{"by":"css","value":"`+id+`","matches":0}]`,
		fmt.Sprintf(`,"value":{"policy":"literal","kind":"text","text":%q,"length":%d}`, value, len(value)))
}

func titlesOf(out Output) string {
	var b []string
	for _, s := range out.Graph.Steps {
		b = append(b, s.Title)
	}
	return strings.Join(b, "; ")
}

// Fields without a visible name are told apart and named by their name in the source, keys whose effect nobody saw stay,
// and the draft says that its end was not observed.
func TestUnwatchedRecording(t *testing.T) {
	out := drafted(t, "Pay", began+entered("#customerName", "jane")+entered("input[name='street']", "Elm 4")+unwatched("press", "",
		`,"keys":"Meta+C"`)+unwatched("press", "", `,"keys":"Enter"`), nil)
	if got, want := titlesOf(out),
		`Open /form.html; Enter {customer_name} as "customer name"; Enter {street} as "street"; Press Enter`; got != want {
		t.Errorf("%s", got)
	}
	if v := out.Verdict; v.Result != workflow.NeedsExample || v.StepID != "s4" ||
		!strings.Contains(v.Reason, "cannot be told whether it worked") {
		t.Errorf("%+v", v)
	}
	if !out.Lint.Passed {
		t.Errorf("%+v", out.Lint.Findings)
	}
}

// A form is not abandoned if something with an unknown effect was clicked in it.
func TestUnwatchedFormIsNotAbandoned(t *testing.T) {
	away := `{"action":{"verb":"navigate","page":{"url":"https://a.example/list","tab":"tab1"}},` +
		`"before":{"url":"https://a.example/form.html"},"after":{"url":"https://a.example/list"}}` + "\n"
	list := `{"action":{"verb":"navigate","page":{"url":"https://a.example/list","tab":"tab1"}},"after":{"url":"https://a.example/list"}}` +
		"\n"
	open := `{"action":{"verb":"click","target":{"role":"link","name":"New"},"page":{"url":"https://a.example/list","tab":"tab1"}},` +
		`"before":{"url":"https://a.example/list"},"after":{"url":"https://a.example/form.html"}}` + "\n"
	out := drafted(t, "Ask", list+open+entered("#note", "jane")+unwatched("click", `"role":"button","name":"Go on"`,
		"")+away+unwatched("click", `"role":"button","name":"Print"`, ""), nil)
	if got := titlesOf(out); !strings.Contains(got, "{note}") || len(out.LeftOut) != 0 {
		t.Errorf("%s\n%v", got, out.LeftOut)
	}
}

// A name consists of words that a person wrote, never of generated ones.
func TestWrittenName(t *testing.T) {
	for css, want := range map[string]string{
		"#customerName": "customer name", "#txt-tax-id": "tax id", "form > input[name='street']": "street", "#btnSave": "save", "#name": "name",
		"#contiguous-field-1": "contiguous 1",
		"#c2":                 "", "#__BVID__1136": "", "#mui-4711": "", "#yDmH0d": "", "div.row > span": "", "#a3f9c1d2e": "",
		"tr:nth-of-type(2) a":                  "",
		"#app form > div:nth-child(3) > input": "",
	} {
		if got := page.WrittenName(&capture.Target{Locators: []capture.Locator{{By: "css", Value: css}}}); got != want {
			t.Errorf("%s: %q, not %q", css, got, want)
		}
	}
	if got := page.WrittenName(&capture.Target{Locators: []capture.Locator{{By: "testid", Value: "save-deal"}}}); got != "save deal" {
		t.Error(got)
	}
}

// A goal to delete something is not reached by opening it.
func TestADeedThatWasNotShown(t *testing.T) {
	list := `{"action":{"verb":"navigate","page":{"url":"https://a.example/inbox","tab":"tab1"}},` +
		`"after":{"url":"https://a.example/inbox","title":"Inbox","headings":["Primary"]}}` + "\n"
	act := func(role, name, after string) string {
		return `{"action":{"verb":"click","target":{"role":"` + role + `","name":"` + name + `"},` +
			`"page":{"url":"https://a.example/inbox","tab":"tab1"}},` +
			`"before":{"url":"https://a.example/inbox","title":"Inbox","headings":["Primary"]},"after":` + after + `}` + "\n"
	}
	open := act("link", "Offer", `{"url":"https://a.example/mail","title":"Mail","headings":["Offer"]}`)
	trash := act("button", "Trash",
		`{"url":"https://a.example/inbox","title":"Inbox","headings":["Primary"],"alerts":["Moved to the trash."]}`)
	for _, c := range []struct {
		goal, work string
		said       bool
	}{
		{"Delete the mail of a sender", list + open, true},
		{"Find the mail of a sender and archive it", list + open, true},
		{"Read the mail of a sender", list + open, false},
		{"Delete the mail of a sender", list + trash, false},
	} {
		v := drafted(t, c.goal, c.work, nil).Verdict
		if said := v.Result == workflow.NeedsExample && strings.Contains(v.Reason, "nothing that was shown does more than open"); said != c.said {
			t.Errorf("%s: %+v", c.goal, v)
		}
	}
}

// A step whose condition exists only in words is marked for the review: no run can judge it.
func TestStepsThatNoMachineCanJudge(t *testing.T) {
	list := `{"action":{"verb":"navigate","page":{"url":"https://a.example/list","tab":"tab1"}},` +
		`"after":{"url":"https://a.example/list","title":"List","headings":["List"]}}` + "\n"
	save := `{"action":{"verb":"click","target":{"role":"button","name":"Save"},"page":{"url":"https://a.example/list","tab":"tab1"}},` +
		`"before":{"url":"https://a.example/list","title":"List","headings":["List"]},` +
		`"after":{"url":"https://a.example/list","title":"List","headings":["List"],"alerts":["It was saved."]}}` + "\n"
	for _, when := range []string{"", "the customer wants to know"} {
		out := drafted(t, "Save the list", list+save, func(in *Input) {
			if when != "" {
				in.Edits = map[string]any{"step_conditions": map[string]any{"s2": when}}
			}
		})
		for _, s := range out.Graph.Steps {
			if s.ByPerson != (s.StepID == "s2" && when != "") {
				t.Errorf("%q: %s %v", when, s.Title, s.ByPerson)
			}
		}
	}
}
