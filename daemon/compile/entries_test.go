package compile

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"showhow/capture"
)

// chosenInRow opens the menu of a row and chooses an entry, either one with a role or a generic one inside the row.
func chosenInRow(row, entry string, role bool) string {
	const at = `"page":{"url":"https://a.example/stock"}`
	landmark := `"landmark":{"role":"row","name":"` + row + `"}`
	target := `{"role":"generic","tag":"div","text":"` + entry + `",` + landmark + `}`
	if role {
		target = `{"role":"menuitem","tag":"li","name":"` + entry + `","landmark":{"role":"menu","name":"More"}}`
	}
	return fmt.Sprintf(`{"action":{"verb":"click","target":{"role":"button","tag":"button","name":"More",%s},%s}}
{"action":{"verb":"click","target":%s,%s}}
`, landmark, at, target, at)
}

// An entry of a row's menu that performs no action is a value: all demonstrations may have chosen the same one by
// chance, so it is an input whose default is what was shown. An action, or an entry that the goal names, is part of the
// work.
func TestTheSameEntryTwiceMayBeChance(t *testing.T) {
	for _, role := range []bool{true, false} {
		for _, c := range []struct {
			goal, entry string
			asks        bool
		}{{"Give a part another shelf", "Cellar", true}, {"Move a part to the cellar", "Cellar", false}, {"Tidy up a part", "Archive", false}} {
			out := drafted(t, c.goal, chosenInRow("Bolt 12", c.entry, role), func(in *Input) {
				in.Traces = append(in.Traces, loadTrace(t, txtar.File{Name: "2", Data: []byte(chosenInRow("Nut 7", c.entry, role))}, 1))
			})
			answers := map[string]string{}
			for _, q := range out.Questions {
				if q.SubjectRef != "" {
					answers[q.SubjectRef+"/"+q.Field] = q.Suggested
				}
			}
			out2 := drafted(t, c.goal, chosenInRow("Bolt 12", c.entry, role), func(in *Input) {
				in.Answers = answers
				in.Traces = append(in.Traces, loadTrace(t, txtar.File{Name: "2", Data: []byte(chosenInRow("Nut 7", c.entry, role))}, 1))
			})
			step := out2.Graph.Steps[len(out2.Graph.Steps)-1]
			if step.Verb != capture.Click || strings.Contains(step.Target.Name+step.Target.Text, "{") != c.asks {
				t.Errorf("%s, role %v: chosen is %q; %+v; %v", c.goal, role, step.Target.Name+step.Target.Text, step, out2.Graph.Params)
			}
			for _, p := range out2.Graph.Params {
				if p.Name == "choice" && p.Role == "input" && (p.Default != c.entry || p.Required) {
					t.Errorf("%s, role %v: %+v", c.goal, role, p)
				}
			}
		}
	}
}

// The name of a control in a row is the program's word if it is the same in every demonstration while the rows differ,
// even if the page made it look like the name of a thing.
func TestAControlsNameInOtherRows(t *testing.T) {
	in := func(row, link, name string) string {
		return fmt.Sprintf(`{"action":{"verb":"click","target":{"role":"link","tag":"a","name":"[[choice 7 %s]]","landmark":{"role":"row",`+
			`"name":"[[text 6 %s]]"}},"value":{"policy":"masked","kind":"choice","length":7,"link_id":"%s","chosen":true},`+
			`"page":{"url":"https://a.example/stock"}}}`+"\n", name, link, name)
	}
	rows := in("Bolt 12", "v_bolt", "v_away")
	for second, want := range map[string]string{"v_nut": "Unhinge", "v_bolt": ""} {
		out := drafted(t, "Tidy up a part", rows, func(i *Input) {
			i.Values = map[string]string{"v_bolt": "Bolt 12", "v_nut": "Nut 7", "v_away": "Unhinge"}
			i.Traces = append(i.Traces, loadTrace(t, txtar.File{Name: "2", Data: []byte(in("", second, "v_away"))}, 1))
		})
		if got := out.Graph.Steps[len(out.Graph.Steps)-1].Target.Name; got == "Unhinge" != (want != "") {
			t.Errorf("with %s: called %q", second, got)
		}
	}
}
