package compile

import (
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"showhow/daemon/workflow"
)

// The answer that a page says nothing is valid: a person judges whether it worked, and the draft can be installed.
func TestAPageThatSaysNothing(t *testing.T) {
	page := `"page":{"url":"https://a.example/notes","tab":"tab1"},`
	state := `"before":{"url":"https://a.example/notes","headings":["Notes"]},"after":{"url":"https://a.example/notes","headings":["Notes"]}`
	records := `{"action":{"verb":"navigate",` + page + `"keys":""},"after":{"url":"https://a.example/notes","headings":["Notes"]}}` + "\n" +
		`{"action":{"verb":"type",` + page + `"target":{"role":"textbox","name":"Note","label":"Note"},` +
		`"value":{"policy":"literal","kind":"text","text":"Call Ada","length":8}},` + state + "}\n" +
		`{"action":{"verb":"submit",` + page + `"target":{"role":"button","name":"Keep"}},` + state + "}\n"
	asked := drafted(t, "Keep a note", records, nil)
	subject := ""
	for _, q := range asked.Questions {
		if q.Field == "success_condition" {
			subject = q.SubjectRef
		}
	}
	if subject == "" {
		t.Fatalf("nothing was asked: %+v", asked.Questions)
	}
	out := drafted(t, "Keep a note", records, func(in *Input) {
		in.Answers = map[string]string{subject + "/success_condition": "none", "p1/input": "input"}
	})
	if !out.Lint.Passed || out.Verdict.Result != workflow.Generalises {
		t.Errorf("%+v\n%+v", out.Lint.Findings, out.Verdict)
	}
	cps := out.Interpretation.Checkpoints
	if len(cps) == 0 || cps[len(cps)-1].Check.Kind != "manual" || !strings.Contains(cps[len(cps)-1].SuccessCondition, "a person has seen") {
		t.Errorf("%+v", cps)
	}
}

// "The same values" is only said if they were observed to be the same.
func TestOtherValuesAreNotCalledTheSame(t *testing.T) {
	const desk = `"page":{"url":"https://desk.example.com/leave","tab":"tab1"}`
	const state = `{"url":"https://desk.example.com/leave","headings":["Leave"]}`
	begin := `{"action":{"verb":"navigate",` + desk + `},"after":` + state + "}\n"
	send := `{"action":{"verb":"click","target":{"role":"button","name":"Send"},` + desk + `},"before":` + state +
		`,"after":{"url":"https://desk.example.com/leave","headings":["Leave"],"alerts":["Sent."]}}` + "\n"
	add := `{"action":{"verb":"click","target":{"role":"button","name":"Add a day"},` + desk + `},"before":` + state +
		`,"after":{"url":"https://desk.example.com/leave","headings":["Leave"],"tables":[{"name":"Days","columns":["Day"],"rows":2}]}}` + "\n"
	fill := func(field, link string) string {
		return `{"action":{"verb":"type","target":{"role":"textbox","name":"` + field + `","label":"` + field +
			`"},"value":{"policy":"masked","kind":"text","length":5,"link_id":"` + link + `"},` + desk + `},"before":` + state +
			`,"after":` + state + "}\n"
	}
	in := loadFixture(t, &txtar.Archive{Files: []txtar.File{
		{Name: "input.json", Data: []byte(`{"goal":"Ask for a day off","values":{"v_a":"Alpha","v_b":"Bravo"}}`)},
		{Name: "trace1", Data: []byte(begin + fill("Reason", "v_a") + add + send)},
		{Name: "trace2", Data: []byte(begin + fill("Stand-in", "v_b") + send)}}})
	out := compiled(t, in)
	said := ""
	for _, q := range out.Questions {
		said += q.Prompt + "\n"
	}
	if !strings.Contains(said, "Add a day") || strings.Contains(said, "same values") {
		t.Errorf("%s", said)
	}
}

// If the title of a page contains its host, the draft does not mention the host.
func TestATitleThatHoldsTheHost(t *testing.T) {
	state := func(path, heading string) string {
		return `{"url":"http://127.0.0.1:8081` + path + `","title":"127.0.0.1:8081 / Orders","headings":[` + heading + `]}`
	}
	records := `{"action":{"verb":"navigate","page":{"url":"http://127.0.0.1:8081/","tab":"tab1"}},"after":` + state("/", "") + "}\n" +
		`{"action":{"verb":"click","target":{"role":"link","name":"Orders"},"page":{"url":"http://127.0.0.1:8081/","tab":"tab1"}},"before":` +
		state("/", "") + `,"after":` + state("/orders", `"Orders on 127.0.0.1"`) + "}\n" +
		`{"action":{"verb":"click","target":{"role":"link","name":"All"},"page":{"url":"http://127.0.0.1:8081/orders","tab":"tab1"}},"before":` +
		state("/orders", `"Orders on 127.0.0.1"`) + `,"after":` + state("/all", "") + "}\n"
	out := drafted(t, "Look at all orders", records, nil)
	if !out.Lint.Passed {
		t.Errorf("%+v\n%+v", out.Lint.Findings, out.Interpretation.Checkpoints)
	}
	for _, c := range out.Interpretation.Checkpoints {
		if strings.Contains(c.Goal+c.SuccessCondition+c.Check.Expect, "127") {
			t.Errorf("%+v", c)
		}
	}
}
