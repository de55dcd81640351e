package proof

import (
	"slices"
	"strings"
	"testing"

	"showhow/capture"
	"showhow/daemon/rehearse/port"
)

// What became of a thing is told by its own row, also where a neighbour gets a name that holds the thing's.
func TestFateOfAThing(t *testing.T) {
	row := func(text string) port.Row { return port.Row{List: "all", Text: text} }
	was := []port.Row{row("Birch as delivered Rename"), row("Willow as delivered Rename")}
	birch := Thing{Name: "tree", Value: "Birch"}
	entered := []Entry{{Label: "New name", Value: "Silver birch"}}
	for _, c := range []struct {
		name string
		now  []port.Row
		want Fate
	}{
		{"its row changed", []port.Row{row("Silver birch as delivered Rename"), was[1]}, Altered},
		{"its row is gone", []port.Row{was[1]}, Altered},
		{"its neighbour got the name", []port.Row{was[0], row("Silver birch as delivered Rename")}, Spared},
		{"its neighbour is gone", []port.Row{was[0]}, Spared},
		{"it came into a further row", []port.Row{was[0], was[1], row("Silver birch, chosen")}, Altered},
		{"nothing", was, Unseen},
	} {
		ch := Changes{Known: true, Was: was, Now: c.now}
		has := func(rows []port.Row, r port.Row) bool {
			for _, o := range rows {
				if o.Key() == r.Key() {
					return true
				}
			}
			return false
		}
		for _, r := range was {
			if !has(c.now, r) {
				ch.Gone = append(ch.Gone, r)
			}
		}
		for _, r := range c.now {
			if !has(was, r) {
				ch.New = append(ch.New, r)
			}
		}
		if got := ch.FateOf(birch, []Thing{birch}, entered); got != c.want {
			t.Errorf("%s: %d, not %d", c.name, got, c.want)
		}
	}
}

// A page that is asked with a value may say no more of it than that it was asked.
func TestAnAddressThatRepeatsAValue(t *testing.T) {
	for address, want := range map[string]bool{"https://a.example/thanks?name=Maple+wood": true, "https://a.example/thanks?done=1": false,
		"https://a.example/things/Maple%20wood": false, "https://a.example/?q=Maplewood": false,
		"https://a.example/#list=Oak,Maple%20wood": true, "https://a.example/#/things/Maple%20wood": false,
		"https://a.example/#/things?name=Maple%20wood": true} {
		if Repeats(address, "Maple wood") != want {
			t.Errorf("%s: not %v", address, want)
		}
	}
}

// What moves by itself is no sign that something was done; a number that was changed is one.
func TestRowsThatChangeByThemselves(t *testing.T) {
	row := func(text string) port.Row { return port.Row{List: "all", Text: text} }
	for _, c := range []struct {
		name     string
		was, now []string
		entered  string
		want     Fate
	}{
		{"a clock", []string{"Birch seen 12:04:31", "Oak"}, []string{"Birch seen 12:04:33", "Oak"}, "", Unseen},
		{"counters", []string{"Birch 31 visits", "Oak 7 visits"}, []string{"Birch 32 visits", "Oak 9 visits"}, "", Unseen},
		{"a number of its own", []string{"Birch 31 pieces", "Oak 7 pieces"}, []string{"Birch 32 pieces", "Oak 7 pieces"}, "", Altered},
		{"a number that was entered, beside counters", []string{"Birch 31 pieces", "Oak 7 pieces"}, []string{"Birch 4711 pieces", "Oak 9 pieces"},
			"4711", Altered},
		{"another word", []string{"Birch NO 12:04"}, []string{"Birch YES 12:05"}, "", Altered},
		{"a neighbour's number", []string{"Birch waits", "Load 31 %"}, []string{"Birch waits", "Load 32 %"}, "", Unseen},
		{"a neighbour's word", []string{"Birch waits", "Oak waits"}, []string{"Birch waits", "Oak stopped"}, "", Spared},
	} {
		ch := Changes{Known: true}
		for i := range c.was {
			ch.Was, ch.Now = append(ch.Was, row(c.was[i])), append(ch.Now, row(c.now[i]))
			if c.was[i] != c.now[i] {
				ch.Gone, ch.New = append(ch.Gone, row(c.was[i])), append(ch.New, row(c.now[i]))
			}
		}
		birch := Thing{Name: "tree", Value: "Birch"}
		entered := []Entry{{Label: "Pieces", Value: c.entered}}
		if got := ch.Settled(entered, []Thing{birch}, nil).FateOf(birch, []Thing{birch}, entered); got != c.want {
			t.Errorf("%s: %d, not %d", c.name, got, c.want)
		}
	}
}

// What a row's control was pressed for is done where the row says the same and the control is there no more, as long as another row of the
// list still has it: controls that show themselves to the pointer alone are in none.
func TestAControlThatIsThereNoMore(t *testing.T) {
	row := func(name string, deeds ...string) port.Row {
		return port.Row{List: "all", Text: name + " File away", Deeds: deeds}
	}
	was := []port.Row{row("Birch", "File away"), row("Oak", "File away")}
	birch := Thing{Name: "tree", Value: "Birch"}
	for name, c := range map[string]struct {
		was, now []port.Row
		want     Fate
	}{
		"it is a word now":       {was, []port.Row{row("Birch"), was[1]}, Altered},
		"as it was":              {was, was, Unseen},
		"the neighbour's":        {was, []port.Row{was[0], row("Oak")}, Unseen},
		"under the pointer":      {[]port.Row{was[0], row("Oak")}, []port.Row{row("Birch"), row("Oak")}, Unseen},
		"nobody has it any more": {was, []port.Row{row("Birch"), row("Oak")}, Unseen},
	} {
		ch := Changes{Known: true, Was: c.was, Now: c.now}
		if got := ch.FateOf(birch, []Thing{birch}, nil); got != c.want {
			t.Errorf("%s: %d, not %d", name, got, c.want)
		}
	}
}

// Rows that say the same, and rows that only hold a thing's name, do not speak for it.
func TestAControlOfATwinOrANamesake(t *testing.T) {
	row := func(name string, deeds ...string) port.Row {
		return port.Row{List: "all", Text: name + " File away", Deeds: deeds}
	}
	with := func(name string) port.Row { return row(name, "File away") }
	for name, c := range map[string]struct {
		was, now []port.Row
		want     Fate
	}{
		"a twin had lost it before": {[]port.Row{with("Birch"), row("Birch"), with("Oak")},
			[]port.Row{with("Birch"), row("Birch"), with("Oak")}, Unseen},
		"one of two": {[]port.Row{with("Birch"), with("Birch"), with("Oak")},
			[]port.Row{row("Birch"), with("Birch"), with("Oak")}, Unseen},
		"a namesake's": {[]port.Row{with("Birch"), with("Birch, silver"), with("Oak")},
			[]port.Row{with("Birch"), row("Birch, silver"), with("Oak")}, Unseen},
		"a namesake's, with no other": {[]port.Row{with("Birch, silver"), with("Oak")},
			[]port.Row{row("Birch, silver"), with("Oak")}, Altered},
		"its own, beside the namesake": {[]port.Row{with("Birch"), with("Birch, silver"), with("Oak")},
			[]port.Row{row("Birch"), with("Birch, silver"), with("Oak")}, Altered},
	} {
		ch := Changes{Known: true, Was: c.was, Now: c.now}
		birch := Thing{Name: "tree", Value: "Birch"}
		if got := ch.FateOf(birch, []Thing{birch}, nil); got != c.want {
			t.Errorf("%s: %d, not %d", name, got, c.want)
		}
	}
}

// One of several that always stand on the page to be chosen is shown where it stands once more.
func TestAChoiceThatStandsOnceMore(t *testing.T) {
	page := port.Page{State: capture.State{Fields: []capture.Field{{Role: "radio", Label: "Birch"}, {Role: "radio", Label: "Oak"}}}}
	before := map[string]*Sight{"a": {Text: "Tree\nBirch\nOak"}}
	for text, want := range map[string]bool{"Tree\nBirch\nOak\nTree: Birch": true,
		"Tree\nBirch\nOak": false, "Tree\nBirch\nOak\nTree: Oak": false} {
		page.Text = text
		stood := PriorOf(before, "Birch")
		if ShowsValue(page, Entry{Value: "Birch"}, func(boxes int) bool { return stood.Come("a", page.Text, "Birch", "Tree", boxes) }) != want {
			t.Errorf("%q: not %v", text, want)
		}
	}
}

// What a menu says on each page has not come where a page is looked at first.
func TestAMenuOnAPageThatNobodySawBefore(t *testing.T) {
	before := map[string]*Sight{"a": {Text: "Birch\nOak"}, "rows only": {}}
	stood := PriorOf(before, "Birch")
	for _, at := range []string{"a?tree=birch", "rows only"} {
		for text, want := range map[string]bool{"Birch\nOak": false, "Birch\nOak\nBirch": true, "Birch\nOak\nPlanted: Birch": true} {
			if stood.Come(at, text, "Birch", "tree", 0) != want {
				t.Errorf("%s, %q: not %v", at, text, want)
			}
		}
	}
	later := stood.With("a?tree=birch", &Sight{Text: "Birch\nOak\nBirch\nSeen: Birch"}, "Birch")
	for text, want := range map[string]bool{"Birch\nOak\nBirch\nSeen: Birch": false, "Birch\nOak\nBirch\nPlanted: Birch": true} {
		if later.Come("a?tree=birch", text, "Birch", "tree", 0) != want {
			t.Errorf("seen since, %q: not %v", text, want)
		}
	}
}

// A box that is not ticked says its own name, and nothing of what is stored.
func TestTheNameOfABox(t *testing.T) {
	box := func(role, value string) capture.Field {
		return capture.Field{Role: role, Label: "Larch", Value: &capture.Value{Text: value}}
	}
	for _, c := range []struct {
		name   string
		fields []capture.Field
		text   string
		want   bool
	}{
		{"a filter", []capture.Field{box("checkbox", "off")}, "Trees\nLarch", false},
		{"two of them", []capture.Field{box("checkbox", "off"), box("radio", "off")}, "Trees\nLarch\nLarch", false},
		{"a line more", []capture.Field{box("checkbox", "off")}, "Trees\nLarch\nLarch", true},
		{"beside other words", []capture.Field{box("checkbox", "off")}, "Trees\nLarch\nPlanted: Larch", true},
		{"ticked", []capture.Field{box("checkbox", "on")}, "Trees\nLarch", true},
		{"no box", nil, "Trees\nLarch", true},
	} {
		page := port.Page{State: capture.State{Fields: c.fields}, Text: c.text}
		if got := ShowsValue(page, Entry{Value: "Larch"}, func(boxes int) bool {
			return PriorOf(nil, "Larch").Come("a", c.text, "Larch", "Tree", boxes)
		}); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// A row that changed in its numbers alone may only have counted the look.
func TestAChangeOfNumbersAlone(t *testing.T) {
	rows := func(texts ...string) (out []port.Row) {
		for _, x := range texts {
			out = append(out, port.Row{List: "all", Text: x})
		}
		return out
	}
	for _, c := range []struct {
		name      string
		gone, now []port.Row
		want      bool
	}{
		{"a counter", rows("Birch 31 visits"), rows("Birch 32 visits"), true},
		{"a time", rows("Birch seen 3 min ago, 12:04"), rows("Birch seen 1 min ago, 12:07"), true},
		{"a word beside it", rows("Birch 31 visits"), rows("Birch 32 visits felled"), false},
		{"it is gone", rows("Birch 31 visits"), nil, false},
		{"it came", nil, rows("Birch 31 visits"), false},
		{"it came besides", rows("Birch 31 visits"), rows("Birch 32 visits", "Birch, for sale"), false},
		{"another's word", rows("Birch 31 visits", "Oak 4"), rows("Birch 32 visits", "Oak felled"), true},
	} {
		ch := Changes{Known: true, Gone: c.gone, New: c.now}
		if got := ch.Slight("Birch"); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// What was opened beside a list is not open on a page that is opened afresh: that it is missing says nothing while the list is as it was.
func TestWhatIsOpenedBesideAListIsNotGone(t *testing.T) {
	row := func(list, text string) port.Row { return port.Row{List: list, Text: text} }
	entry, opened, other := row("list", "Elder"), row("cards", "Elder grows by the wall"), row("list", "Aster")
	for _, c := range []struct {
		name            string
		came, gone, now []port.Row
		want            bool
	}{
		{"the list still has it", []port.Row{entry, other}, []port.Row{opened}, []port.Row{entry, other}, true},
		{"a further entry says the same", []port.Row{entry}, []port.Row{entry, opened}, []port.Row{entry}, true},
		{"one of two entries is gone", []port.Row{entry, entry}, []port.Row{entry}, []port.Row{entry}, false},
		{"the list has it no more", []port.Row{entry, other}, []port.Row{entry, opened}, []port.Row{other}, false},
		{"the list says something else of it", []port.Row{entry}, []port.Row{entry, opened}, []port.Row{row("list", "Elder (gone)")}, false},
		{"it was there at first", []port.Row{entry, opened}, []port.Row{opened}, []port.Row{entry}, false},
		{"nothing named it at first", []port.Row{other}, []port.Row{opened}, []port.Row{other}, false},
	} {
		if got := (Changes{Known: true, Came: c.came, Gone: c.gone, Now: c.now}).OnlyOpened("Elder"); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// That the thing at hand is shown does not say that what was entered for it was kept.
func TestAChoiceVouchesForNothingElse(t *testing.T) {
	chosen := Found{Entry: Entry{Label: "page", Value: "kitchen", Chosen: true}, Shown: true}
	number := func(shown bool) Found { return Found{Entry: Entry{Label: "Seats", Value: "3"}, Shown: shown} }
	for name, c := range map[string]struct {
		entries []Found
		proves  bool
	}{"the choice alone": {[]Found{chosen}, true}, "with a number that is not shown": {[]Found{chosen, number(false)}, false},
		"with a number that is": {[]Found{chosen, number(true)}, true}} {
		if got := (&Review{Entries: c.entries}).Proof(); (got != "") != c.proves {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// A row is gone from a list whose other rows count on all the time; where other rows stand in their place, it is another page of the list,
// and nothing is known of it. Neither is where the first words of the rows name none of them.
func TestGoneFromAListThatCounts(t *testing.T) {
	row := func(cells ...string) port.Row {
		return port.Row{List: "jobs", Text: strings.Join(cells, " "), Cells: cells}
	}
	for _, c := range []struct {
		name     string
		was, now []port.Row
		want     Fate
	}{
		{"the others count on", []port.Row{row("sift", "12 s", "waits"), row("press", "13 s", "runs"), row("bale", "14 s", "waits")},
			[]port.Row{row("press", "15 s", "waits"), row("bale", "16 s", "runs")}, Altered},
		{"another page", []port.Row{row("sift", "12 s", "waits"), row("press", "13 s", "runs")},
			[]port.Row{row("dry", "15 s", "waits"), row("mill", "16 s", "runs")}, Unseen},
		{"they begin with a state", []port.Row{row("waits", "sift", "12"), row("waits", "press", "13"), row("waits", "bale", "14")},
			[]port.Row{row("waits", "dry", "15"), row("waits", "mill", "16")}, Unseen},
	} {
		sift := Thing{Name: "job", Value: "sift"}
		ch := Changes{Known: true, Was: c.was, Now: c.now, Gone: c.was, New: c.now}
		if got := ch.FateOf(sift, []Thing{sift}, nil); got != c.want {
			t.Errorf("%s: %d, not %d", c.name, got, c.want)
		}
	}
}

// loads are several looks at rows; those without rows do not count.
func loads(looks ...[]port.Row) *Loads {
	l := &Loads{}
	for _, rows := range looks {
		if len(rows) > 0 {
			l.Add(port.Page{Rows: rows})
		}
	}
	return l
}

// Columns in which several other rows change are no sign either, whatever they say; another column of the thing's row is one. Where only
// one other row changed, it may be that the two changed places.
func TestColumnsThatNeverRest(t *testing.T) {
	row := func(cells ...string) port.Row {
		return port.Row{List: "jobs", Text: strings.Join(cells, " "), Cells: cells}
	}
	for _, c := range []struct {
		name     string
		was, now []port.Row
		want     Fate
		again    []port.Row // at another load
	}{
		{"two others change alike", []port.Row{row("sift", "idle"), row("press", "idle"), row("bale", "idle")},
			[]port.Row{row("sift", "idle"), row("press", "runs"), row("bale", "runs")}, Spared, nil},
		{"and do so by themselves", []port.Row{row("sift", "idle"), row("press", "idle"), row("bale", "idle")},
			[]port.Row{row("sift", "idle"), row("press", "runs"), row("bale", "runs")}, Unseen,
			[]port.Row{row("sift", "idle"), row("press", "idle"), row("bale", "idle")}},
		{"they all change", []port.Row{row("sift", "12 s", "waits"), row("press", "13 s", "runs"), row("bale", "14 s", "waits")},
			[]port.Row{row("sift", "13 s", "runs"), row("press", "15 s", "waits"), row("bale", "16 s", "runs")}, Unseen, nil},
		{"its own column, too", []port.Row{row("sift", "12 s", "low"), row("press", "13 s", "low"), row("bale", "14 s", "low")},
			[]port.Row{row("sift", "13 s", "high"), row("press", "15 s", "low"), row("bale", "16 s", "low")}, Altered, nil},
		{"two change places", []port.Row{row("sift", "first"), row("press", "second"), row("bale", "third")},
			[]port.Row{row("sift", "second"), row("press", "first"), row("bale", "third")}, Altered, nil},
		{"another one is gone", []port.Row{row("sift", "12 s", "waits"), row("press", "13 s", "runs"), row("bale", "14 s", "waits"),
			row("dry", "15 s", "runs")},
			[]port.Row{row("sift", "13 s", "runs"), row("press", "15 s", "waits"), row("bale", "16 s", "runs")}, Spared, nil},
	} {
		sift := Thing{Name: "job", Value: "sift"}
		ch := Changes{Known: true, Was: c.was, Now: c.now}
		has := func(rows []port.Row, r port.Row) bool {
			return slices.ContainsFunc(rows, func(o port.Row) bool { return o.Key() == r.Key() })
		}
		ch.Gone = slices.DeleteFunc(slices.Clone(c.was), func(r port.Row) bool { return has(c.now, r) })
		ch.New = slices.DeleteFunc(slices.Clone(c.now), func(r port.Row) bool { return has(c.was, r) })
		if got := ch.Settled(nil, []Thing{sift}, loads(c.now, c.again)).FateOf(sift, []Thing{sift}, nil); got != c.want {
			t.Errorf("%s: %d, not %d", c.name, got, c.want)
		}
	}
}

// A page whose address ends with a thing's name tells its parts where these are pairs; an address that only asks for it may list others.
func TestAPageOfAThing(t *testing.T) {
	pair, line := port.Row{Cells: []string{"State", "runs"}}, port.Row{Text: "Oak runs 2 m", Cells: []string{"Oak", "runs", "2 m"}}
	bar := port.Row{Text: "Fell Prune Feed", Deeds: []string{"Fell", "Prune", "Feed"}, Cells: []string{"Fell", "Prune", "Feed"}}
	for _, c := range []struct {
		address string
		changed port.Row
		want    bool
	}{{"http://a.example/trees/Birch", pair, true}, {"http://a.example/trees/birch?x=1", pair, true},
		{"http://a.example/trees?q=Birch", pair, false}, {"http://a.example/trees/Birch", bar, true},
		{"http://a.example/trees/Birch", line, false}, {"http://a.example/trees/Silver%20birch", pair, false}} {
		if got := (Changes{Gone: []port.Row{c.changed}}).PartsOf(c.address, "Birch"); got != c.want {
			t.Errorf("%s: %v", c.address, got)
		}
	}
}

// A list of things beside the page of one of them is no list of its parts.
func TestAListBesideThePageOfAThing(t *testing.T) {
	row := func(cells ...string) port.Row {
		return port.Row{List: cells[0], Text: strings.Join(cells[1:], " "), Cells: cells[1:]}
	}
	was := []port.Row{row("all", "Birch", "stands"), row("all", "Oak", "stands"), row("parts", "Name", "Birch"), row("parts", "State", "dry")}
	for _, c := range []struct {
		name   string
		at     int
		is     port.Row
		partOf bool
	}{
		{"another thing", 1, row("all", "Oak", "felled"), false},
		{"a part", 3, row("parts", "State", "watered"), true},
	} {
		ch := Changes{Known: true, Was: was, Now: slices.Clone(was), Gone: was[c.at : c.at+1], New: []port.Row{c.is}}
		ch.Now[c.at] = c.is
		birch := Thing{Name: "tree", Value: "Birch"}
		if got := ch.PartsOf("http://a.example/trees/Birch", "Birch"); got != c.partOf {
			t.Errorf("%s: parts %v", c.name, got)
		}
		if got := ch.FateOf(birch, []Thing{birch}, nil); got != Spared { // it is for PartsOf to tell them apart
			t.Errorf("%s: %d", c.name, got)
		}
	}
}

// A new thing takes nobody's place; a list that shows only so many loses the one at its other end.
func TestWhatIsNewOverwritesNothing(t *testing.T) {
	rows := func(names ...string) (out []port.Row) {
		for _, n := range names {
			out = append(out, port.Row{List: "trees", Text: n})
		}
		return out
	}
	for _, c := range []struct {
		name     string
		was, now []port.Row
		gone     []port.Row
		want     bool
	}{
		{"in its place", rows("Oak", "Pine", "Ash"), rows("Oak", "Yew", "Ash"), rows("Pine"), true},
		{"at the end of a short list", rows("Oak", "Pine", "Ash"), rows("Yew", "Oak", "Pine"), rows("Ash"), false},
		{"one more", rows("Oak", "Pine"), rows("Oak", "Pine", "Yew"), nil, false},
	} {
		ch := Changes{Known: true, Was: c.was, Now: c.now, Gone: c.gone, New: rows("Yew")}
		if got := ch.Overwritten(); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// What came into sight when a folder was opened is not there on a page that is opened afresh, and a folder that shows what can be picked in
// it says nothing of what was.
func TestWhatAFolderShows(t *testing.T) {
	row := func(text string, deeds ...string) port.Row { return port.Row{List: "tree", Text: text, Deeds: deeds} }
	closed, open := []port.Row{row("Plans"), row("Bills")}, []port.Row{row("Plans"), row("Garden plan"), row("Bills")}
	for _, c := range []struct {
		name string
		s    *Sight
		want bool
	}{
		{"in a folder that was opened", &Sight{Came: closed, Rows: open}, true},
		{"there at first", &Sight{Came: open, Rows: open}, false},
		{"the list came later", &Sight{Rows: open}, false},
		{"nobody looked", nil, false},
	} {
		if got := c.s.Uncovered("Garden plan"); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
	for _, c := range []struct {
		row  port.Row
		want int
	}{
		{row("Plans Garden plan Tower plan", "Plans", "Garden plan", "Tower plan"), 0}, {row("Garden plan", "Garden plan"), 1},
		{port.Row{Text: "Garden plan Open", Cells: []string{"Garden plan", "Open"}, Deeds: []string{"Garden plan", "Open"}}, 1},
		{row("Filed: Garden plan"), 1},
	} {
		if got := NotOffering([]port.Row{c.row}, "Garden plan"); len(got) != c.want {
			t.Errorf("%s: %d rows", c.row.Text, len(got))
		}
	}
}

// Rows that changed beside a thing and were not seen to move by themselves leave a doubt; what is known to move leaves none.
func TestWhatChangedBesides(t *testing.T) {
	row := func(cells ...string) port.Row {
		return port.Row{List: "jobs", Text: strings.Join(cells, " "), Cells: cells}
	}
	sift := Thing{Name: "job", Value: "sift"}
	was := []port.Row{row("sift", "4 sacks"), row("press", "5 sacks"), row("bale", "6 sacks")}
	now := []port.Row{was[0], row("press", "6 sacks"), row("bale", "7 sacks")}
	ch := Changes{Known: true, Was: was, Now: now, Gone: was[1:], New: now[1:]}
	if !ch.Crowded([]Thing{sift}) {
		t.Error("two others have changed")
	}
	if got := ch.Settled(nil, []Thing{sift}, nil); !got.HidBeside(sift) || len(got.New) > 0 {
		t.Errorf("nobody saw them move: %+v", got)
	}
	later := []port.Row{was[0], row("press", "8 sacks"), row("bale", "9 sacks")}
	if got := ch.Settled(nil, []Thing{sift}, loads(now, later)); got.HidBeside(sift) || len(got.New) > 0 {
		t.Errorf("they move by themselves: %+v", got)
	}
}

// What is done to another thing as well is not what was asked for; a choice that takes it from another one, and what was cut off at the end
// of a list, are.
func TestWhatIsDoneToMoreThanTheThing(t *testing.T) {
	row := func(cells ...string) port.Row {
		return port.Row{List: "jobs", Text: strings.Join(cells, " "), Cells: cells}
	}
	sift := Thing{Name: "job", Value: "sift"}
	was := []port.Row{row("dry", "NO"), row("sift", "NO"), row("press", "NO"), row("bale", "YES")}
	for _, c := range []struct {
		name string
		now  []port.Row
		want bool
	}{
		{"it alone", []port.Row{was[0], row("sift", "YES"), was[2], was[3]}, false},
		{"another one, too", []port.Row{was[0], row("sift", "YES"), row("press", "YES"), was[3]}, true},
		{"it was taken from another one", []port.Row{was[0], row("sift", "YES"), was[2], row("bale", "NO")}, false},
		{"it is gone", []port.Row{was[0], was[2], was[3]}, false},
		{"and another one, too", []port.Row{was[0], was[3]}, true},
		{"and the last one is cut off", []port.Row{was[0], was[2]}, false},
	} {
		ch := Changes{Known: true, Was: was, Now: c.now}
		has := func(rows []port.Row, r port.Row) bool {
			return slices.ContainsFunc(rows, func(o port.Row) bool { return o.Key() == r.Key() })
		}
		ch.Gone = slices.DeleteFunc(slices.Clone(was), func(r port.Row) bool { return has(c.now, r) })
		ch.New = slices.DeleteFunc(slices.Clone(c.now), func(r port.Row) bool { return has(was, r) })
		if got := ch.Besides(sift, []Thing{sift}); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// What was entered once comes once; a page that says everything twice, or had it before, tells nothing.
func TestWhatComesTwice(t *testing.T) {
	rows := func(texts ...string) (out []port.Row) {
		for _, x := range texts {
			out = append(out, port.Row{List: "trees", Text: x})
		}
		return out
	}
	entered := []Entry{{Label: "Name", Value: "Maple"}}
	for _, c := range []struct {
		name      string
		was, came []port.Row
		want      bool
	}{
		{"once", rows("1 Oak", "2 Pine"), rows("3 Maple"), false},
		{"twice", rows("1 Oak", "2 Pine"), rows("3 Maple", "4 Maple"), true},
		{"with something else of it", rows("1 Oak", "2 Pine"), rows("3 Maple", "Maple, planted"), false},
		{"a page that says all twice", rows("1 Oak", "1 Oak"), rows("3 Maple", "3 Maple"), false},
		{"it had one", rows("1 Oak", "2 Maple"), rows("3 Maple", "4 Maple"), false},
		{"a copy of a thing", rows("Oak", "Birch"), rows("Copy of Birch"), false},
		{"two copies of a thing", rows("Oak", "Birch"), rows("Copy of Birch", "Copy of Birch"), true},
	} {
		ch := Changes{Known: true, Was: c.was, Ever: c.was, Now: append(slices.Clone(c.was), c.came...), New: c.came}
		if got := ch.Twice(entered, []Thing{{Value: "Birch"}}); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// A row that says all in one cell, or begins with its state, is still called what it was called: where others of its kind change, too, its
// own change proves nothing until somebody saw that they rest.
func TestRowsThatBeginWithTheirState(t *testing.T) {
	row := func(text string) port.Row { return port.Row{List: "sheds", Text: text, Cells: []string{text}} }
	maps := Thing{Name: "shed", Value: "Maps"}
	was := []port.Row{row("Unsorted Ledgers 3 parts"), row("Up to date Maps 4 parts"), row("Unsorted Scores 3 parts")}
	for _, c := range []struct {
		name          string
		now           []port.Row
		crowded, mine bool
	}{
		{"all move",
			[]port.Row{row("Up to date Ledgers 3 parts"), row("Unsorted Maps 4 parts"), row("Being sorted Scores 3 parts")}, true, false},
		{"one was done", []port.Row{was[0], row("Held Maps 4 parts"), was[2]}, false, true},
		{"another one as well", []port.Row{was[0], row("Held Maps 4 parts"), row("Held Scores 3 parts")}, false, true},
	} {
		ch := Changes{Known: true, Was: was, Now: c.now}
		for i := range was {
			if was[i].Text != c.now[i].Text {
				ch.Gone, ch.New = append(ch.Gone, was[i]), append(ch.New, c.now[i])
			}
		}
		if ch.Crowded([]Thing{maps}) != c.crowded {
			t.Errorf("%s: crowded %v", c.name, !c.crowded)
		}
		got := ch.Settled(nil, []Thing{maps}, nil)
		if (got.FateOf(maps, nil, nil) == Altered) != c.mine {
			t.Errorf("%s: %+v", c.name, got)
		}
		after := ch.Settled(nil, []Thing{maps}, loads(c.now, []port.Row{row("Being sorted Ledgers 3 parts"),
			row("Unsorted Maps 4 parts"), was[2]}))
		if c.crowded && len(after.New)+len(after.Hid) > 0 {
			t.Errorf("%s: seen to move by themselves: %+v", c.name, after)
		}
	}
}
