package perform

import (
	"strings"
	"testing"

	"showhow/daemon/rehearse/port"
)

// What bears a value may be missing because the value is wrong, and what was there instead is no list of what is missing.
func TestNotFoundWords(t *testing.T) {
	nf := &port.NotFound{Wanted: `link "Z-999" in the row of "Z-999"`, Seen: []string{`link "B-100"`, `button "Find"`}}
	got := notFoundWords(nf, `link "{article}" in the row of "{article}"`)
	if got != `expected link "{article}" in the row of "{article}"; it is not there (is the value of {article} right?); on the page: link `+
		`"…", button "Find"` {
		t.Error(got)
	}
	if got := notFoundWords(nf, `button "Save"`); strings.Contains(got, "right?") {
		t.Error(got)
	}
	like := &port.NotFound{Wanted: `button under "Events"`, Seen: []string{`button under "Events"`, `link "Home"`}}
	if got := notFoundWords(like, like.Wanted); strings.Contains(got, "not there") ||
		!strings.Contains(got, "one of that description is there") {
		t.Error(got)
	}
	nf.Ambiguous = true
	if got := notFoundWords(nf, `link "{article}"`); !strings.Contains(got, "several could be meant; on the page:") {
		t.Error(got)
	}
}
