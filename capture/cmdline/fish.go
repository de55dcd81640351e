package cmdline

import (
	"strings"

	"showhow/capture/lexical"
)

// There is no fish parser in Go. This one covers as much of the grammar as is needed to find the words of each
// command: quotes, escapes, substitutions, comments, redirections and the keywords that precede a command.

// fishCommand is one simple command.
type fishCommand struct {
	words   []fishWord
	targets []fishWord // of redirections
	into    []string   // what stands before each target: ">", ">>", "<"
	note    [2]int     // a comment behind it
}

// fishWord is one word. subs are the contents of its substitutions, lits the ranges outside them.
type fishWord struct {
	start, end int
	plain      bool // no quotes, variables, substitutions
	spaced     bool
	quoted     bool
	subs       [][]fishCommand
	lits       [][2]int
	variable   bool // holds a $
}

// parseFish returns the commands of a line; false if a quote or a parenthesis stays open.
func parseFish(src string) ([]fishCommand, bool) {
	p := &fishParser{src: src}
	cmds := p.commands(false)
	return cmds, !p.broken && p.at == len(src)
}

type fishParser struct {
	src    string
	at     int
	broken bool
}

// commands parses up to the end, or to the parenthesis that closes a substitution.
func (p *fishParser) commands(inside bool) []fishCommand {
	var out []fishCommand
	var cur fishCommand
	end := func() {
		if len(cur.words)+len(cur.targets) > 0 || cur.note[1] > 0 {
			out = append(out, cur)
		}
		cur = fishCommand{}
	}
	target := ""
	for p.at < len(p.src) && !p.broken {
		switch c := p.src[p.at]; {
		case c == ' ' || c == '\t':
			p.at++
		case c == '\\' && p.at+1 < len(p.src) && p.src[p.at+1] == '\n':
			p.at += 2
		case c == ')' && inside:
			end()
			return out
		case c == '&' && p.at+1 < len(p.src) && p.src[p.at+1] == '>':
			p.at++
		case c == '<' || c == '>' || c == '^' && p.nextIsSpace():
			from := p.at
			p.at++
			for p.at < len(p.src) && strings.IndexByte(">?|&", p.src[p.at]) >= 0 {
				p.at++
			}
			target = p.src[from:p.at]
		case strings.IndexByte(";\n|&", c) >= 0:
			p.at++
			end()
			target = ""
		case c == ')':
			p.broken = true
		case c == '#':
			from := p.at + 1
			if i := strings.IndexByte(p.src[p.at:], '\n'); i >= 0 {
				p.at += i
			} else {
				p.at = len(p.src)
			}
			cur.note = [2]int{from, p.at}
			end()
		default:
			w := p.word()
			if w.plain && p.at < len(p.src) && (p.src[p.at] == '>' || p.src[p.at] == '<') && lexical.IsNumeric(p.src[w.start:w.end]) {
				continue // 2>file
			}
			if target != "" {
				cur.targets, cur.into = append(cur.targets, w), append(cur.into, target)
				target = ""
			} else {
				cur.words = append(cur.words, w)
			}
		}
	}
	if inside {
		p.broken = true
	}
	end()
	return out
}

func (p *fishParser) nextIsSpace() bool {
	return p.at+1 < len(p.src) && (p.src[p.at+1] == ' ' || p.src[p.at+1] == '/')
}

// word parses one word.
func (p *fishParser) word() fishWord {
	w := fishWord{start: p.at, plain: true}
	from := p.at
	for p.at < len(p.src) && !p.broken {
		switch c := p.src[p.at]; {
		case strings.IndexByte(" \t\n;|&<>)", c) >= 0:
			w.end = p.at
			w.lits = append(w.lits, [2]int{from, p.at})
			return w
		case c == '\\':
			w.plain = false
			w.spaced = w.spaced || strings.HasPrefix(p.src[p.at+1:], " ")
			p.at = min(p.at+2, len(p.src))
		case c == '\'' || c == '"':
			w.plain, w.quoted = false, true
			from = p.quote(&w, from, c)
		case c == '(':
			from = p.substitution(&w, from)
		case c == '$':
			w.plain, w.variable = false, true
			p.at++
		default:
			p.at++
		}
	}
	w.end = p.at
	w.lits = append(w.lits, [2]int{from, p.at})
	return w
}

// quote parses a quoted range; in double quotes $(...) is a substitution.
func (p *fishParser) quote(w *fishWord, from int, q byte) int {
	p.at++
	start := p.at
	for p.at < len(p.src) && !p.broken {
		switch c := p.src[p.at]; {
		case c == '\\':
			p.at = min(p.at+2, len(p.src))
		case c == q:
			w.spaced = w.spaced || Spaced(p.src[start:p.at])
			p.at++
			return from
		case c == '$' && q == '"' && p.at+1 < len(p.src) && p.src[p.at+1] == '(':
			w.spaced = w.spaced || Spaced(p.src[start:p.at])
			p.at++
			from = p.substitution(w, from)
			start = p.at
		case c == '$' && q == '"':
			w.variable = true
			p.at++
		default:
			p.at++
		}
	}
	p.broken = true
	return from
}

// substitution parses (...).
func (p *fishParser) substitution(w *fishWord, from int) int {
	w.plain = false
	w.lits = append(w.lits, [2]int{from, p.at})
	p.at++
	w.subs = append(w.subs, p.commands(true))
	if p.broken {
		return p.at
	}
	p.at++ // the closing parenthesis
	return p.at
}

// Keywords that precede a fish command.
var fishBefore = map[string]bool{"and": true, "or": true, "not": true, "!": true, "begin": true, "if": true, "else": true, "while": true,
	"time": true, "command": true, "builtin": true, "exec": true}

// fish visits parsed commands.
type fish struct {
	src   string
	visit Visitor
}

func (f fish) commands(commands []fishCommand) {
	for _, c := range commands {
		words := make([]Word, 0, len(c.words))
		for _, w := range c.words {
			words = append(words, f.word(w))
		}
		for len(words) > 1 && (fishBefore[words[0].Lit] || strings.Contains(f.src[words[0].Start:words[0].End], "=") &&
			!strings.HasPrefix(words[0].Lit, "=")) {
			f.visit.Word(words[0])
			words = words[1:]
		}
		f.visit.Command(words)
		for _, w := range c.targets {
			f.visit.Word(f.word(w))
		}
		if c.note[1] > c.note[0] {
			f.visit.Free(c.note[0], c.note[1])
		}
	}
}

// word converts a fish word to the form common to all shells.
func (f fish) word(w fishWord) Word {
	out := Word{Start: w.start, End: w.end, Spaced: w.spaced, Inner: len(w.subs) > 0}
	if w.plain {
		out.Lit = f.src[w.start:w.end]
	}
	bare := strings.Trim(f.src[w.start:w.end], `"`)
	out.Reference = len(w.subs) == 1 && strings.HasPrefix(strings.TrimPrefix(bare, "$"), "(") && strings.HasSuffix(bare, ")") ||
		w.variable && len(w.subs) == 0 && referenceOnly(bare)
	out.inside = func(v Visitor) {
		for _, lit := range w.lits {
			if lit[1] > lit[0] {
				v.Literal(lit[0], lit[1])
			}
		}
		for _, sub := range w.subs {
			fish{f.src, v}.commands(sub)
		}
	}
	return out
}

// referenceOnly reports whether a word is $NAME or $NAME[1..2] and nothing else.
func referenceOnly(s string) bool {
	name, ok := strings.CutPrefix(s, "$")
	if !ok {
		return false
	}
	if i := strings.IndexByte(name, '['); i >= 0 {
		name = name[:i]
	}
	return strings.IndexFunc(name, func(r rune) bool { return r != '_' && r != '$' && !lexical.IsWord(r) }) < 0
}
