package values

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"showhow/capture"
	"showhow/daemon/compile/align"
	"showhow/daemon/compile/page"
	"showhow/daemon/compile/shell"
	"showhow/internal/lazyre"
)

// list makes one parameter of the files between from and to.
func list(s *Study, c *align.Column, lines, more []shell.Line, base int, g shell.Group) {
	w := lines[base].Words[g.From]
	p := &Param{Source: "argument", where: strconv.Itoa(g.From), Texts: make([]string, len(lines))}
	p.Kind, p.Required, p.List = capture.KindFile, true, true
	p.Label = argumentLabel(shell.Word{Text: "x" + endingOf(s, lines[base].Words[g.From:g.To]), Program: w.Program}) + "s"
	if !strings.HasSuffix(p.Label, "files") {
		p.Label = "files"
	}
	for t, l := range lines {
		p.Texts[t] = strings.Join(listOf(s, l, w.Program, shell.Ending(w)), "\n")
	}
	for k, l := range more {
		p.Rounds, p.RoundOf = append(p.Rounds, strings.Join(listOf(s, l, w.Program, shell.Ending(w)), "\n")), append(p.RoundOf, c.Rounds[k].Trace)
	}
	tmpl := s.add(c, p)
	for t, text := range p.Texts {
		for _, one := range strings.Split(text, "\n") {
			s.Gens[t].Add(one, tmpl)
			for _, link := range s.linksOf[strings.ToLower(one)] {
				s.Gens[t].Links[link] = tmpl
			}
		}
	}
}

// listOf returns the files of a list in another demonstration or round.
func listOf(s *Study, l shell.Line, program, end string) []string {
	for _, g := range shell.ListsIn(l) {
		if l.Words[g.From].Program == program && shell.Ending(l.Words[g.From]) == end {
			var out []string
			for _, w := range l.Words[g.From:g.To] {
				out = append(out, s.OpenRefs(w.Text))
			}
			return out
		}
	}
	for _, w := range l.Words { // a single file
		if w.Program == program && shell.Listable(w) && shell.Ending(w) == end {
			return []string{s.OpenRefs(w.Text)}
		}
	}
	return nil
}

func endingOf(s *Study, ws []shell.Word) string {
	end := path.Ext(s.OpenRefs(ws[0].Text))
	if slices.ContainsFunc(ws, func(w shell.Word) bool { return path.Ext(s.OpenRefs(w.Text)) != end }) {
		return ""
	}
	return end
}

var repeated = lazyre.New("(\uE000[^\uE000\uE001]*\uE001)(?:[\"']?\\s+[\"']?(\uE000[^\uE000\uE001]*\uE001))+")

// CollapseListRefs replaces repeated references to a list, one per file, by a single reference.
func CollapseListRefs(tmpl string, lists map[string]bool) string {
	return repeated.ReplaceAllStringFunc(tmpl, func(m string) string {
		refs := page.RefForm.FindAllString(m, -1)
		var out []string
		for i, r := range refs {
			if i == 0 || r != refs[i-1] || !lists[r] {
				out = append(out, r)
			}
		}
		if len(out) == len(refs) {
			return m
		}
		return strings.Join(out, " ")
	})
}
