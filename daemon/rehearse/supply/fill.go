package supply

import (
	"cmp"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"

	"showhow/capture"
	"showhow/daemon/compile/shell"
	"showhow/daemon/rehearse/policy"
	"showhow/daemon/workflow"
	"showhow/internal/lazyre"
)

// HoleForm matches a hole in a generalised text: {name} or {*}.
var HoleForm = lazyre.New(`\{(\*|[a-z][a-z0-9_]*)\}`)

// Unknown is the placeholder of a part whose value is not known.
const Unknown = "{*}"

// Names reports whether a generalised text names a value.
func Names(tmpl string) bool {
	return slices.ContainsFunc(HoleForm.FindAllString(tmpl, -1), func(hole string) bool { return hole != Unknown })
}

// Bindings are the values of one run by name. Memory only.
type Bindings map[string]string

// Text fills in the names; unknown ones stay.
func (b Bindings) Text(tmpl string) string {
	return b.replace(tmpl, func(v string) string { return v })
}

func (b Bindings) replace(tmpl string, as func(string) string) string {
	if !strings.ContainsRune(tmpl, '{') {
		return tmpl
	}
	return HoleForm.ReplaceAllStringFunc(tmpl, func(m string) string {
		if v, ok := b[m[1:len(m)-1]]; ok {
			return as(v)
		}
		return m
	})
}

// Lacks lists the names in a template that have no value; known are the valid names.
func (b Bindings) Lacks(tmpl string, known map[string]bool) (out []string) {
	for _, m := range HoleForm.FindAllStringSubmatch(tmpl, -1) {
		if _, ok := b[m[1]]; !ok && known[m[1]] {
			out = append(out, m[1])
		}
	}
	return out
}

// Address fills in an address, escaping values for the place where they stand.
func (b Bindings) Address(tmpl string) string {
	rest, frag, behind := strings.Cut(tmpl, "#")
	fill := func(s string) string {
		path, query, asks := strings.Cut(s, "?")
		out := b.replace(path, url.PathEscape)
		if asks {
			out += "?" + b.replace(query, url.QueryEscape)
		}
		return out
	}
	if behind {
		return fill(rest) + "#" + fill(frag)
	}
	return fill(rest)
}

// Command fills in a command line so that a value stays one word, whatever it contains: a person's value must not
// become a command. For an input that stands for several words, each line is one.
func (s *Supply) Command(tmpl string) string {
	var out strings.Builder
	at := 0
	for _, m := range HoleForm.FindAllStringSubmatchIndex(tmpl, -1) {
		name := tmpl[m[2]:m[3]]
		v, ok := s.Bindings[name]
		if !ok {
			continue
		}
		words := []string{v}
		if s.several[name] {
			words = strings.FieldsFunc(v, func(r rune) bool { return r == '\n' || r == '\r' })
		}
		here, outside := hereAt(tmpl, m[0])
		if here != nil && !s.Fish {
			before, behind := out.String()+tmpl[at:m[0]], tmpl[m[1]:]
			behind, _, _ = strings.Cut(behind, "\n")
			if text := here.take(v); !here.endsIn(before[strings.LastIndexByte(before, '\n')+1:] + text + behind) {
				out.WriteString(tmpl[at:m[0]] + text)
				at = m[1]
			}
			continue
		}
		open := quoteAt(outside, s.Fish)
		for i, w := range words {
			if s.Fish {
				words[i] = quotedForFish(w, open)
			} else {
				words[i] = quoted(w, open)
			}
		}
		out.WriteString(tmpl[at:m[0]] + strings.Join(words, " "))
		at = m[1]
	}
	out.WriteString(tmpl[at:])
	return out.String()
}

// here is a here-document: text in a command that ends with a line of its own (<<EOF).
type here struct {
	end string
	raw bool // its end is quoted, so that the shell reads nothing in it
}

var hereForm = lazyre.New(`(^|[^<])<<-?\s*(\\|["']?)(\w+)`)

// hereAt returns the here-document that contains a position in a command, nil outside of one, and the command before
// the position without here-documents. A quoted << starts none, nor does one whose end is missing: 1<<2 is a number.
func hereAt(command string, at int) (open *here, outside string) {
	var texts []*here // those that follow, in the order in which their line names them
	from := 0
	for _, line := range strings.SplitAfter(command[:at], "\n") {
		from += len(line)
		whole := strings.HasSuffix(line, "\n")
		switch {
		case len(texts) == 0:
			for _, m := range hereForm.FindAllStringSubmatchIndex(line, -1) {
				h := &here{end: line[m[6]:m[7]], raw: m[4] < m[5]}
				before := outside + line[:m[3]]
				before = before[strings.LastIndex(before, "$(")+1:] // within it quoting starts again
				if whole && quoteAt(before, false) == 0 && h.endsIn(command[from:]) {
					texts = append(texts, h)
				}
			}
			outside += line
		case whole && strings.TrimLeft(strings.TrimSuffix(line, "\n"), "\t") == texts[0].end:
			texts = texts[1:]
		}
	}
	if len(texts) == 0 {
		return nil, outside
	}
	return texts[0], outside
}

var inHere = strings.NewReplacer(`\`, `\\`, `$`, `\$`, "`", "\\`")

// take is a value as written into the here-document.
func (h *here) take(v string) string {
	if h.raw {
		return v
	}
	return inHere.Replace(v)
}

// endsIn reports whether one of these lines would end the here-document.
func (h *here) endsIn(lines string) bool {
	return slices.ContainsFunc(strings.Split(lines, "\n"), func(line string) bool { return strings.Trim(line, "\t\r") == h.end })
}

// quoteAt is the quote that is open at the end of a partial line: ', " or 0. In fish a backslash escapes within both.
func quoteAt(s string, fish bool) (open byte) {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\' && (fish || open != '\''):
			i++
		case open == 0 && (c == '\'' || c == '"'):
			open = c
		case c == open:
			open = 0
		}
	}
	return open
}

var inDouble = strings.NewReplacer(`\`, `\\`, `"`, `\"`, `$`, `\$`, "`", "\\`")

func quoted(v string, open byte) string {
	switch open {
	case '\'':
		return strings.ReplaceAll(v, `'`, `'\''`)
	case '"':
		return inDouble.Replace(v)
	}
	if q, err := syntax.Quote(v, syntax.LangPOSIX); err == nil {
		return q
	}
	return `'` + strings.ReplaceAll(strings.ReplaceAll(v, "\x00", ""), `'`, `'\''`) + `'`
}

var (
	inFish = map[byte]*strings.Replacer{'\'': strings.NewReplacer(`\`, `\\`, `'`, `\'`),
		'"': strings.NewReplacer(`\`, `\\`, `"`, `\"`, `$`, `\$`)}
	fishRaw = lazyre.New(`^[A-Za-z0-9_./:@+,-]+$`) // means itself
)

func quotedForFish(v string, open byte) string {
	switch {
	case open != 0:
		return inFish[open].Replace(v)
	case fishRaw.MatchString(v):
		return v
	}
	return `'` + inFish['\''].Replace(strings.ReplaceAll(v, "\x00", "")) + `'`
}

// ofFish reports whether the lines were demonstrated in fish, because one of them is not valid in bash. A line that
// bash reads is judged as bash reads it (package danger); one that fish would read differently is left to bash.
func ofFish(steps []workflow.Step) bool {
	sh := func(is func(line string) bool) bool {
		return slices.ContainsFunc(steps, func(s workflow.Step) bool { return s.Surface == policy.OnShell && is(s.Command) })
	}
	return sh(shell.OnlyFish) && !sh(func(line string) bool { return strings.Contains(line, "=(") })
}

// Target fills in a target's texts.
func (b Bindings) Target(t *capture.Target) *capture.Target {
	if t == nil {
		return nil
	}
	c := *t
	c.Name, c.Label, c.Placeholder, c.Text = b.Text(t.Name), b.Text(t.Label), b.Text(t.Placeholder), b.Text(t.Text)
	c.Given = c.Name != t.Name || c.Label != t.Label || c.Text != t.Text
	c.Frame, c.Href = b.Address(t.Frame), b.Address(t.Href)
	if t.Landmark != nil {
		c.Landmark = &capture.Landmark{Role: t.Landmark.Role, Name: b.Text(t.Landmark.Name)}
	}
	c.Locators = nil
	for _, l := range t.Locators {
		l.Value = b.Text(l.Value)
		c.Locators = append(c.Locators, l)
	}
	return &c
}

// Pattern matches a text that a check expects: values literally, {*} for anything, ignoring white space and case.
type Pattern struct {
	whole, within func() *regexp.Regexp // the text itself, and the text as whole words; compiled when first needed
}

// Pattern compiles a check's expectation with this run's values.
func (b Bindings) Pattern(expect string) Pattern {
	return CompilePattern(expect, b, func(s string) string { return s })
}

// CompilePattern compiles a check's expectation; as transforms values, for instance by escaping.
func CompilePattern(expect string, b Bindings, as func(string) string) Pattern {
	var re strings.Builder
	at := 0
	for _, m := range HoleForm.FindAllStringSubmatchIndex(expect, -1) {
		v, ok := b[expect[m[2]:m[3]]]
		if !ok && expect[m[0]:m[1]] != Unknown {
			continue
		}
		re.WriteString(loose(expect[at:m[0]]))
		if ok {
			re.WriteString(loose(as(v)))
		} else {
			re.WriteString(`.*?`)
		}
		at = m[1]
	}
	re.WriteString(loose(expect[at:]))
	form := func(before, after string) func() *regexp.Regexp {
		return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?is)` + before + re.String() + after) })
	}
	return Pattern{form(`^\s*`, `\s*$`), form(`(?:^|[^\pL\pN])`, `(?:$|[^\pL\pN])`)}
}

var blanks = lazyre.New(`\s+`)

func loose(s string) string { return blanks.ReplaceAllString(regexp.QuoteMeta(s), `\s+`) }

// Is reports whether the whole text matches.
func (p Pattern) Is(s string) bool {
	return p.whole().MatchString(s)
}

// In reports whether s contains the expected text as whole words.
func (p Pattern) In(s string) bool {
	return p.within().MatchString(s)
}

// Any reports whether one of the texts matches.
func (p Pattern) Any(all []string, match func(Pattern, string) bool) bool {
	for _, s := range all {
		if match(p, s) {
			return true
		}
	}
	return false
}

// hideValues replaces values with their names in braces, longer ones first. A short value counts only as a whole word.
func hideValues(text string, names map[string]string) string {
	if len(names) == 0 {
		return text
	}
	values := slices.SortedFunc(maps.Keys(names), func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	for i, v := range values {
		values[i] = loose(v)
	}
	re, err := regexp.Compile(`(?i)` + strings.Join(values, "|"))
	if err != nil {
		return text
	}
	var out strings.Builder
	at := 0
	for _, m := range re.FindAllStringIndex(text, -1) {
		name := names[strings.ToLower(strings.Join(strings.Fields(text[m[0]:m[1]]), " "))]
		if name == "" || m[1]-m[0] < 4 && !alone(text, m[0], m[1]) {
			continue
		}
		out.WriteString(text[at:m[0]])
		out.WriteString("{" + name + "}")
		at = m[1]
	}
	out.WriteString(text[at:])
	return out.String()
}

// alone reports whether the range is not part of a longer word: many words contain a short value.
func alone(s string, from, to int) bool {
	before, _ := utf8.DecodeLastRuneInString(s[:from])
	after, _ := utf8.DecodeRuneInString(s[to:])
	letter := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	return (from == 0 || !letter(before)) && (to == len(s) || !letter(after))
}

// TextsOf lists the texts of a target that can hold names.
func TextsOf(t *capture.Target) []string {
	if t == nil {
		return nil
	}
	out := []string{t.Name, t.Label, t.Placeholder, t.Text, t.Href, t.Frame}
	if t.Landmark != nil {
		out = append(out, t.Landmark.Name)
	}
	return out
}

// NamesIn lists the names that a step's texts hold.
func NamesIn(s workflow.Step) (out []string) {
	texts := []string{s.Value, s.Command}
	for _, a := range s.Args {
		texts = append(texts, a.Value)
	}
	if s.Target != nil {
		texts = append(texts, s.Target.Name, s.Target.Label, s.Target.Text)
		if s.Target.Landmark != nil {
			texts = append(texts, s.Target.Landmark.Name)
		}
	}
	if s.Drop != nil {
		texts = append(texts, s.Drop.Name, s.Drop.Label, s.Drop.Text)
	}
	if s.Verb == capture.Navigate && s.After != nil {
		texts = append(texts, s.After.URL)
	}
	for _, t := range texts {
		for _, m := range HoleForm.FindAllStringSubmatch(t, -1) {
			if !slices.Contains(out, m[1]) {
				out = append(out, m[1])
			}
		}
	}
	return out
}
