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
