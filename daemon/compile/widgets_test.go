package compile

import (
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// Choosing an entry of a list is an act of its own, however soon something else is ticked or typed; so is a click into a
// field that opens cascading lists.
func TestAnEntryAndWhatFollows(t *testing.T) {
	const lists = `-- input.json --
{"goal":"Place the stand","values":{"v_r":"Blue room"}}
-- trace1.jsonl --
{"action":{"verb":"click","target":{"role":"combobox","name":"Room"},"page":{"url":"http://a/x"}},"before":{"url":"http://a/x"},` +
		`"after":{"url":"http://a/x"}}
{"action":{"verb":"click","target":{"role":"option","name":"[[choice 9 ` +
		`v_r]]"},"value":{"policy":"masked","kind":"choice","length":9,"link_id":"v_r","chosen":true},"page":{"url":"http://a/x"}},` +
		`"before":{"url":"http://a/x"},"after":{"url":"http://a/x"}}
{"action":{"verb":"check","target":{"role":"checkbox","name":"Breakfast"},"value":{"policy":"masked","kind":"boolean","length":2,` +
		`"chosen":true},"page":{"url":"http://a/x"}},"before":{"url":"http://a/x"},"after":{"url":"http://a/x"}}
{"action":{"verb":"click","target":{"role":"combobox","name":"Place"},"page":{"url":"http://a/x"}},"before":{"url":"http://a/x"},` +
		`"after":{"url":"http://a/x"}}
{"action":{"verb":"click","target":{"role":"menuitemcheckbox","name":"South"},"page":{"url":"http://a/x"}},` +
		`"before":{"url":"http://a/x"},"after":{"url":"http://a/x"}}
{"action":{"verb":"click","target":{"role":"menuitemcheckbox","name":"Hill"},"page":{"url":"http://a/x"}},"before":{"url":"http://a/x"},` +
		`"after":{"url":"http://a/x"}}
{"action":{"verb":"click","target":{"role":"button","name":"Save"},"page":{"url":"http://a/x"}},"before":{"url":"http://a/x"},` +
		`"after":{"url":"http://a/x","alerts":["Saved."]}}
`
	out, err := Compile(loadFixture(t, txtar.Parse([]byte(lists))))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range out.Graph.Steps {
		got = append(got, string(s.Verb)+" "+s.Target.Role)
	}
	want := "click combobox|click option|check checkbox|click combobox|click menuitemcheckbox|click menuitemcheckbox|submit button"
	if strings.Join(got, "|") != want {
		t.Errorf("%q", got)
	}
}

// A click right after Enter is a click of the person's: the recorder tells apart what the browser clicks by itself.
func TestEnterThenNext(t *testing.T) {
	const steps = `-- input.json --
{"goal":"Book a bench","values":{"v_d":"2027-02-13"}}
-- trace1.jsonl --
{"action":{"verb":"type","target":{"role":"textbox","name":"Day"},"value":{"policy":"sealed","kind":"date","length":10,"link_id":"v_d"},` +
		`"occurred_at":"2026-05-04T10:00:00Z","page":{"url":"http://a/x"}},"before":{"url":"http://a/x"},"after":{"url":"http://a/x"}}
{"action":{"verb":"press","keys":"Enter","target":{"role":"textbox","name":"Day"},"occurred_at":"2026-05-04T10:00:00.1Z",` +
		`"page":{"url":"http://a/x"}},"before":{"url":"http://a/x"},"after":{"url":"http://a/x"}}
{"action":{"verb":"click","target":{"role":"button","name":"Next"},"occurred_at":"2026-05-04T10:00:00.2Z",` +
		`"page":{"url":"http://a/x"}},"before":{"url":"http://a/x","headings":["Day"]},"after":{"url":"http://a/x","headings":["Place"]}}
{"action":{"verb":"click","target":{"role":"button","name":"Book"},"occurred_at":"2026-05-04T10:00:03Z",` +
		`"page":{"url":"http://a/x"}},"before":{"url":"http://a/x"},"after":{"url":"http://a/x","alerts":["Booked."]}}
`
	out, err := Compile(loadFixture(t, txtar.Parse([]byte(steps))))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range out.Graph.Steps {
		if s.Target.Role == "button" {
			got = append(got, s.Target.Name)
		}
	}
	if strings.Join(got, "|") != "Next|Book" {
		t.Errorf("%q", got)
	}
}

// A radio button called like what was chosen elsewhere in that run is still one of its group: which one is an input, as in the other run.
func TestARadioButtonOfANameChosenElsewhere(t *testing.T) {
	act := func(what string) string {
		return `{"action":{` + what + `,"page":{"url":"http://a/x"}},"before":{"url":"http://a/x"},"after":{"url":"http://a/x"}}`
	}
	pick := func(link string) string {
		return act(`"verb":"select","target":{"role":"combobox","name":"Size","options":["Oak","Ash","Elm"]},` +
			`"value":{"policy":"masked","kind":"choice","length":3,"link_id":"` + link + `","chosen":true}`)
	}
	tick := func(name string) string {
		return act(`"verb":"check","target":{"role":"radio","name":"` + name + `","label":"` + name + `","input_type":"radio",` +
			`"tag":"input","options":["Oak","Fir","Yew"],"landmark":{"role":"group","name":"Wood"}},"value":{"policy":"masked",` +
			`"kind":"boolean","length":2,"chosen":true}`)
	}
	save := `{"action":{"verb":"click","target":{"role":"button","name":"Save"},"page":{"url":"http://a/x"}},"before":{"url":"http://a/x"},` +
		`"after":{"url":"http://a/x","alerts":["Saved."]}}`
	runs := strings.Join([]string{`-- input.json --`, `{"goal":"Order a plank","values":{"v_oak":"Oak","v_ash":"Ash"}}`,
		`-- trace1.jsonl --`, pick("v_ash"), tick("Fir"), save, `-- trace2.jsonl --`, pick("v_oak"), tick("[[choice 3 v_oak]]"), save, ``}, "\n")
	out, err := Compile(loadFixture(t, txtar.Parse([]byte(runs))))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range out.Graph.Steps {
		got = append(got, string(s.Verb)+" "+s.Target.Name+" "+s.Value+s.Condition)
	}
	if want := "select Size {size}|select Wood {wood}|submit Save "; strings.Join(got, "|") != want {
		t.Errorf("%q", got)
	}
}
