package perform

import (
	"testing"

	"showhow/daemon/rehearse/supply"
)

// Unknown parts of an address are omitted if the page can be identified without them: query values, and the fragment.
// An unknown path leads nowhere.
func TestPlaceWithoutUnknownValues(t *testing.T) {
	for demonstrated, want := range map[string]string{
		"http://a/#/people":                         "http://a/#/people",
		"http://a/list?page=2&q={*}":                "http://a/list?page=2",
		"http://a/list?q={*}#/board":                "http://a/list#/board",
		"http://a/#{*}":                             "http://a/",
		"http://a/#/board/{*}":                      "http://a/",
		"http://a/#/board?view={*}&by=day":          "http://a/#/board?by=day",
		"http://a/#view={*}&by=day":                 "http://a/#by=day",
		"http://a/people/{*}":                       "",
		"http://a/people/{*}#top":                   "",
		"http://a/#/people/{person}":                "http://a/#/people/Ada%20L",
		"http://a/find?who={person}#/people/{*}":    "http://a/find?who=Ada+L",
		"http://a/find?who={person}#/of/{person}/x": "http://a/find?who=Ada+L#/of/Ada%20L/x",
	} {
		p := performance(supply.Supply{Bindings: supply.Bindings{"person": "Ada L"}, Known: map[string]bool{"person": true}})
		if got, less := p.tab.place(demonstrated); got != want || less != (want != "" && want != p.supply.Address(demonstrated)) {
			t.Errorf("%s: %q, less %v", demonstrated, got, less)
		}
	}
}
