package align

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"showhow/capture"
	"showhow/daemon/compile/intent"
	"showhow/daemon/compile/page"
	"showhow/daemon/workflow"
	"showhow/internal/lazyre"
	"showhow/internal/plain"
)

// When demonstrations of one goal press different ones of several similar elements, they did one step and the element is
// what varies. Elements are compared by place first and by name second.

const besidePrefix = "beside|"

// inPlace is a key for an act by the place of its target in the document, the same for all siblings. Acts without such a
// place have the key of barely.
func inPlace(a *Cell) string {
	path := placeOf(a)
	if path == "" {
		return byPurpose(a)
	}
	return besidePrefix + string(verbClass(a)) + "|" + a.Role() + "|" + page.PathPattern(a.URLBefore()) + "|" + nth.ReplaceAllString(path, "#")
}

// areSiblings reports whether two acts targeted siblings: their paths through the document differ in one number, not
// counting the numbers of the row in which the previous act was done. Switches are siblings only within one place with a name: a
// page of settings has many that are drawn alike. Turning one on and another one off are two steps.
func areSiblings(a, b *Cell) bool {
	p, q := placeOf(a), placeOf(b)
	numbered := differInNumbers(a, b)
	if numbered { // one deed, whatever it is
		p, q = standing(a), standing(b)
	}
	if p == "" || q == "" || a.Role() != b.Role() || !samePath(p, q) {
		return false
	}
	if l, m := a.Target.Landmark, b.Target.Landmark; a.Role() == "switch" &&
		(a.Verb != b.Verb || l == nil || m == nil || l.Name == "" || l.Role != m.Role || l.Name != m.Name) {
		return false
	}
	if entryRoles[a.Role()] {
		return true // entries of the list that the previous act opened
	}
	if numbered && isAlone(a, b) {
		return false
	}
	if inRows(a, b) && apart(p, q, 0) == 2 {
		return true // another one of those that every row has, in another row
	}
	return apart(p, q, min(sharedWithBefore(a, p), sharedWithBefore(b, q))) <= 1
}

// inRows reports whether two acts were done in different rows.
func inRows(a, b *Cell) bool {
	l, m := a.Target.Landmark, b.Target.Landmark
	return l != nil && m != nil && page.ItemRoles[l.Role] && l.Role == m.Role && l.Name != "" && m.Name != "" && l.Name != m.Name
}

// inOneList reports whether the paths to two targets differ in one number at most, as those to the entries of a list do.
func inOneList(a, b *Cell) bool {
	p, q := cssOf(a.Target), cssOf(b.Target)
	return p != "" && a.Role() == b.Role() && samePath(p, q) && apart(p, q, 0) <= 1
}

// samePath reports whether two paths through a document differ in numbers alone.
func samePath(p, q string) bool { return nth.ReplaceAllString(p, "#") == nth.ReplaceAllString(q, "#") }

// apart counts the numbers, from the given one on, in which two such paths differ.
func apart(p, q string, from int) (differ int) {
	m, n := nth.FindAllString(p, -1), nth.FindAllString(q, -1)
	for i := from; i < len(m); i++ {
		if m[i] != n[i] {
			differ++
		}
	}
	return differ
}

// nameWithoutRow returns a target's name without the name of its row: "Rename" for "Rename A-1042".
func nameWithoutRow(a *Cell) string {
	name := a.Name()
	if a.Target == nil || a.Target.Landmark == nil || !capture.IsRow(a.Target.Landmark.Role) || a.Target.Landmark.Name == "" {
		return name
	}
	return plain.Squeeze(strings.ReplaceAll(name, a.Target.Landmark.Name, " "))
}

// ofRowMenu reports whether an act chose an entry of the menu that the previous act opened in a row, and the entry's
// name promises no action. The menu may be attached elsewhere in the page, or stand in the row and consist of generic
// elements.
func ofRowMenu(a *Cell) bool {
	if a.Target == nil || a.prev == nil || a.prev.Target == nil || !page.IsClick(a.Verb) || !page.IsClick(a.prev.Verb) || a.Run != nil {
		return false
	}
	row, name := a.prev.Target.Landmark, cmp.Or(a.Target.Name, a.Target.Text)
	if row == nil || !capture.IsRow(row.Role) || !strings.ContainsFunc(name, isWord) || intent.PromisesAction(name) {
		return false
	}
	own := a.Target.Landmark
	return strings.HasPrefix(a.Role(), "menuitem") ||
		a.Role() == "generic" && a.Target.Text != "" && own != nil && capture.IsRow(own.Role) && own.Name == row.Name
}

// entryRoles are roles of entries in lists that open and close.
var entryRoles = plain.Set("menuitem menuitemradio treeitem")

// sharedWithBefore counts the leading numbers that an act's path through the document shares with the previous act's:
// both were done in the same row.
func sharedWithBefore(a *Cell, path string) int {
	if a.prev == nil || a.prev.Target == nil {
		return 0
	}
	own, before := strings.Split(path, " > "), strings.Split(cssOf(a.prev.Target), " > ")
	at := slices.Index(before, own[0])
	if at < 0 {
		return 0
	}
	n := 0
	for i := range min(len(own)-1, len(before)-at) {
		if own[i] != before[at+i] {
			break
		}
		n += len(nth.FindAllString(own[i], -1))
	}
	return n
}

// nth matches the numbers in a path through a document: of an element among its kind, and in a numbered id.
var nth = lazyre.New(`nth-of-type\(\d+\)|\d+`)

// placeOf returns the path through the document to a target that may be one of several siblings, or "" for any other
// act. Buttons that perform actions are not siblings: pressing Approve here and Reject there are different steps. Nor
// are a program's navigation and tools.
func placeOf(a *Cell) string {
	if name := a.Name(); !strings.ContainsFunc(name, isWord) || a.Role() != "switch" && a.Role() != "checkbox" && intent.PromisesAction(name) {
		return "" // what a switch is called is what it sets, not what it does
	}
	return standing(a)
}

// standing is placeOf whatever the control is called.
func standing(a *Cell) string {
	t := a.Target
	if t == nil || a.Surface != workflow.OnBrowser || a.ManyBoxes() || a.IsCall() {
		return ""
	}
	switch a.Verb {
	case capture.Click, capture.DoubleClick, capture.Check, capture.Uncheck:
	default:
		return ""
	}
	switch a.Role() {
	case "button", "link", "checkbox", "radio", "switch", "generic", "listitem", "img", "menuitem", "treeitem", "":
	default:
		return ""
	}
	if l := t.Landmark; l != nil {
		switch l.Role {
		case "navigation", "toolbar", "menubar", "banner", "contentinfo":
			return ""
		}
	}
	return cssOf(t)
}

// cssOf returns a target's path through the document. The position of its top element among the children of the body is
// left out: a list is attached there in arbitrary order.
func cssOf(t *capture.Target) string {
	return bodyChild.ReplaceAllString(t.Located("css"), "body > $1")
}

// bodyChild matches the top element of a path, a child of the document's body.
var bodyChild = lazyre.New(`^body > ([a-z0-9-]+):nth-of-type\(\d+\)`)

// sameField is a key for an entry by the place of its field, whatever the field's name. Other acts have the key of
// byPurpose.
func sameField(a *Cell) string {
	t := a.Target
	if t == nil || a.Surface != workflow.OnBrowser || a.Verb != capture.Type && a.Verb != capture.Select {
		return byPurpose(a)
	}
	if path := t.Located("css"); path != "" {
		return "field|" + string(a.Verb) + "|" + a.Role() + "|" + t.InputType + "|" + page.PathPattern(a.URLBefore()) + "|" + path
	}
	return byPurpose(a)
}

// dropVaryingNames removes the name of a field if it was another text in every demonstration: then it is a value of the page, and
// only the field's place stays the same.
func (c *Column) dropVaryingNames() {
	first, _ := c.Base()
	if first.Target == nil || !first.Fills() || !first.Supplies() || first.ManyBoxes() {
		return
	}
	same := func(a *Cell) bool {
		return a == nil || a == first || strings.EqualFold(page.Clean(a.Name()), page.Clean(first.Name())) || a.Target == nil ||
			ignoringPlace(a) == ignoringPlace(first)
	}
	if !slices.ContainsFunc(c.Acts, func(a *Cell) bool { return !same(a) }) || sameField(first) == byPurpose(first) {
		return
	}
	for _, a := range c.Acts {
		if a == nil || a.Target == nil {
			continue
		}
		bare, act := *a.Target, *a.Act
		bare.Name, bare.Label, bare.Text = "", "", ""
		bare.Locators = slices.DeleteFunc(slices.Clone(bare.Locators), func(l capture.Locator) bool { return l.By != "css" && l.By != "testid" })
		act.Target = &bare
		a.Act = &act
	}
}

// hideVaryingNumbers leaves open the numbers in a control's name that differed between demonstrations: "Pay $104.20" was "Pay $98" in
// another one, and in a run it is what the page asks for then.
func (c *Column) hideVaryingNumbers() {
	first, _ := c.Base()
	differ := func(a *Cell) bool { return a != nil && differInNumbers(a, first) }
	if first.varies || !slices.ContainsFunc(c.Acts, differ) || slices.ContainsFunc(c.Acts, func(a *Cell) bool {
		return a != nil && (!differ(a) && byPurpose(a) != byPurpose(first) || !isAlone(a, first))
	}) {
		return
	}
	for _, a := range c.Acts {
		if a == nil || a.Target == nil {
			continue
		}
		bare, act := *a.Target, *a.Act
		for _, text := range []*string{&bare.Name, &bare.Label, &bare.Text} {
			*text = number.ReplaceAllString(*text, page.AnyRef)
		}
		bare.Locators = slices.Clone(bare.Locators)
		for i, l := range bare.Locators {
			if l.By != "css" && l.By != "testid" {
				bare.Locators[i].Value = number.ReplaceAllString(l.Value, page.AnyRef)
			}
		}
		act.Target = &bare
		a.Act = &act
	}
}

// dropVaryingOptions removes the options of a list if they were different in every demonstration: then they are data of the page,
// and a run chooses among what its own page offers.
func (c *Column) dropVaryingOptions() {
	first, _ := c.Base()
	if first.Target == nil || len(first.Target.Options) == 0 || !first.Fills() {
		return
	}
	others := slices.DeleteFunc(slices.Clone(c.Acts), func(a *Cell) bool {
		if a == nil || a == first || a.Target == nil {
			return true
		}
		shared := 0
		for _, o := range a.Target.Options {
			if slices.Contains(first.Target.Options, o) {
				shared++
			}
		}
		return 2*shared >= min(len(a.Target.Options), len(first.Target.Options))
	})
	if len(others) == 0 {
		return
	}
	for _, a := range c.Acts {
		if a != nil && a.Target != nil {
			bare, act := *a.Target, *a.Act
			bare.Options = nil
			act.Target = &bare
			a.Act = &act
		}
	}
}

// LeadsTo is the address to which all demonstrations' links led, "" where they led to different ones: an address that differs says
// which thing was meant, and another one is meant in a run.
func (c *Column) LeadsTo() string {
	first, _ := c.Base()
	if first == nil || first.Target == nil || slices.ContainsFunc(c.Acts, func(a *Cell) bool {
		return a != nil && a.Target != nil && a.Target.Href != first.Target.Href
	}) {
		return ""
	}
	return first.Target.Href
}

// isAlone reports whether two acts pressed the same button at its place, one that sends a form or has no other beside it, and not two of a
// list of buttons.
func isAlone(a, b *Cell) bool {
	p := cssOf(a.Target)
	return a.Role() == "button" && p == cssOf(b.Target) && (a.Verb == capture.Submit || len(nth.FindAllString(p, -1)) == 0)
}

// differInNumbers reports whether two controls' names differ in numbers and in nothing else.
func differInNumbers(a, b *Cell) bool {
	words := wordsAndNumbers(a)
	return words != "" && words == wordsAndNumbers(b) && !strings.EqualFold(page.Clean(a.Name()), page.Clean(b.Name()))
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
