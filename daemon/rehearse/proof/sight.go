// Package proof weighs what a second look at a page shows of what was done: which rows came, changed or went, whether the thing that
// the work was about is among them, and whether what was entered stands where it belongs. What contradicts an effect outweighs
// everything; a value that has a place of its own and is not there is not vouched for by another. What nothing shows is not proven. It
// opens no page itself. The performance imports it, nobody else. It is tested with rows that were written down.
package proof

import (
	"slices"
	"strings"
	"unicode"

	"showhow/capture"
	"showhow/daemon/rehearse/port"
	"showhow/daemon/rehearse/supply"
	"showhow/daemon/workflow"
	"showhow/internal/lang"
)

// Sight is what the tables and lists of one address showed while the work went on. What a later look finds is compared with
// it: which rows are new, which are gone, and whether those are the ones that the work was about.
type Sight struct {
	Rows []port.Row          // as they were when last looked at
	Ever map[string]port.Row // those that were there at any time, by list and text
	Text string              // of the whole page when it was first looked at
}

// Thing is what a step picked on a page by the value of an input: the booking that was opened, the row whose button was used.
type Thing struct {
	Name    string // of the input
	Value   string
	Address string // of the page where it was picked
}

// Changes is how the rows of an address changed.
type Changes struct {
	Known     bool // the address was looked at before
	Was, Now  []port.Row
	Gone, New []port.Row
	Ever      []port.Row // all that were there at any time before
}

// Having are the rows that hold a text as words of their own.
func Having(rows []port.Row, text string) (out []port.Row) {
	p := supply.Bindings{"v": text}.Pattern("{v}")
	for _, r := range rows {
		if p.In(r.Text) {
			out = append(out, r)
		}
	}
	return out
}

// Without are the rows that do not hold a text.
func Without(rows []port.Row, text string) (out []port.Row) {
	p := supply.Bindings{"v": text}.Pattern("{v}")
	for _, r := range rows {
		if !p.In(r.Text) {
			out = append(out, r)
		}
	}
	return out
}

// Unopened are rows as they were before something opened in them: a menu that stands in its row adds its entries to what the row says, and
// takes them away when it closes, which is no change of the row.
func Unopened(before, now []port.Row) []port.Row {
	out := slices.Clone(now)
	for i, n := range out {
		j := slices.IndexFunc(before, func(b port.Row) bool {
			return b.List == n.List && strings.HasPrefix(n.Text, b.Text+" ") && len(b.Cells) == len(n.Cells)
		})
		if j >= 0 {
			out[i] = before[j]
		}
	}
	return out
}

// Fate is what became of a thing in a list.
type Fate uint8

const (
	Unseen  Fate = iota // the list never showed it, or nothing in it changed
	Altered             // its row is another one now, or gone
	Spared              // its row is as it was, and another one has changed in its stead
)

// Became tells what happened to a thing, seen in the list where it stands. Another row counts only if it changed in place in
// the same list, to what was entered, or vanished while nothing came: lists of news and clocks change by themselves.
func (c Changes) Became(t Thing, others []Thing, entered []Entry) Fate {
	mine := Having(c.Was, t.Value)
	if !c.Known || len(mine) == 0 {
		return Unseen
	}
	if len(Having(c.Now, t.Value)) == 0 && c.otherView(mine) {
		return Unseen
	}
	foreign := func(g port.Row) bool {
		return !slices.ContainsFunc(others, func(o Thing) bool { return len(Having([]port.Row{g}, o.Value)) > 0 })
	}
	if len(Having(c.Gone, t.Value)) > 0 || slices.ContainsFunc(Having(c.New, t.Value), func(n port.Row) bool {
		// a neighbour that got a name which holds the thing's has come in its own stead
		return !slices.ContainsFunc(c.Gone, func(g port.Row) bool { return g.List == n.List && foreign(g) })
	}) {
		return Altered
	}
	for _, g := range c.Gone {
		if !slices.ContainsFunc(mine, func(m port.Row) bool { return m.List == g.List }) || !foreign(g) {
			continue
		}
		came := slices.DeleteFunc(slices.Clone(c.New), func(n port.Row) bool { return n.List != g.List })
		if len(came) == 0 && len(Having(c.Now, t.Value)) > 0 {
			return Spared
		}
		for _, n := range came {
			if (Alike(g.Text, n.Text) || sameHead(g, n)) && takes(g, n, entered) {
				return Spared
			}
		}
	}
	return Unseen
}

// otherView reports whether an address shows something else than it did when these rows were there: none of those beside them in their
// list is there any more, or there were none: it had been searched for. One address may stand for several views, and what a view does
// not show is not gone.
func (c Changes) otherView(mine []port.Row) bool {
	for _, r := range c.Was {
		if r.List != mine[0].List || slices.ContainsFunc(mine, func(m port.Row) bool { return m.Text == r.Text }) {
			continue
		}
		if slices.ContainsFunc(c.Now, func(n port.Row) bool { return n.Key() == r.Key() }) {
			return false
		}
	}
	return true
}

// Alike reports whether two rows are one that changed: they share half of their words.
func Alike(a, b string) bool {
	x, y := strings.Fields(a), strings.Fields(b)
	shared := 0
	for _, w := range x {
		if i := slices.Index(y, w); i >= 0 {
			y = slices.Delete(y, i, i+1)
			shared++
		}
	}
	return 2*shared >= max(len(x), len(strings.Fields(b)))
}

// sameHead reports whether two rows of one list begin with the same name in the same column, whatever the other cells say.
func sameHead(a, b port.Row) bool {
	if len(a.Cells) < 2 || len(a.Cells) != len(b.Cells) {
		return false
	}
	for i := range a.Cells {
		if cell := strings.TrimSpace(a.Cells[i]); strings.ContainsFunc(cell, unicode.IsLetter) {
			return cell == strings.TrimSpace(b.Cells[i])
		}
	}
	return false
}

// takes reports whether a row became what was entered; where nothing was entered any change will do.
func takes(was, is port.Row, entered []Entry) bool {
	some := false
	for _, e := range entered {
		if e.Picks || strings.TrimSpace(e.Value) == "" {
			continue
		}
		some = true
		if len(Showing([]port.Row{is}, e.Value)) > len(Showing([]port.Row{was}, e.Value)) {
			return true
		}
	}
	return !some
}

// Showing are the rows that show a value in any form in which a page may write it.
func Showing(rows []port.Row, value string) (out []port.Row) {
	var all []supply.Pattern
	for _, f := range forms(value) {
		all = append(all, supply.Bindings{"v": f}.Pattern("{v}"))
	}
	for _, r := range rows {
		if slices.ContainsFunc(all, func(p supply.Pattern) bool { return p.In(r.Text) }) {
			out = append(out, r)
		}
	}
	return out
}

// forms are a value and, of a date, the other ways of writing it.
func forms(value string) []string {
	out := []string{value}
	for _, part := range []string{"iso", "dotted", "slashed", "us", "long", "long_us", "short", "short_us"} {
		if f, ok := workflow.Part(capture.KindDate, value, part); ok && f != "" {
			out = append(out, f)
		}
	}
	return out
}

// Places are the cells whose column or label is called like a field.
func Places(rows []port.Row, label string) (out []port.Row) {
	want := telling(label)
	for _, r := range rows {
		for i, c := range r.Columns {
			if i < len(r.Cells) && called(want, telling(c)) {
				out = append(out, port.Row{List: r.List, Text: r.Cells[i]})
			}
		}
	}
	return out
}

// OwnPlace reports whether a column or label has the very words of a field: a "Number" may be another one than a "Member number".
func OwnPlace(rows []port.Row, label string) bool {
	want := telling(label)
	return slices.ContainsFunc(rows, func(r port.Row) bool {
		return slices.ContainsFunc(r.Columns, func(c string) bool {
			is := telling(c)
			return called(want, is) && len(is) == len(want)
		})
	})
}

// called reports whether one label says no more than the other.
func called(a, b []string) bool {
	in := func(x, y []string) bool {
		return len(x) > 0 && !slices.ContainsFunc(x, func(w string) bool { return !slices.Contains(y, w) })
	}
	return in(a, b) || in(b, a)
}

// small are words of labels that say nothing of what a field is.
var small = lang.Exactly(lang.Stop, lang.Articles, lang.Fillers)

// telling are the words of a label that say something.
func telling(label string) []string {
	return slices.DeleteFunc(strings.FieldsFunc(strings.ToLower(label), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}),
		func(w string) bool { return small.Has(w) })
}
