package compile

import (
	"fmt"
	"testing"
)

// filledIn sets the number of a thing in its row.
func filledIn(link, row, label, place string) string {
	const state = `{"url":"https://a.example/shop","headings":["Shop"]}`
	return fmt.Sprintf(`{"action":{"verb":"navigate","page":{"url":"https://a.example/shop"}},"after":%[1]s}
{"action":{"verb":"type","target":{"role":"spinbutton","tag":"b","name":"%[4]s","landmark":{"role":"%[5]s","name":"%[3]s"}},`+
		`"value":{"policy":"masked","kind":"number","length":1,"link_id":"%[2]s"},"page":{"url":"https://a.example/shop"}},`+
		`"before":%[1]s,"after":%[1]s}
`, state, link, row, label, place)
}

// A field that every row has is filled in for one of them: which one is an input, too. A line of a form is none, nor is a place.
func TestTheRowThatIsFilledIn(t *testing.T) {
	values := map[string]string{"v_4": "4", "v_towel": "Tea towel", "v_many": "How many"}
	for _, c := range []struct {
		row, label, place string
		inputs            int
		in                string
	}{
		{"[[text 9 v_towel]]", "", "listitem", 2, "{item}"},
		{"[[text 9 v_towel]]", "How many", "row", 2, "{item}"},
		{"[[text 8 v_many]]", "How many", "listitem", 1, "{*}"},
		{"Tea towels", "How many", "region", 1, "Tea towels"},
	} {
		out := drafted(t, "Change how many of a ware are in the basket", filledIn("v_4", c.row, c.label, c.place),
			func(in *Input) { in.Values = values })
		if step := out.Graph.Steps[1]; c.label == "" && step.Title != "Enter {number} for {item}" {
			t.Errorf("%+v: it is called %q", c, step.Title)
		}
		if n := len(out.Interpretation.Inputs); n != c.inputs {
			t.Errorf("%+v: %d inputs: %+v", c, n, out.Interpretation.Inputs)
		}
		if at := out.Graph.Steps[1].Target.Landmark; at.Name != c.in {
			t.Errorf("%+v: it is filled in in %+v", c, at)
		}
		asked := 0
		for _, q := range out.Questions {
			if q.Field == "input" {
				asked++
			}
		}
		if asked == 0 {
			t.Errorf("%+v: nothing is asked: %+v", c, out.Questions)
		}
	}
}
