package align

import (
	"slices"
	"strings"

	"showhow/capture"
	"showhow/daemon/compile/page"
)

// A person who opens a folder, or turns to the page of a list, only looks for the next object. If that object differs
// between demonstrations, so does the path to it: the path is not a step, and a run searches for the object itself.

// withoutLooking removes the columns that only brought the object of a later column into view, if the path was not the
// same in every demonstration.
func withoutLooking(cols []*Column) []*Column {
	drop := map[*Column]bool{}
	for i, c := range cols {
		if !c.onlyShows() || c.sameInAll() {
			continue
		}
		if aim := c.shownFor(cols[i+1:]); aim != nil {
			aim.Sought, drop[c] = true, true
		}
	}
	return slices.DeleteFunc(cols, func(c *Column) bool { return drop[c] })
}

// onlyShows reports whether every act of the column only brought something into view.
func (c *Column) onlyShows() bool {
	return !slices.ContainsFunc(c.Acts, func(a *Cell) bool {
		return a != nil && (a.Target == nil || a.Target.Shows == "" || !page.IsClick(a.Verb) || a.Run != nil || a.File != nil)
	})
}

// sameInAll reports whether all demonstrations did the step on a target of the same name that is not an item of a list.
func (c *Column) sameInAll() bool {
	first, _ := c.Base()
	if c.Missing() > 0 || first.Target.Shows == capture.ShowsSection && first.IsPick() {
		return false
	}
	return !slices.ContainsFunc(c.Acts, func(a *Cell) bool { return a != nil && !strings.EqualFold(a.Name(), first.Name()) })
}

// shownFor returns the next column that acts on something, if that is a pick on the same page, else nil.
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
