package compile

import (
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// openedAlike is a shelf that is opened by an address with a sealed part, and what was typed there in two
// demonstrations.
func openedAlike(at, first, second string) string {
	one := func(link string) string {
		return `{"action":{"verb":"navigate","page":{"url":"https://a.example/shelf?file=[[text 9 v_f]]&part=rows"}},` +
			`"after":{"url":"https://a.example/shelf?file=[[text 9 v_f]]&part=rows","headings":["Shelf"]}}
{"action":{"verb":"type","target":{"role":"textbox","name":"Title"},` +
			`"value":{"policy":"masked","kind":"text","length":5,"link_id":"` +
			link + `"},"page":{"url":"https://a.example/shelf?file=[[text 9 v_f]]&part=rows"}}}
{"action":{"verb":"click","target":{"role":"button","name":"Keep"},` +
			`"page":{"url":"https://a.example/shelf?file=[[text 9 v_f]]&part=rows"}},` +
			`"after":{"url":"https://a.example/shelf?file=[[text 9 v_f]]&part=rows","headings":["Shelf"],"alerts":["Kept"]}}
`
	}
	return `-- input.json --
{"goal":"Keep a title","values":{"v_f":"` + at + `","v_1":"` + first + `","v_2":"` + second + `"}}
-- trace1.jsonl --
` + one("v_1") + `-- trace2.jsonl --
` + one("v_2")
}

func TestWhatEveryDemonstrationOpenedBelongsToTheAddress(t *testing.T) {
	for _, c := range []struct{ at, first, want string }{
		{"./books.db", "Poems", "https://a.example/shelf?file=./books.db&part=rows"},
		{"my books", "Poems", "https://a.example/shelf?file=my+books&part=rows"},
		{"Poems", "Poems", "{"}, // it was typed: what is opened depends on it
	} {
		out, err := Compile(loadFixture(t, txtar.Parse([]byte(openedAlike(c.at, c.first, "Plays")))))
		if err != nil {
			t.Fatal(err)
		}
		if at := out.Graph.Steps[0].Page.URL; !strings.Contains(at, c.want) {
			t.Errorf("%s: it begins at %s", c.at, at)
		}
	}
}
