package values

import (
	"cmp"
	"slices"
	"strings"

	"showhow/capture"
	"showhow/daemon/compile/align"
	"showhow/daemon/compile/intent"
	"showhow/daemon/compile/page"
	"showhow/daemon/compile/trace"
	"showhow/daemon/workflow"
	"showhow/internal/plain"
)

// ticked makes a yes-or-no parameter of a check box. A demonstration that sent the same form without touching the box
// left it in the opposite state.
func ticked(s *Study, c *align.Column, a *align.Cell) string {
	set := func(a *align.Cell) string {
		if a.Verb == capture.Check {
			return page.Yes
		}
		return page.No
	}
	p := &Param{Param: workflow.Param{Label: page.Clean(a.Name()), Kind: capture.KindBoolean, Options: []string{page.Yes, page.No}},
		Source: "ticked", Texts: s.each(c, set)}
	for t := range p.Texts {
		if p.Texts[t] == "" && passes(s, t, a) {
			p.untouched = map[string]string{page.Yes: page.No, page.No: page.Yes}[set(a)]
			p.Texts[t] = p.untouched
		}
	}
	return s.add(c, p) // "yes" is not searched for in other texts
}

// tickedItem returns the template of the row that a box selects. The box is named after its row, "Select A-1042": the
// common part of all names is the page's word for selecting, the rest is the row.
func tickedItem(s *Study, c *align.Column, a *align.Cell) string {
	called := func(a *align.Cell) string { return cmp.Or(s.Open(a.Value), s.OpenText(page.TargetName(a.Target))) }
	p := &Param{Param: workflow.Param{Label: pickLabel(s, a, page.TargetName(a.Target)), Required: true}, Source: "picked",
		Texts: s.each(c, called)}
	s.inRounds(c, p, called)
	p.List = p.inOneLine()
	whole := append(slices.Clone(p.Texts), p.Rounds...)
	before, after := around(whole, func(w string) bool { // other words that the names share may be a person's
		w = strings.ToLower(w)
		return trace.SelectWords.Has(w) || intent.StopWords.Has(w) || s.Gens[0].Words[w]
	})
	inner := func(texts []string) {
		for i, t := range texts {
			if t != "" {
				texts[i] = strings.TrimSuffix(strings.TrimPrefix(t, before), after)
			}
		}
	}
	inner(p.Texts)
	inner(p.Rounds)
	_, base := c.Base()
	p.Kind = page.KindOf(p.Texts[base])
	tmpl := s.settle(c, p)
	for i, t := range whole {
		at := i
		if i >= len(p.Texts) {
			at = p.RoundOf[i-len(p.Texts)]
		}
		for _, link := range s.linksOf[strings.ToLower(t)] {
			s.Gens[at].Links[link] = before + tmpl + after
		}
	}
	return tmpl
}

// around returns the common parts of names before and after what differs, in whole words that are the page's own. With a
// single name only a word for selecting counts as such.
func around(names []string, own func(word string) bool) (before, after string) {
	var all [][]string
	for _, n := range names {
		if ws := strings.Fields(n); len(ws) > 0 && !slices.ContainsFunc(all, func(o []string) bool { return slices.Equal(o, ws) }) {
			all = append(all, ws)
		}
	}
	if len(all) == 0 {
		return "", ""
	}
	first, head, tail := all[0], 0, 0
	shared := func(of func(ws []string) string) bool {
		return own(of(first)) && !slices.ContainsFunc(all, func(ws []string) bool { return of(ws) == "" || of(ws) != of(first) })
	}
	if len(all) == 1 {
		if len(first) > 1 && trace.SelectWords.Has(strings.ToLower(first[0])) {
			before = first[0] + " "
		}
		return before, ""
	}
	for shared(func(ws []string) string { return token(ws[:max(0, len(ws)-1)], head) }) {
		head++
	}
	for shared(func(ws []string) string { return tokenBack(ws, head+1, tail) }) {
		tail++
	}
	if head > 0 {
		before = strings.Join(first[:head], " ") + " "
	}
	if tail > 0 {
		after = " " + strings.Join(first[len(first)-tail:], " ")
	}
	return before, after
}

func token(ts []string, i int) string {
	if i < len(ts) {
		return ts[i]
	}
	return ""
}

func tokenBack(ts []string, head, i int) string {
	if k := len(ts) - 1 - i; k >= head {
		return ts[k]
	}
	return ""
}

// passes reports whether a demonstration filled in something on the page of an act.
func passes(s *Study, t int, a *align.Cell) bool {
	return slices.ContainsFunc(s.Columns, func(c *align.Column) bool {
		b := c.Acts[t]
		return b != nil && (b.Fills() || b.Verb == capture.Submit) && page.PathPattern(b.URLBefore()) == page.PathPattern(a.URLBefore())
	})
}

// suggestions finds text that was typed only to pick one of the suggestions that the page then offered: both are one
// value.
func suggestions(s *Study) {
	for i := 0; i+1 < len(s.Columns); i++ {
		c, next := s.Columns[i], s.Columns[i+1]
		a, t := c.Base()
		if a.Verb != capture.Type || a.Secret() || a.Value == nil || next.Acts[t] == nil {
			continue
		}
		if b := next.Acts[t]; offered(b) && b.Tab() == a.Tab() && (b.Role() == "option" || completes(s, a, b)) {
			s.Bindings[c.ID].completed = next
		}
	}
}

// offered reports whether an act picked something that a page offered.
func offered(b *align.Cell) bool {
	return page.IsClick(b.Verb) && b.IsPick() && b.Run == nil || page.IsClick(b.Verb) && b.Role() == "option"
}

// completes reports whether the picked name contains the typed text and more, without another page being loaded. The
// results of a search do not count.
func completes(s *Study, a, b *align.Cell) bool {
	typed := strings.ToLower(s.Open(a.Value))
	if typed == "" || page.PathOf(a.URLBefore()) != page.PathOf(b.URLBefore()) || page.ItemRoles[b.Role()] && b.Role() != "option" &&
		b.Role() != "listitem" {
		return false
	}
	if l := b.Target.Landmark; l != nil && (l.Role == "row" || l.Role == "cell" || l.Role == "gridcell") {
		return false
	}
	return slices.ContainsFunc(picks(b), func(raw string) bool {
		text := strings.ToLower(s.OpenText(raw))
		return len(text) > len(typed) && strings.Contains(text, typed)
	})
}

// typedToFind returns the template of what was typed to find a thing: its name, or the word of the name that was typed.
func typedToFind(s *Study, c, pick *align.Column) string {
	a, base := c.Base()
	b := pick.Acts[base]
	raw := picks(b)
	if len(raw) == 0 {
		raw = []string{page.TargetName(b.Target)}
	}
	named := func(t int) string {
		if pick.Acts[t] == nil {
			if c.Acts[t] == nil {
				return ""
			}
			return s.Open(c.Acts[t].Value)
		}
		if ps := picks(pick.Acts[t]); len(ps) > 0 {
			return s.OpenText(ps[0])
		}
		return s.OpenText(page.TargetName(pick.Acts[t].Target))
	}
	p := &Param{Param: workflow.Param{Label: page.Clean(a.Name()), Kind: capture.KindChoice, LinkID: a.Value.LinkID,
		Required: !strings.Contains(strings.ToLower(a.Name()), "optional")}, Source: "typed"}
	if m := page.MaskForm.FindStringSubmatch(raw[0]); m != nil && m[0] == raw[0] {
		p.LinkID = m[1]
	}
	p.Texts = make([]string, len(c.Acts))
	for t := range c.Acts {
		p.Texts[t] = named(t)
	}
	for k, r := range pick.Rounds {
		text := ""
		if r.Act != nil && len(picks(r.Act)) > 0 {
			text = s.OpenText(picks(r.Act)[0])
		}
		p.Rounds, p.RoundOf = append(p.Rounds, text), append(p.RoundOf, pick.Rounds[k].Trace)
	}
	if page.SearchLabel(p.Label) {
		p.Label = pickLabel(s, b, raw[0])
	}
	if k := page.KindOf(p.Texts[base]); k != capture.KindText && k != capture.KindNumber {
		p.Kind = k
	}
	whole := s.settle(c, p)
	ids := page.RefsOf(whole)
	if len(ids) != 1 || whole != page.Ref(ids[0]) {
		return whole
	}
	part := typedPart(s.Open(a.Value), p.Texts[base])
	for t, act := range c.Acts {
		if act != nil && typedPart(s.Open(act.Value), p.Texts[t]) != part {
			part = ""
		}
	}
	for t := range s.Gens {
		if c.Acts[t] != nil && c.Acts[t].Value.LinkID != "" {
			s.Gens[t].Links[c.Acts[t].Value.LinkID] = page.JoinRef(ids[0], part)
		}
	}
	return page.JoinRef(ids[0], part)
}

// typedPart returns which word of a name was typed, in whole or in part; "" for the name as a whole.
func typedPart(typed, name string) string {
	ws := strings.Fields(strings.ToLower(name))
	typed = strings.ToLower(plain.Squeeze(typed))
	if typed == "" || len(ws) < 2 {
		return ""
	}
	switch {
	case strings.HasPrefix(ws[0], typed):
		return workflow.PartFirst
	case strings.HasPrefix(ws[len(ws)-1], typed):
		return workflow.PartLast
	}
	return ""
}
