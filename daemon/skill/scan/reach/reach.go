// Package reach finds what a skill leads to. An agent does what it is told, and it is told what SKILL.md says, what the files say that
// SKILL.md names, and so on; a program runs when one of these starts it. A case of a test, a graded answer or another skill's copy that
// nothing names gives no order to anybody. Whoever made the skill chose its layout, so in doubt a file is led to: whatever is named in any
// spelling leads there, so do a folder that is named as a whole, a program that looks what there is, and what is read or starts by itself.
// More text leads to more files, never to fewer.
//
// It reads names, not sentences: a text that warns of a file leads to it as well.
package reach

import (
	"fmt"
	"path"
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"showhow/daemon/skill"
	"showhow/daemon/skill/scan/hint"
	"showhow/daemon/skill/scan/report"
	"showhow/daemon/skill/scan/source"
	"showhow/internal/lang"
	"showhow/internal/lazyre"
)

// Map says of the files of a bundle whether the skill leads to them.
type Map map[*source.File]Grade

// Grade is how a skill leads to a file.
type Grade int

// The grades. What a program has as data, or a table of values names, is only passed by.
const (
	Nothing Grade = iota
	Passed
	Led
)

// reach finds the files that a skill leads to.
type reach struct {
	all    []*source.File
	low    map[*source.File]string // their paths in lower case
	grade  Map
	byName map[string][]*source.File // by the file's name
	byStem map[string][]*source.File // programs by their name without its ending
	byDir  map[string][]*dir         // by the folder's own name
	odd    []*source.File            // whose names are no single word
	top    string                    // where SKILL.md lies
	todo   []*source.File
	seen   map[string]bool // what was looked for
	left   int             // how many files nothing was found to lead to

	in      string // the folder of the file whose names are followed
	how     string // in which way it leads
	passing bool   // what is only passed by is looked for
}

// dir is a folder with everything below it.
type dir struct {
	path  string
	files []*source.File
}

// Of is what a bundle leads to, of which one file is SKILL.md; without one all that there is.
func Of(files []*source.File, entry *source.File) Map {
	r := &reach{all: files, grade: Map{}, low: map[*source.File]string{}, byName: map[string][]*source.File{},
		byStem: map[string][]*source.File{}, byDir: map[string][]*dir{}, seen: map[string]bool{}, left: len(files)}
	dirs := map[string]*dir{}
	for _, f := range files {
		r.grade[f] = Nothing
		r.low[f] = strings.ToLower(f.Path)
		base := path.Base(r.low[f])
		r.byName[base] = append(r.byName[base], f)
		if f.Program() {
			stem := strings.TrimSuffix(base, path.Ext(base))
			r.byStem[stem] = append(r.byStem[stem], f)
		}
		if strings.IndexFunc(base, func(c rune) bool { return !nameRune(c) }) >= 0 {
			r.odd = append(r.odd, f)
		}
		for d := path.Dir(r.low[f]); d != "."; d = path.Dir(d) {
			if dirs[d] == nil {
				dirs[d] = &dir{path: d}
				r.byDir[path.Base(d)] = append(r.byDir[path.Base(d)], dirs[d])
			}
			dirs[d].files = append(dirs[d].files, f)
		}
	}
	if entry != nil {
		r.top = path.Dir(r.low[entry])
	}
	r.how = asDocument
	for _, f := range files {
		if entry == nil || f == entry || r.byItself(f) {
			r.take(f)
		}
	}
	r.follow()
	r.passing, r.seen = true, map[string]bool{}
	for _, f := range files {
		if r.grade[f] == Led && r.leads(f) != asDocument { // a document passes by nothing
			r.todo = append(r.todo, f)
		}
	}
	r.follow()
	return r.grade
}

// follow follows names until nothing new comes.
func (r *reach) follow() {
	for len(r.todo) > 0 && r.left > 0 {
		f := r.todo[len(r.todo)-1]
		r.todo = r.todo[:len(r.todo)-1]
		r.how = r.leads(f)
		r.from(f)
	}
}

// take notes that a file is led to. A document leads to whatever it names; a program, and what tools read, to the programs that it starts;
// what either has as data is only passed by, as is what a table of values names.
func (r *reach) take(f *source.File) {
	switch {
	case r.grade[f] != Nothing:
		return
	case r.passing:
		r.grade[f] = Passed
		r.left--
	case r.how == asDocument, r.how == asProgram && f.Program():
		r.grade[f] = Led
		r.left--
	default:
		return
	}
	r.todo = append(r.todo, f)
}

// How a file leads to what it names.
const (
	asDocument = "d"
	asProgram  = "p"
	asData     = "v"
)

func (r *reach) leads(f *source.File) string {
	switch {
	case f.Program(), f.Kind == source.DataFile && source.ReadByTools(path.Base(r.low[f])):
		return asProgram
	case f.Kind == source.DataFile:
		return asData
	}
	return asDocument
}

// byItself: nobody need name the file for it to be read or started: it stands beside SKILL.md or where the format puts such files, it is
// hidden, its name is made to be taken for another, or tools read it wherever it lies.
func (r *reach) byItself(f *source.File) bool {
	base, in := path.Base(r.low[f]), path.Dir(r.low[f])
	switch {
	case f.Kind == source.Binaries, source.ReadByTools(base):
		return true
	case in == r.top, in == ".": // where SKILL.md is found, the rest is seen
		return true
	case in == path.Join(r.top, "references"), in == path.Join(r.top, "scripts"): // which the format tells agents to read and to run
		return true
	}
	return strings.HasPrefix(r.low[f], ".") || strings.Contains(r.low[f], "/.") || strings.Contains("/"+in+"/", "/hooks/") ||
		source.Latin(r.low[f]) != r.low[f] || source.Visible(f.Path) != f.Path
}

var (
	// plusBetween and slashBetween stand between the parts of a name that a program puts together, the latter in calls as well.
	plusBetween  = lazyre.New(`["'` + "`" + `]\s*\+\s*["'` + "`" + `]`)
	slashBetween = lazyre.New(`["'` + "`" + `]\s*\)?\s*/\s*["'` + "`" + `]`)
	joinCall     = lazyre.New(`\b(?:join|joinpath|resolve|path)\s*\([^()\n]*\)`)
	commaBetween = lazyre.New(`["'` + "`" + `]\s*,\s*["'` + "`" + `]`)

	plusHints  = []string{`"+`, `" +`, `'+`, `' +`, "`+", "` +", "\n+", "\n +", "\"\n", "'\n"}
	slashHints = []string{`"/`, `" /`, `'/`, `' /`, `")/`, `") /`, `')/`, `') /`}
	joinHints  = []string{"join", "resolve", "path("}

	// ownPlace is how a program names the folder that it lies in; the others are how it looks what lies in one, or in all below.
	ownPlace = []string{"__file__", "__dirname", "import.meta", "BASH_SOURCE", "$0", "PSScriptRoot", "_PLUGIN_ROOT", "_SKILL_DIR", "__DIR__",
		"FindBin"}
	listsFlat = source.Re(`\b(?:glob|iterdir|listdir|scandir|readdir(?:Sync)?|Get-ChildItem)\b|\bDir\[`)
	listsDeep = source.Re(`\brglob\b|\bwalk(?:Sync)?\s*\(|\*\*/|\brecursive\s*[:=]\s*[tT]rue|-Recurse\b`)
	findsFlat = source.Re(`(?m)(?:^|[|;&({]|\bdo\b|\bthen\b)\s*(?:ls\b|for\s+\w+\s+in\b[^\n]*/\*)`)
	findsDeep = source.Re(`(?m)(?:^|[|;&({<]|\bdo\b|\bthen\b)\s*(?:find|tree|fd|ls\s+-\w*R|grep\s+-\w*r|rg)\s`)

	// patterns are paths with places for names; place is such a place.
	patterns = lazyre.New(`[\w./-]*` + placeFor + `(?:` + placeFor + `|[\w./-])*`)
	place    = lazyre.New(placeFor)

	// imports are lines that take code from another file.
	imports = lazyre.New(`(?m)^[ \t]*(?:from|import|require|use|using|mod|include|load|source|\.|export)\b[^\n]*` +
		`|\b(?:require|require_relative|import|import_module|__import__|run_module|load)\s*\(?[^\n)]*`)

	importing = strings.Fields("from import require use using mod include load source . export run_module")

	// wholeSkill: everything that the skill has is to be read or run.
	wholeSkill = source.Wording("whole.skill")
)

const placeFor = `(?:\*+|\?|\{[^{}\s/]{0,40}\}|<[^<>\s/]{0,40}>|\$\{?\w+\}?|\[[^\[\]\s/]{1,40}\]|%[sd])`

// isFolder are words that call what stands beside them a folder.
var isFolder = sync.OnceValue(func() map[string]bool {
	set := map[string]bool{}
	for _, w := range lang.AskedWords("folders") {
		set[w] = true
	}
	return set
})

// listsOwn: the program looks what lies in its own folder; deep: and in all that lies below or above.
func listsOwn(f *source.File) (lists, deep bool) {
	if !f.Program() || !hint.Any(f.Text, ownPlace) {
		return false, false
	}
	deep = listsDeep.MatchString(f.Text) || f.Kind == source.Shell && findsDeep.MatchString(f.Text)
	return deep || listsFlat.MatchString(f.Text) || f.Kind == source.Shell && findsFlat.MatchString(f.Text), deep
}

// from takes what a file names.
func (r *reach) from(f *source.File) {
	if f.Text == "" {
		return
	}
	low, in := strings.ToLower(f.Text), path.Dir(r.low[f])
	lists, deep := listsOwn(f)
	switch {
	case deep && r.passing:
		for _, o := range r.all {
			r.take(o)
		}
	case r.how == asDocument && speaksOfAll(low):
		for _, o := range r.all {
			if in == r.top || strings.HasPrefix(r.low[o], in+"/") { // seen from where it is said
				r.take(o)
			}
		}
	case lists, f.Program() && f.ImportsComputed():
		for _, o := range r.all {
			if lists && path.Dir(r.low[o]) == in || o.Program() && strings.HasPrefix(r.low[o], strings.TrimPrefix(in+"/", "./")) {
				r.take(o)
			}
		}
	}
	r.in = in
	low = r.withoutPatterns(low)
	r.names(low, in)
	if joined := putTogether(low); joined != low {
		r.names(joined, in)
	}
	if len(r.byStem) > 0 && (f.Program() || f.Kind == source.Markdown) {
		r.imports(low)
	}
	for _, o := range r.odd {
		base := path.Base(r.low[o])
		if r.grade[o] != Led && (strings.Contains(low, base) || strings.Contains(low, strings.ReplaceAll(base, " ", "%20"))) {
			r.take(o)
		}
	}
}

// withoutPatterns is a text without the paths that have places for names, of which all are taken that they can mean.
func (r *reach) withoutPatterns(low string) string {
	var b strings.Builder
	at := 0
	for i := 0; i < len(low); {
		j := i
		for j < len(low) && low[j] > ' ' {
			j++
		}
		if w := low[i:j]; len(w) < 400 && strings.ContainsAny(w, "*?{<$[%") && strings.ContainsAny(w, "./") {
			b.WriteString(low[at:i])
			b.WriteString(patterns.ReplaceAllStringFunc(w, r.filled))
			at = j
		}
		i = j + 1
	}
	if at == 0 {
		return low
	}
	b.WriteString(low[at:])
	return b.String()
}

// imports takes the programs that lines take code from.
func (r *reach) imports(low string) {
	for line := range strings.Lines(low) {
		if !hint.Any(line, importing) {
			continue
		}
		for _, said := range imports.FindAllString(line, -1) {
			for w := range strings.FieldsFuncSeq(said, func(c rune) bool { return !nameRune(c) || c == '.' || c == '/' }) {
				for _, o := range r.byStem[w] {
					r.take(o)
				}
			}
		}
	}
}

// speaksOfAll: everything that the skill has is to be read or run. It is looked for where the skill or a folder is named.
func speaksOfAll(low string) bool {
	for _, h := range lang.WordingOf("whole.skill").Hints {
		for at := 0; ; {
			i := strings.Index(low[at:], h)
			if i < 0 {
				break
			}
			i += at
			if at = i + len(h); wholeSkill.MatchString(strings.ReplaceAll(low[max(0, i-120):min(len(low), at+20)], "\n", " ")) {
				return true
			}
		}
	}
	return false
}

// putTogether is a program's text with names that are put together written as one.
func putTogether(low string) string {
	if hint.Any(low, plusHints) {
		low = plusBetween.ReplaceAllString(low, "")
	}
	if hint.Any(low, slashHints) {
		low = slashBetween.ReplaceAllString(low, "/")
	}
	if hint.Any(low, joinHints) {
		low = joinCall.ReplaceAllStringFunc(low, func(call string) string { return commaBetween.ReplaceAllString(call, "/") })
	}
	return low
}

// names takes what the words of a text lead to; in is where its file lies.
func (r *reach) names(low, in string) {
	last := ""
	for i := 0; i < len(low); {
		c, n := utf8.DecodeRuneInString(low[i:])
		if !nameRune(c) {
			i += n
			continue
		}
		j := i
		for path := false; j < len(low); j += n {
			if c, n = utf8.DecodeRuneInString(low[j:]); !nameRune(c) {
				if path || r.byDir[low[i:j]] != nil {
					r.word(low, i, j, in, last)
				}
				break
			}
			path = path || c == '.' || c == '/'
			if j+n == len(low) {
				r.word(low, i, j+n, in, last)
			}
		}
		last = low[i:j]
		i = j
	}
}

// nameRune is a sign of a name; quotation marks beyond ASCII are none.
func nameRune(c rune) bool {
	return source.PathRune(c) && (c < utf8.RuneSelf || unicode.IsLetter(c) || unicode.IsMark(c) || unicode.IsDigit(c))
}

// word takes what one word of a text leads to.
func (r *reach) word(low string, from, to int, in, last string) {
	w := strings.TrimRight(low[from:to], ".")
	if bare := strings.Trim(w, "_"); bare != w && bare != "" { // emphasis
		at := from + strings.Index(low[from:to], bare)
		r.word(low, at, at+len(bare), in, last)
	}
	whole := strings.HasSuffix(w, "/")
	if w = relative(w); w == "" || w == "." || w == ".." {
		return
	}
	far := strings.Contains(w, "/")
	key := r.how + w
	if !far {
		key += "\x00" + in
		whole = whole || r.byDir[w] != nil && calledFolder(low, from, to, last)
	}
	if whole {
		key += "\x01"
	}
	if r.seen[key] {
		return
	}
	r.seen[key] = true
	for _, o := range r.meant(w, in) {
		r.take(o)
	}
	base := path.Base(w)
	if far {
		for _, o := range r.byStem[base] { // started by its path without the ending
			if shares(strings.TrimSuffix(r.low[o], path.Ext(r.low[o])), w) {
				r.take(o)
			}
		}
	} else if i := strings.LastIndexByte(w, '.'); i > 0 { // a module's name
		for _, o := range r.byStem[w[i+1:]] {
			if shares(strings.TrimSuffix(r.low[o], path.Ext(r.low[o])), strings.ReplaceAll(w, ".", "/")) {
				r.take(o)
			}
		}
	}
	if !whole && !far {
		return
	}
	for _, d := range r.byDir[base] {
		if key := r.how + "\x01" + d.path; r.seen[key] || !shares(d.path, w) {
			continue
		} else {
			r.seen[key] = true
		}
		for _, o := range d.files {
			if !o.Program() || path.Dir(r.low[o]) == d.path { // what a program starts further down it names
				r.take(o)
			}
		}
	}
}

// relative is a path without where it begins and without the mark of a folder.
func relative(w string) string {
	for strings.HasPrefix(w, "./") || strings.HasPrefix(w, "../") || strings.HasPrefix(w, "/") {
		_, w, _ = strings.Cut(w, "/")
	}
	return strings.TrimRight(w, "/")
}

// calledFolder: the word is marked as a name, or said to be a folder, or gone to.
func calledFolder(low string, from, to int, last string) bool {
	if from > 0 && to < len(low) && strings.IndexByte("\"'`", low[from-1]) >= 0 && low[to] == low[from-1] &&
		!strings.HasPrefix(low[to+1:], ":") || last == "cd" || last == "pushd" || last == "-c" || isFolder()[last] {
		return true
	}
	next := strings.TrimLeft(low[to:min(len(low), to+40)], " `\"'*")
	if i := strings.IndexFunc(next, func(c rune) bool { return !nameRune(c) }); i >= 0 {
		next = next[:i]
	}
	return isFolder()[strings.TrimRight(next, ".")]
}

// filled takes what a path with places for names can mean, and is the path alone where all places stand before it.
func (r *reach) filled(p string) string {
	plain := " "
	if bare := strings.Trim(p, "*"); !place.MatchString(bare) {
		plain = " " + bare + " " // which only emphasis surrounds
	}
	for {
		first, rest, ok := strings.Cut(p, "/")
		if !ok || first != "" && first != "." && first != ".." && place.ReplaceAllString(first, "") != "" {
			break
		}
		p = rest
	}
	fixed := place.ReplaceAllString(p, "")
	if fixed == p {
		return p
	}
	if r.seen["\x02"+r.how+p] || strings.Trim(fixed, "./-_") == "" || !strings.Contains(fixed, "/") && path.Ext(fixed) == "" {
		return plain // emphasis, or any file there is
	}
	r.seen["\x02"+r.how+p] = true
	var b strings.Builder
	b.WriteString("(?:^|/)")
	at, longest := 0, ""
	for _, m := range place.FindAllStringIndex(p, -1) {
		if m[0]-at > len(longest) {
			longest = p[at:m[0]]
		}
		b.WriteString(regexp.QuoteMeta(p[at:m[0]]))
		if at = m[1]; strings.HasPrefix(p[m[0]:], "**") {
			b.WriteString(".*")
		} else {
			b.WriteString("[^/]*")
		}
	}
	b.WriteString(regexp.QuoteMeta(p[at:]))
	if !strings.HasSuffix(p, "/") {
		b.WriteString("$")
	}
	re, err := regexp.Compile(b.String())
	if err != nil {
		return plain
	}
	here := !strings.Contains(p, "/") // a name without a path is of what lies beside
	for _, o := range r.all {
		if r.grade[o] == Led || !strings.Contains(r.low[o], longest) || here && path.Dir(r.low[o]) != r.in && path.Dir(r.low[o]) != r.top {
			continue
		}
		if re.MatchString(r.low[o]) {
			r.take(o)
		}
	}
	return plain
}

// several is how many files of one name a name without a path can mean. A text whose name more have means a kind of file.
const several = 6

// meant are the files that a name can mean: what lies where it says, seen from its own file or from SKILL.md; else whatever shares its end.
// Each folder can have its own SKILL.md and README; without a path it is the one beside.
func (r *reach) meant(w, in string) (out []*source.File) {
	far := strings.Contains(w, "/")
	everywhere := w != strings.ToLower(skill.Entry) && !strings.HasPrefix(w, "readme.")
	var beside []*source.File
	for _, o := range r.byName[path.Base(w)] {
		switch {
		case r.low[o] == path.Join(in, w), r.low[o] == path.Join(r.top, w):
			beside = append(beside, o)
		case far && shares(r.low[o], w), !far && everywhere:
			out = append(out, o)
		}
	}
	if far && len(beside) > 0 || len(out) > several {
		return beside
	}
	return append(out, beside...)
}

// shares: one path is the end of the other, or their last two parts are the same.
func shares(p, w string) bool {
	if p == w || strings.HasSuffix(p, "/"+w) || strings.HasSuffix(w, "/"+p) {
		return true
	}
	return path.Base(p) == path.Base(w) && strings.Contains(p, "/") && strings.Contains(w, "/") &&
		path.Base(path.Dir(p)) == path.Base(path.Dir(w))
}

// anywhere are rules about what a file is wherever it stands: nobody need come to it, or it is there only to be overlooked.
var anywhere = sync.OnceValue(func() map[string]bool {
	out := source.Words("hidden-tags hidden-variation hidden-zero-width hidden-bidi hidden-homoglyph hidden-control hidden-padding " +
		"install-hook package-source package-typosquat")
	for _, r := range report.Rules {
		if r.Family == "encoded payloads" || r.Family == "identity" || r.Family == "permissions" {
			out[r.ID] = true
		}
	}
	return out
})

// Lower lowers what was found in files that nothing leads to, and says once that there are such files. What a program would do there, and
// what is passed by, a person still weighs; what a text would ask for there is told.
func (m Map) Lower(found []report.Finding) (note report.Finding, any bool) {
	off := map[string]*source.File{}
	for f, g := range m {
		if g != Led {
			off[f.Path] = f
		}
	}
	files, first := map[string]bool{}, note
	for i := range found {
		x := &found[i]
		f := off[x.File]
		if f == nil || anywhere()[x.RuleID] || !x.Severity.AtLeast(report.Medium) {
			continue
		}
		if files[x.File] = true; first.File == "" || report.Ranks[x.Severity] > report.Ranks[first.Severity] {
			first = *x
		}
		hidden := x.RuleID == "hidden-comment" || x.RuleID == "hidden-markup"
		if x.Severity.AtLeast(report.High) && (m[f] == Passed || f.Program() || hidden) {
			x.Severity = report.Medium
		} else {
			x.Severity = report.Low
		}
	}
	if first.File == "" {
		return note, false
	}
	return report.Note("not-led-to", report.With{Meaning: fmt.Sprintf("Files that nothing in the skill leads to hold what would be a "+
		"finding in others: %d of them. In this one: %s", len(files), first.Meaning)}, first.File, first.Line, first.Excerpt), true
}
