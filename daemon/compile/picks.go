package compile

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"showhow/capture"
	"showhow/daemon/workflow"
	"showhow/internal/plain"
)

// picked is the template of the thing that an act chose from the page: the row's name or what identifies it.
func (s *study) picked(c *column, a *act) string {
	if tmpl := s.pickedDay(c, a); tmpl != "" {
		return tmpl
	}
	var best string
	for _, raw := range picks(a) {
		text := s.openText(raw)
		if text == "" {
			continue
		}
		if p := s.known(text); p != nil {
			if p.source == "typed" && searchLabel(p.Label) {
				p.Label, p.Kind, p.source = s.pickLabel(a, raw), kindOf(text), "picked" // searched for by its own name: it is the thing itself
			}
			return ref(p.ParamID)
		}
		if best == "" || s.reappears(a, raw, text) && !s.reappears(a, best, s.openText(best)) {
			best = raw
		}
	}
	if best == "" {
		return anyRef
	}
	index := slices.Index(picks(a), best)
	pickOf := func(a *act) string {
		if ps := picks(a); index < len(ps) {
			return s.openText(ps[index])
		}
		return ""
	}
	p := &param{Param: workflow.Param{Label: s.pickLabel(a, best), Kind: kindOf(s.openText(best)), Required: true}, source: "picked", texts: s.each(c, pickOf)}
	s.inRounds(c, p, pickOf)
	if m := maskForm.FindStringSubmatch(best); m != nil && m[0] == best {
		p.LinkID = m[1]
	}
	return s.settle(c, p)
}

// ofAList reports whether what an act was done to stands among others of its kind.
func ofAList(a *act) bool {
	return a.target != nil && (itemRoles[a.role()] || a.target.Landmark != nil && itemRoles[a.target.Landmark.Role])
}

// searchLabel reports whether a field's label asks what to look for rather than what to enter.
func searchLabel(label string) bool {
	for _, w := range plain.Words(label) {
		switch w {
		case "search", "find", "filter", "suche", "suchen", "query", "lookup":
			return true
		}
	}
	return false
}

// known is the parameter whose base value a text is.
func (s *study) known(text string) *param {
	for _, p := range s.params {
		if len(p.texts) > 0 && p.texts[0] != "" && strings.EqualFold(p.texts[0], text) && !trivial(p) && len(p.rounds) == 0 {
			return p
		}
	}
	return nil
}

// picks lists what could name the picked thing, most telling first: the target's own name, then the parts of its row's.
func picks(a *act) []string {
	var out []string
	add := func(s string) {
		if s = plain.Squeeze(s); s != "" && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	split := func(s string) {
		for _, m := range maskForm.FindAllString(s, -1) {
			add(m)
		}
		for _, w := range strings.Fields(maskForm.ReplaceAllString(s, " ")) {
			if idLike(w) {
				add(strings.Trim(w, ",;:()"))
			}
		}
	}
	if v := a.value; v != nil && v.LinkID != "" {
		add(v.Mask())
	}
	if nameIsData(a) {
		name := targetName(a.target)
		if _, ok := workflow.ParseDate(plain.Squeeze(name)); ok {
			return append(out, plain.Squeeze(name))
		}
		if utf8.RuneCountInString(stripMasks(name)) <= 40 && len(strings.Fields(stripMasks(name))) <= 3 {
			add(name)
		}
		split(name)
		add(name)
	}
	if l := a.target.Landmark; l != nil && itemRoles[l.Role] {
		split(l.Name)
		add(l.Name)
	}
	return out
}

// reappears reports whether the picked text is seen again where the pick led: what identifies is what comes back.
func (s *study) reappears(a *act, raw, text string) bool {
	if raw == "" || text == "" {
		return false
	}
	st := a.state()
	for _, seen := range append([]string{st.URL, st.Title}, append(st.Headings, st.Dialogs...)...) {
		if strings.Contains(strings.ToLower(s.openText(seen)), strings.ToLower(text)) {
			return true
		}
	}
	return false
}

// pickLabel names what was picked by where it led and where it stood: "Order A-1042" and /orders/A-1042 are an order.
func (s *study) pickLabel(a *act, raw string) string {
	if a.role() == "tab" {
		return "tab"
	}
	text := strings.ToLower(s.openText(raw))
	if asked := askedFor(a.from); asked != "" {
		return asked
	}
	if a.role() == "option" && a.from != nil {
		return "choice" // of a field that nothing names
	}
	if kindOf(plain.Squeeze(s.openText(raw))) == capture.KindDate && !itemRoles[a.role()] {
		return "date"
	}
	if a.value != nil && a.value.Chosen && dayForm.MatchString(text) && !itemRoles[a.role()] && (a.target.Landmark == nil || !itemRoles[a.target.Landmark.Role]) {
		return "day"
	}
	for _, h := range append(slices.Clone(a.state().Headings), a.state().Dialogs...) {
		open := strings.ToLower(s.openOnly(h, text))
		if before, _, ok := strings.Cut(open, text); ok {
			if ws := plain.Words(before); len(ws) == 1 || len(ws) == 2 && len(before) < 24 {
				return ws[len(ws)-1]
			}
		}
	}
	if one := s.openedFor(a, text); one != "" {
		return one
	}
	parts := strings.Split(pathOf(s.openOnly(a.url(), text)), "/")
	for i, p := range parts {
		if i > 0 && strings.EqualFold(p, text) {
			if one := oneOf(parts[i-1]); one != "" {
				return one
			}
		}
	}
	for i, p := range parts {
		if i > 0 && (strings.EqualFold(p, "{*}") || idLike(p) || strings.ContainsRune(p, refOpen)) {
			if one := oneOf(parts[i-1]); one != "" {
				return one
			}
		}
	}
	if one := s.goalSays(a); one != "" {
		return one
	}
	if one := s.goalNoun(); one != "" && !ofAList(a) {
		return one // it stands in none of the page's lists, so that none says what it is
	}
	places := []string{}
	for _, t := range a.stateBefore().Tables {
		places = append(places, tableName(t))
	}
	for _, name := range append(places, a.stateBefore().Headings...) {
		if ws := plain.Words(s.openOnly(name, text)); len(ws) > 0 && len(ws) <= 3 {
			if one := oneOf(ws[len(ws)-1]); one != "" {
				return one
			}
		}
	}
	return cmp.Or(s.goalNoun(), cmp.Or(s.goalNouns(), "item"))
}

var dayForm = regexp.MustCompile(`^(0?[1-9]|[12]\d|3[01])$`)

// askedFor is what the field of a list asks for: "Search patient…" is for a patient, "Add a tag" for a tag.
func askedFor(field *act) string {
	if field == nil {
		return ""
	}
	t := field.target
	label := clean(cmp.Or(cmp.Or(plain.Squeeze(t.Label), plain.Squeeze(t.Name)), t.Placeholder))
	ws := strings.Fields(strings.TrimRight(label, ".… "))
	for len(ws) > 0 && asking[strings.ToLower(strings.Trim(ws[0], ".,…"))] {
		ws = ws[1:]
	}
	for len(ws) > 0 && asking[strings.ToLower(strings.Trim(ws[len(ws)-1], ".,…"))] {
		ws = ws[:len(ws)-1]
	}
	if len(ws) == 0 || len(ws) > 4 {
		return ""
	}
	return plain.LowerFirst(strings.Join(ws, " "))
}

// asking are words around what a field asks for.
var asking = set("search find filter look lookup add select choose pick enter type for by to a an the your one of here " +
	"suche suchen finden wählen auswählen hinzufügen eingeben nach der die das den ein eine einen bitte " +
	"rechercher chercher choisir sélectionner ajouter un une le la les " +
	"buscar elegir seleccionar añadir el los las")

// openedFor is what a dialog or page says that it is for, where the control that opened it says the same of one thing: "Plan Friday
// lunch" opens "Plan a meal".
func (s *study) openedFor(a *act, text string) string {
	if a.target == nil {
		return ""
	}
	deed, _, ok := strings.Cut(strings.ToLower(plain.Squeeze(s.openOnly(targetName(a.target), text))), text)
	if deed = strings.TrimSpace(deed); !ok || deed == "" {
		return ""
	}
	for _, h := range append(fresh(a.stateBefore().Dialogs, a.state().Dialogs), fresh(a.stateBefore().Headings, a.state().Headings)...) {
		rest, ok := strings.CutPrefix(strings.ToLower(plain.Squeeze(h)), deed+" ")
		noun := bare(rest)
		if ok && definite2(rest) && noun != rest && len(strings.Fields(noun)) == 1 {
			return noun
		}
	}
	return ""
}

// goalSays is the thing that both the person's goal and the page of an act name: "Add a lesson to a course", picked below "Select
// course to change", picks a course.
func (s *study) goalSays(a *act) string {
	if !ofAList(a) {
		return ""
	}
	before := a.stateBefore()
	places := []string{pathOf(a.urlBefore())} // a page's address and its lists say more of what it is than what else stands there
	for _, t := range before.Tables {
		places = append(places, tableName(t))
	}
	for _, place := range append(places, before.Headings...) {
		there := plain.Words(stripMasks(place))
		for _, said := range plain.Words(goalOf(s.in)) {
			if len(said) < 3 || stopWords[said] || doesSomething(said) || familyOf[said] != "" || uncountable[said] {
				continue
			}
			one := cmp.Or(oneOf(said), said)
			if slices.ContainsFunc(there, func(w string) bool { return w == one || oneOf(w) == one }) {
				return one
			}
		}
	}
	return ""
}
