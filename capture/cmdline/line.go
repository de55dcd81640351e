package cmdline

import (
	"strings"
	"unicode"

	"mvdan.cc/sh/v3/syntax"

	"showhow/internal/lazyre"
)

// Word is one word of a line, in any shell.
type Word struct {
	Start, End int
	Lit        string // its text when it is nothing but plain characters
	Spaced     bool   // it holds white space between words of the person's own
	Reference  bool   // a variable or a substitution and nothing else
	Inner      bool   // it has parts that are visited in turn, by Inside
	inside     func(Visitor)
}

// Inside visits the parts of a word: its literal ranges and its substitutions.
func (w Word) Inside(v Visitor) { w.inside(v) }

// Visitor receives the parts of a line in the order in which the grammar nests them.
type Visitor interface {
	Command(words []Word)          // a simple command: the program and its arguments
	Word(w Word)                   // a word outside of a command: an assigned value, the target of a redirection
	Text(w Word)                   // such a word that the person wrote as text: a here-string
	Expansion(w Word, spaced bool) // what stands after :- or / in ${NAME...}
	Free(start, end int)           // a comment or the body of a heredoc
	Literal(start, end int)        // a plain stretch of a word with a substitution in it
}

// Line is a parsed line.
type Line struct {
	src  string
	bash *syntax.File
	fish []fishCommand
}

// Parse parses a line; false if its shell's grammar does not accept it.
func Parse(line, shell string) (*Line, bool) {
	if shell == "fish" {
		commands, ok := parseFish(line)
		return &Line{src: line, fish: commands}, ok
	}
	variant := syntax.LangBash
	if shell == "zsh" {
		variant = syntax.LangZsh
	}
	file, err := syntax.NewParser(syntax.Variant(variant), syntax.KeepComments(true)).Parse(strings.NewReader(line), "")
	return &Line{src: line, bash: file}, err == nil
}

// Visit visits the whole line.
func (l *Line) Visit(v Visitor) {
	if l.bash != nil {
		bash{l.src, v}.walk(l.bash)
		return
	}
	fish{l.src, v}.commands(l.fish)
}

// bash visits the result of the bash and zsh parser.
type bash struct {
	src   string
	visit Visitor
}

func (b bash) walk(root syntax.Node) {
	syntax.Walk(root, func(node syntax.Node) bool {
		switch n := node.(type) {
		case *syntax.Comment:
			b.visit.Free(int(n.Hash.Offset())+1, int(n.End().Offset()))
		case *syntax.CallExpr:
			b.call(n)
			return false
		case *syntax.Redirect:
			b.redirect(n)
			return false
		case *syntax.Word:
			b.visit.Word(b.word(n))
			return false
		case *syntax.ParamExp:
			b.expansion(n)
			return false
		case *syntax.Lit: // of a word with a substitution in it
			b.visit.Literal(b.span(n))
		}
		return true
	})
}

func (b bash) call(c *syntax.CallExpr) {
	for _, a := range c.Assigns {
		if a.Value != nil {
			b.visit.Word(b.word(a.Value))
		}
		if a.Array != nil {
			b.walk(a.Array)
		}
	}
	words := make([]Word, len(c.Args))
	for i, w := range c.Args {
		words[i] = b.word(w)
	}
	b.visit.Command(words)
}

// expansion visits the words of ${NAME...}.
func (b bash) expansion(p *syntax.ParamExp) {
	var texts []*syntax.Word
	if p.Exp != nil && p.Exp.Word != nil {
		texts = append(texts, p.Exp.Word)
	}
	if p.Repl != nil {
		texts = append(texts, p.Repl.Orig, p.Repl.With)
	}
	for _, w := range texts {
		if w != nil {
			b.visit.Expansion(b.word(w), Spaced(b.source(w)))
		}
	}
}

func (b bash) redirect(r *syntax.Redirect) {
	if r.Word != nil && r.Hdoc == nil {
		if r.Op == syntax.WordHdoc && !isReference(r.Word) {
			b.visit.Text(b.word(r.Word))
		} else {
			b.visit.Word(b.word(r.Word))
		}
	}
	if r.Hdoc != nil {
		start, end := b.span(r.Hdoc)
		b.visit.Free(start, heredocEnd(b.src, start, end, strings.Trim(b.source(r.Word), `\'"`)))
	}
}

// heredocEnd is the end of a heredoc's body, before the line that closes it; the parser's own end includes that line
// if nothing follows.
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

func (b bash) span(n syntax.Node) (int, int) {
	return int(n.Pos().Offset()), min(int(n.End().Offset()), len(b.src))
}

func (b bash) source(n syntax.Node) string { s, e := b.span(n); return b.src[s:e] }

// word converts a parser's word to the form common to all shells.
func (b bash) word(w *syntax.Word) Word {
	start, end := b.span(w)
	return Word{Start: start, End: end, Lit: w.Lit(), Spaced: quotedSpace(w), Reference: isReference(w), Inner: hasInner(w),
		inside: func(v Visitor) {
			for _, part := range w.Parts {
				bash{b.src, v}.walk(part)
			}
		}}
}

// isReference reports whether a word is a variable or a substitution and nothing else.
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

// quotedSpace reports whether a quoted part has white space in its own text.
func quotedSpace(w *syntax.Word) bool {
	for _, part := range w.Parts {
		switch p := part.(type) {
		case *syntax.SglQuoted:
			if Spaced(p.Value) {
				return true
			}
		case *syntax.DblQuoted:
			for _, in := range p.Parts {
				if lit, ok := in.(*syntax.Lit); ok && Spaced(lit.Value) {
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

// hasInner reports whether a word has parts that are visited in turn.
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

// Spaced reports whether white space separates what could be words. A delimiter such as ' ' or ', ' says nothing
// about anybody.
func Spaced(s string) bool {
	return strings.ContainsAny(s, " \t\n") && strings.ContainsFunc(s, func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r > unicode.MaxASCII
	})
}

// Unquote drops one pair of quotes around a word.
func Unquote(s string) string {
	if len(s) >= 2 && (s[0] == '"' || s[0] == '\'') && s[len(s)-1] == s[0] && strings.Count(s, s[:1]) == 2 {
		return s[1 : len(s)-1]
	}
	return s
}

var (
	heredocRE = lazyre.New(`(?s)<<-?\s*\\?["']?\w+["']?[^\n]*\n(.*)`)
	quotedRE  = lazyre.New(`"([^"]*\s[^"]*)(?:"|$)|'([^']*\s[^']*)(?:'|$)`)
)

// FreeTextRanges returns the byte ranges of an unparsable line in which a person may have written freely: bodies of
// heredocs and quoted ranges with white space, closed or not. They may overlap.
func FreeTextRanges(line string) [][2]int {
	var out [][2]int
	for _, re := range []*lazyre.Regexp{heredocRE, quotedRE} {
		for _, m := range re.FindAllStringSubmatchIndex(line, -1) {
			for g := 2; g < len(m); g += 2 {
				if m[g] >= 0 {
					out = append(out, [2]int{m[g], m[g+1]})
				}
			}
		}
	}
	return out
}
