package compile

import (
	"cmp"
	"slices"
	"strings"

	"showhow/capture"
	"showhow/daemon/workflow"
	"showhow/internal/plain"
)

// ticks reports whether an act sets a box that is on or off.
func (a *act) ticks() bool {
	return (a.verb == capture.Check || a.verb == capture.Uncheck) && a.target != nil && a.role() != "radio" && !a.manyBoxes() && a.run == nil && !dataLike(a)
}

const (
	yes = "yes"
	no  = "no"
)

// ticked makes a yes-or-no parameter of a box. Where another demonstration sent the same form and left the box alone, it was
// as it was: the opposite.
func (s *study) ticked(c *column, a *act) string {
	set := func(a *act) string {
		if a.verb == capture.Check {
			return yes
		}
		return no
	}
	p := &param{Param: workflow.Param{Label: clean(a.name()), Kind: capture.KindBoolean, Options: []string{yes, no}}, source: "ticked", texts: s.each(c, set)}
	for t := range p.texts {
		if p.texts[t] == "" && s.passes(t, a) {
			p.untouched = map[string]string{yes: no, no: yes}[set(a)]
			p.texts[t] = p.untouched
		}
	}
	return s.add(p) // "yes" is not looked for anywhere else
}

// tickedItem is the template of the row that a box chooses. The box is called after its row, "Select A-1042": what all of them
// have in common is the page's word for choosing, and what differs is the row.
func (s *study) tickedItem(c *column, a *act) string {
	called := func(a *act) string { return cmp.Or(s.open(a.value), s.openText(targetName(a.target))) }
	p := &param{Param: workflow.Param{Label: s.pickLabel(a, targetName(a.target)), Required: true}, source: "picked", texts: s.each(c, called)}
	s.inRounds(c, p, called)
	whole := append(slices.Clone(p.texts), p.rounds...)
	before, after := around(whole, func(w string) bool { // what else names have in common may be somebody's
		w = strings.ToLower(w)
		return choosing[w] || stopWords[w] || s.gens[0].words[w]
	})
	inner := func(texts []string) {
		for i, t := range texts {
			if t != "" {
				texts[i] = strings.TrimSuffix(strings.TrimPrefix(t, before), after)
			}
		}
	}
	inner(p.texts)
	inner(p.rounds)
	_, base := c.base()
	p.Kind = kindOf(p.texts[base])
	tmpl := s.settle(c, p)
	for i, t := range whole {
		at := i
		if i >= len(p.texts) {
			at = p.roundOf[i-len(p.texts)]
		}
		for _, link := range s.linksOf[strings.ToLower(t)] {
			s.gens[at].links[link] = before + tmpl + after
		}
	}
	return tmpl
}

// around is what names have in common before and after what tells them apart, in whole words that are the page's own. Of one
// name alone only a word for choosing is known to be no part of it.
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
		if len(first) > 1 && choosing[strings.ToLower(first[0])] {
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
func (s *study) passes(t int, a *act) bool {
	return slices.ContainsFunc(s.cols, func(c *column) bool {
		b := c.acts[t]
		return b != nil && (b.fills() || b.verb == capture.Submit) && pathPattern(b.urlBefore()) == pathPattern(a.urlBefore())
	})
}

// suggestions finds what was typed only to pick the thing itself from what the page then offered: both are one value.
func (s *study) suggestions() {
	for i := 0; i+1 < len(s.cols); i++ {
		c, next := s.cols[i], s.cols[i+1]
		a, t := c.base()
		if a.verb != capture.Type || a.secret() || a.value == nil || next.acts[t] == nil {
			continue
		}
		if b := next.acts[t]; offered(b) && b.tab() == a.tab() && (b.role() == "option" || s.completes(a, b)) {
			s.found[c] = next
		}
	}
}

// offered reports whether an act picked something that a page had offered.
func offered(b *act) bool {
	return starts(b.verb) && dataLike(b) && b.run == nil || starts(b.verb) && b.role() == "option"
}

// completes reports whether the picked thing's name goes on where the typed text stopped, without another page being loaded
// for it: the results of a search are another matter.
func (s *study) completes(a, b *act) bool {
	typed := strings.ToLower(s.open(a.value))
	if typed == "" || pathOf(a.urlBefore()) != pathOf(b.urlBefore()) || itemRoles[b.role()] && b.role() != "option" && b.role() != "listitem" {
		return false
	}
	if l := b.target.Landmark; l != nil && (l.Role == "row" || l.Role == "cell" || l.Role == "gridcell") {
		return false
	}
	return slices.ContainsFunc(picks(b), func(raw string) bool {
		text := strings.ToLower(s.openText(raw))
		return len(text) > len(typed) && strings.Contains(text, typed)
	})
}

// begun is the template of what was typed to find a thing: its name, or the word of it that was typed.
func (s *study) begun(c, pick *column) string {
	a, base := c.base()
	b := pick.acts[base]
	raw := picks(b)
	if len(raw) == 0 {
		raw = []string{targetName(b.target)}
	}
	named := func(t int) string {
		if pick.acts[t] == nil {
			if c.acts[t] == nil {
				return ""
			}
			return s.open(c.acts[t].value)
		}
		if ps := picks(pick.acts[t]); len(ps) > 0 {
			return s.openText(ps[0])
		}
		return s.openText(targetName(pick.acts[t].target))
	}
	p := &param{Param: workflow.Param{Label: clean(a.name()), Kind: capture.KindChoice, LinkID: a.value.LinkID, Required: !strings.Contains(strings.ToLower(a.name()), "optional")}, source: "typed"}
	if m := maskForm.FindStringSubmatch(raw[0]); m != nil && m[0] == raw[0] {
		p.LinkID = m[1]
	}
	p.texts = make([]string, len(c.acts))
	for t := range c.acts {
		p.texts[t] = named(t)
	}
	for k, r := range s.roundN[pick] {
		text := ""
		if r.act != nil && len(picks(r.act)) > 0 {
			text = s.openText(picks(r.act)[0])
		}
		p.rounds, p.roundOf = append(p.rounds, text), append(p.roundOf, s.roundN[pick][k].trace)
	}
	if searchLabel(p.Label) {
		p.Label = s.pickLabel(b, raw[0])
	}
	if k := kindOf(p.texts[base]); k != capture.KindText && k != capture.KindNumber {
		p.Kind = k
	}
	whole := s.settle(nil, p)
	ids := refsOf(whole)
	if len(ids) != 1 || whole != ref(ids[0]) {
		return whole
	}
	part := typedPart(s.open(a.value), p.texts[base])
	for t, act := range c.acts {
		if act != nil && typedPart(s.open(act.value), p.texts[t]) != part {
			part = ""
		}
	}
	for t := range s.gens {
		if c.acts[t] != nil && c.acts[t].value.LinkID != "" {
			s.gens[t].links[c.acts[t].value.LinkID] = joinRef(ids[0], part)
		}
	}
	return joinRef(ids[0], part)
}

func joinRef(id, part string) string {
	if part == "" {
		return ref(id)
	}
	return ref(id + "." + part)
}

// typedPart says which word of a name was typed, wholly or to begin with; "" for the name as a whole.
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
