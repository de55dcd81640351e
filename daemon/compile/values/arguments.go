package values

import (
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"showhow/capture"
	"showhow/daemon/compile/align"
	"showhow/daemon/compile/page"
	"showhow/daemon/compile/shell"
	"showhow/daemon/compile/trace"
	"showhow/daemon/workflow"
	"showhow/internal/plain"
)

// arguments makes parameters of the words of a command line that are sealed, that name a file which no earlier step
// produced, or that differ between demonstrations or rounds.
func arguments(s *Study, c *align.Column, a *align.Cell) {
	lines := make([]shell.Line, len(c.Acts))
	for t, b := range c.Acts {
		if b != nil && b.Command != nil {
			lines[t] = shell.Read(b.Command)
		}
	}
	_, base := c.Base()
	more := make([]shell.Line, len(c.Rounds))
	for k, r := range c.Rounds {
		if r.Act != nil {
			more[k] = shell.Read(r.Act.Command)
		}
	}
	made := map[string]bool{}
	for _, name := range trace.NewFiles(a.Act) {
		made[s.OpenText(name)] = true
	}
	adoptFragments(s, c)
	lists := shell.ListsIn(lines[base])
	for i := range lines[base].Words {
		switch k := slices.IndexFunc(lists, func(g shell.Group) bool { return g.From <= i && i < g.To }); {
		case k < 0:
			argument(s, c, lines, more, made, base, i)
		case lists[k].From == i && !knownFiles(s, lines[base].Words[i:lists[k].To]):
			list(s, c, lines, more, base, lists[k])
		}
	}
	written(s, c, a)
}

// knownFiles reports whether any of the words names a file that an earlier step made or that is already an input.
func knownFiles(s *Study, ws []shell.Word) bool {
	return slices.ContainsFunc(ws, func(w shell.Word) bool {
		text := s.OpenRefs(w.Text)
		_, made := s.Files[path.Base(text)]
		return made || s.known(text) != nil
	})
}

func argument(s *Study, c *align.Column, lines, more []shell.Line, made map[string]bool, base, i int) {
	w := lines[base].Words[i]
	if w.Part {
		return // values inside it are fragments
	}
	p := &Param{Source: "argument", where: strconv.Itoa(i), Texts: make([]string, len(lines))}
	p.Required = true
	for t, l := range lines {
		if i < len(l.Words) && len(l.Words) == len(lines[base].Words) {
			p.Texts[t] = s.OpenRefs(l.Words[i].Text)
		}
	}
	for k, l := range more {
		text := ""
		if i < len(l.Words) && len(l.Words) == len(lines[base].Words) {
			text = s.OpenRefs(l.Words[i].Text)
		}
		p.Rounds, p.RoundOf = append(p.Rounds, text), append(p.RoundOf, c.Rounds[k].Trace)
	}
	if p.Texts[base] == "" || isProduced(s, p, w) {
		return
	}
	if explained(s, p, w) {
		if m := page.RefForm.FindStringSubmatch(w.Text); m != nil && m[0] == w.Text {
			for t, text := range p.Texts {
				for _, link := range s.linksOf[strings.ToLower(plain.Squeeze(text))] {
					s.Gens[t].Links[link] = s.Gens[t].Text(text)
				}
			}
		}
		if name := path.Base(p.Texts[base]); w.Redirect == ">" || w.Redirect == ">>" || made[name] {
			s.Files[name] = s.Gens[base].Text(name)
		}
		return
	}
	sealed := strings.ContainsRune(w.Text, page.RefOpen)
	probe := *p
	s.judge(&probe)
	branch := lines[base].Branch(w)
	if !sealed && !probe.Varied && !w.FileLike() && !branch && len(page.RefsOf(s.Gens[base].Text(p.Texts[base]))) == 0 {
		if !w.Amount() || probe.Steady || len(s.linksOf[p.Texts[base]]) > 0 {
			return // a plain word belongs to the command
		}
		p.Ask = true // a count or selection: unchanged, until a person says that it differs each time
	}
	if w.Redirect == ">" || w.Redirect == ">>" || made[path.Base(p.Texts[base])] {
		output(s, c, p, w, probe.Varied || sealed)
		return
	}
	p.Label, p.Kind, p.sealed, p.Program = labelOfArgument(s, w, p), page.KindOf(p.Texts[base]), sealed, w.Program
	switch {
	case branch:
		p.Label, p.Kind = "branch", capture.KindText
	case w.FileLike():
		p.Kind = capture.KindFile
	}
	if m := page.RefForm.FindStringSubmatch(w.Text); m != nil && m[0] == w.Text {
		p.LinkID = strings.TrimPrefix(m[1], "@")
	}
	if (strings.ContainsAny(p.Texts[base], "*?") || strings.HasSuffix(p.Texts[base], "/")) && !sealed && !probe.Varied {
		return // a glob pattern already means all of them, and a folder is a place
	}
	if p.Kind == capture.KindFile && asPath(s, p) {
		return
	}
	a, _ := c.Base()
	p.beside = len(page.RefsOf(s.Gens[base].Word(a.Command.Line))) > 0
	steady := probe.Varied && sameButFor(s, p)
	tmpl := s.settle(c, p)
	if tmpl == page.Ref(p.ParamID) && p.Kind != capture.KindFile {
		s.shownIn(c, p, sourcesOf(c, lines, i))
	}
	if steady && len(s.Params) > 0 && s.Params[len(s.Params)-1] == p {
		p.Varied, p.Settled, p.Steady, p.Role = false, false, true, workflow.RoleUndecided
	}
	if utf8.RuneCountInString(p.Texts[base]) < 3 {
		s.Bindings[c.ID].brief = append(s.Bindings[c.ID].brief, briefWord{w.Flag, w.Text, tmpl})
	}
}

// sameButFor reports whether a text was the same in every demonstration except for known values in it.
func sameButFor(s *Study, p *Param) bool {
	tmpl := ""
	for t, text := range p.Texts {
		if text == "" {
			continue
		}
		got := s.Gens[t].Text(text)
		if len(page.RefsOf(got)) == 0 || strings.Contains(got, page.AnyRef) || tmpl != "" && got != tmpl {
			return false
		}
		tmpl = got
	}
	return tmpl != "" && plain.Letters(page.RefForm.ReplaceAllString(tmpl, "")) > 0
}

// briefWord is an argument too short to be searched for everywhere: it is recognised by its flag, or by its only
// occurrence in its line.
type briefWord struct{ flag, text, template string }

// WithBrief substitutes the templates of short arguments into a column's command line.
func (s *Study) WithBrief(c *align.Column, line string) string {
	for _, b := range s.Bindings[c.ID].brief {
		before := `(^|\s)`
		if b.flag != "" {
			before = `((?:^|\s)` + regexp.QuoteMeta(b.flag) + `[\s=]+)`
		}
		form := regexp.MustCompile(before + regexp.QuoteMeta(b.text) + `($|[\s;|&)])`)
		if len(form.FindAllStringIndex(line, -1)) == 1 {
			line = form.ReplaceAllString(line, "${1}"+b.template+"${2}")
		}
	}
	return line
}

// isProduced reports whether the word names a file that an earlier step made, so that its template is known.
func isProduced(s *Study, p *Param, w shell.Word) bool {
	for t := range p.Texts {
		if p.Texts[t] == "" {
			continue
		}
		_, ok := s.Files[path.Base(p.Texts[t])]
		if t == 0 && ok {
			return true
		}
	}
	return false
}
