package perform

import (
	"context"
	"slices"
	"strings"
	"testing"

	"showhow/capture"
	"showhow/daemon/rehearse/check"
	"showhow/daemon/rehearse/port"
	"showhow/daemon/rehearse/proof"
	"showhow/daemon/rehearse/supply"
	"showhow/daemon/workflow"
)

// labelledRows are what a page says of one thing: "label: value" each.
func labelledRows(pairs ...string) (out []port.Row) {
	for i := 0; i < len(pairs); i += 2 {
		out = append(out, port.Row{List: proof.Labelled, Text: pairs[i] + " " + pairs[i+1], Columns: pairs[i : i+1], Cells: pairs[i+1 : i+2]})
	}
	return out
}

// An entry is looked for in the place with its field's label; a place that only shares a word may be another object's,
// and then a row that has come since counts, too.
func TestWhereAnEntryIsFound(t *testing.T) {
	book := func(more ...string) []port.Row {
		return labelledRows(append([]string{"Number", "B-2005", "Shelf", "A4"}, more...)...)
	}
	for _, c := range []struct {
		name, label, value string
		before, now        []port.Row
		want               bool
	}{
		{"a new row", "Member number", "M-305", book(), book("Lent to", "M-305"), true},
		{"nothing new", "Member number", "M-305", book(), book(), false},
		{"an old row", "Member number", "M-305", book("Keeper", "M-305"), book("Keeper", "M-305"), false},
		{"its own place is as it was", "Number", "M-305", book(), book("Lent to", "M-305"), false},
		{"its own place", "Shelf", "B7", book(), labelledRows("Number", "B-2005", "Shelf", "B7"), true},
		{"another value came", "Member number", "M-305", book(), book("Lent to", "M-306"), false},
	} {
		p := performance(supply.Supply{Bindings: supply.Bindings{}})
		p.trail.entered = []proof.Entry{{Label: c.label, Value: c.value}}
		at := "https://x.example/books/B-2005"
		p.tab.state = capture.State{URL: at}
		p.trail.remember(at, c.before)
		p.trail.things = []proof.Thing{{Name: "book", Value: "Harbour", Address: at}}
		r := p.reviewer.review(workflow.Step{})
		p.reviewer.reviewPage(at, port.Page{State: capture.State{URL: at, Headings: []string{"Harbour"}}, Rows: c.now}, r)
		if got := r.Entries[0].Shown; got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// What was chosen is looked for after a control that keeps it, in whatever words, and not after one that does something else with it.
func TestWhatKeepsAChoice(t *testing.T) {
	for said, want := range map[string]int{"Save": 2, "Draskol": 1, "Delete": 0, "Remove": 0, "Pause": 0} {
		p := performance(supply.Supply{Bindings: supply.Bindings{}})
		p.trail.entered = []proof.Entry{{Label: "wood", Value: "Maple", Chosen: true}, {Label: "kiln", Value: "K-2", Chosen: true, Object: true}}
		r := p.reviewer.review(workflow.Step{Verb: capture.Click, Target: &capture.Target{Role: "button", Name: said}})
		if len(r.Entries) != want {
			t.Errorf("%s: %d", said, len(r.Entries))
		}
	}
	list := &capture.Landmark{Role: "listitem", Name: "{kiln}"}
	for _, c := range []struct {
		target capture.Target
		object bool
	}{{capture.Target{Role: "listitem", Name: "{kiln}"}, true}, {capture.Target{Role: "generic", Text: "{kiln}", Landmark: list}, true},
		{capture.Target{Role: "button", Name: "{kiln}"}, false}} {
		p := performance(supply.Supply{Bindings: supply.Bindings{"kiln": "K-2"}})
		e, _ := p.trail.choice(workflow.Step{Verb: capture.Click, Target: &c.target})
		if e == nil || e.Object != c.object || !e.Chosen {
			t.Errorf("%+v: %+v", c.target, e)
		}
	}
}

// A choice that only changes the address's query shows itself there before anything is done with it.
func TestAChoiceThatOnlyShowsItself(t *testing.T) {
	kilns := rowsOf("kilns: Amber kiln", "kilns: Slate kiln")
	was, at := "https://x.example/kilns", "https://x.example/kilns?kiln=amber"
	for _, c := range []struct {
		name string
		now  port.Page
		want bool
	}{
		{"as it was", port.Page{Rows: append(labelledRows("Kiln", "Amber kiln"), kilns...),
			Text: "Amber kiln\nSlate kiln\nKiln: Amber kiln"}, false},
		{"a line more", port.Page{Rows: kilns, Text: "Amber kiln\nSlate kiln\nKiln: Amber kiln\nFired next: Amber kiln"}, true},
	} {
		p := performance(supply.Supply{Bindings: supply.Bindings{}})
		p.trail.remember(was, kilns)
		p.trail.sights[was].Text = "Amber kiln\nSlate kiln"
		e := proof.Entry{Label: "kiln", Value: "Amber kiln", Chosen: true, Address: was}
		e.Prior = proof.PriorOf(p.trail.sights, e.Value)
		p.trail.entered = []proof.Entry{e}
		p.trail.remember(at, append(labelledRows("Kiln", "Amber kiln"), kilns...))
		p.trail.sights[at].Text = "Amber kiln\nSlate kiln\nKiln: Amber kiln"
		p.tab.state = capture.State{URL: at}
		r := p.reviewer.review(workflow.Step{Verb: capture.Click, Target: &capture.Target{Role: "button", Name: "Apply"}})
		c.now.State.URL = at
		p.reviewer.reviewPage(at, c.now, r)
		if got := r.Proof() != ""; got != c.want {
			t.Errorf("%s: %q", c.name, r.Proof())
		}
	}
}

// boxesOf are things side by side, and the places where they stand, as the reader of pages tells them: a cell for each child of those that
// have more than one.
func boxesOf(boxes ...[]string) (out []port.Row) {
	for _, cells := range boxes {
		r := port.Row{List: "box|", Text: strings.Join(cells, " ")}
		if len(cells) > 1 {
			r.Cells, r.Columns = cells, make([]string, len(cells))
		}
		out = append(out, r)
	}
	return out
}

// Where a thing stands as it stood, what was chosen for it was not done to it, whatever came to what was chosen: another one may have gone
// there, from the same place too, or one whose name contains the thing's.
func TestAnotherThingWentToWhatWasChosen(t *testing.T) {
	type box = []string
	at := "https://x.example/board"
	tiles := boxesOf(box{"Gravel"}, box{"Plumber"}, box{"Call Plumber"}, box{"Gate"}, box{"Gutters"})
	wordy := boxesOf(box{"Gravel", "Due Friday"}, box{"Ann", "Plumber"}, box{"Call Plumber", "Due Monday"}, box{"Gate", "Due Monday"})
	with := func(tiles []port.Row, lists ...[]string) []port.Row { return append(boxesOf(lists...), tiles...) }
	bare := func(rows []port.Row) []port.Row { // as lists tell them, and boxes whose things stand in one part
		out := slices.Clone(rows)
		for i := range out {
			out[i].Cells, out[i].Columns = nil, nil
		}
		return out
	}
	before := with(tiles, box{"Soon", "Gravel", "Plumber", "Call Plumber"}, box{"Now", "Gate"}, box{"Review", "Gutters"})
	worded := with(wordy, box{"Soon", "Gravel Due Friday", "Ann Plumber", "Call Plumber Due Monday"}, box{"Now", "Gate Due Monday"})
	lists := func(rows []port.Row) []port.Row { return rows[:len(rows)-len(tiles)] }
	stated := func(of, list string) []port.Row {
		was := map[string]string{"Gravel": "Soon", "Plumber": "Soon", "Call Plumber": "Soon", "Gate": "Now"}
		was[of] = list
		var out []box
		for _, name := range []string{"Gravel", "Plumber", "Call Plumber", "Gate"} {
			out = append(out, box{name, was[name]})
		}
		return boxesOf(out...)
	}
	for _, c := range []struct {
		name     string
		was, now []port.Row
		want     bool
	}{
		{"the thing", before, with(tiles, box{"Soon", "Gravel", "Call Plumber"}, box{"Now", "Gate", "Plumber"}, box{"Review", "Gutters"}), true},
		{"the thing, to an empty list", with(tiles, box{"Soon", "Plumber"}, box{"Now"}), with(tiles, box{"Soon"}, box{"Now", "Plumber"}), true},
		{"one of another list", before, with(tiles, box{"Soon", "Gravel", "Plumber", "Call Plumber"}, box{"Now", "Gate", "Gutters"},
			box{"Review"}), false},
		{"one beside it", before, with(tiles, box{"Soon", "Plumber", "Call Plumber"}, box{"Now", "Gate", "Gravel"}, box{"Review", "Gutters"}),
			false},
		{"one whose name contains its name", before, with(tiles, box{"Soon", "Gravel", "Plumber"}, box{"Now", "Gate", "Call Plumber"},
			box{"Review", "Gutters"}), false},
		{"none", before, before, false},
		{"the thing, of several parts", worded, with(wordy, box{"Soon", "Gravel Due Friday", "Call Plumber Due Monday"},
			box{"Now", "Gate Due Monday", "Ann Plumber"}), true},
		{"one beside it, of several parts", worded, with(wordy, box{"Soon", "Ann Plumber", "Call Plumber Due Monday"},
			box{"Now", "Gate Due Monday", "Gravel Due Friday"}), false},
		{"one whose name contains its name, of several parts", worded, with(wordy, box{"Soon", "Gravel Due Friday", "Ann Plumber"},
			box{"Now", "Gate Due Monday", "Call Plumber Due Monday"}), false},
		{"the thing, which says where it stands", stated("", ""), stated("Plumber", "Now"), true},
		{"the thing, which only its list tells", lists(before), lists(with(tiles, box{"Soon", "Gravel", "Call Plumber"},
			box{"Now", "Gate", "Plumber"}, box{"Review", "Gutters"})), true},
		{"one beside it, which only its list tells", lists(before), lists(with(tiles, box{"Soon", "Plumber", "Call Plumber"},
			box{"Now", "Gate", "Gravel"}, box{"Review", "Gutters"})), false},
		{"one whose name contains its name, which only its list tells", lists(before), lists(with(tiles, box{"Soon", "Gravel", "Plumber"},
			box{"Now", "Gate", "Call Plumber"}, box{"Review", "Gutters"})), false},
		{"one beside it, which says so", stated("", ""), stated("Gravel", "Now"), false},
		{"one whose name contains its name, which says so", stated("", ""), stated("Call Plumber", "Now"), false},
	} {
		for _, how := range []struct {
			name     string
			was, now []port.Row
		}{{"parted", c.was, c.now}, {"in one part", bare(c.was), bare(c.now)}} {
			if how.name != "parted" && (len(c.was) < len(before) || strings.HasSuffix(c.name, "parts")) {
				continue // without its parts nothing tells it from the others
			}
			for role, step := range choosing() {
				if step.Target.Role == "menuitem" && c.want && (how.name != "parted" || strings.HasSuffix(c.name, "parts")) {
					continue // the entry of a menu is no thing of the work: the row that took the thing counts as another one's
				}
				for _, picked := range [][]string{{"card"}, {"person", "card"}} { // a filter may have been set before the card was picked
					p := performance(supply.Supply{Bindings: supply.Bindings{"list": "Now", "card": "Plumber", "person": "Ute"}})
					p.tab.state = capture.State{URL: at}
					p.trail.remember(at, append(rowsOf("people: Ute"), how.was...))
					for _, name := range picked {
						v := p.supply.Bindings[name]
						p.trail.things = append(p.trail.things, proof.Thing{Name: name, Value: v, Address: at})
						p.trail.entered = append(p.trail.entered, proof.Entry{Label: name, Value: v, Chosen: true, Address: at,
							Prior: proof.PriorOf(p.trail.sights, v)})
					}
					p.trail.pick(step, &check.Scene{})
					r := p.reviewer.review(step)
					p.reviewer.reviewPage(at, port.Page{State: capture.State{URL: at}, Rows: append(rowsOf("people: Ute"), how.now...)}, r)
					if got := r.Proof() != "" && r.Against == ""; got != c.want {
						t.Errorf("%s, %s, chosen as %s, picked %v: %q, against it %q", c.name, how.name, role, picked, r.Proof(), r.Against)
					}
				}
			}
		}
	}
}

// choosing are steps that choose a list in a menu: a text, an entry of a list, and one that counts as an effect because its words are
// those of an action.
func choosing() map[string]workflow.Step {
	text := workflow.Step{Verb: capture.Click, Target: &capture.Target{Role: "generic", Text: "{list}"}}
	entry := workflow.Step{Verb: capture.Click, Target: &capture.Target{Role: "listitem", Text: "{list}",
		Landmark: &capture.Landmark{Role: "listitem", Name: "{list}"}}}
	deed := text
	deed.Effect = true
	return map[string]workflow.Step{"a text": text, "an entry": entry, "an effect": deed,
		"an entry of a menu": {Verb: capture.Click, Target: &capture.Target{Role: "menuitem", Name: "{list}"}}}
}

// What was done to a thing in a view that was picked before shows in the thing's own row, whether the view's row stands or not.
func TestAThingOfAViewThatStands(t *testing.T) {
	at := "https://x.example/tasks"
	was := append(rowsOf("views: Garden", "views: House"), rowsOf("tasks: Prune Friday", "tasks: Water Monday")...)
	now := append(rowsOf("views: Garden", "views: House"), rowsOf("tasks: Prune Friday done", "tasks: Water Monday")...)
	for role, step := range choosing() {
		if role == "a text" {
			continue // it may as well be an entry of a form
		}
		p := performance(supply.Supply{Bindings: supply.Bindings{"list": "Prune"}})
		p.tab.state = capture.State{URL: at}
		p.trail.remember(at, was)
		p.trail.things = []proof.Thing{{Name: "view", Value: "Garden", Address: at}, {Name: "list", Value: "Prune", Address: at}}
		r := p.reviewer.review(step)
		p.reviewer.reviewPage(at, port.Page{State: capture.State{URL: at}, Rows: now}, r)
		if r.Proof() == "" || r.Against != "" {
			t.Errorf("%s: %q, against it %q", role, r.Proof(), r.Against)
		}
	}
}

// hall is a browser that shows some rows at once and others while it is looked through.
type hall struct {
	port.Browser
	first, further []port.Row
	whole          bool
	explored       bool
}

func (h *hall) Rows(context.Context) ([]port.Row, error) {
	if h.explored {
		return h.further, nil
	}
	return h.first, nil
}
func (h *hall) Read(ctx context.Context) (port.Page, error) {
	rows, err := h.Rows(ctx)
	return port.Page{Rows: rows}, err
}
func (h *hall) Explore(ctx context.Context, there func(context.Context) bool) (string, bool) {
	h.explored = true
	if there(ctx) {
		return "it was further down", false
	}
	return "", h.whole
}

// A thing that was further down its list is gone only where those that stood beside it are seen again.
func TestAThingFurtherDownThatIsGone(t *testing.T) {
	top := rowsOf("seats: A-1", "seats: A-2")
	was := append(slices.Clone(top), rowsOf("seats: D-7 Maple", "seats: D-8 Oak", "news: Row D is open")...)
	for _, c := range []struct {
		name    string
		further []port.Row
		whole   bool
		gone    bool
	}{
		{"its neighbour is there", append(slices.Clone(top), rowsOf("seats: D-8 Oak")...), true, true},
		{"it is there", was, true, false},
		{"nothing more came", top, true, false},
		{"another list came", append(slices.Clone(top), rowsOf("news: Row D is open")...), true, false},
		{"not all of it came", append(slices.Clone(top), rowsOf("seats: D-8 Oak")...), false, false},
	} {
		p := performance(supply.Supply{Bindings: supply.Bindings{}})
		at := "https://x.example/seats"
		p.tab.state, p.tab.browser = capture.State{URL: at}, &hall{first: top, further: c.further, whole: c.whole}
		p.trail.remember(at, was)
		p.trail.things = []proof.Thing{{Name: "seat", Value: "D-7", Address: at}}
		p.trail.brought = p.trail.things
		page := p.reviewer.asBrought(context.Background(), at, port.Page{State: capture.State{URL: at}, Rows: top})
		r := p.reviewer.review(workflow.Step{})
		p.reviewer.reviewPage(at, page, r)
		if r.Removed != c.gone {
			t.Errorf("%s: %q", c.name, r.Proof())
		}
	}
}

// A thing is not gone where those beside it are missing, too, whatever else of its kind the page shows.
func TestAThingWithoutItsNeighbours(t *testing.T) {
	was := rowsOf("box: New card", "box: Sort by name", "box: Help and more", "box: Acorn 12 g", "box: Beech 14 g",
		"box: Cedar 9 g", "box: Elm 8 g")
	for name, c := range map[string]struct {
		now  []port.Row
		gone bool
	}{
		"it is gone":                    {slices.Delete(slices.Clone(was), 4, 5), true},
		"only the tools are there":      {was[:3], false},
		"its neighbours are gone, too":  {slices.Concat(was[:3], rowsOf("box: Yew and others")), false},
		"one of its neighbours is left": {slices.Concat(was[:3], was[5:6]), false},
		"others are gone, too":          {slices.Concat(was[:4], was[5:6]), true},
	} {
		p := performance(supply.Supply{Bindings: supply.Bindings{}})
		at := "https://x.example/seeds"
		p.tab.state = capture.State{URL: at}
		p.trail.remember(at, was)
		p.trail.things = []proof.Thing{{Name: "seed", Value: "Beech", Address: at}}
		r := p.reviewer.review(workflow.Step{})
		p.reviewer.reviewPage(at, port.Page{State: capture.State{URL: at}, Rows: c.now}, r)
		if r.Removed != c.gone {
			t.Errorf("%s: removed %v, %q", name, r.Removed, r.Proof())
		}
	}
}

// What a row counts by itself is no sign of a press that nobody watched.
func TestARowThatOnlyCounts(t *testing.T) {
	for now, want := range map[string]bool{"berths: Heron 8 looks": true, "berths: Heron 8 looks, moored": false} {
		p := performance(supply.Supply{Bindings: supply.Bindings{}})
		at := "https://x.example/berths"
		p.tab.state = capture.State{URL: at}
		p.trail.remember(at, rowsOf("berths: Heron 7 looks", "berths: Curlew 2 looks"))
		p.trail.things = []proof.Thing{{Name: "boat", Value: "Heron", Address: at}}
		r := p.reviewer.review(workflow.Step{})
		p.reviewer.reviewPage(at, port.Page{State: capture.State{URL: at}, Rows: rowsOf(now, "berths: Curlew 2 looks")}, r)
		if r.Proof() == "" || r.Slightly() != want {
			t.Errorf("%s: %q, slightly %v", now, r.Proof(), r.Slightly())
		}
	}
}

// A part that is closed when the page is opened again hides neither what became of another thing nor what the page says of its own.
func TestAClosedPartBesideOthers(t *testing.T) {
	at := "https://x.example/yard"
	open, shut := labelledRows("Chosen", "Curlew", "Tide", "low"), labelledRows("Tide", "low")
	look := func(heading string, things []string, entered []proof.Entry, was, now []port.Row) *proof.Review {
		p := performance(supply.Supply{Bindings: supply.Bindings{}})
		p.tab.state = capture.State{URL: at}
		p.trail.remember(at, was)
		for _, v := range things {
			p.trail.things = append(p.trail.things, proof.Thing{Name: "boat", Value: v, Address: at})
		}
		p.trail.entered = entered
		r := p.reviewer.review(workflow.Step{})
		p.reviewer.reviewPage(at, port.Page{State: capture.State{URL: at, Headings: []string{heading}}, Rows: now}, r)
		return r
	}
	// One was launched, one was not, and what the page said of a third is closed.
	ashore := rowsOf("boats: Heron ashore", "boats: Avocet ashore", "boats: Dunlin ashore")
	r := look("Yard", []string{"Heron", "Avocet", "Curlew"}, nil, append(ashore, open...),
		append(rowsOf("boats: Heron afloat", "boats: Avocet ashore", "boats: Dunlin ashore"), shut...))
	if r.Against == "" {
		t.Errorf("one of them was spared: %q", r.Proof())
	}
	// The closed part is no change, and the page's own place for what was entered shows another value.
	coat := port.Row{List: "coats", Text: "Grey", Columns: []string{"Paint"}, Cells: []string{"Grey"}}
	r = look("Curlew", []string{"Curlew"}, []proof.Entry{{Label: "Paint", Value: "Green paint"}}, append(open, coat), append(shut, coat))
	if r.Proof() != "" || !r.Entries[0].Placed {
		t.Errorf("%q, placed %v", r.Proof(), r.Entries[0].Placed)
	}
}

// A page that shows the thing at hand and nothing of what was entered for it proves nothing.
func TestTheThingAtHandVouchesForNoEntry(t *testing.T) {
	for _, want := range []bool{false, true} {
		p := performance(supply.Supply{Bindings: supply.Bindings{}})
		at := "https://x.example/pages"
		p.tab.state = capture.State{URL: "https://x.example/edit"}
		p.trail.entered = []proof.Entry{{Label: "page", Value: "kitchen", Chosen: true, Object: true},
			{Label: "Edit summary", Value: "repainted"}}
		r := p.reviewer.review(workflow.Step{Target: &capture.Target{Role: "button", Name: "Save"}})
		text := "kitchen, last changed"
		if want {
			text += " repainted"
		}
		p.reviewer.reviewPage(at, port.Page{State: capture.State{URL: at}, Rows: []port.Row{{List: "pages", Text: text}}}, r)
		if got := r.Proof() != ""; got != want {
			t.Errorf("it is shown: %v; %q", want, r.Proof())
		}
	}
}

// On a page of a thing that no heading names, another row's change beside the thing's own unchanged one proves nothing.
func TestAnotherRowOnThePageOfAThing(t *testing.T) {
	row := func(list string, cells ...string) port.Row {
		return port.Row{List: list, Text: strings.Join(cells, " "), Columns: []string{"", ""}, Cells: cells}
	}
	for _, c := range []struct {
		name, heading  string
		was, now       []port.Row
		against, proof bool
	}{
		{"another thing", "Heron", []port.Row{row("all", "Heron", "ashore"), row("all", "Curlew", "ashore")},
			[]port.Row{row("all", "Heron", "ashore"), row("all", "Curlew", "afloat")}, true, false},
		{"a part, on a page that names it", "Heron", []port.Row{row("parts", "Name", "Heron"), row("parts", "State", "ashore")},
			[]port.Row{row("parts", "Name", "Heron"), row("parts", "State", "afloat")}, false, true},
		{"a part, among parts that name it", "Yard", []port.Row{row("parts", "Name", "Heron"), row("parts", "State now", "boat ashore")},
			[]port.Row{row("parts", "Name", "Heron"), row("parts", "State now", "boat afloat")}, false, true},
		{"a part of something else", "Yard",
			[]port.Row{row("names", "Name", "Heron"), row("parts", "Name", "Curlew"), row("parts", "State now", "boat ashore")},
			[]port.Row{row("names", "Name", "Heron"), row("parts", "Name", "Curlew"), row("parts", "State now", "boat afloat")}, false, false},
	} {
		p := performance(supply.Supply{Bindings: supply.Bindings{}})
		at := "https://x.example/boats/Heron"
		p.tab.state = capture.State{URL: at}
		p.trail.remember(at, c.was)
		p.trail.things = []proof.Thing{{Name: "boat", Value: "Heron", Address: at}}
		r := p.reviewer.review(workflow.Step{})
		p.reviewer.reviewPage(at, port.Page{State: capture.State{URL: at, Headings: []string{c.heading}}, Rows: c.now}, r)
		if (r.Against != "") != c.against || r.Against == "" && (r.Proof() != "") != c.proof {
			t.Errorf("%s: against %q, for %q", c.name, r.Against, r.Proof())
		}
	}
}

// A number that changed in the row of another thing alone leaves a doubt: what a page counts and says besides is too little then.
func TestANumberOfAnotherRow(t *testing.T) {
	row := func(list string, cells ...string) port.Row {
		return port.Row{List: list, Text: strings.Join(cells, " "), Columns: make([]string, len(cells)), Cells: cells}
	}
	was := []port.Row{row("all", "Heron", "3 berths"), row("all", "Curlew", "5 berths"), row("all", "Dunlin", "5 berths")}
	parts := []port.Row{row("parts", "Name", "Heron"), row("parts", "Looks", "5")}
	for _, c := range []struct {
		name, heading string
		was           []port.Row
		at            int
		is            port.Row
		want          bool
	}{
		{"another thing's", "Yard", was, 1, row("all", "Curlew", "6 berths"), false},
		{"another thing's, on a page that names it", "Heron", was, 1, row("all", "Curlew", "6 berths"), false},
		{"its own", "Yard", was, 0, row("all", "Heron", "4 berths"), true},
		{"nothing", "Yard", was, 1, was[1], true},
		{"what its page counts", "Heron", parts, 1, row("parts", "Looks", "6"), true},
		{"a row of another kind", "Yard", append(slices.Clone(was), row("all", "Looks 5")), 3, row("all", "Looks 6"), true},
	} {
		p := performance(supply.Supply{Bindings: supply.Bindings{}})
		at := "https://x.example/yard"
		p.tab.state = capture.State{URL: at}
		p.trail.remember(at, c.was)
		p.trail.things = []proof.Thing{{Name: "boat", Value: "Heron", Address: at}}
		r := p.reviewer.review(workflow.Step{})
		r.Facts = []string{"the page still shows it"}
		now := slices.Clone(c.was)
		now[c.at] = c.is
		p.reviewer.reviewPage(at, port.Page{State: capture.State{URL: at, Headings: []string{c.heading}}, Rows: now}, r)
		if got := r.Proof() != ""; got != c.want || r.Against != "" {
			t.Errorf("%s: %q, against %q, doubt %q", c.name, r.Proof(), r.Against, r.Doubt)
		}
	}
}
