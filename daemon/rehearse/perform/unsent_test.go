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

func TestWhatDidNotLeaveEndsTheRun(t *testing.T) {
	p := performance(supply.Supply{})
	p.tab.state.URL = "https://a.example/desk"
	p.sites.Hosts = []string{"a.example", "api.a.example"}
	deed := workflow.Step{StepID: "deed", Effect: true}
	framed := workflow.Step{Target: &capture.Target{Role: "button", Frame: "https://pay.example/"}}
	for name, c := range map[string]struct {
		step workflow.Step
		port.Blocked
		ends bool
	}{
		"a form of the page":              {workflow.Step{}, port.Blocked{Method: "POST", Navigation: true, Main: true}, true},
		"a form into another page":        {workflow.Step{}, port.Blocked{Method: "POST", Navigation: true}, true},
		"a link of the page":              {workflow.Step{}, port.Blocked{Method: "GET", Navigation: true, Main: true}, true},
		"a page beside it":                {workflow.Step{}, port.Blocked{Method: "GET", Navigation: true}, false},
		"what a page sends besides":       {workflow.Step{}, port.Blocked{Method: "POST"}, false},
		"the deed of a script":            {deed, port.Blocked{Method: "POST", Script: true, Host: "a.example"}, true},
		"the deed, at another site of it": {deed, port.Blocked{Method: "POST", Script: true, Host: "api.a.example"}, true},
		"what a script reports":           {deed, port.Blocked{Method: "POST", Script: true}, false},
		"of a step that only looks":       {workflow.Step{StepID: "look"}, port.Blocked{Method: "POST", Script: true, Host: "a.example"}, false},
		"a form into another's frame":     {workflow.Step{}, port.Blocked{Method: "POST", Navigation: true, Frame: true}, false},
		"a form into a frame of the site": {workflow.Step{},
			port.Blocked{Method: "POST", Navigation: true, Frame: true, Host: "a.example"}, true},
		"a form in a frame": {framed, port.Blocked{Method: "POST", Navigation: true, Frame: true}, true},
		"a page in a frame": {framed, port.Blocked{Method: "GET", Navigation: true, Frame: true}, false},
	} {
		c.Blocked.Why = "it sends"
		if c.Host == "" {
			c.Blocked.Host = "b.example"
		}
		err := p.tab.unsent(c.step, []port.Blocked{{Method: "GET", Host: "a.example"}, c.Blocked})
		var h *halt
		if ends := errors.As(err, &h); ends != c.ends {
			t.Errorf("%s: %v", name, err)
		} else if ends && h.code != record.CodePolicyViolation {
			t.Errorf("%s: it ends with %s", name, h.code)
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
