package rehearse

import (
	"context"
	"maps"
	"slices"
	"strings"
	"unicode"

	"showhow/capture"
	"showhow/daemon/workflow"
)

// sight is what the tables and lists of one address showed while the work went on. What a later look finds is compared with
// it: which rows are new, which are gone, and whether those are the ones that the work was about.
type sight struct {
	rows []Row          // as they were when last looked at
	ever map[string]Row // those that were there at any time, by list and text
}

// thing is what a step picked on a page by the value of an input: the booking that was opened, the row whose button was used.
type thing struct {
	name    string // of the input
	value   string
	address string // of the page where it was picked
}

// look remembers what the page at hand shows, before a step is done there.
func (p *play) look(ctx context.Context, s workflow.Step) {
	at := p.state.URL
	if at == "" || p.sights[at] != nil && !operates(s.Verb) {
		return
	}
	rows, err := p.browser.Rows(ctx)
	if err != nil {
		return // the comparison says less, then
	}
	p.remember(at, rows)
}

func (p *play) remember(address string, rows []Row) {
	if p.began == "" {
		p.began = address
	}
	if p.sights == nil {
		p.sights = map[string]*sight{}
	}
	s := p.sights[address]
	if s == nil {
		s = &sight{ever: map[string]Row{}}
		p.sights[address] = s
	}
	rows = p.unticked(rows)
	s.rows = rows
	for _, r := range rows {
		s.ever[r.key()] = r
	}
}

// unticked are rows without the marks in boxes that only choose them: those are no part of what is kept.
func (p *play) unticked(rows []Row) []Row {
	if !p.ticked {
		return rows
	}
	out := slices.Clone(rows)
	for i := range out {
		out[i].Text = strings.ReplaceAll(out[i].Text, "[x]", "[ ]")
	}
	return out
}

// pick remembers what a step picked on the page at hand.
func (p *play) pick(s workflow.Step) {
	if s.Target == nil || !operates(s.Verb) {
		return
	}
	switch l := s.Target.Landmark; s.Target.Role {
	case "option", "radio", "combobox", "switch":
		if l == nil || l.Role != "row" && l.Role != "listitem" {
			return // a choice of a form
		}
	}
	where := s.Target.Name + " " + s.Target.Text
	if s.Target.Landmark != nil {
		where += " " + s.Target.Landmark.Name
	}
	for _, m := range holeForm.FindAllStringSubmatch(where, -1) {
		v := strings.TrimSpace(p.supply.bindings[m[1]])
		t := thing{m[1], v, p.state.URL}
		p.ticked = p.ticked || (s.Verb == capture.Check || s.Verb == capture.Uncheck) && s.Value == "" // else the box is what is set
		if len(v) > 1 && !slices.Contains(p.things, t) {
			p.things = append(p.things, t)
		}
	}
}

// key tells rows apart: the same words in another list are another row.
func (r Row) key() string { return r.List + "\x00" + r.Text }

// changes is how the rows of an address changed.
type changes struct {
	known     bool // the address was looked at before
	was, now  []Row
	gone, new []Row
	ever      []Row // all that were there at any time before
}

// since compares what an address shows now with what it showed before.
func (p *play) since(address string, now []Row) changes {
	s, now := p.sights[address], p.unticked(now)
	if s == nil {
		return changes{now: now}
	}
	c := changes{known: true, was: s.rows, now: now, ever: slices.Collect(maps.Values(s.ever))}
	left := map[string]int{}
	for _, r := range now {
		left[r.key()]++
		if _, old := s.ever[r.key()]; !old {
			c.new = append(c.new, r)
		}
	}
	for _, r := range s.rows {
		if left[r.key()]--; left[r.key()] < 0 {
			c.gone = append(c.gone, r)
		}
	}
	return c
}

// having are the rows that hold a text as words of their own.
func having(rows []Row, text string) (out []Row) {
	p := bindings{"v": text}.pattern("{v}")
	for _, r := range rows {
		if p.in(r.Text) {
			out = append(out, r)
		}
	}
	return out
}

// fate is what became of a thing in a list.
type fate uint8

const (
	unseen  fate = iota // the list never showed it, or nothing in it changed
	altered             // its row is another one now, or gone
	spared              // its row is as it was, and another one has changed in its stead
)

// became tells what happened to a thing, seen in the list where it stands. Another row counts only if it changed in place in
// the same list, to what was entered, or vanished while nothing came: lists of news and clocks change by themselves.
func (c changes) became(t thing, others []thing, entered []entry) fate {
	mine := having(c.was, t.value)
	if !c.known || len(mine) == 0 {
		return unseen
	}
	if len(having(c.now, t.value)) == 0 && c.otherView(mine) {
		return unseen
	}
	if len(having(c.gone, t.value)) > 0 || len(having(c.new, t.value)) > 0 {
		return altered
	}
	for _, g := range c.gone {
		if !slices.ContainsFunc(mine, func(m Row) bool { return m.List == g.List }) || slices.ContainsFunc(others, func(o thing) bool { return len(having([]Row{g}, o.value)) > 0 }) {
			continue
		}
		came := slices.DeleteFunc(slices.Clone(c.new), func(n Row) bool { return n.List != g.List })
		if len(came) == 0 && len(having(c.now, t.value)) > 0 {
			return spared
		}
		for _, n := range came {
			if (alike(g.Text, n.Text) || sameHead(g, n)) && takes(g, n, entered) {
				return spared
			}
		}
	}
	return unseen
}

// otherView reports whether an address shows something else than it did when these rows were there: none of those beside them in their
// list is there any more, or there were none: it had been searched for. One address may stand for several views, and what a view does
// not show is not gone.
func (c changes) otherView(mine []Row) bool {
	for _, r := range c.was {
		if r.List != mine[0].List || slices.ContainsFunc(mine, func(m Row) bool { return m.Text == r.Text }) {
			continue
		}
		if slices.ContainsFunc(c.now, func(n Row) bool { return n.key() == r.key() }) {
			return false
		}
	}
	return true
}

// alike reports whether two rows are one that changed: they share half of their words.
func alike(a, b string) bool {
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
func sameHead(a, b Row) bool {
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
func takes(was, is Row, entered []entry) bool {
	some := false
	for _, e := range entered {
		if e.picks || strings.TrimSpace(e.value) == "" {
			continue
		}
		some = true
		if len(showing([]Row{is}, e.value)) > len(showing([]Row{was}, e.value)) {
			return true
		}
	}
	return !some
}

// showing are the rows that show a value in any form in which a page may write it.
func showing(rows []Row, value string) (out []Row) {
	var all []pattern
	for _, f := range forms(value) {
		all = append(all, bindings{"v": f}.pattern("{v}"))
	}
	for _, r := range rows {
		if slices.ContainsFunc(all, func(p pattern) bool { return p.in(r.Text) }) {
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

// places are the cells whose column or label is called like a field.
func places(rows []Row, label string) (out []Row) {
	want := telling(label)
	for _, r := range rows {
		for i, c := range r.Columns {
			if i < len(r.Cells) && called(want, telling(c)) {
				out = append(out, Row{List: r.List, Text: r.Cells[i]})
			}
		}
	}
	return out
}

// ownPlace reports whether a column or label has the very words of a field: a "Number" may be another one than a "Member number".
func ownPlace(rows []Row, label string) bool {
	want := telling(label)
	return slices.ContainsFunc(rows, func(r Row) bool {
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
var small = strings.Fields("a an the of to for in on at is are it its what which who your you us my new please and or with der die das le la el")

// telling are the words of a label that say something.
func telling(label string) []string {
	return slices.DeleteFunc(strings.FieldsFunc(strings.ToLower(label), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }),
		func(w string) bool { return slices.Contains(small, w) })
}
