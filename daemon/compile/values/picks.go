package values

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"showhow/capture"
	"showhow/daemon/compile/align"
	"showhow/daemon/compile/draft"
	"showhow/daemon/compile/intent"
	"showhow/daemon/compile/page"
	"showhow/daemon/compile/trace"
	"showhow/daemon/workflow"
	"showhow/internal/lang"
	"showhow/internal/lazyre"
	"showhow/internal/plain"
)

// picked returns the template of the object that an act picked on the page: its name, or the part of it that identifies
// it.
func picked(s *Study, c *align.Column, a *align.Cell) string {
	if tmpl := pickedDay(s, c, a); tmpl != "" {
		return tmpl
	}
	var best string
	for _, raw := range picks(a) {
		text := s.OpenText(raw)
		if m := page.MaskForm.FindStringSubmatch(raw); text == "" || m != nil && m[0] == raw &&
			(s.rowWords[m[1]] || opensField(a) && s.lineWords[m[1]]) {
			continue
		}
		if p := s.known(text); p != nil {
			if p.Source == "typed" && page.SearchLabel(p.Label) {
				p.Label, p.Kind, p.Source = pickLabel(s, a, raw), page.KindOf(text), "picked" // searched for by name
			}
			return page.Ref(p.ParamID)
		}
		if best == "" || reappears(s, a, raw, text) && !reappears(s, a, best, s.OpenText(best)) {
			best = raw
		}
	}
	if best == "" {
		return page.AnyRef
	}
	index := slices.Index(picks(a), best)
	pickOf := func(a *align.Cell) string {
		if ps := picks(a); index < len(ps) {
			return s.OpenText(ps[index])
		}
		return ""
	}
	p := &Param{Param: workflow.Param{Label: pickLabel(s, a, best), Kind: page.KindOf(s.OpenText(best)), Required: true}, Source: "picked",
		Texts: s.each(c, pickOf)}
	s.inRounds(c, p, pickOf)
	p.List = p.inOneLine()
	if m := page.MaskForm.FindStringSubmatch(best); m != nil && m[0] == best {
		p.LinkID = m[1]
	}
	if a.Entry() {
		p.where = "entry"
	}
	tmpl := s.settle(c, p)
	p.Literal = p.Literal || p.Steady && (isCaption(a, p) && !a.Entry() || isPlace(a, p) || isWay(s, a, p) || s.goalNames(p))
	p.Ask = p.Ask || p.Steady && isSign(a, p) // a letter on a button, or one of the letters to choose from
	return tmpl
}

// headed returns the template of the column in which a row's thing was picked, if demonstrations picked in different ones; "" otherwise.
func headed(s *Study, c *align.Column, a *align.Cell) string {
	head := func(a *align.Cell) string {
		if a.Target == nil || a.Target.Landmark == nil || !page.ItemRoles[a.Target.Landmark.Role] || a.Target.Label != "" {
			return ""
		}
		return s.OpenText(a.Target.Placeholder)
	}
	p := &Param{Param: workflow.Param{Label: headLabel(s, head(a)), Kind: page.KindOf(head(a)), Required: true}, Source: "picked",
		where: "column", Texts: s.each(c, head)}
	s.inRounds(c, p, head)
	if s.judge(p); !p.Varied || slices.Contains(p.Texts, "") {
		return ""
	}
	return s.settle(c, p)
}

// headLabel names the kind of what heads a table's column.
func headLabel(s *Study, head string) string {
	switch {
	case page.KindOf(plain.Squeeze(head)) == capture.KindDate:
		return "date"
	case isWeekday(head):
		return "day"
	}
	return cmp.Or(s.goalCalls(head), "column")
}

var weekdays = lang.Exactly(lang.Weekdays)

func isWeekday(text string) bool { return weekdays.Has(strings.ToLower(plain.Squeeze(text))) }

// droppedOn returns the template of the place that things were dragged to: an input, unless the goal names the place.
// Drop places stand side by side, and that two demonstrations used the same one may be chance.
func droppedOn(s *Study, c *align.Column) string {
	called := func(a *align.Cell) string {
		if a.Drop == nil {
			return ""
		}
		return s.OpenText(page.TargetName(a.Drop))
	}
	p := &Param{Param: workflow.Param{Label: "list", Kind: capture.KindChoice, Required: true}, Source: "picked", where: "drop",
		Texts: s.each(c, called)}
	if l, _ := c.Base(); l.Drop != nil && page.ItemRoles[l.Drop.Role] {
		p.Label = "place"
	}
	s.inRounds(c, p, called)
	if s.judge(p); !p.Varied && s.goalNames(p) {
		return ""
	}
	return s.settle(c, p)
}

// goalNames reports whether the goal contains every word of what was chosen.
func (s *Study) goalNames(p *Param) bool {
	goal := plain.Words(draft.GoalOf(s.In))
	unsaid := func(w string) bool { return !slices.ContainsFunc(goal, func(g string) bool { return SameWord(g, w) }) }
	return !slices.ContainsFunc(p.Texts, func(text string) bool { return slices.ContainsFunc(plain.Words(text), unsaid) })
}

// inOneLine reports whether the things picked in a loop may stand in one line: none of those that were shown contains what separates them
// there.
func (p *Param) inOneLine() bool {
	return len(p.Rounds) > 0 && !slices.ContainsFunc(append(slices.Clone(p.Texts), p.Rounds...), func(text string) bool {
		return strings.ContainsAny(text, ",;")
	})
}

// ByChance reports whether the value is one of several side by side, so that it may be chance that every demonstration
// took the same one: a drop place, an entry of a row's menu.
func (p *Param) ByChance() bool { return p.where == "drop" || p.where == "entry" }

// wordsOfRows treats the name of a control in a row as the program's own word if it is the same in every demonstration
// while the rows differ, even if a single page made it look like the name of a thing.
func (s *Study) wordsOfRows() {
	for _, c := range s.Columns {
		names, rows, masks := map[string]bool{}, map[string]bool{}, []string{}
		for _, a := range c.Acts {
			if a == nil || a.Target == nil || a.Target.Landmark == nil || !page.ItemRoles[a.Target.Landmark.Role] || !page.IsClick(a.Verb) {
				rows = nil
				break
			}
			name := page.TargetName(a.Target)
			for _, m := range page.MaskForm.FindAllStringSubmatch(name, -1) {
				masks = append(masks, m[1])
			}
			names[strings.ToLower(s.OpenText(name))] = true
			rows[strings.ToLower(s.OpenText(a.Target.Landmark.Name))] = true
		}
		if len(names) != 1 || len(rows) < 2 || len(rows) != len(c.Acts) {
			continue
		}
		for _, link := range masks {
			s.rowWords[link] = true
			for _, g := range s.Gens {
				g.Links[link] = plain.Squeeze(s.In.Values[link])
			}
		}
	}
}

// isCaption reports whether a pressed text says what the control does: a few words of the program on an element that is a
// control by appearance only and not an item of a list.
func isCaption(a *align.Cell, p *Param) bool {
	if a.Role() != "generic" || inList(a) || a.Value != nil && a.Value.Chosen {
		return false
	}
	for _, text := range p.Texts {
		if ws := strings.Fields(text); len(ws) > 3 || plain.Digits(text) > 0 || strings.ContainsAny(text, "@/") || plain.Letters(text) < 2 {
			return false
		}
	}
	return true
}

// isWay reports whether what is pressed is a control outside of any list whose name nobody gave: a page shows its word elsewhere, too, as
// in an address.
func isWay(s *Study, a *align.Cell, p *Param) bool {
	switch a.Role() {
	case "link", "button", "tab", "menuitem":
		return !inList(a) && !a.Varies() && !slices.ContainsFunc(p.Texts, func(text string) bool { return text == "" || s.given(text) })
	}
	return false
}

// isSign reports whether a control is called by a single letter or a sign.
func isSign(a *align.Cell, p *Param) bool {
	return a.Role() == "generic" && !inList(a) && !slices.ContainsFunc(p.Texts, func(text string) bool {
		return utf8.RuneCountInString(text) > 1 && plain.Letters(text) > 0 || plain.Digits(text) > 0
	})
}

// isPlace reports whether what is picked is called by its place among wordless things: "the third".
func isPlace(a *align.Cell, p *Param) bool {
	return a.Role() == "generic" && !inList(a) && !slices.ContainsFunc(p.Texts, func(text string) bool {
		return text == "" || len(text) > 2 || plain.Digits(text) != len(text)
	})
}

// inList reports whether the target of an act is, or stands in, an item of a list.
func inList(a *align.Cell) bool {
	return a.Target != nil && (page.ItemRoles[a.Role()] || a.Target.Landmark != nil && page.ItemRoles[a.Target.Landmark.Role])
}

// picks lists the texts that could name the picked object, the most telling first: the target's own name, then the parts
// of its row's name.
func picks(a *align.Cell) []string {
	var out []string
	add := func(s string) {
		if s = plain.Squeeze(s); s != "" && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	split := func(s string) {
		for _, m := range page.MaskForm.FindAllString(s, -1) {
			add(m)
		}
		for _, w := range strings.Fields(page.MaskForm.ReplaceAllString(s, " ")) {
			if page.IDLike(w) {
				add(strings.Trim(w, ",;:()"))
			}
		}
	}
	if name := page.TargetName(a.Target); a.Varies() && name != "" {
		return []string{plain.Squeeze(name)} // which of several elements it was, in any row
	}
	if v := a.Value; v != nil && v.LinkID != "" {
		add(v.Mask())
	}
	if a.NamedByData() {
		name := page.TargetName(a.Target)
		if _, ok := workflow.ParseDate(plain.Squeeze(name)); ok {
			return append(out, plain.Squeeze(name))
		}
		if utf8.RuneCountInString(page.StripMasks(name)) <= 40 && len(strings.Fields(page.StripMasks(name))) <= 3 {
			add(name)
		}
		split(name)
		add(name)
	}
	if l := a.Target.Landmark; l != nil && page.ItemRoles[l.Role] {
		split(l.Name)
		add(l.Name)
	}
	return out
}

// reappears reports whether the picked text appears again where the pick led: that is the part that identifies.
func reappears(s *Study, a *align.Cell, raw, text string) bool {
	if raw == "" || text == "" {
		return false
	}
	st := a.State()
	for _, seen := range append([]string{st.URL, st.Title}, append(st.Headings, st.Dialogs...)...) {
		if strings.Contains(strings.ToLower(s.OpenText(seen)), strings.ToLower(text)) {
			return true
		}
	}
	return false
}

// pickLabel names the kind of what was picked by where it led and where it stood: "Order A-1042" and /orders/A-1042 are
// an order.
func pickLabel(s *Study, a *align.Cell, raw string) string {
	if a.Role() == "tab" {
		return "tab"
	}
	text := strings.ToLower(s.OpenText(raw))
	if a.Entry() || a.Varies() && strings.HasPrefix(a.Role(), "menuitem") {
		return "choice" // an action on the object rather than the object
	}
	if asked := askedFor(a.From); asked != "" {
		return asked
	}
	if a.Role() == "option" && a.From != nil {
		return "choice" // an option of a field without a name
	}
	if page.KindOf(plain.Squeeze(s.OpenText(raw))) == capture.KindDate && !page.ItemRoles[a.Role()] {
		return "date"
	}
	if a.Value != nil && a.Value.Chosen && dayForm.MatchString(text) && !page.ItemRoles[a.Role()] &&
		(a.Target.Landmark == nil || !page.ItemRoles[a.Target.Landmark.Role]) {
		return "day"
	}
	if called := s.goalCalls(s.OpenText(raw)); called != "" {
		return called
	}
	for _, h := range append(slices.Clone(a.State().Headings), a.State().Dialogs...) {
		open := strings.ToLower(s.openOnly(h, text))
		if before, _, ok := strings.Cut(open, text); ok {
			ws := plain.Words(before)
			if (len(ws) == 1 || len(ws) == 2 && len(before) < 24) && !intent.StopWords.Has(ws[len(ws)-1]) { // "The attic" is no the
				return ws[len(ws)-1]
			}
		}
	}
	if one := openedFor(s, a, text); one != "" {
		return one
	}
	parts := strings.Split(page.PathOf(s.openOnly(a.URL(), text)), "/")
	for i, p := range parts {
		if i > 0 && strings.EqualFold(p, text) {
			if one := intent.OneOf(parts[i-1]); one != "" {
				return one
			}
		}
	}
	for i, p := range parts {
		if i > 0 && (strings.EqualFold(p, "{*}") || page.IDLike(p) || strings.ContainsRune(p, page.RefOpen)) {
			if one := intent.OneOf(parts[i-1]); one != "" {
				return one
			}
		}
	}
	if one := goalSays(s, a); one != "" {
		return one
	}
	if one := goalNoun(s); one != "" && !inList(a) {
		return one // it stands in no list of the page, so no list says what it is
	}
	places := []string{}
	for _, t := range a.StateBefore().Tables {
		places = append(places, page.TableName(t))
	}
	for _, name := range append(places, a.StateBefore().Headings...) {
		if ws := plain.Words(s.openOnly(name, text)); len(ws) > 0 && len(ws) <= 3 {
			if one := intent.OneOf(ws[len(ws)-1]); one != "" {
				return one
			}
		}
	}
	return cmp.Or(goalNoun(s), cmp.Or(goalSingular(s), "item"))
}

var dayForm = lazyre.New(`^(0?[1-9]|[12]\d|3[01])$`)

// askedFor returns what a field with a list asks for: "patient" for "Search patient…", "tag" for "Add a tag".
func askedFor(field *trace.Act) string {
	if field == nil {
		return ""
	}
	t := field.Target
	label := page.Clean(cmp.Or(cmp.Or(plain.Squeeze(t.Label), plain.Squeeze(t.Name)), t.Placeholder))
	ws := strings.Fields(strings.TrimRight(label, ".… "))
	for len(ws) > 0 && isAskingWord(strings.ToLower(strings.Trim(ws[0], ".,…"))) {
		ws = ws[1:]
	}
	for len(ws) > 0 && isAskingWord(strings.ToLower(strings.Trim(ws[len(ws)-1], ".,…"))) {
		ws = ws[:len(ws)-1]
	}
	if len(ws) == 0 || len(ws) > 4 {
		return ""
	}
	return plain.LowerFirst(strings.Join(ws, " "))
}

// asking are words around the noun that a field asks for.
var asking = lang.English("fields.asking")

// openedFor returns the noun in the heading of the dialog or page that a control opened, if the control names one such
// thing: "Plan Friday lunch" opens "Plan a meal".
func openedFor(s *Study, a *align.Cell, text string) string {
	if a.Target == nil {
		return ""
	}
	deed, _, ok := strings.Cut(strings.ToLower(plain.Squeeze(s.openOnly(page.TargetName(a.Target), text))), text)
	if deed = strings.TrimSpace(deed); !ok || deed == "" {
		return ""
	}
	for _, h := range append(page.Fresh(a.StateBefore().Dialogs, a.State().Dialogs), page.Fresh(a.StateBefore().Headings,
		a.State().Headings)...) {
		rest, ok := strings.CutPrefix(strings.ToLower(plain.Squeeze(h)), deed+" ")
		noun := intent.Bare(rest)
		if ok && intent.HasArticle(rest) && noun != rest && len(strings.Fields(noun)) == 1 {
			return noun
		}
	}
	return ""
}

// goalSays returns the noun that both the goal and the page of an act name: "Add a lesson to a course", picked below
// "Select course to change", picks a course.
func goalSays(s *Study, a *align.Cell) string {
	if !inList(a) {
		return ""
	}
	before := a.StateBefore()
	places := []string{page.PathOf(a.URLBefore())} // a page's address and tables say more about it than its other texts
	for _, t := range before.Tables {
		places = append(places, page.TableName(t))
	}
	for _, place := range append(places, before.Headings...) {
		there := plain.Words(page.StripMasks(place))
		for _, said := range plain.Words(draft.GoalOf(s.In)) {
			if len(said) < 3 || intent.StopWords.Has(said) || intent.IsActionWord(said) || intent.FamilyOf.Get(said) != "" ||
				intent.Uncountable.Has(said) {
				continue
			}
			one := cmp.Or(intent.OneOf(said), said)
			if slices.ContainsFunc(there, func(w string) bool { return w == one || intent.OneOf(w) == one }) {
				return one
			}
		}
	}
	return ""
}

// isAskingWord reports whether a word stands around the noun that a field isAskingWord for, such as "search" in "Search patient".
func isAskingWord(word string) bool { return asking.Has(word) || askingNonEnglish.Has(word) }

var askingNonEnglish = lang.NonEnglish("deed.search", "deed.filter", "deed.select", "deed.create", lang.Articles, lang.Fillers,
	lang.Prepositions)
