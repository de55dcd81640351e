package proof

import (
	"slices"
	"strings"
	"testing"

	"showhow/capture"
	"showhow/daemon/rehearse/port"
)

// What is done to a namesake is not done to the thing, and what is done to the thing and to more is too much.
func TestWhatWasDoneToOthersAsWell(t *testing.T) {
	row := func(cells ...string) port.Row {
		return port.Row{List: "all", Text: strings.Join(cells, " "), Cells: cells}
	}
	oak, pine := Thing{Name: "tree", Value: "Oak"}, Thing{Name: "tree", Value: "Pine"}
	states := []port.Row{row("Oak", "Open"), row("Pine", "Draft"), row("Larch", "Late"), row("Pine, white", "Sent")}
	items := []port.Row{row("Oak, open"), row("Pine, open"), row("Larch, open")}
	for _, c := range []struct {
		name     string
		thing    Thing
		was, now []port.Row
		fate     Fate
		besides  bool
	}{
		{"its own", pine, states, []port.Row{states[0], row("Pine", "Paid"), states[2], states[3]}, Altered, false},
		{"a namesake's", pine, states, []port.Row{states[0], states[1], states[2], row("Pine, white", "Paid")}, Spared, false},
		{"a namesake is gone", pine, states, states[:3], Spared, false},
		{"to all of them", oak, states, []port.Row{row("Oak", "Paid"), row("Pine", "Paid"), row("Larch", "Paid"), row("Pine, white", "Paid")},
			Altered, true},
		{"to an item as well", pine, items, []port.Row{items[0], row("Pine, done"), row("Larch, done")}, Altered, true},
		{"the last one went as well", oak, states, states[1:3], Altered, true},
	} {
		ch := Changes{Known: true, Was: c.was, Now: c.now, Came: c.was}
		for _, r := range c.was {
			if !slices.ContainsFunc(c.now, func(n port.Row) bool { return n.Key() == r.Key() }) {
				ch.Gone = append(ch.Gone, r)
			}
		}
		for _, r := range c.now {
			if !slices.ContainsFunc(c.was, func(w port.Row) bool { return w.Key() == r.Key() }) {
				ch.New = append(ch.New, r)
			}
		}
		ch = ch.Settled(nil, []Thing{c.thing}, nil)
		if got := ch.FateOf(c.thing, []Thing{c.thing}, nil); got != c.fate {
			t.Errorf("%s: %d, not %d", c.name, got, c.fate)
		}
		if got := ch.Besides(c.thing, []Thing{c.thing}); got != c.besides {
			t.Errorf("%s: besides %v", c.name, got)
		}
	}
}

// What a row said right after the step and does not say any more was only shown.
func TestWhatIsTakenBack(t *testing.T) {
	row := func(text string) port.Row { return port.Row{List: "all", Text: text, Deeds: []string{"Pay"}} }
	was, oak := []port.Row{row("Oak open, edited last year Pay"), row("Pine open Pay")}, Thing{Name: "bill", Value: "Oak"}
	for _, c := range []struct {
		name, said, now string
		want            bool
	}{
		{"kept", "Oak paid, edited last year Pay", "Oak paid, edited just now Pay", false},
		{"taken back", "Oak paid, edited last year Pay", "Oak open, edited just now Pay", true},
		{"nothing was said", "Oak open, edited last year Pay", "Oak open, edited just now Pay", false},
		{"under the pointer", "Oak open, edited last year Pay Print", "Oak paid, edited just now Pay", false},
	} {
		said := row(c.said)
		if strings.HasSuffix(c.said, "Print") {
			said.Deeds = append(said.Deeds, "Print")
		}
		if got := (Changes{Known: true, Was: was, Now: []port.Row{row(c.now), was[1]}}).Reverted(oak, []port.Row{said}); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// A message says nothing of what is kept, whichever page it is on.
func TestAMessageIsNoRecord(t *testing.T) {
	page := port.Page{Text: "Things\nOak wood\nMaple wood could not be added\n", Rows: []port.Row{{List: "a", Text: "Oak wood"},
		{List: "b", Text: "Maple wood could not be added"}}, State: capture.State{Alerts: []string{"Maple wood could not be added"}}}
	got := Unsaid(page)
	if got.Text != "Things\nOak wood\n" || len(got.Rows) != 1 || len(page.Rows) != 2 {
		t.Errorf("%+v", got)
	}
}

// A list that goes on may have a row further on.
func TestRefilledLists(t *testing.T) {
	row := func(list, text string) port.Row { return port.Row{List: list, Text: text} }
	was := []port.Row{row("all", "Oak 3 visits"), row("also", "Glue")}
	s := &Sight{Rows: was, Ever: map[string]port.Row{was[0].Key(): was[0], was[1].Key(): was[1]}}
	for want, now := range map[bool][]port.Row{true: {row("all", "Elm"), was[1]}, false: {was[1]}} {
		if gone, refilled := s.Refilled("Oak", now); refilled != want || gone.Key() != was[0].Key() {
			t.Errorf("%v: refilled %v", now, refilled)
		}
	}
}
