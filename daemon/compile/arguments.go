package compile

import (
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"showhow/capture"
	"showhow/daemon/workflow"
	"showhow/internal/plain"
)

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
	more := make([]shellLine, len(s.roundN[c]))
	for k, r := range s.roundN[c] {
		if r.act != nil {
			more[k] = readLine(r.act.command)
		}
	}
	clear(s.makes)
	for _, name := range newFiles(a) {
		s.makes[s.openText(name)] = true
	}
	s.adoptFragments(c)
	lists := listsIn(lines[base])
	for i := range lines[base].words {
		switch k := slices.IndexFunc(lists, func(g group) bool { return g.from <= i && i < g.to }); {
		case k < 0:
			s.argument(lines, more, base, i)
		case lists[k].from == i && !s.knownFiles(lines[base].words[i:lists[k].to]):
			s.list(lines, more, base, lists[k])
		}
	}
	s.written(c, a)
}

// knownFiles reports whether words name files that earlier steps made or that are inputs already.
func (s *study) knownFiles(ws []shellWord) bool {
	return slices.ContainsFunc(ws, func(w shellWord) bool {
		text := s.openRefs(w.text)
		_, made := s.files[path.Base(text)]
		return made || s.known(text) != nil
	})
}

// written finds among the files that a command made those that are named after the day, whatever its line says.
func (s *study) written(c *column, a *act) {
	for i := range min(len(filesOf(a)), maxFilesTold) {
		s.dated(&param{Param: workflow.Param{Kind: capture.KindFile}, source: "file", texts: s.each(c, func(b *act) string {
			if files := filesOf(b); i < len(files) {
				return s.openText(files[i].Name)
			}
			return ""
		})})
	}
}

func (s *study) argument(lines, more []shellLine, base, i int) {
	w := lines[base].words[i]
	if w.part {
		return // what of it is a value is a fragment
	}
	p := &param{source: "argument", where: strconv.Itoa(i), texts: make([]string, len(lines))}
	p.Required = true
	for t, l := range lines {
		if i < len(l.words) && len(l.words) == len(lines[base].words) {
			p.texts[t] = s.openRefs(l.words[i].text)
		}
	}
	for k, l := range more {
		text := ""
		if i < len(l.words) && len(l.words) == len(lines[base].words) {
			text = s.openRefs(l.words[i].text)
		}
		p.rounds, p.roundOf = append(p.rounds, text), append(p.roundOf, s.roundN[s.here][k].trace)
	}
	if p.texts[base] == "" || s.isProduced(p, w) {
		return
	}
	if s.explained(p, w) {
		if m := refForm.FindStringSubmatch(w.text); m != nil && m[0] == w.text {
			for t, text := range p.texts {
				for _, link := range s.linksOf[strings.ToLower(plain.Squeeze(text))] {
					s.gens[t].links[link] = s.gens[t].text(text)
				}
			}
		}
		if name := path.Base(p.texts[base]); w.redirect == ">" || w.redirect == ">>" || s.makes[name] {
			s.files[name] = s.gens[base].text(name)
		}
		return
	}
	sealed := strings.ContainsRune(w.text, refOpen)
	probe := *p
	s.judge(&probe)
	branch := lines[base].branch(w)
	if !sealed && !probe.varied && !w.fileLike() && !branch && len(refsOf(s.gens[base].text(p.texts[base]))) == 0 {
		if !w.amount() || probe.steady || len(s.linksOf[p.texts[base]]) > 0 {
			return // a plain word: it belongs to the command
		}
		p.ask = true // how many, or which one: as it was, until somebody says that it is another each time
	}
	if w.redirect == ">" || w.redirect == ">>" || s.makes[path.Base(p.texts[base])] {
		s.output(p, w, probe.varied || sealed)
		return
	}
	p.Label, p.Kind, p.sealed, p.program = s.argumentLabel(w, p), kindOf(p.texts[base]), sealed, w.program
	switch {
	case branch:
		p.Label, p.Kind = "branch", capture.KindText
	case w.fileLike():
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
	a, _ := s.here.base()
	p.beside = len(refsOf(s.gens[base].word(a.command.Line))) > 0
	steady := probe.varied && s.sameButFor(p)
	tmpl := s.settle(nil, p)
	if steady && len(s.params) > 0 && s.params[len(s.params)-1] == p {
		p.varied, p.settled, p.steady, p.Role = false, false, true, workflow.RoleUndecided
	}
	if utf8.RuneCountInString(p.texts[base]) < 3 {
		s.brief[s.here] = append(s.brief[s.here], briefWord{w.flag, w.text, tmpl})
	}
}

// sameButFor reports whether a text was the same in every demonstration but for values that are known by themselves.
func (s *study) sameButFor(p *param) bool {
	tmpl := ""
	for t, text := range p.texts {
		if text == "" {
			continue
		}
		got := s.gens[t].text(text)
		if len(refsOf(got)) == 0 || strings.Contains(got, anyRef) || tmpl != "" && got != tmpl {
			return false
		}
		tmpl = got
	}
	return tmpl != "" && plain.Letters(refForm.ReplaceAllString(tmpl, "")) > 0
}

// ofLayout are programs whose numbers say how a text is laid out or how the work is done, hardly ever what is asked for.
var ofLayout = set("sort cut xargs uniq join paste column tar patch make tr awk sed fold nl parallel ssh scp chmod")

// amount reports whether a word is a number that a telling flag asks for: "--week 47", "-n 5".
func (w shellWord) amount() bool {
	return (strings.HasPrefix(w.flag, "--") || flagNames[w.flag] != "") && w.text != "" && len(w.text) <= 6 && plain.Digits(w.text) == len(w.text) && !ofLayout[w.program]
}

// briefWord is an argument too short to be looked for everywhere: it is known by its flag, or by standing once in its line.
type briefWord struct{ flag, text, template string }

// withBrief puts the templates of brief arguments into a column's line.
func (s *study) withBrief(c *column, line string) string {
	for _, b := range s.brief[c] {
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
		p.Label = outputLabel(p.texts[0])
		t := s.settle(nil, p)
		s.files[path.Base(p.texts[0])] = t
		return
	}
	s.files[path.Base(p.texts[0])] = path.Base(p.texts[0])
}

// outputLabel names a file that a command writes by the words of its name: report-2026-47.csv is a report.
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

// fileWords are words of file names that say what a file is, whoever it belongs to.
var fileWords = set("report summary export result results output total totals list table index backup archive log data copy sorted merged combined filtered clean cleaned final draft invoice invoices order orders sales stock inventory notes minutes chart plot image thumbnail small large build release bundle dump snapshot stats statistics counts names ids")

// knownWords: anything else in a file's name may be somebody's data.
func knownWords(ws []string) bool {
	return !slices.ContainsFunc(ws, func(w string) bool { return !fileWords[w] })
}

// dated recognises a file that is named after the day on which it is made. The day is computed then, never asked for.
func (s *study) dated(p *param) bool {
	if s.today == nil {
		days := make([]string, len(p.texts))
		for t, d := range s.days {
			days[t] = d.Format("2006-01-02")
		}
		s.today = &param{Param: workflow.Param{ParamID: workflow.TodayID, Label: "today", Kind: capture.KindDate, Role: workflow.RoleInput, Derived: "the day on which this is done, as YYYY-MM-DD"},
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
	last := &param{Param: workflow.Param{Kind: capture.KindFile}, source: "file", texts: make([]string, len(p.texts))}
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

// plainFlags take no argument in these programs, or one that means something else.
var plainFlags = set2("mkdir -p", "cp -p", "cp -u", "cp -f", "cp -t", "cp -n", "mv -f", "mv -u", "mv -n", "mv -t", "rm -f", "rm -d", "ln -f", "ln -n", "gzip -f", "gunzip -f", "bzip2 -f", "xz -f",
	"sort -n", "sort -u", "sort -f", "sort -d", "sort -h", "sort -b", "uniq -u", "uniq -d", "ls -t", "ls -h", "ls -n", "ls -d", "du -h", "df -h", "diff -u", "diff -b", "grep -n", "grep -h", "grep -o", "cat -n",
	"cat -e", "cat -t", "unzip -o", "unzip -n", "unzip -u", "zip -u", "zip -m", "rsync -u", "rsync -n", "rsync -p", "rsync -t", "touch -m", "wc -m", "curl -d", "curl -f", "test -f", "test -d", "test -n",
	"test -e", "sed -n", "tee -p", "tar -p", "ssh -t", "ssh -n")

func set2(all ...string) map[string]bool {
	out := make(map[string]bool, len(all))
	for _, s := range all {
		out[s] = true
	}
	return out
}

// branch reports whether a word names a branch of git's, which has slashes and is no path.
func (l shellLine) branch(w shellWord) bool {
	if w.program != "git" || w.first {
		return false
	}
	return slices.ContainsFunc(l.calls, func(c shellCall) bool {
		if c.program != "git" || len(c.args) < 2 || !slices.Contains(c.args, w.text) {
			return false
		}
		switch c.args[0] {
		case "switch", "branch", "merge", "rebase":
		case "checkout":
			if slices.Contains(c.args, "--") {
				return false
			}
		default:
			return false
		}
		switch w.flag {
		case "-c", "-C", "-b", "-B", "--create":
			return true
		}
		return w.flag == "" && strings.Contains(w.text, "/") && path.Ext(w.text) == ""
	})
}

// argumentLabel names an argument; one that nothing but its command would name, by the words beside it where it comes again, or
// by the thing that the work is about.
func (s *study) argumentLabel(w shellWord, p *param) string {
	if w.runsText() {
		return "program"
	}
	if w.flag == "<<" {
		return "text"
	}
	label := argumentLabel(w)
	if !strings.HasSuffix(label, " argument") {
		return label
	}
	for _, f := range s.frags {
		if f.rank < 8 && sameAll(f.texts, p.texts) {
			return f.label
		}
	}
	noun := s.goalNoun()
	if noun == "" || slices.ContainsFunc(s.params, func(q *param) bool { return q.Label == noun }) {
		return label
	}
	return noun
}

// argumentLabel names an argument: by its flag, by what it looks like, by its command.
func argumentLabel(w shellWord) string {
	if strings.HasPrefix(w.flag, "--") {
		return strings.ReplaceAll(strings.TrimPrefix(w.flag, "--"), "-", " ")
	}
	if name := flagNames[w.flag]; name != "" && !plainFlags[w.program+" "+w.flag] {
		return name
	}
	if w.program == "mkdir" || w.program == "rmdir" {
		return "folder"
	}
	if n := len(w.flag); n > 2 && n < 6 && w.flag[0] == '-' && plain.Letters(w.flag) == n-1 && flagNames["-"+w.flag[n-1:]] != "" {
		return flagNames["-"+w.flag[n-1:]] // of flags in one word, the last one takes the argument
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
