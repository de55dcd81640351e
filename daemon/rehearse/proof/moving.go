package proof

import (
	"slices"
	"strings"

	"showhow/daemon/rehearse/port"
	"showhow/internal/lazyre"
)

// clock matches a time of day.
var clock = lazyre.New(`^\(?\d{1,2}[:.]\d{2}(?:[:.]\d{2})?\)?[,.;]?$`)

// Settled removes rows that changed by themselves: a clock advanced, or numbers in several rows of a list changed
// without matching an entry. Such a row counts as unchanged.
func (c Changes) Settled(entered []Entry) Changes {
	type pair struct{ was, is port.Row }
	var moved []pair
	for _, g := range c.Gone {
		for _, n := range c.New {
			if g.List == n.List && onlyCounts(g.Text, n.Text) && !slices.ContainsFunc(moved, func(p pair) bool { return p.is.Key() == n.Key() }) {
				moved = append(moved, pair{g, n})
				break
			}
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

// Slight reports whether rows of a text, or any rows if it is empty, changed and did so only in numbers: a counter of visits or the time of
// the last one says that something was looked at, not what was done.
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
