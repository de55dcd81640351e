package compile

import (
	"strings"
	"testing"

	"showhow/daemon/workflow"
)

// archived shows how a message is archived: it is picked by its sender, and opens under its subject.
func archived(mentions string) string {
	const at = `"page":{"url":"https://a.example/mail"}`
	list := `{"url":"https://a.example/mail","headings":["Inbox"],"tables":[{"name":"Messages","rows":5}]}`
	open := `{"url":"https://a.example/mail","headings":["Inbox","Minutes of May"],"tables":[{"name":"Messages","rows":5}]}`
	asks := `{"url":"https://a.example/mail","headings":["Inbox","Minutes of May"],"dialogs":["Archive Minutes of May"],` +
		`"tables":[{"name":"Messages","rows":5}]}`
	done := `{"url":"https://a.example/mail","headings":["Inbox"],"tables":[{"name":"Messages","rows":4}]}`
	return `{"action":{"verb":"navigate",` + at + `},"after":` + list + `}
{"action":{"verb":"click","target":{"role":"listitem","tag":"li","name":"[[text 9 v_emil]]"},` + mentions +
		`"value":{"policy":"masked","kind":"text","length":9,"link_id":"v_emil","chosen":true},` + at + `},"before":` + list +
		`,"after":` + open + `}
{"action":{"verb":"click","target":{"role":"button","tag":"button","name":"Archive"},` + at + `},"before":` + open + `,"after":` + asks + `}
{"action":{"verb":"click","target":{"role":"button","tag":"button","name":"Yes",` +
		`"landmark":{"role":"dialog","name":"Archive Minutes of May"}},` +
		at + `},"before":` + asks + `,"after":` + done + `}
`
}

const mentionsSubject = `"mentions":[{"event_id":"t0-e2","path":"div.subj","text":"Minutes of May"}],`

// A text of the picked item that the page shows is another one in a run that picks another item.
func TestTextsOfThePickedItemVary(t *testing.T) {
	for _, c := range []struct {
		mentions, answer string
		fixed            bool
	}{{mentionsSubject, "input", false}, {mentionsSubject, "constant", true}, {mentionsSubject, "", false}, {"", "input", true}} {
		out := drafted(t, "Archive a message", archived(c.mentions), func(in *Input) {
			in.Values = map[string]string{"v_emil": "Emil Saar"}
			if c.answer != "" {
				in.Answers = map[string]string{"p1/input": c.answer}
			}
		})
		last := out.Graph.Steps[len(out.Graph.Steps)-1]
		if got := last.Target.Landmark.Name == "Archive Minutes of May"; got != c.fixed {
			t.Errorf("mentions %q, %s: the last step is in %q", c.mentions, c.answer, last.Target.Landmark.Name)
		}
		for _, cp := range out.Interpretation.Checkpoints {
			for _, k := range append([]workflow.Check{*cp.Check}, cp.MoreChecks...) {
				if says := strings.Contains(k.Expect+k.Name, "Minutes"); says && !c.fixed {
					t.Errorf("mentions %q, %s: the check %+v", c.mentions, c.answer, k)
				}
				if strings.Trim(strings.ReplaceAll(k.Expect, "{*}", ""), " ") == "" && k.Kind != "row_count" && k.Kind != "element" {
					t.Errorf("mentions %q, %s: the check %+v proves nothing", c.mentions, c.answer, k)
				}
			}
		}
		if c.fixed {
			continue
		}
		i := 0
		for ; i < len(out.Graph.Params) && out.Graph.Params[i].Read == nil; i++ {
		}
		if i == len(out.Graph.Params) || out.Graph.Params[i].Read.ItemOf != "p1" || out.Graph.Params[i].Read.Path != "div.subj" {
			t.Fatalf("inputs: %+v", out.Graph.Params)
		}
		if len(out.Interpretation.Inputs) != 1 {
			t.Errorf("it asks for %+v", out.Interpretation.Inputs)
		}
		if want := "Archive {" + out.Graph.Params[i].Name + "}"; last.Target.Landmark.Name != want {
			t.Errorf("the last step is in %q, not %q", last.Target.Landmark.Name, want)
		}
		if !out.Lint.Passed {
			t.Errorf("the lint: %+v", out.Lint.Findings)
		}
	}
}

// A dialog that opens under the name of its button has that name from the application, although the item has the same text.
func TestADialogNamedAfterItsButton(t *testing.T) {
	mentions := `"mentions":[{"event_id":"t0-e2","path":"em","text":"Second review"}],`
	records := strings.NewReplacer("Archive Minutes of May", "Second review", `"name":"Archive"`,
		`"name":"Second review"`).Replace(archived(mentions))
	out := drafted(t, "Review a message", records, func(in *Input) { in.Values = map[string]string{"v_emil": "Emil Saar"} })
	if last := out.Graph.Steps[len(out.Graph.Steps)-1]; last.Target.Landmark.Name != "Second review" {
		t.Errorf("the last step is in %q", last.Target.Landmark.Name)
	}
}

// What the pages showed before the pick is their own.
func TestTextsShownBeforeThePick(t *testing.T) {
	shows := strings.ReplaceAll(archived(mentionsSubject), `"headings":["Inbox"]`, `"headings":["Inbox","Last read: Minutes of May"]`)
	out := drafted(t, "Archive a message", shows, func(in *Input) { in.Values = map[string]string{"v_emil": "Emil Saar"} })
	if last := out.Graph.Steps[len(out.Graph.Steps)-1]; last.Target.Landmark.Name != "Archive Minutes of May" {
		t.Errorf("the last step is in %q", last.Target.Landmark.Name)
	}
}
