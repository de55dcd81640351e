package proof

import (
	"slices"
	"strings"
	"unicode"

	"showhow/daemon/rehearse/port"
	"showhow/internal/lazyre"
)

// clock matches a time of day.
var clock = lazyre.New(`^\(?\d{1,2}[:.]\d{2}(?:[:.]\d{2})?\)?[,.;]?$`)

// pair is a row before and after it changed.
type pair struct{ was, is port.Row }

// Settled removes rows that changed by themselves: a clock advanced, numbers in several rows of a list changed without matching an entry,
// or a row changed only in columns that never rest (see Loads). Such a row counts as unchanged. Columns are also taken for such where
// several rows that the work is not about changed there to different texts: rows that changed alike may all have got what was meant for
// another one. What is removed without having been seen to move by itself is in Hid.
func (c Changes) Settled(entered []Entry, things []Thing, l *Loads) Changes {
	c = l.Settle(c)
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
	for _, p := range c.pairs() {
		if !slices.ContainsFunc(moved, func(o pair) bool { return o.was.Key() == p.was.Key() || o.is.Key() == p.is.Key() }) &&
			!slices.ContainsFunc(altered(p), func(col int) bool {
				return !l.rests(p, col) && (!restless[Column{p.was.List, col}] || l.moves(p, col))
			}) {
			moved = append(moved, p)
		}
	}
	seen := func(p pair) bool {
		return !slices.ContainsFunc(altered(p), func(col int) bool { return !l.rests(p, col) })
	}
	still := func(p pair) bool {
		if slices.ContainsFunc(entered, func(e Entry) bool {
			return strings.TrimSpace(e.Value) != "" && len(Showing([]port.Row{p.is}, e.Value)) > len(Showing([]port.Row{p.was}, e.Value)) &&
				l.Always(p.is, e.Value)
		}) {
			return false
		}
		others := 0
		for _, o := range moved {
			if o.was.List == p.was.List {
				others++
			}
		}
		return others > 1 || onlyClocks(p.was.Text, p.is.Text) || seen(p)
	}
	for _, p := range moved {
		if still(p) {
			if !names(p.was.Text+" "+p.is.Text, things...) && !onlyClocks(p.was.Text, p.is.Text) && !seen(p) {
				c.Hid = append(c.Hid, p.is)
			}
			c.Gone = without(c.Gone, p.was)
			c.New = without(c.New, p.is)
		}
	}
	return c
}

// Column is a column of a list.
type Column struct {
	List string
	At   int
}

// anywhere stands for the column of rows that are not told by their columns.
const anywhere = -1

// restless are the columns in which at least two rows changed that name nothing that the work is about, to different texts.
func (c Changes) restless(things []Thing) map[Column]bool {
	to, out := map[Column]string{}, map[Column]bool{}
	for _, p := range c.pairs() {
		if names(p.was.Text+" "+p.is.Text, things...) {
			continue
		}
		for _, col := range altered(p) {
			at, says := Column{p.was.List, col}, fresh(p)
			if col != anywhere {
				says = p.is.Cells[col]
			}
			before, known := to[at]
			out[at] = out[at] || known && before != says
			to[at] = says
		}
	}
	return out
}

// Crowded reports whether several rows that the work is not about changed: only another look, before which nothing is done, tells whether
// they do so by themselves.
func (c Changes) Crowded(things []Thing) bool {
	n := len(c.Hid)
	for _, p := range c.pairs() {
		if !names(p.was.Text+" "+p.is.Text, things...) {
			n++
		}
	}
	return n > 1
}

// Besides reports whether a thing that the work is not about changed as one that it is about, or went with it from among rows that
// are all still there: what was meant for one was done to more.
func (c Changes) Besides(t Thing, things []Thing) bool {
	pairs := c.pairs()
	for _, own := range pairs {
		if names(own.was.Text, t) && !onlyCounts(own.was.Text, own.is.Text) && slices.ContainsFunc(pairs, func(o pair) bool {
			return o.was.List == own.was.List && !names(o.was.Text+" "+o.is.Text, things...) && likewise(own, o)
		}) {
			return true
		}
	}
	gone := Having(c.Gone, t.Value)
	return len(gone) > 0 && len(Having(c.Now, t.Value)) == 0 && slices.ContainsFunc(c.Gone, func(g port.Row) bool {
		return g.List == gone[0].List && g.List != Labelled && !names(g.Text, things...) && c.missing(g)
	})
}

// likewise reports whether two rows changed alike: from the same to the same, or a column of both to the same word, whatever it said
// before.
func likewise(a, b pair) bool {
	cols := altered(b)
	if to := fresh(a); cols[0] == anywhere || altered(a)[0] == anywhere {
		return strings.ContainsFunc(to, unicode.IsLetter) && to == fresh(b)
	}
	same := func(i int) bool { return a.was.Cells[i] == b.was.Cells[i] && a.is.Cells[i] == b.is.Cells[i] }
	return slices.Equal(altered(a), cols) && !slices.ContainsFunc(cols, func(i int) bool { return !same(i) }) ||
		slices.ContainsFunc(cols, func(i int) bool {
			return a.was.Cells[i] != a.is.Cells[i] && a.is.Cells[i] == b.is.Cells[i] && strings.ContainsFunc(a.is.Cells[i], unicode.IsLetter)
		})
}

// Reverted reports whether the row of a thing said something new right after the step, and nothing of that is left: what else has changed
// in it since is not what was done.
func (c Changes) Reverted(t Thing, claimed []port.Row) bool {
	for _, was := range c.its(c.Was, t.Value) {
		like := func(rows []port.Row) []port.Row {
			return slices.DeleteFunc(c.its(rows, t.Value), func(r port.Row) bool { return r.List != was.List })
		}
		said, now := like(Unopened(c.Was, claimed)), like(c.Now)
		if was.List == Labelled || len(like(c.Was)) != 1 || len(said) != 1 || len(now) != 1 {
			continue
		}
		told := strings.Fields(fresh(pair{port.Row{Text: besideDeeds(was)}, port.Row{Text: besideDeeds(said[0])}}))
		kept := strings.Fields(fresh(pair{port.Row{Text: besideDeeds(was)}, port.Row{Text: besideDeeds(now[0])}}))
		told = slices.DeleteFunc(told, func(w string) bool { return !strings.ContainsFunc(w, unicode.IsLetter) })
		if len(told) > 0 && !slices.ContainsFunc(told, func(w string) bool { return slices.Contains(kept, w) }) {
			return true
		}
	}
	return false
}

// Twice reports whether two rows that show an entry, or name a thing, came where one was meant: they say the same but for their numbers, in
// a list of a page that said nothing twice before.
func (c Changes) Twice(entered []Entry, things []Thing) bool {
	said := func(rows []port.Row, like port.Row) (n int) {
		for _, r := range rows {
			if r.List == like.List && uncounted(r.Text) == uncounted(like.Text) {
				n++
			}
		}
		return n
	}
	return c.Known && slices.ContainsFunc(c.New, func(n port.Row) bool {
		return n.List != Labelled && !strings.HasPrefix(n.List, "box|") && said(c.New, n) > 1 && said(c.Ever, n) == 0 &&
			(names(n.Text, things...) || slices.ContainsFunc(entered, func(e Entry) bool {
				return !e.Picks && !e.Chosen && len(Showing([]port.Row{n}, e.Value)) > 0 && Long(e.Value)
			})) &&
			!slices.ContainsFunc(c.Was, func(w port.Row) bool { return w.List == n.List && said(c.Was, w) > 1 })
	})
}

// Loses reports whether a row that the work is not about went from among others that are all still there, while something else in its list
// changed or came: no other row that came can be it.
func (c Changes) Loses(entered []Entry, things []Thing) bool {
	about := func(r port.Row) bool {
		return names(r.Text, things...) || slices.ContainsFunc(entered, func(e Entry) bool { return len(Showing([]port.Row{r}, e.Value)) > 0 })
	}
	return slices.ContainsFunc(c.Gone, func(g port.Row) bool {
		if g.List == Labelled || about(g) || !Contain(c.Came, g) {
			return false
		}
		var was, come []port.Row
		for _, r := range c.Was {
			if r.List == g.List && (r.Key() == g.Key() || !Contain(c.Gone, r)) {
				was = append(was, r)
			}
		}
		for _, r := range c.New {
			if r.List == g.List {
				come = append(come, r)
			}
		}
		i := slices.IndexFunc(was, func(r port.Row) bool { return r.Key() == g.Key() })
		return i > 0 && i < len(was)-1 && len(come) > 0 && !slices.ContainsFunc(come, func(n port.Row) bool {
			return !about(n) || Alike(g.Text, n.Text) && !slices.ContainsFunc(things, func(t Thing) bool { return names(n.Text, t) })
		})
	})
}

// missing reports whether a row is there no more in any form, and of its list nothing came, and the rows around it are still there. A list
// may be shorter when it is opened afresh, unless it began with that row.
func (c Changes) missing(g port.Row) bool {
	ours := func(rows []port.Row) []port.Row {
		return slices.DeleteFunc(slices.Clone(rows), func(r port.Row) bool { return r.List != g.List })
	}
	was, now := ours(c.Was), ours(c.Now)
	there := func(r port.Row) bool { return Contain(now, r) }
	i := slices.IndexFunc(was, func(r port.Row) bool { return r.Key() == g.Key() })
	if i < 0 || len(ours(c.New)) > 0 {
		return false
	}
	before, after := slices.ContainsFunc(was[:i], there), slices.ContainsFunc(was[i+1:], there)
	return before && after || (before || after) && Contain(c.Came, g)
}

// HidBeside reports whether rows of the list in which a thing stands changed, and were taken to do so by themselves.
func (c Changes) HidBeside(t Thing) bool {
	return slices.ContainsFunc(Having(c.Was, t.Value), func(m port.Row) bool {
		return m.List != Labelled && slices.ContainsFunc(c.Hid, func(h port.Row) bool { return h.List == m.List })
	})
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

// pairs are the rows that say something else now, each with what it says now.
func (c Changes) pairs() []pair {
	out := c.sameHeads()
	heads := len(out)
	lists := map[string][2][]port.Row{}
	for i, rows := range [][]port.Row{c.Was, c.Now} {
		for _, r := range rows {
			of := lists[r.List]
			of[i] = append(of[i], r)
			lists[r.List] = of
		}
	}
	for _, g := range c.Gone {
		was, now := lists[g.List][0], lists[g.List][1]
		i := slices.IndexFunc(was, func(r port.Row) bool { return r.Key() == g.Key() })
		if i < 0 || len(was) != len(now) || now[i].Key() == g.Key() || !ownWord(was, now, i) ||
			slices.ContainsFunc(out[:heads], func(p pair) bool { return p.was.Key() == g.Key() || p.is.Key() == now[i].Key() }) {
			continue
		}
		out = append(out, pair{g, now[i]})
	}
	return out
}

// ownWord reports whether the rows at i, before and after, share a word that no other row of their list has: a row that begins with its
// state, or says all in one cell, is still called what it was called.
func ownWord(was, now []port.Row, i int) bool {
	has := func(r port.Row, w string) bool { return slices.Contains(strings.Fields(r.Text), w) }
	return slices.ContainsFunc(strings.Fields(was[i].Text), func(w string) bool {
		if len(w) < 3 || !strings.ContainsFunc(w, unicode.IsLetter) || !has(now[i], w) {
			return false
		}
		for k := range was {
			if k != i && (has(was[k], w) || has(now[k], w)) {
				return false
			}
		}
		return true
	})
}

// fresh are the words that a row says only since it changed.
func fresh(p pair) string {
	old := strings.Fields(p.was.Text)
	return strings.Join(slices.DeleteFunc(strings.Fields(p.is.Text), func(w string) bool { return slices.Contains(old, w) }), " ")
}

// altered are the columns in which a row changed.
func altered(p pair) (out []int) {
	if head := headOf(p.was); head == "" || head != headOf(p.is) || len(p.was.Cells) != len(p.is.Cells) {
		return []int{anywhere}
	}
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
