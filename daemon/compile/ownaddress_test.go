package compile

import (
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// ownAddress is a settings page with a field for the address of the site itself.
const ownAddress = `-- input.json --
{"goal":"Change the settings","values":{"v_a":"http://127.0.0.1:8082","v_t":"News from the hill"}}
-- trace1.jsonl --
{"action":{"verb":"type","target":{"role":"textbox","name":"Tagline","label":"Tagline"},"value":{"policy":"masked","kind":"text",` +
	`"length":18,"link_id":"v_t"},"page":{"url":"http://127.0.0.1:8082/settings"}},"before":{"url":"http://127.0.0.1:8082/settings",` +
	`"headings":["Settings"],"fields":[{"label":"Site ` +
	`address","role":"textbox","value":{"policy":"masked","kind":"url","length":21,"link_id":"v_a"}},{"label":"Tagline","role":"textbox",` +
	`"value":{"policy":"masked","kind":"text"}}]},"after":{"url":"http://127.0.0.1:8082/settings","headings":["Settings"],` +
	`"fields":[{"label":"Site ` +
	`address","role":"textbox","value":{"policy":"masked","kind":"url","length":21,"link_id":"v_a"}},{"label":"Tagline","role":"textbox",` +
	`"value":{"policy":"masked","kind":"text","length":18,"link_id":"v_t"}}]}}
{"action":{"verb":"click","target":{"role":"button","name":"Save"},"page":{"url":"http://127.0.0.1:8082/settings"}},` +
	`"before":{"url":"http://127.0.0.1:8082/settings","headings":["Settings"],"fields":[{"label":"Site ` +
	`address","role":"textbox","value":{"policy":"masked","kind":"url","length":21,"link_id":"v_a"}},{"label":"Tagline","role":"textbox",` +
	`"value":{"policy":"masked","kind":"text","length":18,"link_id":"v_t"}}]},"after":{"url":"http://127.0.0.1:8082/settings",` +
	`"headings":["Settings"],"alerts":["Settings saved"],"fields":[{"label":"Site ` +
	`address","role":"textbox","value":{"policy":"masked","kind":"url","length":21,"link_id":"v_a"}},{"label":"Tagline","role":"textbox",` +
	`"value":{"policy":"masked","kind":"text","length":18,"link_id":"v_t"}}]}}
`

// The addresses of the pages stay the same.
func TestAFieldHoldsTheSitesOwnAddress(t *testing.T) {
	out, err := Compile(loadFixture(t, txtar.Parse([]byte(ownAddress))))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range out.Graph.Steps {
		if s.Page == nil || s.Page.URL != "http://127.0.0.1:8082/settings" {
			t.Errorf("%s begins at %+v", s.Title, s.Page)
		}
	}
}
