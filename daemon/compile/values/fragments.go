package values

import (
	"cmp"
	"encoding/json"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"showhow/capture"
	"showhow/daemon/compile/align"
	"showhow/daemon/compile/draft"
	"showhow/daemon/compile/intent"
	"showhow/daemon/compile/page"
	"showhow/daemon/compile/shell"
	"showhow/daemon/compile/template"
	"showhow/daemon/workflow"
	"showhow/internal/lang"
	"showhow/internal/lazyre"
	"showhow/internal/plain"
)

// fragment is a value inside words of command lines: the month in "-v m=2026-03" and "total-2026-03.txt", the customer
// in a sed expression and in the name of a letter. Two demonstrations reveal it by their difference; a single one only
// by repeating it in another word.
type fragment struct {
	texts []string // by trace
	label string
	rank  int // of the label: lower is better
	at    *align.Column
	words int  // number of words that contain it
	files bool // it occurs in file names only
}

// spot is one word of a command in all demonstrations.
type spot struct {
	col   *align.Column
	texts []string // by trace, opened; "" where the word is missing
	word  shell.Word
	line  string
}

// findFragments finds all fragments before the columns are processed, so that the first word with one makes the
// parameter.
func findFragments(s *Study) {
	spots := spots(s)
	var all []*fragment
	add := func(texts []string, sp spot) {
		i := slices.IndexFunc(all, func(f *fragment) bool { return sameAll(f.texts, texts) })
		if i < 0 {
			all = append(all, &fragment{texts: texts, at: sp.col, rank: 99, files: true})
			i = len(all) - 1
		}
		f := all[i]
		f.words++
		f.files = f.files && sp.word.FileLike()
		_, t := sp.col.Base()
		label, rank := fragmentLabel(sp, texts[t])
		if sp.word.Redirect != "" {
			rank += 2 // the name of a result says less than what it is made of
		}
		if rank < f.rank {
			f.label, f.rank = label, rank
		}
	}
	for _, sp := range spots {
		if varies(sp.texts) {
			for _, texts := range Differing(sp.texts) {
				add(texts, sp)
			}
		}
	}
	if len(s.In.Traces) == 1 {
		for _, sp := range spots {
			for _, v := range jsonValues(sp.texts[0]) {
				add([]string{v}, sp)
			}
		}
	}
	for _, texts := range recurring(s, spots) {
		for _, sp := range spots {
			if _, t := sp.col.Base(); t == 0 && holds(sp.texts[0], texts[0]) && (!sp.word.FileLike() || texts[0] != sp.texts[0]) {
				add(texts, sp)
			}
		}
	}
	for _, f := range all {
		if f.words < 2 && f.files && !slices.ContainsFunc(spots, func(sp spot) bool { return sameAll(sp.texts, f.texts) }) {
			continue // one file with another name: the file itself is the input
		}
		s.frags = append(s.frags, f)
	}
}

func sameAll(a, b []string) bool {
	return slices.EqualFunc(a, b, func(x, y string) bool { return x == "" || y == "" || strings.EqualFold(x, y) })
}

func varies(texts []string) bool {
	first := ""
	for _, t := range texts {
		if t != "" && first != "" && t != first {
			return true
		}
		if first == "" {
			first = t
		}
	}
	return false
}

// spots lists the words of all commands outside loops that the demonstrations have in common.
func spots(s *Study) []spot {
	var out []spot
	for _, c := range s.Columns {
		a, base := c.Base()
		if a.Command == nil || a.Run != nil {
			continue
		}
		lines := make([]shell.Line, len(c.Acts))
		for t, b := range c.Acts {
			if b != nil && b.Command != nil {
				lines[t] = shell.Read(b.Command)
			}
		}
		lists := shell.ListsIn(lines[base])
		for i, w := range lines[base].Words {
			if slices.ContainsFunc(lists, func(g shell.Group) bool { return g.From <= i && i < g.To }) || w.First &&
				shell.WithSubcommand[w.Program] {
				continue
			}
			sp := spot{col: c, texts: make([]string, len(c.Acts)), word: w, line: a.Command.Line}
			for t, l := range lines {
				if len(l.Words) == len(lines[base].Words) {
					sp.texts[t] = s.OpenRefs(l.Words[i].Text)
				}
			}
			out = append(out, sp)
		}
	}
	return out
}

// valueForm matches texts that can be a value when they recur: a version, a date, a code, a longer word.
var valueForm = lazyre.New(`\d{4}-\d{2}(?:-\d{2})?|\d+(?:\.\d+)+|\p{Lu}{1,4}-?\d+|\p{L}[\p{L}\p{N}]{3,}|\p{Lu}{3}|\d{2,}`)

var jsonPair = lazyre.New(`"[A-Za-z][A-Za-z0-9_ -]{2,30}"\s*:\s*(?:"([^"\\{}\[\]]{1,60})"|(-?\d+(?:\.\d+)?))`)

// jsonValues returns the values in a word that is a JSON object: data that is sent was supplied by somebody.
func jsonValues(text string) []string {
	if !strings.HasPrefix(text, "{") || !json.Valid([]byte(text)) {
		return nil
	}
	var out []string
	for _, m := range jsonPair.FindAllStringSubmatch(text, -1) {
		if v := m[1] + m[2]; isValue(v) {
			out = append(out, v)
		}
	}
	return out
}

// recurring finds values that a single demonstration reveals by using them in two different words, in one of them as a
// part.
func recurring(s *Study, spots []spot) [][]string {
	if len(s.In.Traces) != 1 {
		return nil
	}
	fixedFolders(s)
	count, inside, among := map[string]map[string]bool{}, map[string]bool{}, map[string]bool{}
	var order []string
	for _, sp := range spots {
		text := sp.texts[0]
		if strings.ContainsRune(sp.word.Text, page.RefOpen) && strings.ContainsAny(text, " \n") {
			continue // a sealed sentence: what it shares with a file name is chance
		}
		for _, at := range valueForm.FindAllStringIndex(text, -1) {
			v := text[at[0]:at[1]]
			low := strings.ToLower(v)
			if s.fixed[low] && (text == v || sp.word.FileLike() && wholePart(text, at[0], at[1])) || shellWords.Has(low) || isKey(text[at[1]:]) ||
				inAddress(text, at[0], at[1]) || slices.Contains(plain.Words(s.In.Goal), low) || isToday(s, v) || text == v && sp.word.FileLike() ||
				strings.EqualFold("."+v, path.Ext(text)) {
				continue
			}
			if count[v] == nil {
				count[v] = map[string]bool{}
				order = append(order, v)
			}
			count[v][text] = true
			inside[v] = inside[v] || text != v
			among[v] = among[v] || !sp.word.FileLike() || !holdsMany(text, at[0], at[1])
		}
	}
	var out [][]string
	for _, v := range order {
		if len(count[v]) >= 2 && inside[v] && among[v] {
			out = append(out, []string{v})
		}
	}
	return out
}

// fixedFolders finds the folders that a line makes only if they are missing: they are the same every time. A folder that
// must be new, or whose name identifies a run, differs each time.
func fixedFolders(s *Study) {
	s.fixed = map[string]bool{}
	for _, c := range s.Columns {
		a, _ := c.Base()
		if a.Command == nil {
			continue
		}
		for _, call := range shell.Read(a.Command).Calls {
			if call.Program != "mkdir" || !slices.ContainsFunc(call.Args, ifMissing) {
				continue
			}
			for _, arg := range call.Args {
				for _, part := range strings.Split(arg, "/") {
					if !strings.HasPrefix(part, "-") && plain.Digits(part) == 0 && !strings.ContainsRune(part, page.RefOpen) {
						s.fixed[strings.ToLower(part)] = true
					}
				}
			}
		}
	}
}

// wholePart reports whether a stretch of a text is a whole path element.
func wholePart(text string, from, to int) bool {
	return (from == 0 || text[from-1] == '/') && (to == len(text) || text[to] == '/')
}

// holdsMany reports whether a stretch of a path is a folder with a plural name and a path below it: releases/1.4.2.
func holdsMany(text string, from, to int) bool {
	return wholePart(text, from, to) && to < len(text) && intent.Singular(text[from:to]) != ""
}

// ifMissing reports whether a flag lets mkdir accept an existing folder.
func ifMissing(arg string) bool {
	return arg == "--parents" || strings.HasPrefix(arg, "-") && !strings.HasPrefix(arg, "--") && strings.Contains(arg, "p")
}

// isToday reports whether a value is a form of the date of the demonstration, which is computed, not asked for.
func isToday(s *Study, v string) bool {
	day := s.days[0]
	return slices.ContainsFunc(workflow.DateParts, func(f workflow.DatePart) bool { return day.Format(f.Layout) == v })
}

// isKey reports whether the text that follows a word makes the word a key rather than a value.
func isKey(rest string) bool {
	return strings.HasPrefix(strings.TrimLeft(rest, `"' `), ":") || strings.HasPrefix(strings.TrimLeft(rest, `"' `), "=")
}

// inAddress reports whether a stretch of an address is its host or a fixed part of its path.
func inAddress(text string, from, to int) bool {
	i := strings.Index(text, "://")
	if i < 0 || from < i {
		return i >= 0
	}
	host, _, _ := strings.Cut(text[i+3:], "/")
	return from < i+3+len(host) || !page.IDLike(text[from:to])
}

// shellWords are the vocabulary of programs and scripts: words of commands rather than values.
var shellWords = lang.English("shell.common")

// holds reports whether a text contains a value as words of its own.
func holds(text, value string) bool {
	for at := 0; ; {
		i := strings.Index(text[at:], value)
		if i < 0 {
			return false
		}
		i += at
		before, _ := utf8.DecodeLastRuneInString(text[:i])
		if (i == 0 || !plain.WordRune(before) || unicode.IsDigit(page.FirstRune(value)) && unicode.IsLetter(before)) &&
			template.Boundary(text, i+len(value)) {
			return true
		}
		at = i + 1
	}
}

// Patterns that label a fragment by the text beside it, the more telling first.
var (
	keyBefore   = lazyre.New(`([A-Za-z][A-Za-z0-9_ -]{2,30})["']?\s*(?:==?|:|!=|=~)\s*["']?$`)
	placeholder = lazyre.New(`s([/|#,])[^\p{L}]*([A-Z][A-Z_]{2,})[^\p{L}]*[/|#,]$`)
	collection  = lazyre.New(`/([a-z]{3,})/$`)
	prefixWord  = lazyre.New(`(?:^|[/\s"'=])([A-Za-z]{3,})[-_.]$`)
	headWord    = lazyre.New(`^([a-z]{4,})/$`)
	setting     = lazyre.New(`(?:^|\n)[ \t]*([A-Za-z][A-Za-z0-9_-]{2,30})[ \t]+$`)
	compared    = lazyre.New(`(?:[<>]=?|-(?:lt|gt|le|ge|eq))\s*$`)
	versionForm = lazyre.New(`^\d+(?:\.\d+)+$`)
)

// systemFolders are folders that every Unix has and that say nothing about their contents.
var systemFolders = plain.Set("srv usr var opt etc mnt media tmp run lib bin share local")

// fragmentLabel names a fragment by its surroundings in a word; rank says how telling they are, lower is better.
func fragmentLabel(sp spot, value string) (label string, rank int) {
	_, t := sp.col.Base()
	text := sp.texts[t]
	i := strings.Index(text, value)
	if i < 0 {
		return "", 99
	}
	before := text[:i]
	if m := keyBefore.FindStringSubmatch(before); m != nil {
		return strings.ToLower(m[1]), 0
	}
	if m := placeholder.FindStringSubmatch(before); m != nil {
		return strings.ToLower(strings.ReplaceAll(m[2], "_", " ")), 1
	}
	if m := collection.FindStringSubmatch(before); m != nil && !systemFolders[m[1]] {
		return cmp.Or(intent.Singular(m[1]), m[1]), 2
	}
	if strings.HasPrefix(sp.word.Flag, "--") && before == "" {
		return strings.ReplaceAll(strings.TrimPrefix(sp.word.Flag, "--"), "-", " "), 3
	}
	if _, ok := workflow.ParseMonth(value); ok {
		return "month", 4
	}
	if _, ok := workflow.ParseDate(value); ok {
		return "date", 4
	}
	if versionForm.MatchString(value) {
		return "version", 4
	}
	if compared.MatchString(before) {
		return "limit", 5
	}
	if m := setting.FindStringSubmatch(before); m != nil && sp.word.Program == "heredoc" {
		return strings.ToLower(m[1]), 5
	}
	if m := headWord.FindStringSubmatch(before); m != nil && !shellWords.Has(m[1]) {
		return cmp.Or(intent.Singular(m[1]), m[1]), 6
	}
	if m := prefixWord.FindStringSubmatch(before); m != nil && !shellWords.Has(strings.ToLower(m[1])) && plain.Digits(m[1]) == 0 &&
		intent.FamilyOf.Get(strings.ToLower(m[1])) == "" {
		return strings.ToLower(m[1]), 6
	}
	return "name", 8
}

// adoptFragments makes parameters of the fragments that first occur in a column.
func adoptFragments(s *Study, c *align.Column) {
	for _, f := range s.frags {
		if f.at != c || knownAlready(s, f) {
			continue
		}
		_, base := c.Base()
		label := f.label
		if f.rank >= 8 {
			label = cmp.Or(goalNoun(s), label)
		}
		p := &Param{Param: workflow.Param{Label: label, Kind: page.KindOf(f.texts[base]), Required: true}, Source: "argument", where: "part/" +
			f.label, Texts: f.texts, sealed: true}
		if _, ok := workflow.ParseMonth(f.texts[base]); ok {
			p.Kind = capture.KindDate
		}
		if page.AllDigits(f.texts[base]) {
			p.Kind = capture.KindNumber
		}
		tmpl := s.settle(c, p)
		for t, text := range f.texts {
			if text == "" {
				continue
			}
			if versionForm.MatchString(text) {
				s.Gens[t].Add("v"+text, "v"+tmpl)
			}
			if utf8.RuneCountInString(text) < 3 {
				s.Gens[t].AddShort(text, tmpl)
			}
		}
	}
}

// knownAlready reports whether a fragment is the value of an earlier input.
func knownAlready(s *Study, f *fragment) bool {
	return slices.ContainsFunc(s.Params, func(p *Param) bool {
		return sameTexts(p, &Param{Param: workflow.Param{Label: p.Label}, Texts: f.texts}) && !trivial(p)
	})
}

// readableElsewhere reports whether every word of a text is readable in the goal or in a command line anyway.
func readableElsewhere(s *Study, rest string) bool {
	if s.said == nil {
		s.said = plain.Set(strings.Join(plain.Words(draft.GoalOf(s.In)), " "))
		for _, c := range s.Columns {
			if a, _ := c.Base(); a.Command != nil {
				for _, w := range plain.Words(page.MaskForm.ReplaceAllString(a.Command.Line, " ")) {
					s.said[w] = true
				}
			}
		}
	}
	return !slices.ContainsFunc(plain.Words(rest), func(w string) bool { return !s.said[w] })
}

// explained reports whether a word equals its template in every demonstration, with nothing left that differs.
func explained(s *Study, p *Param, w shell.Word) bool {
	tmpl := ""
	for t, text := range p.Texts {
		if text == "" {
			continue
		}
		got := s.Gens[t].Word(text)
		if len(page.RefsOf(got)) == 0 || strings.Contains(got, page.AnyRef) || tmpl != "" && got != tmpl {
			return false
		}
		tmpl = got
	}
	if strings.ContainsRune(w.Text, page.RefOpen) && !readableElsewhere(s, page.RefForm.ReplaceAllString(tmpl, " ")) {
		return false // the rest of a sealed word stays sealed
	}
	return tmpl != "" && slices.ContainsFunc(s.frags, func(f *fragment) bool {
		_, t := f.at.Base()
		return f.texts[t] != "" &&
			holds(p.Texts[t], f.texts[t])
	})
}
