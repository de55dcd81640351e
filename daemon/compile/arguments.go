package compile

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"showhow/capture"
)

func itoa(n int) string { return strconv.Itoa(n) }

// arguments makes parameters of the words of a command line: those that were sealed, those that name a file which nothing
// before produced, and those that differ between demonstrations or rounds.
func (s *study) arguments(c *column, a *act) {
	lines := make([]shellLine, len(c.acts))
	for t, b := range c.acts {
		if b != nil && b.command != nil {
			lines[t] = readLine(b.command)
		}
	}
	_, base := c.base()
	var more []shellLine
	for _, r := range s.roundN[c] {
		more = append(more, readLine(r.command))
	}
	clear(s.makes)
	for _, name := range newFiles(a) {
		s.makes[s.openText(name)] = true
	}
	for i := range lines[base].words {
		s.argument(lines, more, base, i)
	}

}

func (s *study) argument(lines, more []shellLine, base, i int) {
	w := lines[base].words[i]
	p := &param{source: "argument", texts: make([]string, len(lines))}
	p.Required = true
	for t, l := range lines {
		if i < len(l.words) && len(l.words) == len(lines[base].words) {
			p.texts[t] = s.openRefs(l.words[i].text)
		}
	}
	for _, l := range more {
		if i < len(l.words) {
			p.rounds = append(p.rounds, s.openRefs(l.words[i].text))
		}
	}
	if p.texts[base] == "" || s.isProduced(p, w) {
		return
	}
	sealed := strings.ContainsRune(w.text, refOpen)
	probe := *p
	s.judge(&probe)
	if !sealed && !probe.varied && !w.fileLike() && len(refsOf(s.gens[base].text(p.texts[base]))) == 0 {
		return // a plain word: it belongs to the command
	}
	if w.redirect == ">" || w.redirect == ">>" || s.makes[path.Base(p.texts[base])] {
		s.output(p, w, probe.varied || sealed)
		return
	}
	p.Label, p.Kind = argumentLabel(w), kindOf(p.texts[base])
	if w.fileLike() {
		p.Kind = capture.KindFile
	}
	if m := refForm.FindStringSubmatch(w.text); m != nil && m[0] == w.text {
		p.LinkID = strings.TrimPrefix(m[1], "@")
	}
	if (strings.ContainsAny(p.texts[base], "*?") || strings.HasSuffix(p.texts[base], "/")) && !sealed && !probe.varied {
		return // a pattern says "all of them" already, and a folder is a place
	}
	if p.Kind == capture.KindFile && s.asPath(p) {
		return
	}
	s.settle(nil, p)
}

// openRefs is a shell word with its masks' values, for comparing only.
func (s *study) openRefs(word string) string {
	return refForm.ReplaceAllStringFunc(word, func(m string) string {
		id := refForm.FindStringSubmatch(m)[1]
		return s.in.Values[strings.TrimPrefix(id, "@")]
	})
}

// isProduced reports whether the word names a file that an earlier step made; its template is known then.
func (s *study) isProduced(p *param, w shellWord) bool {
	for t := range p.texts {
		if p.texts[t] == "" {
			continue
		}
		_, ok := s.files[path.Base(p.texts[t])]
		if t == 0 && ok {
			return true
		}
	}
	return false
}

// output handles the file that a redirection writes: its name is the author's choice, not an input, unless it varied in a
// way that no input explains.
func (s *study) output(p *param, w shellWord, free bool) {
	p.Kind = capture.KindFile
	if s.asPath(p) {
		return
	}
	if t := s.derived(nil, p); t != "" {
		s.files[path.Base(p.texts[0])] = t
		return
	}
	if s.dated(p) {
		s.files[path.Base(p.texts[0])] = s.gens[0].text(path.Base(p.texts[0]))
		return
	}
	if free || idLike(strings.TrimSuffix(path.Base(p.texts[0]), path.Ext(p.texts[0]))) {
		p.Label = "output file"
		t := s.settle(nil, p)
		s.files[path.Base(p.texts[0])] = t
		return
	}
	s.files[path.Base(p.texts[0])] = path.Base(p.texts[0])
}

// dated recognises a file that is named after the day on which it is made. The day is computed then, never asked for.
func (s *study) dated(p *param) bool {
	if s.today == nil {
		days := make([]string, len(p.texts))
		for t, d := range s.days {
			days[t] = d.Format("2006-01-02")
		}
		s.today = &param{Param: Param{ParamID: "today", Label: "today", Kind: capture.KindDate, Role: roleInput, Derived: "the day on which this is done, as YYYY-MM-DD"},
			texts: days, source: "file", settled: true}
	}
	for t, text := range p.texts {
		probe := newGeneraliser(nil)
		probe.learn(s.today, s.today.texts[t])
		if tmpl := probe.text(text); text != "" && (len(refsOf(tmpl)) == 0 || idLike(refForm.ReplaceAllString(tmpl, ""))) {
			return false
		}
	}
	if !s.hasToday {
		s.hasToday = true
		s.params = append(s.params, s.today)
		s.relearn(s.today, s.today)
	}
	return true
}

// asPath reports whether a path's last part follows from what is known, whatever the folder: nothing needs to be asked then.
func (s *study) asPath(p *param) bool {
	if !strings.Contains(p.texts[0], "/") {
		return false
	}
	last := &param{Param: Param{Kind: capture.KindFile}, source: "file", texts: make([]string, len(p.texts))}
	for t, text := range p.texts {
		if text != "" {
			last.texts[t] = path.Base(text)
		}
	}
	if t := s.derived(nil, last); t != "" {
		s.files[path.Base(p.texts[0])] = t
		return true
	}
	return false
}

// flagNames are one-letter flags whose meaning is the same nearly everywhere.
var flagNames = map[string]string{"-o": "output file", "-m": "message", "-u": "user", "-h": "host", "-p": "port", "-n": "count", "-d": "date", "-f": "file", "-e": "expression", "-t": "tag", "-b": "branch"}

// argumentLabel names an argument: by its flag, by what it looks like, by its command.
func argumentLabel(w shellWord) string {
	if strings.HasPrefix(w.flag, "--") {
		return strings.ReplaceAll(strings.TrimPrefix(w.flag, "--"), "-", " ")
	}
	if name := flagNames[w.flag]; name != "" {
		return name
	}
	if w.redirect == "<" {
		return "input file"
	}
	if w.fileLike() {
		if ext := strings.TrimPrefix(path.Ext(w.text), "."); ext != "" && slices.Contains([]string{"csv", "json", "txt", "pdf", "xlsx", "log", "xml", "md", "zip", "png", "jpg", "wav", "mp3", "mp4", "sql", "html"}, strings.ToLower(ext)) {
			return strings.ToLower(ext) + " file"
		}
		return "file"
	}
	if w.program != "" {
		if w.program == "echo" || w.program == "printf" {
			return "text"
		}
		return strings.TrimSuffix(path.Base(w.program), path.Ext(w.program)) + " argument"
	}
	return "argument"
}
