package find

import (
	"slices"
	"testing"

	"showhow/capture"
)

func place(role, name string) *capture.Landmark { return &capture.Landmark{Role: role, Name: name} }

func button(name, form string) *candidate {
	return &candidate{Role: "button", Tag: "button", Name: name, Near: place("form", form), Places: []capture.Landmark{*place("form", form)},
		doc: &document{}}
}

// Judgement without a browser: the reasons behind the numbers in judge.go.
func TestJudgement(t *testing.T) {
	save := capture.Target{Role: "button", Tag: "button", Name: "Save", Landmark: place("form", "Order"),
		Locators: []capture.Locator{{By: "role", Role: "button", Value: "Save", Matches: 1}, {By: "css", Value: "#save", Matches: 1}}}
	withID := func(c *candidate) *candidate { c.CSS = 1; return c }
	for _, c := range []struct {
		name string
		all  []*candidate
		want int // of all; -1 missing, -2 ambiguous
	}{
		{"as shown", []*candidate{button("Cancel", "Order"), button("Save", "Order")}, 1},
		{"a synonym in its place", []*candidate{button("Store", "Order"), button("Cancel", "Order")}, 0},
		{"a synonym elsewhere", []*candidate{button("Store", "Profile")}, -1},
		{"moved, and nothing in its old place", []*candidate{button("Save", "Toolbox"), button("Cancel", "Order")}, 0},
		{"its name taken over elsewhere", []*candidate{button("Save", "Toolbox"), button("Frobnicate", "Order")}, -2},
		{"the very name beside a synonym", []*candidate{button("Save", "Order"), button("Store", "Order")}, -2},
		{"the very name beside one that is near", []*candidate{button("Save", "Order"), button("Apply", "Order")}, 0},
		{"only one that is near", []*candidate{button("Apply", "Order")}, -1},
		{"one that is near, with the id", []*candidate{withID(button("Apply", "Order"))}, 0},
		{"an unknown name in its place", []*candidate{button("Frobnicate", "Order")}, -1},
		{"an unknown name with the id and in its place", []*candidate{withID(button("Frobnicate", "Order"))}, 0},
		{"the id elsewhere under an unknown name", []*candidate{withID(button("Frobnicate", "Profile"))}, -1},
		{"the id on another deed", []*candidate{withID(button("Delete", "Order"))}, -1},
		{"more than its name", []*candidate{button("Save draft", "Order")}, -1},
		{"twins", []*candidate{button("Save", "Order"), button("Save", "Order")}, -2},
		{"a twin elsewhere", []*candidate{button("Save", "Other"), button("Save", "Order")}, 1},
		{"a field of that name", []*candidate{{Role: "textbox", Name: "Save", doc: &document{}}}, -1},
	} {
		best, err := judge(Want{Target: save, Verb: capture.Click}, c.all)
		got := -1
		for i, o := range c.all {
			if o == best {
				got = i
			}
		}
		if err != nil && err.Reason == Ambiguous {
			got = -2
		}
		if got != c.want {
			t.Errorf("%s: %d, want %d (%v)", c.name, got, c.want, err)
		}
	}
}

// A target known by role and name alone may stand anywhere.
func TestByNameAlone(t *testing.T) {
	all := []*candidate{{Role: "button", Name: "Frobnicate", CSS: 1, doc: &document{}}, button("Pay now", "Card")}
	if got, err := judge(Want{Target: capture.Target{Role: "button", Name: "Pay now"}}, all); got != all[1] {
		t.Errorf("%v, %v", got, err)
	}
}

// Recordings made elsewhere may lack a target's name, place, and type of field.
func TestOfARecordingMadeElsewhere(t *testing.T) {
	css := func(path string) []capture.Locator { return []capture.Locator{{By: "css", Value: path}} }
	field := func(name, role, form string, by int) *candidate {
		return &candidate{Role: role, Tag: map[string]string{"combobox": "select"}[role], Name: name, Near: place("group", form), CSS: by,
			doc: &document{}}
	}
	named := capture.Target{Role: AnyField, Name: "Zone", Label: "Zone",
		Locators: append([]capture.Locator{{By: "role", Role: AnyField, Value: "Zone"}}, css("#zone")...)}
	byID := capture.Target{Role: AnyField, Locators: css("#zone")}
	byPath := capture.Target{Tag: "i", Locators: css("div > i")}
	for _, c := range []struct {
		name string
		want Want
		all  []*candidate
		is   int // -1: none
	}{
		{"a list for a field", Want{named, capture.Type}, []*candidate{field("Zone", "combobox", "", 1), field("Other", "textbox", "", 0)}, 0},
		{"in a place that nobody recorded", Want{named, capture.Type}, []*candidate{field("Zone", "radio", "Where", 1)}, 0},
		{"two that are called so", Want{named, capture.Type}, []*candidate{field("Zone", "combobox", "", 0), field("Zone", "textbox", "", 0)},
			-1},
		{"no field", Want{named, capture.Type}, []*candidate{{Role: "button", Tag: "button", Name: "Zone", CSS: 1, doc: &document{}}}, -1},
		{"a list where a text field was recorded", Want{capture.Target{Role: "textbox", Name: "Zone", Locators: css("#zone")}, capture.Type},
			[]*candidate{field("Zone", "combobox", "", 1)}, -1},
		{"a field by its id", Want{byID, capture.Type}, []*candidate{field("", "textbox", "", 1), field("", "textbox", "", 0)}, 0},
		{"an id that two have", Want{byID, capture.Type}, []*candidate{field("", "textbox", "", 2), field("", "textbox", "", 2)}, -1},
		{"the id on something else", Want{byID, capture.Type}, []*candidate{{Role: "button", Tag: "button", CSS: 1, doc: &document{}}}, -1},
		{"an id alone", Want{capture.Target{Locators: css("#go")}, capture.Click},
			[]*candidate{{Role: "button", Tag: "button", Name: "Delete", CSS: 1, doc: &document{}}}, -1},
		{"a path to what has no name either", Want{byPath, capture.Click}, []*candidate{{Role: "generic", Tag: "i", CSS: 1, doc: &document{}}},
			0},
		{"a path to what has one", Want{byPath, capture.Click},
			[]*candidate{{Role: "generic", Tag: "i", Name: "Delete", CSS: 1, doc: &document{}}}, -1},
	} {
		got, err := judge(c.want, c.all)
		if c.is < 0 && err == nil || c.is >= 0 && got != c.all[c.is] {
			t.Errorf("%s: %v, %v", c.name, got, err)
		}
	}
}

func TestANumberedFormName(t *testing.T) {
	for name, want := range map[string]int{"remark": -sentName, "field_17": 0, "lines[1][what]": 0} {
		w := capture.Target{Role: "textbox", Tag: "input", Name: "Remark", Locators: []capture.Locator{{By: "sent", Value: name}}}
		c := &candidate{Role: "textbox", Tag: "input", Name: "Remark", Sent: "other", doc: &document{}}
		if got := c.support(w); got != want {
			t.Errorf("sent under another name than %s: %d, want %d", name, got, want)
		}
		c.Sent = "same"
		if got := c.support(w); got != -want {
			t.Errorf("sent as %s: %d, want %d", name, got, -want)
		}
	}
}

// A field without a name among fields that have one is known by its place, its number there and its path, together.
func TestTheOnlyFieldWithoutAName(t *testing.T) {
	field := func(i int, name string, css int) *candidate {
		return &candidate{I: i, Role: "textbox", Tag: "input", Name: name, CSS: css, Near: place("region", "Editor"),
			Places: []capture.Landmark{*place("region", "Editor")}, doc: &document{}}
	}
	title := capture.Target{Role: "textbox", Tag: "input", Landmark: place("region", "Editor"), Locators: []capture.Locator{
		{By: "structure", Role: "textbox", Value: `textbox region "Editor" > textbox[1]`, Matches: 1},
		{By: "css", Value: "div > input", Matches: 1}}}
	for _, c := range []struct {
		name string
		all  []*candidate
		want int
	}{
		{"as shown", []*candidate{field(1, "", 1), field(2, "Tag", 0), field(3, "Type", 0)}, 0},
		{"at another path", []*candidate{field(1, "", 0), field(2, "Tag", 0), field(3, "Type", 0)}, -1},
		{"a further one without a name", []*candidate{field(1, "", 1), field(2, "Tag", 0), field(3, "", 0)}, -1},
		{"at another number", []*candidate{field(1, "Tag", 0), field(2, "", 1), field(3, "Type", 0)}, -1},
		{"it has a name now", []*candidate{field(1, "Summary", 1), field(2, "Tag", 0), field(3, "Type", 0)}, -1},
		{"it went, and the next took its path", []*candidate{field(2, "Tag", 1), field(3, "Type", 0)}, -1},
	} {
		best, err := judge(Want{Target: title, Verb: capture.Type}, c.all)
		if got := slices.Index(c.all, best); got != c.want {
			t.Errorf("%s: %d, want %d (%v)", c.name, got, c.want, err)
		}
	}
}

// So is the only one of a page, where no place around it has a name.
func TestTheOnlyFieldWithoutANameOfAPage(t *testing.T) {
	field := func(i int, name string, css int) *candidate {
		return &candidate{I: i, Role: "textbox", Tag: "input", Name: name, CSS: css, doc: &document{}}
	}
	wanted := func(place string, matches int) capture.Target {
		return capture.Target{Role: "textbox", Tag: "input", Locators: []capture.Locator{
			{By: "structure", Role: "textbox", Value: place + " > textbox", Matches: matches}, {By: "css", Value: "div > input", Matches: 1}}}
	}
	ofItem := field(2, "", 0)
	ofItem.InItemText = true
	for _, c := range []struct {
		name    string
		place   string
		matches int
		all     []*candidate
		want    int
	}{
		{"in another item", "item", 1, []*candidate{field(1, "Term", 0), ofItem}, 1},
		{"of items now", "page", 1, []*candidate{field(1, "Term", 0), ofItem}, -1},
		{"of no item now", "item", 1, []*candidate{field(1, "Term", 0), field(2, "", 0)}, -1},
		{"as shown", "page", 1, []*candidate{field(1, "Term", 0), field(2, "", 1)}, 1},
		{"at another path", "page", 1, []*candidate{field(1, "Term", 0), field(2, "", 0)}, -1},
		{"a further one", "page", 1, []*candidate{field(1, "", 0), field(2, "", 1)}, -1},
		{"it has a name now", "page", 1, []*candidate{field(1, "Term", 0), field(2, "Note", 1)}, -1},
		{"it was one of two", "page", 2, []*candidate{field(1, "Term", 0), field(2, "", 1)}, -1},
	} {
		best, err := judge(Want{Target: wanted(c.place, c.matches), Verb: capture.Type}, c.all)
		if got := slices.Index(c.all, best); got != c.want {
			t.Errorf("%s: %d, want %d (%v)", c.name, got, c.want, err)
		}
	}
}

// Icons without a name do not stand for each other: what is left of two is not the one that was used.
func TestAnotherIconIsNotTheOneThatWent(t *testing.T) {
	icon := func(i int, name string, css int) *candidate {
		return &candidate{I: i, Role: "button", Tag: "button", Name: name, CSS: css, Near: place("region", "Note"),
			Places: []capture.Landmark{*place("region", "Note")}, doc: &document{}}
	}
	for _, c := range []struct {
		name  string
		value string
		all   []*candidate
	}{
		{"among named ones", `button region "Note" > button[2]`, []*candidate{icon(1, "Back", 0), icon(2, "", 1)}},
		{"alone", `button region "Note" > button[2]`, []*candidate{icon(2, "", 1)}},
	} {
		pencil := capture.Target{Role: "button", Tag: "button", Landmark: place("region", "Note"), Locators: []capture.Locator{
			{By: "structure", Role: "button", Value: c.value, Matches: 1}, {By: "css", Value: "div > button:nth-of-type(2)", Matches: 1}}}
		if best, err := judge(Want{Target: pencil, Verb: capture.Click}, c.all); best != nil {
			t.Errorf("%s: %+v was taken (%v)", c.name, best, err)
		}
	}
}

// A link and a button of one name are two things: each is found by what it was, and the one that is left is not sure to be the other.
func TestALinkIsCalledLikeAButton(t *testing.T) {
	control := func(i int, role string) *candidate {
		return &candidate{I: i, Role: role, Tag: map[string]string{"link": "a", "button": "button"}[role], Name: "Archive", Heading: "Letters",
			Near: place("heading", "Letters"), doc: &document{}}
	}
	for _, c := range []struct {
		name  string
		role  string
		count int
		all   []*candidate
		want  int
	}{
		{"the button", "button", 1, []*candidate{control(1, "link"), control(2, "button")}, 1},
		{"the link", "link", 1, []*candidate{control(1, "link"), control(2, "button")}, 0},
		{"the recorder counted two of them", "button", 2, []*candidate{control(1, "link"), control(2, "button")}, -1},
		{"two buttons now", "button", 1, []*candidate{control(1, "button"), control(2, "button"), control(3, "link")}, -1},
		{"it became a link", "button", 1, []*candidate{control(1, "link")}, 0},
	} {
		w := capture.Target{Role: c.role, Name: "Archive", Landmark: place("heading", "Letters"), Locators: []capture.Locator{
			{By: "role", Role: c.role, Value: "Archive", Matches: c.count}}}
		best, err := judge(Want{Target: w, Verb: capture.Click}, c.all)
		if got := slices.Index(c.all, best); got != c.want {
			t.Errorf("%s: %d, want %d (%v)", c.name, got, c.want, err)
		}
	}
}

// Of two panels that say one name, each beside its state, none is taken because its state is the shorter one.
func TestStatesDoNotTellNamesakesApart(t *testing.T) {
	head := func(i int, state, name string) *candidate {
		says := state + " " + state + " " + name
		return &candidate{I: i, Role: "button", Tag: "button", Name: says, Text: says, Heading: "Harbour", Near: place("heading", "Harbour"),
			doc: &document{}}
	}
	w := capture.Target{Role: "button", Name: "Recipes", Text: "{*} {*} Recipes", Tag: "button", Landmark: place("heading", "Harbour"),
		Locators: []capture.Locator{{By: "role", Role: "button", Value: "Recipes", Matches: 1}}}
	for _, c := range []struct {
		name string
		all  []*candidate
		want int
	}{
		{"one of it", []*candidate{head(1, "Unsorted", "Recipes"), head(2, "Being sorted", "Ledgers"), head(3, "Up to date", "Maps")}, 0},
		{"two of it", []*candidate{head(1, "Unsorted", "Recipes"), head(2, "Being sorted", "Ledgers"), head(3, "Up to date", "Recipes")}, -1},
	} {
		best, err := judge(Want{Target: w, Verb: capture.Click}, c.all)
		if got := slices.Index(c.all, best); got != c.want {
			t.Errorf("%s: %d, want %d (%v)", c.name, got, c.want, err)
		}
	}
}

// A list in its box and the field inside are one list, whatever stands between the two.
func TestAFieldInTheBoxOfItsName(t *testing.T) {
	doc, at := &document{}, func(i int) *int { return &i }
	all := []*candidate{{Role: "combobox", Tag: "div", Text: "Size", doc: doc},
		{I: 1, Role: "generic", Tag: "div", Text: "Size", Within: at(0), doc: doc},
		{I: 2, Role: "combobox", Tag: "input", Name: "Size", Within: at(1), doc: doc}}
	got, err := judge(Want{capture.Target{Role: "combobox", Text: "Size", Tag: "div"}, capture.Click}, all)
	if err != nil || got != all[0] {
		t.Errorf("%v, %v", got, err)
	}
}

// All that is in a frame is in that frame: what is left there of several things without a name is not the one that was used.
func TestAFrameTellsNothingApart(t *testing.T) {
	left := &candidate{Role: "generic", Tag: "span", Text: "Alps", Near: place("heading", "Albums"), Heading: "Albums",
		doc: &document{Frame: "gallery"}}
	w := capture.Target{Role: "generic", Tag: "span", Frame: "gallery", Landmark: place("heading", "Albums"),
		Locators: []capture.Locator{{By: "css", Value: "div:nth-of-type(2) > span", Matches: 1}}}
	for _, css := range []int{0, 1} {
		left.CSS = css
		if best, _ := judge(Want{Target: w, Verb: capture.Click}, []*candidate{left}); best != nil {
			t.Errorf("%+v was taken", best)
		}
	}
}

// An icon without a name is the one that is drawn as it was, if one was and one is.
func TestTheOnlyOneDrawnSo(t *testing.T) {
	icon := func(i int, drawn string) *candidate {
		return &candidate{I: i, Role: "generic", Tag: "span", Drawn: drawn, doc: &document{}}
	}
	inRow := icon(3, "flip")
	inRow.Item = "Alps"
	for _, c := range []struct {
		name  string
		count int
		all   []*candidate
		want  int
	}{
		{"in another order", 1, []*candidate{icon(0, "turn"), icon(1, "cut"), icon(2, "flip")}, 2},
		{"two of them", 1, []*candidate{icon(0, "flip"), icon(1, "cut"), icon(2, "flip")}, -1},
		{"there were two", 2, []*candidate{icon(0, "turn"), icon(1, "flip")}, -1},
		{"drawn otherwise", 1, []*candidate{icon(0, "turn"), icon(1, "cut")}, -1},
		{"in a row", 1, []*candidate{icon(0, "turn"), inRow}, -1},
	} {
		w := capture.Target{Role: "generic", Tag: "span", Locators: []capture.Locator{{By: "drawn", Value: "flip", Matches: c.count},
			{By: "css", Value: "div > span:nth-of-type(1)", Matches: 1}}}
		best, err := judge(Want{Target: w, Verb: capture.Click}, c.all)
		if got := slices.Index(c.all, best); got != c.want {
			t.Errorf("%s: %d, want %d (%v)", c.name, got, c.want, err)
		}
	}
}
