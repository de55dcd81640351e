package capture

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"mvdan.cc/sh/v3/syntax"

	"showhow/capture/redact"
)

// command keeps a command line readable except for what must not be read: secrets are gone, and what a person wrote
// freely (quoted arguments with white space, messages, heredocs and here-strings, comments) is sealed. A value that is
// known from elsewhere is masked wherever it stands, also inside a word; flags and program names stay.
func (j *job) command(raw *RawCommand) *Command {
	if raw == nil {
		return nil
	}
	line := redact.Clean(raw.Line)
	c := &Command{Shell: j.plain(raw.Shell, 20), CwdFrom: j.text(raw.CwdFrom, maxText), CwdTo: j.text(raw.CwdTo, maxText),
		Exit: raw.Exit, DurationMS: raw.Duration.Milliseconds(), Seq: raw.Seq}
	l := &shellLine{job: j, src: line, secrets: j.secrets(line)}
	j.taken += len(l.secrets)
	if file, err := parseShell(line, raw.Shell); err == nil {
		l.findPhrases()
		l.walk(file)
		c.Line, c.Words, c.Program = l.render(), l.words, l.program
	} else {
		c.Line = j.unparsed(line)
	}
	c.Line = redact.Cut(c.Line, maxLine)
	for _, m := range ParseMasks(c.Line) {
		c.Sealed = append(c.Sealed, Value{Policy: Masked, Kind: m.Kind, Length: m.Length, LinkID: m.LinkID})
	}
	return c
}

func parseShell(line, shell string) (*syntax.File, error) {
	variant := syntax.LangBash
	if shell == "zsh" {
		variant = syntax.LangZsh
	}
	return syntax.NewParser(syntax.Variant(variant), syntax.KeepComments(true)).Parse(strings.NewReader(line), "")
}

var (
	heredocRE = regexp.MustCompile(`(?s)<<-?\s*\\?["']?\w+["']?[^\n]*\n(.*)`)
	quotedRE  = regexp.MustCompile(`"([^"]*\s[^"]*)(?:"|$)|'([^']*\s[^']*)(?:'|$)`)
)

// unparsed treats a line as text; heredoc bodies and quoted stretches with white space, closed or not, are sealed.
func (j *job) unparsed(line string) string {
	l := &shellLine{job: j, src: line, secrets: j.secrets(line)}
	for _, re := range []*regexp.Regexp{heredocRE, quotedRE} {
		for _, m := range re.FindAllStringSubmatchIndex(line, -1) {
			for g := 2; g < len(m); g += 2 {
				if m[g] >= 0 {
					l.sealed(m[g], m[g+1], line[m[g]:m[g+1]])
				}
			}
		}
	}
	return j.mask(l.render())
}

// shellLine collects what to replace in a parsed line.
type shellLine struct {
	*job
	src     string
	secrets []redact.Span
	edits   []edit
	words   []Word
	program string
	named   bool
	nested  int // inside a substitution
	phrases []match
	later   []int // start, end and index of the words whose text is known when all edits are
}

// edit replaces src[start:end].
type edit struct {
	start, end int
	with       string
}

func (l *shellLine) walk(root syntax.Node) {
	syntax.Walk(root, func(node syntax.Node) bool {
		switch n := node.(type) {
		case *syntax.Comment:
			l.sealed(int(n.Hash.Offset())+1, int(n.End().Offset()), n.Text)
		case *syntax.CallExpr:
			l.call(n)
			return false
		case *syntax.Redirect:
			l.redirect(n)
			return false
		case *syntax.Word:
			l.word(n, false)
			return false
		case *syntax.Lit: // of a word with a substitution in it
			start, end := l.span(n)
			l.apply(start, end, l.src[start:end], l.text)
		}
		return true
	})
}

func (l *shellLine) call(c *syntax.CallExpr) {
	for _, a := range c.Assigns {
		if a.Value != nil {
			l.word(a.Value, false)
		}
		if a.Array != nil {
			l.walk(a.Array)
		}
	}
	program := ""
	for i, w := range c.Args {
		if i == 0 {
			program = path.Base(w.Lit())
			if program == "." && w.Lit() != "." {
				program = ""
			}
			if !l.named {
				l.named, l.program = true, l.plain(program, 80)
			}
			l.first(w)
			continue
		}
		l.arg(w, program, c.Args[i-1])
	}
}

// first is the program's own word: never masked, only redacted.
func (l *shellLine) first(w *syntax.Word) {
	if lit := w.Lit(); lit != "" {
		start, end := l.span(w)
		l.emit(l.apply(start, end, l.src[start:end], l.plain))
		return
	}
	l.word(w, false)
}

var (
	messageFlags = []string{"--message", "--title", "--body", "--description", "--comment", "--note", "--notes", "--subject", "--summary", "--text"}
	messageRE    = regexp.MustCompile(`^--(?:message|title|body|description|comment|notes?|subject|summary|text)=`)
	versioners   = []string{"git", "hg", "svn", "jj", "bzr", "darcs", "fossil", "cvs"}
	flagRE       = regexp.MustCompile(`^--?[A-Za-z][\w-]*$`)
)

func (l *shellLine) arg(w *syntax.Word, program string, before *syntax.Word) {
	lit, prev := w.Lit(), before.Lit()
	switch {
	case flagRE.MatchString(lit):
		start, end := l.span(w)
		l.emit(l.apply(start, end, lit, l.plain))
	case slices.Contains(messageFlags, prev), slices.Contains(versioners, program) && (prev == "-m" || prev == "-am"):
		l.word(w, true)
	case messageRE.MatchString(l.source(w)):
		l.messageFlag(w)
	default:
		l.word(w, false)
	}
}

// messageFlag is --message=TEXT: the flag stays.
func (l *shellLine) messageFlag(w *syntax.Word) {
	start, end := l.span(w)
	at := start + strings.IndexByte(l.src[start:end], '=') + 1
	from := len(l.edits)
	l.sealed(at, end, unquoted(l.src[at:end]))
	text := l.src[start:at]
	if len(l.edits) > from {
		text += l.edits[from].with
	}
	l.emit(Word{Text: text})
}

func (l *shellLine) redirect(r *syntax.Redirect) {
	if r.Word != nil && r.Hdoc == nil {
		l.word(r.Word, r.Op == syntax.WordHdoc && !isReference(r.Word))
	}
	if r.Hdoc != nil {
		start, end := l.span(r.Hdoc)
		end = heredocEnd(l.src, start, end, strings.Trim(l.source(r.Word), `\'"`))
		l.sealed(start, end, l.src[start:end])
	}
}

// heredocEnd is the end of a heredoc's body, before the line that closes it; the parser's own end takes that line in when
// nothing follows.
func heredocEnd(src string, start, end int, delimiter string) int {
	for at := start; at < end; {
		line, _, more := strings.Cut(src[at:], "\n")
		if strings.TrimLeft(line, "\t") == delimiter {
			return max(start, at-1)
		}
		if at += len(line) + 1; !more {
			break
		}
	}
	return end
}

// isReference: a word that is a variable or a substitution and nothing else.
func isReference(w *syntax.Word) bool {
	if len(w.Parts) != 1 {
		return false
	}
	part := w.Parts[0]
	if q, ok := part.(*syntax.DblQuoted); ok && len(q.Parts) == 1 {
		part = q.Parts[0]
	}
	switch part.(type) {
	case *syntax.ParamExp, *syntax.CmdSubst, *syntax.ArithmExp, *syntax.ProcSubst:
		return true
	}
	return false
}

func (l *shellLine) span(n syntax.Node) (int, int) {
	return int(n.Pos().Offset()), min(int(n.End().Offset()), len(l.src))
}

func (l *shellLine) source(n syntax.Node) string { s, e := l.span(n); return l.src[s:e] }

// word handles one word. free: the person wrote it as text.
func (l *shellLine) word(w *syntax.Word, free bool) {
	start, end := l.span(w)
	if start >= end {
		return
	}
	src := l.src[start:end]
	if l.inPhrase(start) {
		return
	}
	switch {
	case !isReference(w) && (free || quotedSpace(w)):
		l.emit(l.sealed(start, end, unquoted(src)))
	case isReference(w), hasSubst(w):
		if l.nested == 0 {
			l.later = append(l.later, start, end, len(l.words))
		}
		l.emit(Word{})
		l.nested++ // a substitution's own words are looked at in turn
		for _, part := range w.Parts {
			l.walk(part)
		}
		l.nested--
	default:
		l.emit(l.apply(start, end, src, l.text))
	}
}

// findPhrases looks for known values of several words that stand in the line without quotes.
func (l *shellLine) findPhrases() {
	for _, m := range l.known.find(l.src) {
		if strings.ContainsAny(l.src[m.start:m.end], " \t\n") && !strings.ContainsAny(l.src[m.start:m.end], "|&;<>\"'`$()\n") {
			l.phrases = append(l.phrases, m)
		}
	}
}

// inPhrase reports whether the word at start belongs to a phrase; the first one brings the phrase's mask.
func (l *shellLine) inPhrase(start int) bool {
	for i := range l.phrases {
		p := &l.phrases[i]
		if start < p.start || start >= p.end {
			continue
		}
		if p.value.kind != donePhrase {
			l.emit(l.sealed(p.start, p.end, l.src[p.start:p.end]))
			p.value.kind = donePhrase
		}
		return true
	}
	return false
}

const donePhrase ValueKind = "-"

// apply puts a word through fn, secrets out first, and notes the edit. A word that is one known value becomes that Value.
func (l *shellLine) apply(start, end int, src string, fn func(string, int) string) Word {
	text := unquoted(src)
	clean := src
	if spans := l.within(start, end); len(spans) > 0 {
		clean = l.cut(start, end, spans)
		text = unquoted(clean)
	}
	if out := fn(text, maxLine); out != text || clean != src {
		shown := strings.Replace(clean, text, out, 1)
		if text == "" || !strings.Contains(clean, text) {
			shown = out
		}
		l.edits = append(l.edits, edit{start, end, shown})
		if m := ParseMasks(out); len(m) == 1 && m[0].Start == 0 && m[0].End == len(out) {
			return Word{Value: &Value{Policy: Masked, Kind: m[0].Kind, Length: m[0].Length, LinkID: m[0].LinkID}}
		}
		return Word{Text: redact.Cut(out, maxText)}
	}
	return Word{Text: redact.Cut(text, maxText)}
}

// sealed replaces src[start:end] by a mask. A secret in it leaves nothing to seal.
func (l *shellLine) sealed(start, end int, text string) Word {
	if normal(text) == "" {
		return Word{Text: text}
	}
	kind, secret := redact.Kind(""), false
	for _, sp := range l.within(start, end) {
		if !sp.Kind.Personal() {
			kind, secret = sp.Kind, true
			break
		}
	}
	if !secret && l.textSecret(text) != "" {
		kind, secret = redact.Secret, true
	}
	if !secret && l.knownSecrets(text) != text {
		kind, secret = redact.Secret, true
	}
	if secret {
		l.edits = append(l.edits, edit{start, end, redact.Token(kind)})
		return Word{Text: redact.Token(kind)}
	}
	k := Infer(text)
	l.known.add(text, knownValue{kind: k})
	v := l.seal(k, text)
	l.edits = append(l.edits, edit{start, end, v.Mask()})
	return Word{Value: v}
}

// within are the secrets that touch src[start:end].
func (l *shellLine) within(start, end int) []redact.Span {
	var out []redact.Span
	for _, sp := range l.secrets {
		if sp.Start < end && start < sp.End {
			out = append(out, redact.Span{Start: max(sp.Start, start), End: min(sp.End, end), Kind: sp.Kind})
		}
	}
	return out
}

// cut is src[start:end] with its secrets replaced.
func (l *shellLine) cut(start, end int, spans []redact.Span) string {
	var b strings.Builder
	at := start
	for _, sp := range spans {
		b.WriteString(l.src[at:sp.Start])
		b.WriteString(l.token(l.src[sp.Start:sp.End], sp.Kind))
		at = sp.End
	}
	b.WriteString(l.src[at:end])
	return b.String()
}

// emit adds a word of the line itself; those inside a substitution belong to their word.
func (l *shellLine) emit(w Word) {
	if l.nested == 0 {
		l.words = append(l.words, w)
	}
}

// render is the line with every edit made, and every secret outside the edited words.
func (l *shellLine) render() string {
	for _, sp := range l.secrets {
		if !slices.ContainsFunc(l.edits, func(e edit) bool { return e.start < sp.End && sp.Start < e.end }) {
			l.edits = append(l.edits, edit{sp.Start, sp.End, l.token(l.src[sp.Start:sp.End], sp.Kind)})
		}
	}
	slices.SortStableFunc(l.edits, func(a, b edit) int { return a.start - b.start })
	for i := 0; i < len(l.later); i += 3 {
		l.words[l.later[i+2]].Text = redact.Cut(l.redact(l.splice(l.later[i], l.later[i+1])), maxText)
	}
	return l.redact(l.splice(0, len(l.src))) // a last look: a secret that spans words, or that only its neighbours give away
}

// splice is src[start:end] with the edits inside it made.
func (l *shellLine) splice(start, end int) string {
	var b strings.Builder
	at := start
	for _, e := range l.edits {
		if e.start < at || e.end > end {
			continue // inside one already made, or elsewhere
		}
		b.WriteString(l.src[at:e.start])
		b.WriteString(e.with)
		at = e.end
	}
	b.WriteString(l.src[at:end])
	return b.String()
}

// quotedSpace: a quoted part with white space in its own text.
func quotedSpace(w *syntax.Word) bool {
	for _, part := range w.Parts {
		switch p := part.(type) {
		case *syntax.SglQuoted:
			if spacedText(p.Value) {
				return true
			}
		case *syntax.DblQuoted:
			for _, in := range p.Parts {
				if lit, ok := in.(*syntax.Lit); ok && spacedText(lit.Value) {
					return true
				}
			}
		case *syntax.Lit:
			if strings.Contains(p.Value, `\ `) {
				return true
			}
		}
	}
	return false
}

// spacedText: white space between what could be words. A delimiter such as ' ' or ', ' says nothing about anybody.
func spacedText(s string) bool {
	return strings.ContainsAny(s, " \t\n") && strings.ContainsFunc(s, func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r > unicode.MaxASCII
	})
}

func hasSubst(w *syntax.Word) bool {
	found := false
	syntax.Walk(w, func(n syntax.Node) bool {
		switch n.(type) {
		case *syntax.CmdSubst, *syntax.ProcSubst:
			found = true
		}
		return !found
	})
	return found
}

// unquoted drops one pair of quotes around a word.
func unquoted(s string) string {
	if len(s) >= 2 && (s[0] == '"' || s[0] == '\'') && s[len(s)-1] == s[0] && strings.Count(s, s[:1]) == 2 {
		return s[1 : len(s)-1]
	}
	return s
}
