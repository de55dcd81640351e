package proof

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"showhow/daemon/rehearse/port"
	"showhow/daemon/rehearse/supply"
	"showhow/internal/plain"
)

// Choice is what a step chose for a thing that was picked before it, such as the list that a card is moved to.
type Choice struct {
	Value string
	For   Thing
	Alone bool // it was no entry of a form: its own row may be what the step acted on
}

// Idle reports whether rows show nothing of a choice: the thing's own row is as it was, and no row that came names both the thing and what
// was chosen. A row that names the thing among others changes whenever one of the others comes or goes.
func (c Changes) Idle(ch Choice) bool {
	of := c.naming(ch.For.Value)
	if !c.Known || len(Having(c.Was, ch.For.Value)) == 0 || len(Having(c.Now, ch.For.Value)) == 0 {
		return false
	}
	if slices.ContainsFunc(c.Gone, func(g port.Row) bool { return of.own[g.Key()] && !c.onlyRenumbered(g) }) {
		return false
	}
	chosen := supply.Bindings{"v": ch.Value}.Pattern("{v}")
	if slices.ContainsFunc(c.New, func(n port.Row) bool { return chosen.In(n.Text) && of.in(n) && !c.another(n, of) }) {
		return false
	}
	return !ch.Alone || c.Slight(ch.Value) || c.holds(ch.Value, of)
}

// another reports whether a row that came is another thing's, which only has the thing's name in its own, as it had before.
func (c Changes) another(n port.Row, of naming) bool {
	return len(of.own) > 0 && !of.tells(n) && !of.begins(n.Text) && slices.ContainsFunc(c.Gone, func(g port.Row) bool {
		return !of.own[g.Key()] && !of.tells(g) && of.name.In(g.Text) && Alike(g.Text, n.Text)
	})
}

// holds reports whether rows of the list in which a text's rows changed name a thing among others: they are places where such things stand.
func (c Changes) holds(text string, of naming) bool {
	changed := Having(append(slices.Clone(c.Gone), c.New...), text)
	return slices.ContainsFunc(c.Was, func(r port.Row) bool {
		return of.name.In(r.Text) && !of.own[r.Key()] && slices.ContainsFunc(changed, func(o port.Row) bool { return o.List == r.List })
	})
}

// onlyRenumbered reports whether a row that went came back with other numbers: its place in a list may be one of them.
func (c Changes) onlyRenumbered(g port.Row) bool {
	return slices.ContainsFunc(c.New, func(n port.Row) bool { return n.List == g.List && onlyCounts(g.Text, n.Text) })
}

// naming tells the rows that name a thing from those of others whose names contain its name.
type naming struct {
	text   string
	name   supply.Pattern
	own    map[string]bool // keys of the rows that are called by the name
	said   map[string]bool // what those rows say
	others []string        // longer names of others, the longest first, in lower case
}

func (c Changes) naming(text string) naming {
	t := naming{text: strings.ToLower(strings.TrimSpace(text)), name: supply.Bindings{"v": text}.Pattern("{v}"), own: map[string]bool{},
		said: map[string]bool{}}
	rows := Having(c.Was, text)
	own := slices.DeleteFunc(slices.Clone(rows), func(r port.Row) bool { return !t.calls(r) })
	exact := len(own) > 0
	if !exact {
		own = slices.DeleteFunc(slices.Clone(rows), func(r port.Row) bool { return !t.begins(r.Text) })
	}
	for _, r := range own { // a place that has the same name holds the thing's row
		if columned(r) || !slices.ContainsFunc(own, func(o port.Row) bool { return strings.LastIndex(r.Text, o.Text) > 0 }) {
			t.own[r.Key()], t.said[r.Text], t.said[strings.TrimSpace(besideDeeds(r))] = true, true, true
		}
	}
	parted := map[string]bool{} // rows that have the name as a part: the thing, or a place where it stands
	for _, r := range rows {
		if slices.ContainsFunc(r.Cells, t.name.Is) {
			parted[r.Text] = true
		}
	}
	gone := map[string]bool{}
	for _, r := range c.Gone {
		gone[r.Key()] = true
	}
	for _, r := range rows {
		if len(own)+len(parted) == 0 && gone[r.Key()] {
			continue // it may be the thing's
		}
		for _, says := range append(slices.Clone(r.Cells), r.Text, strings.TrimSpace(besideDeeds(r))) {
			switch rest := strings.Replace(strings.ToLower(says), t.text, "", 1); {
			case parted[says] || parted[r.Text] && len(says) >= len(strings.TrimSpace(besideDeeds(r))):
			case !t.name.In(says) || t.name.Is(says) || !strings.ContainsFunc(rest, unicode.IsLetter):
			case t.begins(says) && (!exact || slices.ContainsFunc(own, func(o port.Row) bool { return strings.Contains(o.Text, says) })):
			default:
				t.others = append(t.others, strings.ToLower(says))
			}
		}
	}
	slices.SortFunc(t.others, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	return t
}

// begins reports whether a text begins with the name.
func (t naming) begins(text string) bool { return begins(text, t.text) }

// begins reports whether a text begins with a name in lower case, as whole words.
func begins(text, name string) bool {
	rest, ok := strings.CutPrefix(strings.ToLower(text), name)
	next, _ := utf8.DecodeRuneInString(rest)
	return ok && (rest == "" || !plain.WordRune(next))
}

// calls reports whether a row is called by the name: all that it says beside its controls, its head, or the cell of a column that has a
// name is it. Any other cell may be one of several things that stand in the row.
func (t naming) calls(r port.Row) bool {
	if t.name.Is(strings.TrimSpace(besideDeeds(r))) || t.name.Is(headOf(r)) {
		return true
	}
	for i, cell := range r.Cells {
		if i < len(r.Columns) && r.Columns[i] != "" && t.name.Is(cell) {
			return true
		}
	}
	return false
}

// tells reports whether a part of a row is the name, or all that the thing's own row said.
func (t naming) tells(r port.Row) bool {
	return slices.ContainsFunc(r.Cells, func(cell string) bool { return t.name.Is(cell) || t.said[cell] })
}

// in reports whether a row names the thing, and not only others whose names contain its name.
func (t naming) in(r port.Row) bool {
	if t.own[r.Key()] || t.tells(r) {
		return true
	}
	says := strings.ToLower(r.Text)
	for _, o := range t.others {
		says = strings.ReplaceAll(says, o, " | ")
	}
	return t.name.In(says)
}

// columned reports whether the columns of a row have names, as those of a table.
func columned(r port.Row) bool {
	return slices.ContainsFunc(r.Columns, func(s string) bool { return s != "" })
}
