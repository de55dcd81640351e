package capture

import (
	"regexp"
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
	j.known.deep = true
	defer func() { j.known.deep = false }()
	line := redact.Clean(raw.Line)
	c := &Command{Shell: j.plain(raw.Shell, 20), CwdFrom: j.text(raw.CwdFrom, maxText), CwdTo: j.text(raw.CwdTo, maxText),
		Exit: raw.Exit, DurationMS: raw.Duration.Milliseconds(), Seq: raw.Seq,
		Parent: j.plain(raw.Parent, 80), Running: raw.Running, Children: raw.Children}
	l := &shellLine{job: j, src: line, secrets: j.secrets(line)}
	j.taken += len(l.secrets)
	l.exit = raw.Exit
	if l.parse(raw.Shell) {
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

// parse goes through the line by its shell's grammar; false when it has none.
func (l *shellLine) parse(shell string) bool {
	if shell == "fish" {
		cmds, ok := parseFish(l.src)
		if ok {
			l.findPhrases()
			l.fish(cmds)
		}
		return ok
	}
	file, err := parseShell(l.src, shell)
	if err != nil {
		return false
	}
	l.findPhrases()
	l.walk(file)
	return true
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
	exit    int
	named   bool
	nested  int // inside a substitution
	phrases []match
	later   []int // start, end and index of the words whose text is known when all edits are
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
		case *syntax.ParamExp:
			l.expansion(n)
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
	ws := make([]shellWord, len(c.Args))
	for i, w := range c.Args {
		ws[i] = l.of(w)
	}
	l.simple(ws)
}

// expansion is ${NAME...}: what stands after :- or / is text of the person's.
func (l *shellLine) expansion(p *syntax.ParamExp) {
	var texts []*syntax.Word
	if p.Exp != nil && p.Exp.Word != nil {
		texts = append(texts, p.Exp.Word)
	}
	if p.Repl != nil {
		texts = append(texts, p.Repl.Orig, p.Repl.With)
	}
	for _, w := range texts {
		if w != nil {
			l.nested++
			l.plainWord(l.of(w), spacedText(l.source(w)))
			l.nested--
		}
	}
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

func (l *shellLine) word(w *syntax.Word, free bool) { l.plainWord(l.of(w), free) }

// of is a word of the parser's in the terms of every shell.
func (l *shellLine) of(w *syntax.Word) shellWord {
	start, end := l.span(w)
	return shellWord{start: start, end: end, lit: w.Lit(), spaced: quotedSpace(w), reference: isReference(w), inner: hasInner(w),
		walk: func() {
			for _, part := range w.Parts {
				l.walk(part)
			}
		}}
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

// hasInner: a word with parts that are looked at in turn.
func hasInner(w *syntax.Word) bool {
	found := false
	syntax.Walk(w, func(n syntax.Node) bool {
		switch p := n.(type) {
		case *syntax.CmdSubst, *syntax.ProcSubst:
			found = true
		case *syntax.ParamExp:
			found = found || p.Exp != nil && p.Exp.Word != nil || p.Repl != nil
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
