// Package proof judges what a second look at a page proves: which rows came, changed or went, whether the object of
// the work is among them, and whether the entries stand where they belong. Evidence against an effect outweighs
// everything; if a value's own place does not show it, no other value vouches for it. What nothing shows is not
// proven. The package opens no page itself. Only the performance imports it. Its tests use written-down rows.
package proof

import (
	"net/url"
	"path"
	"slices"
	"strings"
	"unicode"

	"showhow/capture"
	"showhow/daemon/rehearse/port"
	"showhow/daemon/rehearse/supply"
	"showhow/daemon/workflow"
	"showhow/internal/lang"
)

// Sight is what the tables and lists of one address showed during the work. A later look is compared with it: which
// rows are new, which are gone, and whether those are the ones that the work was about.
type Sight struct {
	Rows []port.Row          // as they were when last looked at
	Ever map[string]port.Row // those that were there at any time, by list and text
	Text string              // of the whole page when it was first looked at
	Came []port.Row          // as they were when first looked at
}

// Thing is an object that a step picked on a page by an input's value: the booking that was opened, the row whose
// button was used.
type Thing struct {
	Name    string // of the input
	Value   string
	Address string // of the page where it was picked
	Way     bool   // it was only opened on the way to another one, as a folder is: it may speak against the work, and not for it
	Popup   bool   // it was picked in a menu or another popup: where that is closed it is not there, which says nothing
}

// Changes are the changes in the rows of an address.
type Changes struct {
	Known     bool // the address was looked at before
	Was, Now  []port.Row
	Gone, New []port.Row
	Ever      []port.Row // all that were there at any time before
	Came      []port.Row // all that were there when the address was first looked at
	Hid       []port.Row // see Settled
	Loads     *Loads     // what tells that something varies by itself
}

// OnlyOpened reports whether the missing rows of a thing appeared during the work, like a panel that opens beside a
// list, while the rows that were there at first are unchanged: a freshly loaded page has not opened it.
func (c Changes) OnlyOpened(value string) bool {
	first, gone := Having(c.Came, value), Having(c.Gone, value)
	count := func(rows []port.Row, key string) (n int) {
		for _, r := range rows {
			if r.Key() == key {
				n++
			}
		}
		return n
	}
	return len(first) > 0 && len(gone) > 0 && len(Having(c.New, value)) == 0 &&
		!slices.ContainsFunc(first, func(r port.Row) bool { return count(c.Now, r.Key()) < count(first, r.Key()) })
}

// Overwritten reports whether the only row of a list that came stands where the only one that went stood, among the same others: what
// should be new took another one's place. A list that shows so many rows and no more loses the one at its other end.
func (c Changes) Overwritten() bool {
	return c.Known && len(c.Gone) == 1 && len(c.New) == 1 && c.replaced(c.Gone[0], c.New[0])
}

// replaced reports whether a row stands in its list where one stood that went, among the same others.
func (c Changes) replaced(gone, come port.Row) bool {
	of := func(rows []port.Row) (out []string) {
		for _, r := range rows {
			if r.List == gone.List {
				out = append(out, r.Key())
			}
		}
		return out
	}
	was, now := of(c.Was), of(c.Now)
	i := slices.Index(was, gone.Key())
	if gone.List != come.List || gone.List == Labelled || i < 0 || len(was) < 2 || len(was) != len(now) || now[i] != come.Key() {
		return false
	}
	was[i] = now[i]
	return slices.Equal(was, now)
}

// Among reports whether the thing is itself the value of a pair in every list that changed: what changed there is a part of it.
func (c Changes) Among(value string) bool {
	lists := c.lists(func(r port.Row) bool { return len(r.Cells) == 2 && names(r.Cells[1], Thing{Value: value}) })
	return !slices.ContainsFunc(append(slices.Clone(c.Gone), c.New...), func(r port.Row) bool { return !lists[r.List] })
}

// lists are the lists that have or had a row like that.
func (c Changes) lists(like func(port.Row) bool) map[string]bool {
	out := map[string]bool{}
	for _, r := range append(slices.Clone(c.Was), c.Now...) {
		if like(r) {
			out[r.List] = true
		}
	}
	return out
}

// names reports whether a text names one of several things.
func names(text string, things ...Thing) bool {
	return slices.ContainsFunc(things, func(t Thing) bool { return len(Having([]port.Row{{Text: text}}, t.Value)) > 0 })
}

// PartsOf reports whether an address ends with a thing's name and all that changed there are pairs of a label and a value: a page of the
// thing, which tells its parts, and no list of things. A list in which the thing itself stands in the place of a label is one of things.
func (c Changes) PartsOf(address, value string) bool {
	u, err := url.Parse(address)
	if err != nil || !strings.EqualFold(path.Base(u.Path), strings.TrimSpace(value)) {
		return false
	}
	things := c.lists(func(r port.Row) bool { return len(r.Cells) > 1 && names(r.Cells[0], Thing{Value: value}) })
	return !slices.ContainsFunc(append(slices.Clone(c.Gone), c.New...), func(r port.Row) bool {
		return things[r.List] || len(r.Cells) != 2 && strings.TrimSpace(besideDeeds(r)) != ""
	})
}

// besideDeeds is what a row says beside its controls.
func besideDeeds(r port.Row) string {
	rest := r.Text
	for _, d := range r.Deeds {
		rest = strings.Replace(rest, d, "", 1)
	}
	return rest
}

// Having returns the rows that contain a text as whole words.
func Having(rows []port.Row, text string) (out []port.Row) {
	p := supply.Bindings{"v": text}.Pattern("{v}")
	for _, r := range rows {
		if p.In(r.Text) {
			out = append(out, r)
		}
	}
	return out
}

// its returns the rows that contain a thing's name. Where a row of a list is called by it, the others of that list only mention it or
// begin alike; where one begins with it, the others only mention it.
func (c Changes) its(rows []port.Row, name string) []port.Row {
	called := func(r port.Row) bool { return isCalled(r, name) }
	begins := func(r port.Row) bool { return called(r) || begins(r.Text, strings.ToLower(strings.TrimSpace(name))) }
	exactly, nearly := c.lists(called), c.lists(begins)
	return slices.DeleteFunc(Having(rows, name), func(r port.Row) bool {
		return exactly[r.List] && !called(r) || nearly[r.List] && !begins(r)
	})
}

// Contain reports whether a row is among others, as it stands.
func Contain(rows []port.Row, row port.Row) bool {
	return slices.ContainsFunc(rows, func(r port.Row) bool { return r.Key() == row.Key() })
}

// Without returns the rows that do not contain a text.
func Without(rows []port.Row, text string) (out []port.Row) {
	p := supply.Bindings{"v": text}.Pattern("{v}")
	for _, r := range rows {
		if !p.In(r.Text) {
			out = append(out, r)
		}
	}
	return out
}

// NotOffering are rows without those in which a value is only one of several things that can be pressed, as in an opened folder: there it
// is shown whether it was chosen or not.
func NotOffering(rows []port.Row, value string) (out []port.Row) {
	p := supply.Bindings{"v": value}.Pattern("{v}")
	for _, r := range rows {
		if len(r.Deeds) < 2 || !slices.ContainsFunc(r.Deeds, p.Is) || isCalled(r, value) {
			out = append(out, r)
		}
	}
	return out
}

// Uncovered reports whether the rows of a text came during the work, while the page had others of their list at first: something was
// opened, as a folder is, and a page that is opened afresh begins without them.
func (s *Sight) Uncovered(text string) bool {
	if s == nil || len(Having(s.Came, text)) > 0 {
		return false
	}
	return slices.ContainsFunc(Having(s.Rows, text), func(m port.Row) bool {
		return slices.ContainsFunc(s.Came, func(r port.Row) bool { return r.List == m.List })
	})
}

// Shown reports whether all rows of a text were there from the beginning: what was brought into sight since, as what a panel holds, is not
// it. What stands beside labels tells no thing.
func (s *Sight) Shown(text string) bool {
	return s != nil && len(Having(s.Came, text)) > 0 && !slices.ContainsFunc(Having(s.Rows, text), func(r port.Row) bool {
		return r.List != Labelled && !Contain(s.Came, r)
	})
}

// Beside reports whether a row that stood beside those of a text is among rows, and was not at first: then the part of
// the page that showed the text is visible again.
func (s *Sight) Beside(text string, first, rows []port.Row) bool {
	mine := Having(s.Rows, text)
	has := func(rows []port.Row, is func(port.Row) bool) bool { return slices.ContainsFunc(rows, is) }
	return has(Without(s.Rows, text), func(o port.Row) bool {
		same := func(r port.Row) bool { return r.Key() == o.Key() }
		return has(mine, func(m port.Row) bool { return m.List == o.List }) && has(rows, same) && !has(first, same)
	})
}

// Refilled returns the row that alone named a text, if rows have it no more and have further ones of its list, which was never seen to hold
// them: the list goes on, and the row may have moved there.
func (s *Sight) Refilled(text string, rows []port.Row) (row port.Row, refilled bool) {
	if s == nil {
		return row, false
	}
	own := Changes{Was: s.Rows}.its(s.Rows, text)
	if len(own) != 1 || own[0].List == Labelled {
		return row, false
	}
	return own[0], slices.ContainsFunc(rows, func(r port.Row) bool {
		_, seen := s.Ever[r.Key()]
		return r.List == own[0].List && !seen
	})
}

// Joined returns the rows in was and those in now that are new.
func Joined(was, now []port.Row) []port.Row {
	out := slices.Clone(was)
	for _, r := range now {
		if !Contain(was, r) {
			out = append(out, r)
		}
	}
	return out
}

// Unopened removes from rows what an opened menu added: a menu inside its row adds its entries to the row's text, and
// removes them when it closes, which is no change of the row.
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

// Fate is what happened to a thing in a list.
type Fate uint8

const (
	Unseen  Fate = iota // the list never showed it, or nothing in it changed
	Altered             // its row changed or is gone
	Spared              // its row is unchanged, and another one changed instead
)

// FateOf judges what happened to a thing in the list where it stands. Another row counts only if it changed in place
// in the same list, to what was entered, or vanished while nothing came: news lists and clocks change by themselves.
func (c Changes) FateOf(t Thing, others []Thing, entered []Entry) Fate {
	mine := c.its(c.Was, t.Value)
	if !c.Known || len(mine) == 0 {
		return Unseen
	}
	if len(c.its(c.Now, t.Value)) == 0 && c.otherView(mine) {
		return Unseen
	}
	foreign := func(g port.Row) bool {
		return !slices.ContainsFunc(others, func(o Thing) bool { return len(c.its([]port.Row{g}, o.Value)) > 0 })
	}
	if len(c.its(c.Gone, t.Value)) > 0 || slices.ContainsFunc(Having(c.New, t.Value), func(n port.Row) bool {
		// A new neighbour whose name contains the thing's has come in its own right.
		return !slices.ContainsFunc(c.Gone, func(g port.Row) bool { return g.List == n.List && foreign(g) })
	}) {
		return Altered
	}
	for _, g := range c.Gone {
		if !slices.ContainsFunc(mine, func(m port.Row) bool { return m.List == g.List }) || !foreign(g) {
			continue
		}
		came := slices.DeleteFunc(slices.Clone(c.New), func(n port.Row) bool { return n.List != g.List })
		if len(came) == 0 && len(c.its(c.Now, t.Value)) > 0 {
			return Spared
		}
		for _, n := range came {
			if (Alike(g.Text, n.Text) || sameHead(g, n)) && takes(g, n, entered) || !t.Way && c.replaced(g, n) && shows(g, n, entered) {
				return Spared
			}
		}
	}
	if c.pressedNoMore(t.Value, mine) {
		return Altered
	}
	return Unseen
}

// pressedNoMore reports whether a row says what it said, and something in it can be pressed no more that still can be in another row of its
// list: what it was pressed for is done. What shows its controls to the pointer alone shows them in no other row. Of rows that say the same
// all must have lost it, and a row that is called as the thing counts before those that only hold its name.
func (c Changes) pressedNoMore(value string, mine []port.Row) bool {
	count := func(rows []port.Row, key, deed string) (n int) {
		for _, r := range rows {
			if r.Key() == key && (deed == "" || slices.Contains(r.Deeds, deed)) {
				n++
			}
		}
		return n
	}
	if own := slices.DeleteFunc(slices.Clone(mine), func(r port.Row) bool { return !isCalled(r, value) }); len(own) > 0 {
		mine = own
	}
	for _, m := range mine {
		for _, d := range m.Deeds {
			key := m.Key()
			if count(c.Now, key, "") < count(c.Was, key, "") || count(c.Now, key, d) > 0 {
				continue
			}
			if slices.ContainsFunc(c.Was, func(o port.Row) bool {
				return o.List == m.List && o.Key() != key && slices.Contains(o.Deeds, d) && count(c.Now, o.Key(), d) > 0
			}) {
				return true
			}
		}
	}
	return false
}

// isCalled reports whether a cell of a row, or all that it says beside its controls, is a text.
func isCalled(r port.Row, text string) bool {
	rest := besideDeeds(r)
	p := supply.Bindings{"v": text}.Pattern("{v}")
	return slices.ContainsFunc(append(slices.Clone(r.Cells), rest), func(s string) bool { return p.Is(strings.TrimSpace(s)) })
}

// otherView reports whether an address now shows another view than when these rows were there: none of their
// neighbours is there any more, or there were none, because it had been searched for. One address may stand for
// several views, and a row missing from another view is not gone.
func (c Changes) otherView(mine []port.Row) bool {
	for _, r := range c.Was {
		if r.List != mine[0].List || slices.ContainsFunc(mine, func(m port.Row) bool { return m.Text == r.Text }) {
			continue
		}
		head := headOf(r)
		if head != "" && slices.ContainsFunc(c.Was, func(o port.Row) bool { return o.List == r.List && o.Text != r.Text && headOf(o) == head }) {
			head = "" // it names none of them
		}
		if slices.ContainsFunc(c.Now, func(n port.Row) bool {
			return n.Key() == r.Key() || n.List == r.List && head != "" && len(n.Cells) == len(r.Cells) && headOf(n) == head
		}) {
			return false // a neighbour that only counts on is there all the same
		}
	}
	return true
}

// headOf is the first cell of a row that says something in letters; "" for a row of one cell, or without.
func headOf(r port.Row) string {
	if len(r.Cells) < 2 {
		return ""
	}
	for _, cell := range r.Cells {
		if cell = strings.TrimSpace(cell); strings.ContainsFunc(cell, unicode.IsLetter) {
			return cell
		}
	}
	return ""
}

// Alike reports whether two rows are one row that changed: they share half of their words.
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

// sameHead reports whether two rows of one list start with the same name in the same column, whatever the other cells
// say.
func sameHead(a, b port.Row) bool {
	if len(a.Cells) < 2 || len(a.Cells) != len(b.Cells) {
		return false
	}
	i := slices.IndexFunc(a.Cells, func(cell string) bool { return strings.ContainsFunc(cell, unicode.IsLetter) })
	return i >= 0 && strings.TrimSpace(a.Cells[i]) == strings.TrimSpace(b.Cells[i])
}

// takes reports whether a row changed to what was entered; if nothing was entered, any change counts that is more than numbers.
func takes(was, is port.Row, entered []Entry) bool {
	return shows(was, is, entered) || !slices.ContainsFunc(entered, counts) && !onlyCounts(was.Text, is.Text)
}

// shows reports whether a row shows something that was entered, and did not before.
func shows(was, is port.Row, entered []Entry) bool {
	return slices.ContainsFunc(entered, func(e Entry) bool {
		return counts(e) && len(Showing([]port.Row{is}, e.Value)) > len(Showing([]port.Row{was}, e.Value))
	})
}

// counts reports whether a row may show an entry because it was entered.
func counts(e Entry) bool { return !e.Picks && strings.TrimSpace(e.Value) != "" }

// CountsElsewhere reports whether the row of a thing says what it said, and in its list the only row that changed is another thing's, in
// its numbers: it may have taken what was meant for the thing, or have counted by itself. A row of labels tells no thing.
func (c Changes) CountsElsewhere(t Thing, others []Thing) bool {
	for _, m := range Having(c.Was, t.Value) {
		ours := func(r port.Row) bool { return r.List == m.List }
		gone := slices.DeleteFunc(slices.Clone(c.Gone), func(r port.Row) bool { return !ours(r) })
		come := slices.DeleteFunc(slices.Clone(c.New), func(r port.Row) bool { return !ours(r) })
		if m.List == Labelled || len(gone) != 1 || len(come) != 1 || len(gone[0].Cells) != len(m.Cells) ||
			!onlyCounts(gone[0].Text, come[0].Text) || len(m.Cells) > 1 && len(Having([]port.Row{{Text: m.Cells[0]}}, t.Value)) == 0 {
			continue
		}
		if !slices.ContainsFunc(append([]Thing{t}, others...), func(o Thing) bool { return len(Having(gone, o.Value)) > 0 }) {
			return true
		}
	}
	return false
}

// Showing returns the rows that show a value in any form in which a page may write it.
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

// forms lists a value and, for a date, its other notations.
func forms(value string) []string {
	out := []string{value}
	for _, part := range []string{"iso", "dotted", "slashed", "us", "long", "long_us", "short", "short_us"} {
		if f, ok := workflow.Part(capture.KindDate, value, part); ok && f != "" {
			out = append(out, f)
		}
	}
	return out
}

// Places returns the cells whose column or label matches a field's label.
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

// OwnPlace reports whether a column or label has exactly a field's words: a "Number" may differ from a "Member
// number".
func OwnPlace(rows []port.Row, label string) bool {
	want := telling(label)
	return slices.ContainsFunc(rows, func(r port.Row) bool {
		return slices.ContainsFunc(r.Columns, func(c string) bool {
			is := telling(c)
			return called(want, is) && len(is) == len(want)
		})
	})
}

// called reports whether one label's words contain the other's.
func called(a, b []string) bool {
	in := func(x, y []string) bool {
		return len(x) > 0 && !slices.ContainsFunc(x, func(w string) bool { return !slices.Contains(y, w) })
	}
	return in(a, b) || in(b, a)
}

// small are words of labels that do not identify a field.
var small = lang.Exactly(lang.Stop, lang.Articles, lang.Fillers)

// telling lists the identifying words of a label.
func telling(label string) []string {
	return slices.DeleteFunc(strings.FieldsFunc(strings.ToLower(label), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}),
		func(w string) bool { return small.Has(w) })
}
