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

// Two demonstrations of one goal that press different ones of several alike elements did one step, and the element is
// what varies. Elements are compared by their place first, by their name second.

const besides = "beside|"

// inPlace is an act by where its target stands in the document, whichever of those side by side it is. Anything else is told apart as
// before.
func inPlace(a *Cell) string {
	path := placeOf(a)
	if path == "" {
		return barely(a)
	}
	return besides + string(verbClass(a)) + "|" + a.Role() + "|" + page.PathPattern(a.URLBefore()) + "|" + nth.ReplaceAllString(path, "#")
}

// oneOfSeveral reports whether two acts targeted siblings: their paths through the document differ in one number,
// apart from the numbers of the row that the previous act was done in, too.
func oneOfSeveral(a, b *Cell) bool {
	p, q := placeOf(a), placeOf(b)
	if p == "" || q == "" || a.Role() != b.Role() || nth.ReplaceAllString(p, "#") != nth.ReplaceAllString(q, "#") {
		return false
	}
	if entryRoles[a.Role()] {
		return true // of the list that the act before opened
	}
	m, n := nth.FindAllString(p, -1), nth.FindAllString(q, -1)
	differ := 0
	for i := min(sharedWithBefore(a, p), sharedWithBefore(b, q)); i < len(m); i++ {
		if m[i] != n[i] {
			differ++
		}
	}
	return differ <= 1
}

// ownName is what a thing is called without what the row is called that it stands in: "Rename" of "Rename A-1042".
func ownName(a *Cell) string {
	name := a.Name()
	if a.Target == nil || a.Target.Landmark == nil || !capture.IsRow(a.Target.Landmark.Role) || a.Target.Landmark.Name == "" {
		return name
	}
	return plain.Squeeze(strings.ReplaceAll(name, a.Target.Landmark.Name, " "))
}

// ofRowMenu reports whether an act chose an entry of the menu that the act before opened in a row, and the entry promises no deed. The menu
// may be hung into the page, or stand in the row and be made of nothing but boxes.
func ofRowMenu(a *Cell) bool {
	if a.Target == nil || a.prev == nil || a.prev.Target == nil || !page.IsClick(a.Verb) || !page.IsClick(a.prev.Verb) || a.Run != nil {
		return false
	}
	row, name := a.prev.Target.Landmark, cmp.Or(a.Target.Name, a.Target.Text)
	if row == nil || !capture.IsRow(row.Role) || !strings.ContainsFunc(name, isWord) || intent.Promises(name) {
		return false
	}
	own := a.Target.Landmark
	return strings.HasPrefix(a.Role(), "menuitem") ||
		a.Role() == "generic" && a.Target.Text != "" && own != nil && capture.IsRow(own.Role) && own.Name == row.Name
}

// entryRoles are those of entries of lists that open and close again.
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

// nth are the numbers in a way through a document: of an element among its kind, and of an id that counts.
var nth = lazyre.New(`nth-of-type\(\d+\)|\d+`)

// placeOf is the path through the document to a target that may be one of several siblings, "" for any other act.
// Buttons that act are no siblings: whoever presses Approve here and Reject there did different things. Neither are a
// program's navigation and tools.
func placeOf(a *Cell) string {
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
	case "button", "link", "checkbox", "radio", "generic", "listitem", "img", "menuitem", "treeitem", "":
	default:
		return ""
	}
	if l := t.Landmark; l != nil {
		switch l.Role {
		case "navigation", "toolbar", "menubar", "banner", "contentinfo":
			return ""
		}
	}
	if name := a.Name(); !strings.ContainsFunc(name, isWord) || intent.Promises(name) {
		return ""
	}
	return cssOf(t)
}

// cssOf is a target's way through the document. Where it begins, in a list that a program hung somewhere into its page, says nothing.
func cssOf(t *capture.Target) string {
	return hung.ReplaceAllString(t.Located("css"), "body > $1")
}

// hung is a child of the document's body.
var hung = lazyre.New(`^body > ([a-z0-9-]+):nth-of-type\(\d+\)`)

// sameField is what was entered by where its field stands, whatever stands beside the field at the time. Anything else is told apart as
// before.
func sameField(a *Cell) string {
	t := a.Target
	if t == nil || a.Surface != workflow.OnBrowser || a.Verb != capture.Type && a.Verb != capture.Select {
		return barely(a)
	}
	if path := t.Located("css"); path != "" {
		return "field|" + string(a.Verb) + "|" + a.Role() + "|" + t.InputType + "|" + page.PathPattern(a.URLBefore()) + "|" + path
	}
	return barely(a)
}

// unnamed takes away from a field what was read as its name and was another text in every demonstration: it is a value of the page, and
// where the field stands is what stays the same.
func (c *Column) unnamed() {
	first, _ := c.Base()
	if first.Target == nil || !first.Fills() || !first.Supplies() || first.ManyBoxes() {
		return
	}
	same := func(a *Cell) bool {
		return a == nil || a == first || strings.EqualFold(page.Clean(a.Name()), page.Clean(first.Name())) || a.Target == nil ||
			roughly(a) == roughly(first)
	}
	if !slices.ContainsFunc(c.Acts, func(a *Cell) bool { return !same(a) }) || sameField(first) == barely(first) {
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

// unoffered takes away what a list offered where that was something else in every demonstration: those are things of the page, and a run
// chooses of what its own page offers.
func (c *Column) unoffered() {
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

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
