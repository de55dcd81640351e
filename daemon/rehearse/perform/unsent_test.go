package perform

import (
	"errors"
	"testing"

	"showhow/capture"
	"showhow/daemon/rehearse/port"
	"showhow/daemon/rehearse/proof"
	"showhow/daemon/rehearse/record"
	"showhow/daemon/rehearse/supply"
	"showhow/daemon/workflow"
)

func TestAFormThatDidNotLeaveEndsTheRun(t *testing.T) {
	p := performance(supply.Supply{})
	for _, c := range []struct {
		method     string
		navigation bool
		ends       bool
	}{{"POST", true, true}, {"POST", false, false}, {"GET", true, false}} {
		err := p.tab.unsent([]port.Blocked{{Method: "GET", Host: "a"}, {Method: c.method, Host: "a", Navigation: c.navigation, Why: "it sends"}})
		var h *halt
		if ends := errors.As(err, &h); ends != c.ends {
			t.Errorf("%s, navigation %v: %v", c.method, c.navigation, err)
		} else if ends && h.code != record.CodePolicyViolation {
			t.Errorf("it ends with %s", h.code)
		}
	}
}

// A list of things and, opened below one of them, a table that says more of it.
func TestAPartThatIsClosedWhenThePageIsOpenedAgainSaysNothing(t *testing.T) {
	row := func(list, text string) port.Row { return port.Row{List: list, Text: text} }
	detail := []port.Row{row("detail", "Folder /srv/maps"), row("detail", "Size 3"), row("detail", "Owner Ada")}
	others := []port.Row{row("shelves", "Scores"), row("shelves", "Recipes")}
	for _, c := range []struct {
		name        string
		before, now []port.Row
		gone        bool
	}{
		{"all of the part is missing", append(detail, others...), others, false},
		{"what stood beside a label is missing", labelledRows("Path", "/srv/maps", "Uptime", "4 h"),
			labelledRows("Uptime", "4 h"), false},
		{"its row is missing among others", append([]port.Row{row("shelves", "Maps")}, others...), others, true},
	} {
		p := performance(supply.Supply{Bindings: supply.Bindings{}})
		at := "https://x.example/"
		p.tab.state = capture.State{URL: at}
		p.trail.remember(at, c.before)
		p.trail.things = []proof.Thing{{Name: "folder", Value: "maps", Address: at}}
		r := p.reviewer.review(workflow.Step{})
		p.reviewer.reviewPage(at, port.Page{State: capture.State{URL: at}, Rows: c.now}, r)
		if got := r.Proof() != ""; got != c.gone {
			t.Errorf("%s: %q", c.name, r.Proof())
		}
	}
}
