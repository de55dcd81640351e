package flow

import (
	"path"
	"regexp"
	"strings"

	"showhow/daemon/compile/align"
	"showhow/daemon/compile/page"
	"showhow/daemon/compile/shell"
	"showhow/daemon/compile/template"
	"showhow/daemon/compile/values"
)

// lineOf returns a command line as a template. A file that an earlier step made is recognised as a whole, even if its
// name is partly sealed.
func lineOf(s *values.Study, c *align.Column, a *align.Cell, g *template.Generaliser) string {
	line := quoteAgain(s.WithBrief(c, page.MasksToRefs(a.Command.Line)), g)
	for _, w := range shell.Read(a.Command).Words {
		open := s.OpenRefs(w.Text)
		t, ok := s.Files[path.Base(open)]
		if !ok || open != path.Base(open) || len(open) < 3 || len(page.RefsOf(t)) == 0 {
			continue
		}
		whole := regexp.MustCompile(`(^|[\s"'=>])` + regexp.QuoteMeta(w.Text) + `($|[\s"';|&)])`)
		line = whole.ReplaceAllString(line, "${1}"+t+"${2}")
	}
	if !strings.ContainsRune(line, page.RefOpen) {
		return g.Text(line)
	}
	return g.Reapply(line)
}

// quoteAgain adds quotation marks around sealed words whose text needs them: sealing a word removes its own.
func quoteAgain(line string, g *template.Generaliser) string {
	return quoteWhere(line, func(whole, id string) string { return page.RefForm.ReplaceAllString(g.Resolve(whole, id), "") })
}

// quoteWhere adds quotation marks around the references in a line whose text, as text returns it, needs them.
func quoteWhere(line string, text func(whole, id string) string) string {
	var b strings.Builder
	at := 0
	for _, m := range page.RefForm.FindAllStringSubmatchIndex(line, -1) {
		before := line[:m[0]]
		open := strings.Count(before, `"`)%2 == 1 || strings.Count(before, "'")%2 == 1
		mark := quotesFor(text(line[m[0]:m[1]], line[m[2]:m[3]]))
		if open || before != "" && !strings.ContainsRune(" =(", rune(before[len(before)-1])) || m[1] < len(line) &&
			!strings.ContainsRune(" ;|&)>", rune(line[m[1]])) {
			mark = "" // part of a word, or already quoted
		}
		b.WriteString(line[at:m[0]] + mark + line[m[0]:m[1]] + mark)
		at = m[1]
	}
	return b.String() + line[at:]
}

// quotesFor returns the quotation mark that keeps a text one word of a shell line, or "" if it needs none.
func quotesFor(text string) string {
	switch {
	case !strings.ContainsAny(text, " \t\n'\"$`\\|&;<>()*?[]#!"):
		return ""
	case !strings.ContainsAny(text, "\"$`\\!"):
		return `"`
	case !strings.Contains(text, "'"):
		return "'"
	}
	return ""
}
