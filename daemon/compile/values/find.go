package values

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"showhow/capture"
	"showhow/daemon/compile/align"
	"showhow/daemon/compile/decision"
	"showhow/daemon/compile/draft"
	"showhow/daemon/compile/page"
	"showhow/daemon/compile/template"
	"showhow/daemon/compile/trace"
	"showhow/daemon/workflow"
	"showhow/internal/lang"
	"showhow/internal/plain"
)

// Find goes through the columns in order and makes a parameter of every supplied value that is not a form of an
// earlier one.
func Find(in draft.Input, traces []trace.Trace, table align.Table) *Study {
	s := &Study{Table: table, In: in, Bindings: make([]Binding, len(table.Columns)), Files: map[string]string{},
		IDs: decision.NewIDs(in.Anchors), linksOf: map[string][]string{},
		rowWords: map[string]bool{}, lineWords: map[string]bool{}}
	for t := range traces {
		var day time.Time
		if acts := traces[t].Acts; len(acts) > 0 {
			day = acts[0].At
		}
		s.days = append(s.days, day)
	}
	for _, link := range slices.Sorted(maps.Keys(in.Values)) {
		text := in.Values[link]
		if text = strings.ToLower(plain.Squeeze(text)); text != "" {
			s.linksOf[text] = append(s.linksOf[text], link)
		}
	}
	vocab := vocabulary(s.Columns)
	for range traces {
		s.Gens = append(s.Gens, template.NewGeneraliser(vocab))
	}
	learnHistories(s)
	learnAddresses(s)
	suggestions(s)
	s.wordsOfRows()
	s.wordsOfLines()
	findFragments(s)
	learnReaders(s)
	for _, c := range s.Columns {
		s.column(c)
	}
	hideIssuedNumbers(s)
	s.PageWords = WordsOfDetails(s)
	maps.Copy(s.PageWords, s.lineWords)
	wordsOfControls(s)
	s.hideTheRest()
	for _, p := range s.Params {
		if p.Source == "picked" && strings.ContainsRune(s.Gens[0].Text(p.Label), page.RefOpen) {
			p.Label = "item" // the word beside it was itself a value
		}
	}
	return s
}

func (s *Study) column(c *align.Column) {
	a, _ := c.Base()
	s.turnedTo(c)
	switch {
	case a.Secret():
		s.Bindings[c.ID].Value = secret(s, c, a)
	case a.ManyBoxes():
		s.Bindings[c.ID].Value = ticksMany(s, c, a)
	case a.Ticks():
		if a.OfItem() {
			s.Bindings[c.ID].Owner = picked(s, c, a)
		}
		s.Bindings[c.ID].Value = ticked(s, c, a)
	case s.Bindings[c.ID].completed != nil:
		s.Bindings[c.ID].Value = typedToFind(s, c, s.Bindings[c.ID].completed)
	case a.Supplies():
		s.Bindings[c.ID].Owner = rowFilled(s, c, a)
		s.Bindings[c.ID].Value = s.supplied(c, a)
	case a.Command != nil:
		arguments(s, c, a)
	case a.IsCall():
		s.Bindings[c.ID].Value = callArguments(s, c, a)
	case a.TicksItem() && !a.Varies():
		s.Bindings[c.ID].Pick = tickedItem(s, c, a)
	case a.IsPick():
		s.Bindings[c.ID].Pick = picked(s, c, a)
		s.Bindings[c.ID].Head = headed(s, c, a)
		if a.Varies() && !a.Target.IsAlone() {
			s.Bindings[c.ID].Owner = rowFilled(s, c, a)
		}
		s.mentions(c, a)
	}
	if a.Verb == capture.Drag {
		s.Bindings[c.ID].Drop = droppedOn(s, c)
	}
	s.produced(c, a)
}

// supplied returns the template of a typed or chosen value.
func (s *Study) supplied(c *align.Column, a *align.Cell) string {
	kind := a.Value.Kind
	source := "typed"
	if a.Verb == capture.Select || a.Value.Chosen {
		source = "chosen"
		kind = capture.KindChoice
	}
	if a.Verb == capture.Upload {
		kind, source = capture.KindFile, "typed"
	}
	label := cmp.Or(s.lineCalled(a), page.Clean(a.Name()))
	p := &Param{Param: workflow.Param{Label: label, Kind: kind, LinkID: a.Value.LinkID}, Source: source}
	if a.Target != nil && plain.Letters(p.Label) < 2 && a.Target.Placeholder != "" {
		p.Label = page.Clean(a.Target.Placeholder) // "[F]" is the key that focuses the field
	}
	if p.Label == "" && kind == capture.KindFile {
		p.Label = "file" // a hidden field behind a button or box
	}
	if p.Label == "" {
		p.Label = labelFromGoal(s, a)
	}
	if source == "chosen" {
		p.Options = page.Options(a.Target)
	}
	p.Required = !strings.Contains(strings.ToLower(a.Name()), "optional")
	p.Texts = s.each(c, func(a *align.Cell) string { return s.Open(a.Value) })
	LeftAtDefault(s, c, p.Texts)
	s.inRounds(c, p, func(a *align.Cell) string { return s.Open(a.Value) })
	p.Literal = a.Value.Policy == capture.Literal
	if t, ok := s.Files[p.Texts[0]]; ok && a.Verb == capture.Upload {
		return t // a file that an earlier step made
	}
	tmpl := s.settle(c, p)
	// A single demonstration does not show whether a value was read off the page or a list happened to show it, too:
	// then it is asked for.
	if at := s.readOff(c); at != nil && tmpl == page.Ref(p.ParamID) && source == "typed" && p.Varied {
		p.Read = at
		if at.Before+at.After == "" { // the value is the whole text there, whatever it says
			p.Derived, p.Settled, p.Role = shownBeside(at), true, workflow.RoleInput
		} else {
			p.Required = false
		}
	}
	if tmpl == page.Ref(p.ParamID) && source == "typed" && kind != capture.KindFile {
		sources := make([]*capture.Source, len(c.Acts))
		for t, b := range c.Acts {
			if b != nil && b.Value != nil {
				sources[t] = b.Value.Source
			}
		}
		s.shownIn(c, p, sources)
	}
	return tmpl
}

// produced records a file that an act produced, so that later commands that name it are linked to it.
func (s *Study) produced(c *align.Column, a *align.Cell) {
	if a.File == nil || a.Verb == capture.Upload || a.File.Name == "" {
		return
	}
	name := s.OpenText(a.File.Name)
	p := &Param{Param: workflow.Param{Label: "file", Kind: capture.KindFile}, Source: "file",
		Texts: s.each(c, func(a *align.Cell) string {
			if a.File == nil {
				return ""
			}
			return s.OpenText(a.File.Name)
		})}
	if t := s.derived(p); t != "" {
		s.Files[name] = t
		return
	}
	s.judge(p)
	if !p.Varied && !page.IDLike(strings.TrimSuffix(name, path.Ext(name))) {
		s.Files[name] = a.File.Name // a fixed name: orders.csv
		return
	}
	p.Label = "downloaded file"
	p.Derived = "the name of the file that was downloaded"
	p.Settled = true
	t := s.adopt(c, p)
	p.Role = workflow.RoleInput
	s.Files[name] = t
}

// hideTheRest hides every value in the vault that became no parameter: corrected entries, cells of tables, entries
// without effect.
func (s *Study) hideTheRest() {
	links := slices.Sorted(maps.Keys(s.In.Values))
	for _, link := range links {
		text := s.In.Values[link]
		if emptyWords.Has(strings.ToLower(plain.Squeeze(text))) {
			continue
		}
		for _, g := range s.Gens {
			if _, ok := g.Links[link]; ok {
				continue
			}
			if t := g.Literal(plain.Squeeze(text)); len(page.RefsOf(t)) > 0 && (plain.Letters(page.RefForm.ReplaceAllString(t, "")) == 0 ||
				s.isMade(t)) {
				g.Links[link] = t // a form of a known value
			}
		}
	}
	said := messages(s)
	for _, g := range s.Gens {
		for _, link := range links {
			text := s.In.Values[link]
			if g.Fixed[link] != "" {
				continue // it belongs to an address
			}
			if emptyWords.Has(strings.ToLower(plain.Squeeze(text))) || said[strings.ToLower(plain.Squeeze(text))] || s.PageWords[link] {
				continue // the state of a box, which many texts contain, or the page's own words, in its address as well
			}
			t := g.Literal(plain.Squeeze(text))
			if rest := page.RefForm.ReplaceAllString(t, ""); plain.Letters(rest)+plain.Digits(rest) == 0 || s.isMade(t) {
				continue // already found
			}
			g.Add(text, cmp.Or(g.Links[link], page.AnyRef))
		}
	}
	s.updateTemplates()
}

// messages returns what pages said as a whole. A message that an application carries in its address ("?ok=Saved") is in
// the vault, too, although nobody entered it.
func messages(s *Study) map[string]bool {
	out, given := map[string]bool{}, map[string]bool{}
	for _, c := range s.Columns {
		for _, a := range c.Acts {
			if a == nil {
				continue
			}
			if a.Value != nil {
				given[strings.ToLower(s.Open(a.Value))] = true
			}
			for _, told := range a.State().Alerts {
				if !page.MaskForm.MatchString(told) {
					out[strings.ToLower(plain.Squeeze(told))] = true
				}
			}
		}
	}
	for text := range given {
		delete(out, text)
	}
	return out
}

// emptyWords are texts that pages show for the state of a box.
var emptyWords = lang.English("values.empty")

// updateTemplates updates the templates that were made before all values were known.
func (s *Study) updateTemplates() {
	for _, c := range s.Columns {
		_, t := c.Base()
		b := &s.Bindings[c.ID]
		b.Value, b.Pick, b.Drop = s.Gens[t].Reapply(b.Value), s.Gens[t].Reapply(b.Pick), s.Gens[t].Reapply(b.Drop)
		b.Head = s.Gens[t].Reapply(b.Head)
	}
	for name, tmpl := range s.Files {
		s.Files[name] = s.Gens[0].Reapply(tmpl)
	}
}
