package compile

import (
	"fmt"
	"strings"
	"testing"

	"showhow/capture"
)

// enteredAt enters a value into a field that only a CSS path identifies.
func enteredAt(css, link string) string {
	return `{"action":{"verb":"type","target":{"role":"field","locators":[{"by":"css","value":"` + css +
		`"}]},"value":{"policy":"masked","kind":"text","length":5,"link_id":"` + link +
		`"},"page":{"url":"https://shop.acme.example/new"}},"before":{"url":"https://shop.acme.example/new"}}` + "\n"
}

// Two fields without a name are different fields, and a word of the site's address that was also entered stays a word of
// the address.
func TestFieldsWithoutAName(t *testing.T) {
	at := func(css string) string {
		return `{"action":{"verb":"click","target":{"locators":[{"by":"css","value":"` + css +
			`"}]},"page":{"url":"https://shop.acme.example/new"}}}` + "\n"
	}
	trace := at("div.a svg") + at("div.b svg") + at("div.b svg") + enteredAt("div:nth-of-type(1) > input", "v_a") +
		enteredAt("div:nth-of-type(2) > input", "v_b") +
		`{"action":{"verb":"click","target":{"role":"button","name":"Save"},"page":{"url":"https://shop.acme.example/new"}},` +
		`"before":{"url":"https://shop.acme.example/new"},"after":{"url":"https://shop.acme.example/acme"}}`
	out := drafted(t, "Add a thing", trace, func(in *Input) { in.Values = map[string]string{"v_a": "acme", "v_b": "brass"} })
	entered, clicked := 0, ""
	for _, s := range out.Graph.Steps {
		if s.Verb == capture.Click {
			clicked += fmt.Sprint(max(s.Times, 1), " ")
		}
		if s.Verb == capture.Type {
			entered++
		}
		if s.Page != nil && !strings.HasPrefix(s.Page.URL, "https://shop.acme.example/") {
			t.Errorf("%s is at %s", s.Title, s.Page.URL)
		}
	}
	if entered != 2 || clicked != "1 2 " {
		t.Errorf("%d entries, %s clicks: %v", entered, clicked, out.LeftOut)
	}
}
