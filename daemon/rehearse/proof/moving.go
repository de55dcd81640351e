package proof

import (
	"slices"
	"strings"

	"showhow/daemon/rehearse/port"
	"showhow/internal/lazyre"
)

// clock matches a time of day.
var clock = lazyre.New(`^\(?\d{1,2}[:.]\d{2}(?:[:.]\d{2})?\)?[,.;]?$`)

// pair is a row before and after it changed.
type pair struct{ was, is port.Row }

// Settled removes rows that changed by themselves: a clock advanced, numbers in several rows of a list changed without matching an entry,
// or a row changed only in columns that also changed in several rows that the work is not about. Such a row counts as unchanged.
func (c Changes) Settled(entered []Entry, things []Thing) Changes {
	var moved []pair
	for _, g := range c.Gone {
		for _, n := range c.New {
			if g.List == n.List && onlyCounts(g.Text, n.Text) && !slices.ContainsFunc(moved, func(p pair) bool { return p.is.Key() == n.Key() }) {
				moved = append(moved, pair{g, n})
				break
			}
		}
	}
	restless := c.restless(things)
	for _, p := range c.sameHeads() {
		if !slices.ContainsFunc(moved, func(o pair) bool { return o.was.Key() == p.was.Key() || o.is.Key() == p.is.Key() }) &&
			!slices.ContainsFunc(altered(p), func(col int) bool { return !restless[place{p.was.List, col}] }) {
			moved = append(moved, p)
		}
	}
	still := func(p pair) bool {
		if slices.ContainsFunc(entered, func(e Entry) bool {
			return strings.TrimSpace(e.Value) != "" && len(Showing([]port.Row{p.is}, e.Value)) > len(Showing([]port.Row{p.was}, e.Value))
		}) {
			return false
		}
		others := 0
		for _, o := range moved {
			if o.was.List == p.was.List {
				others++
			}
		}
		return others > 1 || onlyClocks(p.was.Text, p.is.Text)
	}
	for _, p := range moved {
		if still(p) {
			c.Gone = without(c.Gone, p.was)
			c.New = without(c.New, p.is)
		}
	}
	return c
}

// place is a column of a list.
type place struct {
	list   string
	column int
}

// restless are the columns in which at least two rows changed that name nothing that the work is about.
func (c Changes) restless(things []Thing) map[place]bool {
	count, out := map[place]int{}, map[place]bool{}
	for _, p := range c.sameHeads() {
		if slices.ContainsFunc(things, func(t Thing) bool { return len(Having([]port.Row{p.was, p.is}, t.Value)) > 0 }) {
			continue
		}
		for _, col := range altered(p) {
			at := place{p.was.List, col}
			count[at]++
			out[at] = count[at] > 1
		}
	}
	return out
}

// sameHeads are the rows that say something else now, each with the row that still begins as it did; of rows that begin alike none.
func (c Changes) sameHeads() (out []pair) {
	called := func(rows []port.Row, g port.Row) (found []port.Row) {
		for _, r := range rows {
			if r.List == g.List && headOf(r) == headOf(g) {
				found = append(found, r)
			}
		}
		return found
	}
	for _, g := range c.Gone {
		is := called(c.Now, g)
		if headOf(g) != "" && len(called(c.Was, g)) == 1 && len(is) == 1 && len(is[0].Cells) == len(g.Cells) {
			out = append(out, pair{g, is[0]})
		}
	}
	return out
}

// altered are the columns in which a row changed.
func altered(p pair) (out []int) {
	for i := range p.was.Cells {
		if p.was.Cells[i] != p.is.Cells[i] {
			out = append(out, i)
		}
	}
	return out
}

// Slight reports whether the rows that contain text, or all rows if text is empty, changed in numbers only: a visit
// counter or the time of the last visit shows that something was viewed, not what was done.
func (c Changes) Slight(text string) bool {
	gone, come := c.Gone, c.New
	if text != "" {
		gone, come = Having(gone, text), Having(come, text)
	}
	paired := func(all, with []port.Row) bool {
		return !slices.ContainsFunc(all, func(a port.Row) bool {
			return !slices.ContainsFunc(with, func(b port.Row) bool { return a.List == b.List && onlyCounts(a.Text, b.Text) })
		})
	}
	return len(gone) > 0 && paired(gone, come) && paired(come, gone)
}

func without(rows []port.Row, one port.Row) []port.Row {
	i := slices.IndexFunc(rows, func(r port.Row) bool { return r.Key() == one.Key() })
	if i < 0 {
		return rows
	}
	return slices.Delete(slices.Clone(rows), i, i+1)
}

// onlyCounts reports whether two texts differ only in numbers.
func onlyCounts(a, b string) bool { return a != b && uncounted(a) == uncounted(b) }

// onlyClocks reports whether two texts differ only in times of day.
func onlyClocks(a, b string) bool {
	x, y := strings.Fields(a), strings.Fields(b)
	if len(x) != len(y) {
		return false
	}
	for i := range x {
		if x[i] != y[i] && (!clock.MatchString(x[i]) || !clock.MatchString(y[i])) {
			return false
		}
	}
	return true
}
