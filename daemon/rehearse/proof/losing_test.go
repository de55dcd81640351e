package proof

import (
	"slices"
	"strings"
	"testing"

	"showhow/capture"
	"showhow/daemon/rehearse/port"
)

func item(cells ...string) port.Row {
	return port.Row{List: "all", Text: strings.Join(cells, " "), Cells: cells}
}

func changed(was, now []port.Row) Changes {
	c := Changes{Known: true, Was: was, Now: now, Came: was}
	c.Gone = slices.DeleteFunc(slices.Clone(was), func(r port.Row) bool { return Contain(now, r) })
	c.New = slices.DeleteFunc(slices.Clone(now), func(r port.Row) bool { return Contain(was, r) })
	return c
}

// A row among others that is gone without the work being about it is lost; one at an end, or that may have become another, need not be.
func TestWhatElseIsLost(t *testing.T) {
	was := []port.Row{item("Elm", "open"), item("Oak", "open"), item("Pine", "open"), item("Larch", "open")}
	pine, entry := []Thing{{Name: "tree", Value: "Pine"}}, []Entry{{Label: "Tree", Value: "Maple"}}
	for _, c := range []struct {
		name    string
		entered []Entry
		things  []Thing
		now     []port.Row
		want    bool
	}{
		{"changed alone", nil, pine, []port.Row{was[0], was[1], item("Pine", "sold"), was[3]}, false},
		{"changed, and another gone", nil, pine, []port.Row{was[0], item("Pine", "sold"), was[3]}, true},
		{"new at the end, and another gone", entry, nil, []port.Row{was[0], was[2], was[3], item("Maple", "new")}, true},
		{"renamed, and put where it belongs", entry, nil, []port.Row{was[0], was[2], was[3], item("Maple", "open")}, false},
		{"new, and the last one moved on", entry, nil, []port.Row{item("Maple", "open"), was[0], was[1], was[2]}, false},
		{"another one came as well", nil, pine, []port.Row{was[0], item("Ash", "open"), item("Pine", "sold"), was[3]}, false},
		{"taken away alone", nil, pine, []port.Row{was[0], was[1], was[3]}, false},
	} {
		if got := changed(was, c.now).Loses(c.entered, c.things); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// What stands where another one stood took its place, in a list and in a page without lists.
func TestAnotherTakesTheName(t *testing.T) {
	was := []port.Row{item("Elm"), item("Oak"), item("Pine")}
	oak, entry := Thing{Name: "tree", Value: "Oak"}, Entry{Label: "New name", Value: "Maple"}
	for want, now := range map[Fate][]port.Row{Spared: {was[0], was[1], item("Maple")}, Altered: {was[0], item("Maple"), was[2]},
		Unseen: {was[0], was[1], item("Ash")}} {
		if got := changed(was, now).FateOf(oak, []Thing{oak}, []Entry{entry}); got != want {
			t.Errorf("%v: %v, not %v", now, got, want)
		}
	}
	for now, want := range map[string]bool{"Trees\nElm\nOak\n Maple\n": true, "Trees\nElm\nMaple\nPine": false, "Trees\nElm\nOak\nPine": false,
		"Some trees\nElm\nOak\nMaple": false, "Trees\nElm\nOak\nPine\nMaple": false} {
		if got := entry.InOther("Trees\nElm\nOak\nPine\n", "Trees\nElm\nMaple\nPine", now, oak, []Thing{oak}); got != want {
			t.Errorf("%q: %v", now, got)
		}
		if entry.InOther("Trees\nElm\nOak\nPine\n", now, now, oak, []Thing{oak}) {
			t.Errorf("%q is what the page showed at once", now)
		}
	}
}

// That a thing is gone does not keep what was to be changed in it; and a field for something new shows only what was left in it.
func TestWhatKeepsNoEntry(t *testing.T) {
	for want, e := range map[string]Entry{"": {Label: "Name", Value: "Maple", Was: "Oak", Filled: true},
		"the row is gone": {Label: "Why", Value: "Rotten"}} {
		r := Review{Removed: true, Altered: "the row is gone", Entries: []Found{{Entry: e}}}
		if got := r.Proof(); got != want {
			t.Errorf("%+v: %q", e, got)
		}
	}
	field := capture.Field{Label: "Remark", Role: "textbox", Raw: &capture.RawValue{Text: "Maple is out"}}
	page := port.Page{State: capture.State{Fields: []capture.Field{field}}}
	for _, anew := range []bool{false, true} {
		e := Entry{Label: "Remark", Value: "Maple is out", Address: "/", Anew: anew}
		r := Review{Entries: []Found{{Entry: e}}}
		r.Form(page, "/")
		if ShowsValue(page, e, func(int) bool { return false }) == anew || r.Entries[0].Shown == anew {
			t.Errorf("for something new %v: %+v", anew, r.Entries[0])
		}
	}
}
