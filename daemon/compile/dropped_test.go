package compile

import (
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// draggedTo drags an item of one list to another list.
func draggedTo(card, list string) string {
	const at = `"page":{"url":"https://a.example/board"}`
	state := func(a, b string) string {
		return `{"url":"https://a.example/board","headings":["Board"],"tables":[{"name":"Inbox","rows":` + a + `},{"name":"` + list +
			`","rows":` + b + `}]}`
	}
	return `{"action":{"verb":"navigate",` + at + `},"after":` + state("3", "1") + `}` + "\n" +
		`{"action":{"verb":"drag","target":{"role":"listitem","tag":"li","name":"` + card +
		`"},"drop":{"role":"region","tag":"section","name":"` + list + `"},` + at + `},"before":` + state("3", "1") +
		`,"after":` + state("2", "2") + `}` + "\n"
}

// Drop places stand side by side. That every demonstration used the same one does not make it part of the work, unless
// the goal names it.
func TestTheSamePlaceTwiceMayBeChance(t *testing.T) {
	for _, c := range []struct {
		goal string
		asks bool
	}{{"Move a card to another list", true}, {"Move a card to waiting", false}} {
		out := drafted(t, c.goal, draggedTo("Alpha one", "Waiting"), func(in *Input) {
			in.Traces = append(in.Traces, loadTrace(t, txtar.File{Name: "trace2", Data: []byte(draggedTo("Beta two", "Waiting"))}, 1))
		})
		var inputs []string
		for _, p := range out.Graph.Params {
			inputs = append(inputs, p.Name+" "+string(p.Role))
		}
		step := out.Graph.Steps[len(out.Graph.Steps)-1]
		if got := strings.Contains(step.Drop.Name, "{"); got != c.asks {
			t.Errorf("%s: dropped on %q; inputs %v", c.goal, step.Drop.Name, inputs)
		}
		suggested := ""
		for _, q := range out.Questions {
			if strings.Contains(q.Prompt, `"List"`) {
				suggested = q.Suggested
			}
		}
		if c.asks && suggested != "input" {
			t.Errorf("%s: the place is suggested to be %q: %v", c.goal, suggested, out.Questions)
		}
	}
}
