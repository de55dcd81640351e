package align

import (
	"slices"
	"strings"

	"showhow/capture"
	"showhow/daemon/compile/page"
)

// A person who opens a folder, or turns to the page of a list, that holds the next object, only searches for that
// object. If the next object differs between demonstrations, so does the path to it: the path is not a step, and
// whoever does the work searches for the object.

// withoutLooking removes the columns that only brought a later one's object into sight, if that path was not the same
// every time.
func withoutLooking(cols []*Column) []*Column {
	drop := map[*Column]bool{}
	for i, c := range cols {
		if !c.onlyShows() || c.steady() {
			continue
		}
		if aim := c.shownFor(cols[i+1:]); aim != nil {
			aim.Sought, drop[c] = true, true
		}
	}
	return slices.DeleteFunc(cols, func(c *Column) bool { return drop[c] })
}

// onlyShows reports whether every demonstration pressed what only brings something into sight.
func (c *Column) onlyShows() bool {
	return !slices.ContainsFunc(c.Acts, func(a *Cell) bool {
		return a != nil && (a.Target == nil || a.Target.Shows == "" || !page.IsClick(a.Verb) || a.Run != nil || a.File != nil)
	})
}

// steady reports whether all demonstrations did it, and to the same thing by the same name, which is none of a list's.
func (c *Column) steady() bool {
	first, _ := c.Base()
	if c.Missing() > 0 || first.Target.Shows == capture.ShowsSection && first.IsPick() {
		return false
	}
	return !slices.ContainsFunc(c.Acts, func(a *Cell) bool { return a != nil && !strings.EqualFold(a.Name(), first.Name()) })
}

// shownFor is the next column that does something with what there is on the page, where that is a thing of the page's.
func (c *Column) shownFor(later []*Column) *Column {
	first, t := c.Base()
	for _, next := range later {
		a := next.Acts[t]
		if a == nil || next.onlyShows() {
			continue
		}
		if a.Target == nil || a.Tab() != first.Tab() || page.PathOf(a.URLBefore()) != page.PathOf(first.URLBefore()) || !a.IsPick() {
			return nil
		}
		return next
	}
	return nil
}
