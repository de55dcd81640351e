package compile

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// pressedOn is one demonstration on a page of things: one of them was pressed, by a name that holds more than its own.
func pressedOn(nth int, name string) string {
	return fmt.Sprintf(`{"action":{"verb":"click","target":{"role":"button","name":%[2]q,"text":%[2]q,"tag":"button",`+
		`"landmark":{"role":"heading","name":"Harbour"},"locators":[{"by":"role","role":"button","value":%[2]q,"matches":1},`+
		`{"by":"css","value":"#all > div:nth-of-type(%[1]d) > button","matches":1}]},"page":{"url":"https://a.example/"}},`+
		`"before":{"url":"https://a.example/","headings":["Harbour"]},"after":{"url":"https://a.example/","headings":["Harbour"]}}`+
		"\n", nth, name)
}

// What names the thing of one demonstration is no part of a target: a run that is asked for another thing has only what was asked for.
func TestNoTargetNamesADemonstratedThing(t *testing.T) {
	for name, c := range map[string]struct{ one, two string }{
		"a state that was sealed": {"[[text 8 v_state]] [[text 8 v_state]] Ledgers", "Unsorted Unsorted Scores"},
		"states that are read":    {"Up to date Ledgers", "Unsorted Scores"},
		"a name before its state": {"Ledgers [[text 8 v_state]]", "Scores Unsorted"},
	} {
		out, err := Compile(loadFixture(t, &txtar.Archive{Files: []txtar.File{
			{Name: "input.json", Data: []byte(`{"goal":"Hold a shed","values":{"v_state":"Up to date"}}`)},
			{Name: "trace1", Data: []byte(pressedOn(1, c.one))}, {Name: "trace2", Data: []byte(pressedOn(4, c.two))}}}))
		if err != nil {
			t.Fatal(err)
		}
		picks := 0
		for _, s := range out.Graph.Steps {
			if s.Target == nil || !strings.HasPrefix(s.Value, "{") {
				continue
			}
			picks++
			said := s.Target.Name + s.Target.Text
			for _, l := range s.Target.Locators {
				said += l.Value
			}
			if strings.Contains(said, "Ledgers") || !strings.Contains(said, s.Value) {
				t.Errorf("%s: %q is picked by %+v", name, s.Value, s.Target)
			}
		}
		if picks != 1 {
			t.Errorf("%s: %d picks", name, picks)
		}
	}
}
