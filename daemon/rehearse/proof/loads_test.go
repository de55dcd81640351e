package proof

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"showhow/capture"
	"showhow/daemon/rehearse/port"
)

// settled are the changes from one look to the loads that followed it.
func settled(was []port.Row, l *Loads, things ...Thing) Changes {
	c := Changes{Known: true, Was: was, Now: l.pages[0].Rows, Ever: was, Came: was}
	c.Gone = slices.DeleteFunc(slices.Clone(was), func(r port.Row) bool { return Contain(c.Now, r) })
	c.New = slices.DeleteFunc(slices.Clone(c.Now), func(r port.Row) bool { return Contain(was, r) })
	return c.Settled(nil, things, l)
}

// What a list that is drawn anew shows at each load proves something only where its drawing would hardly show it so often.
func TestListsDrawnAnew(t *testing.T) {
	rows := func(texts string) (out []port.Row) {
		for x := range strings.FieldsSeq(texts) {
			out = append(out, port.Row{List: "trees", Text: x})
		}
		return out
	}
	for _, c := range []struct {
		name, was string
		looks     []string
		come, won string // what came, and what is gone
	}{
		{"as it is once", "Oak Elm Ash", []string{"Oak Elm Ash Birch"}, "Birch", ""},
		{"a list that rests", "Oak Elm Ash", []string{"Oak Ash Birch", "Oak Ash Birch"}, "Birch", "Elm"},
		{"it comes and goes", "Oak Elm Ash", []string{"Fir Yew Birch", "Oak Yew Lime"}, "", ""},
		{"of many words", "Oak Elm Ash", []string{"Fir Yew Birch", "Oak Lime Birch", "Pine Fir Birch", "Rowan Ash Birch", "Fir Cedar Birch",
			"Oak Aspen Birch"}, "Birch", ""},
		{"looked at twice", "Oak Elm Ash", []string{"Fir Elm Birch", "Oak Fir Birch"}, "", ""},
		{"most are there each time", "Oak Elm Ash Fir", []string{"Oak Elm Ash Birch", "Oak Fir Ash Birch", "Oak Elm Fir Birch",
			"Elm Fir Ash Birch", "Oak Elm Ash Birch", "Oak Fir Ash Birch"}, "", ""},
		{"hardly one is gone for good", "Oak Elm Ash", []string{"Fir Yew", "Lime Ash", "Rowan Fir", "Aspen Yew", "Cedar Lime",
			"Pine Ash"}, "", ""},
	} {
		var looks [][]port.Row
		for _, texts := range c.looks {
			looks = append(looks, rows(texts))
		}
		got := settled(rows(c.was), loads(looks...))
		texts := func(rows []port.Row) string {
			var out []string
			for _, r := range rows {
				out = append(out, r.Text)
			}
			return strings.Join(out, " ")
		}
		if texts(got.New) != c.come || texts(got.Gone) != c.won {
			t.Errorf("%s: %q came, %q is gone", c.name, texts(got.New), texts(got.Gone))
		}
	}
}

// A row that rests in a column that never does has changed; one whose own cell moves has not.
func TestRowsAmongMovingOnes(t *testing.T) {
	rows := func(states ...string) (out []port.Row) {
		for i, n := range []string{"Birch", "Oak", "Elm", "Ash"}[:len(states)] {
			out = append(out, port.Row{List: "trees", Text: n + " " + states[i], Cells: []string{n, states[i]}})
		}
		return out
	}
	birch := Thing{Name: "tree", Value: "Birch"}
	for _, c := range []struct {
		name  string
		was   []port.Row
		looks [][]port.Row
		want  Fate
	}{
		{"it rests", rows("wet", "old", "new", "dry"), [][]port.Row{rows("sold", "new", "old", "wet"), rows("sold", "wet", "dry", "old"),
			rows("sold", "dry", "wet", "old"), rows("sold", "wet", "new", "new"), rows("sold", "old", "dry", "dry"),
			rows("sold", "new", "wet", "old")},
			Altered},
		{"it moves", rows("wet", "old", "new", "dry"), [][]port.Row{rows("dry", "new", "old", "wet"), rows("old", "wet", "dry", "old")}, Unseen},
		{"it is as it was at one load", rows("wet", "old"), [][]port.Row{rows("dry", "old"), rows("wet", "old")}, Unseen},
		{"only it counts", rows("3", "4", "5"), [][]port.Row{rows("7", "4", "5"), rows("9", "4", "5")}, Unseen},
		{"its work goes on", rows("wet", "old", "new"), [][]port.Row{rows("drying", "old", "new"), rows("dry", "old", "new")}, Altered},
	} {
		if got := settled(c.was, loads(c.looks...), birch).FateOf(birch, []Thing{birch}, nil); got != c.want {
			t.Errorf("%s: %d, not %d", c.name, got, c.want)
		}
	}
	l := loads(rows("dry", "old"), rows("wet", "old"))
	if l.Always(rows("wet")[0], "wet") || l.Always(rows("dry")[0], "dry") || !l.Always(rows("dry", "old")[1], "old") {
		t.Error("what a row shows at one load it does not always show")
	}
}

// Of a page counts what all its loads show: lines, headings, lists of so many rows, fields with what they hold.
func TestWhatAllLoadsShow(t *testing.T) {
	page := func(text, head string, n int, value string) port.Page {
		return port.Page{Text: text, State: capture.State{Title: head, Headings: []string{"Trees", head}, Tables: []capture.Table{{Rows: n}},
			Fields: []capture.Field{{Label: "Name", Raw: &capture.RawValue{Text: "Ada"}}, {Label: "Tree", Raw: &capture.RawValue{Text: value}}}}}
	}
	l := &Loads{}
	for i := range MaxLoads {
		l.Add(page(fmt.Sprintf("Trees\nBirch is here since %d days\nword %c\n", i, 'a'+i), string('a'+rune(i)), i, string('a'+rune(i))))
	}
	got := l.Page()
	if got.Text != "Trees\nBirch is here since 0 days" || got.State.Title != "" || !slices.Equal(got.State.Headings, []string{"Trees"}) ||
		len(got.State.Tables) != 0 || len(got.State.Fields) != 1 || !l.Vary() {
		t.Errorf("%+v", got)
	}
	counts := &Loads{}
	counts.Add(port.Page{Text: "Seen 3 times"})
	counts.Add(port.Page{Text: "Seen 4 times"})
	if counts.Vary() || counts.Page().Text != "Seen 3 times" {
		t.Errorf("numbers alone: %+v", counts.Page())
	}
}
