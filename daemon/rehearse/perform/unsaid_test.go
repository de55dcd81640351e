package perform

import (
	"errors"
	"testing"

	"showhow/capture"
	"showhow/daemon/rehearse/record"
	"showhow/daemon/rehearse/supply"
	"showhow/daemon/workflow"
)

// What an input names is picked only where the target says which one it is: what is left of the demonstration's thing is no name.
func TestAPickThatNothingNames(t *testing.T) {
	row := func(name string) *capture.Landmark { return &capture.Landmark{Role: "listitem", Name: name} }
	css := []capture.Locator{{By: "css", Value: "#all > div:nth-of-type(1) > button"}}
	for _, c := range []struct {
		name   string
		value  string
		target capture.Target
		ok     bool
	}{
		{"the thing of the demonstration", "{shed}", capture.Target{Role: "button", Name: "{*} {*} Ledgers", Locators: css}, false},
		{"anything at that place", "{shed}", capture.Target{Role: "button", Name: "{*}", Locators: css}, false},
		{"another row", "{shed}", capture.Target{Role: "button", Name: "Hold", Landmark: row("Ledgers")}, false},
		{"by its name", "{shed}", capture.Target{Role: "button", Name: "{shed}", Locators: css}, true},
		{"in its row", "{shed}", capture.Target{Role: "button", Name: "Hold", Landmark: row("{shed}")}, true},
		{"by its address", "{shed}", capture.Target{Role: "link", Name: "Open", Href: "/sheds/{shed}"}, true},
		{"no pick", "", capture.Target{Role: "button", Name: "Hold"}, true},
	} {
		p := performance(supply.Supply{Bindings: supply.Bindings{"shed": "Recipes"}})
		_, err := p.tab.act(workflow.Step{Verb: capture.Click, Value: c.value, Target: &c.target})
		var stop *halt
		if c.ok != (err == nil) || err != nil && (!errors.As(err, &stop) || stop.code != record.CodeTargetAmbiguous) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
