package perform

import (
	"context"
	"errors"
	"testing"

	"showhow/capture"
	"showhow/daemon/rehearse/check"
	"showhow/daemon/rehearse/port"
	"showhow/daemon/rehearse/record"
	"showhow/daemon/rehearse/supply"
	"showhow/daemon/workflow"
)

// A text that was not found in the picked item is not guessed: nothing is pressed by it, and no check holds by it, least of all
// one that something is gone.
func TestItemTextNotFound(t *testing.T) {
	params := []workflow.Param{{ParamID: "p1", Name: "message"},
		{ParamID: "pt1", Name: "message_title", Derived: "read", Read: &capture.Source{Path: "div.subj", ItemOf: "p1"}}}
	confirms := workflow.Step{Verb: capture.Click, Target: &capture.Target{Role: "button", Name: "Yes",
		Landmark: &capture.Landmark{Role: "dialog", Name: "Archive {message_title}"}}}
	gone := workflow.Check{Kind: "dialog", Name: "Archive {message_title}", Expect: "Archive {message_title}", Gone: true}
	picks := workflow.Step{Verb: capture.Click, ParamID: "p1", Value: "{message}",
		Target: &capture.Target{Role: "listitem", Name: "{message}"}}

	p := performance(supply.Supply{Bindings: supply.Bindings{"message": "Karim Aziz"}, Params: params})
	var stop *halt
	if _, err := p.tab.act(confirms); !errors.As(err, &stop) || stop.code != record.CodeNeedsValue {
		t.Errorf("it would press it: %v", err)
	}
	if got := p.tab.judge(t.Context(), gone, &check.Scene{}); got != check.Unknowable {
		t.Errorf("the check is %v", got)
	}
	var a port.Act
	p.readItem(confirms, &a, &check.Scene{})
	if a.ItemPaths != nil {
		t.Errorf("it reads %q in another item", a.ItemPaths)
	}
	p.readItem(picks, &a, &check.Scene{})
	if len(a.ItemPaths) != 1 || a.ItemPaths[0] != "div.subj" {
		t.Fatalf("it reads %q", a.ItemPaths)
	}
	a.OnItem(t.Context(), []string{" "})
	if _, bound := p.supply.Bindings["message_title"]; bound {
		t.Error("nothing was read, and it is known")
	}
	a.OnItem(t.Context(), []string{"Invoice 2209"})
	act, err := p.tab.act(confirms)
	if err != nil || act.Target.Landmark.Name != "Archive Invoice 2209" {
		t.Errorf("it is pressed in %+v: %v", act.Target, err)
	}
	again := port.Act{}
	if p.readItem(picks, &again, &check.Scene{}); again.ItemPaths != nil {
		t.Error("it is read again")
	}
}

// pageOf is a browser whose page has one element at every path.
type pageOf struct {
	port.Browser
	text string
}

func (p pageOf) TextAt(context.Context, capture.Source) (string, error) { return p.text, nil }

// A path within an item is not looked up in the whole page: what stands there is another item's.
func TestItemTextIsNotReadOffThePage(t *testing.T) {
	p := performance(supply.Supply{Bindings: supply.Bindings{"message": "Karim Aziz"}, Params: []workflow.Param{
		{ParamID: "p1", Name: "message"}, {ParamID: "pt1", Name: "message_title", Read: &capture.Source{Path: "div.subj", ItemOf: "p1"}}}})
	p.tab.browser = pageOf{text: "Minutes of May"}
	if err := p.tab.readOff(t.Context(), workflow.Step{Verb: capture.Click, Target: &capture.Target{Role: "button",
		Name: "Archive {message_title}"}}); err != nil {
		t.Fatal(err)
	}
	if v, bound := p.supply.Bindings["message_title"]; bound {
		t.Errorf("it is %q", v)
	}
}
