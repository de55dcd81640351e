package values

import (
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"showhow/capture"
	"showhow/daemon/compile/align"
	"showhow/daemon/compile/page"
	"showhow/daemon/compile/shell"
	"showhow/daemon/compile/template"
	"showhow/daemon/compile/trace"
	"showhow/daemon/workflow"
	"showhow/internal/lang"
	"showhow/internal/plain"
)

// output handles a file that a redirection writes: its name is the author's choice, not an input, unless it varied in a
// way that no input explains.
func output(s *Study, c *align.Column, p *Param, w shell.Word, free bool) {
	p.Kind = capture.KindFile
	if asPath(s, p) {
		return
	}
	if t := s.derived(p); t != "" {
		s.Files[path.Base(p.Texts[0])] = t
		return
	}
	if namedAfterDay(s, p) {
		s.Files[path.Base(p.Texts[0])] = s.Gens[0].Text(path.Base(p.Texts[0]))
		return
	}
	if free || page.IDLike(strings.TrimSuffix(path.Base(p.Texts[0]), path.Ext(p.Texts[0]))) {
		p.Label = outputLabel(p.Texts[0])
		t := s.settle(c, p)
		s.Files[path.Base(p.Texts[0])] = t
		return
	}
	s.Files[path.Base(p.Texts[0])] = path.Base(p.Texts[0])
}

// outputLabel names an output file by the words of its name: report-2026-47.csv is a report.
func outputLabel(text string) string {
	var kept []string
	stem := strings.TrimSuffix(path.Base(text), path.Ext(text))
	for _, w := range strings.FieldsFunc(stem, func(r rune) bool { return !unicode.IsLetter(r) }) {
		if utf8.RuneCountInString(w) >= 3 && len(kept) < 2 {
			kept = append(kept, strings.ToLower(w))
		}
	}
	switch {
	case len(kept) > 0 && knownWords(kept):
		return strings.Join(kept, " ") + " file"
	case strings.Contains(text, ".tar.") || path.Ext(text) == ".zip":
		return "archive"
	case len(path.Ext(text)) > 1 && plain.Letters(path.Ext(text)) == len(path.Ext(text))-1:
		return strings.ToLower(strings.TrimPrefix(path.Ext(text), ".")) + " output file"
	}
	return "output file"
}

// fileWords are words in file names that say what a file is and are nobody's data.
var fileWords = lang.English("files")

// knownWords reports whether all words are in fileWords; any other may be a person's data.
func knownWords(ws []string) bool {
	return !slices.ContainsFunc(ws, func(w string) bool { return !fileWords.Has(w) })
}

// namedAfterDay recognises a file that is named after the day on which it is made. The day is computed in each run, never asked
// for.
func namedAfterDay(s *Study, p *Param) bool {
	if s.today == nil {
		days := make([]string, len(p.Texts))
		for t, d := range s.days {
			days[t] = d.Format("2006-01-02")
		}
		s.today = &Param{Param: workflow.Param{ParamID: workflow.TodayID, Label: "today", Kind: capture.KindDate, Role: workflow.RoleInput,
			Derived: "the day on which this is done, as YYYY-MM-DD"},
			Texts: days, Source: "file", Settled: true}
	}
	for t, text := range p.Texts {
		probe := template.NewGeneraliser(nil)
		probe.Learn(s.today.Param, s.today.Texts[t])
		if tmpl := probe.Text(text); text != "" && (len(page.RefsOf(tmpl)) == 0 || page.IDLike(page.RefForm.ReplaceAllString(tmpl, ""))) {
			return false
		}
	}
	if !s.hasToday {
		s.hasToday = true
		s.Params = append(s.Params, s.today)
		s.relearn(s.today, s.today)
	}
	return true
}

// asPath reports whether the last element of a path follows from known values, so that nothing needs to be asked.
func asPath(s *Study, p *Param) bool {
	if !strings.Contains(p.Texts[0], "/") {
		return false
	}
	last := &Param{Param: workflow.Param{Kind: capture.KindFile}, Source: "file", Texts: make([]string, len(p.Texts))}
	for t, text := range p.Texts {
		if text != "" {
			last.Texts[t] = path.Base(text)
		}
	}
	if t := s.derived(last); t != "" {
		s.Files[path.Base(p.Texts[0])] = t
		return true
	}
	return false
}

// written finds, among the files that a command made, those that are named after the day, even if its line does not name
// them.
func written(s *Study, c *align.Column, a *align.Cell) {
	for i := range min(len(trace.FilesOf(a.Act)), trace.MaxFilesTold) {
		namedAfterDay(s, &Param{Param: workflow.Param{Kind: capture.KindFile}, Source: "file", Texts: s.each(c, func(b *align.Cell) string {
			if files := trace.FilesOf(b.Act); i < len(files) {
				return s.OpenText(files[i].Name)
			}
			return ""
		})})
	}
}
