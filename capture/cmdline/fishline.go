package cmdline

import (
	"strings"

	"showhow/capture/lexical"
)

// FishCall is a simple command of a fish line: its words and redirections.
type FishCall struct {
	Words []FishWord
	Files []FishWord
}

// FishWord is the text of a word as fish interprets it. Known is false if a part of it is only known at run time;
// Text is then the rest of it.
type FishWord struct {
	Text  string
	Known bool
	Into  string // of Files: ">", ">>", "<"
}

// ReadFish parses a fish line; false if a quote or a parenthesis stays open.
func ReadFish(line string) ([]FishCall, bool) {
	cmds, ok := parseFish(line)
	if !ok {
		return nil, false
	}
	return fishCalls(line, cmds), true
}

func fishCalls(src string, cmds []fishCommand) (out []FishCall) {
	for _, c := range cmds {
		var call FishCall
		var inside []FishCall
		for _, w := range c.words {
			call.Words = append(call.Words, w.read(src))
			for _, sub := range w.subs {
				inside = append(inside, fishCalls(src, sub)...)
			}
		}
		for i, w := range c.targets {
			f := w.read(src)
			f.Into = strings.TrimRight(c.into[i], "?|&")
			call.Files = append(call.Files, f)
		}
		if len(call.Words)+len(call.Files) > 0 {
			out = append(out, call)
		}
		out = append(out, inside...)
	}
	return out
}

// read removes quotes and escapes from the ranges of a word outside its substitutions.
func (w fishWord) read(src string) FishWord {
	var b strings.Builder
	quote := byte(0)
	for _, lit := range w.lits {
		quote = unfish(&b, src[lit[0]:lit[1]], quote)
	}
	return FishWord{Text: b.String(), Known: len(w.subs) == 0 && !w.variable}
}

// unfish writes the text of a range that begins inside or outside a quote, and returns the quote that is open at its
// end. Names of variables are omitted.
func unfish(b *strings.Builder, s string, quote byte) byte {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\' && i+1 < len(s) && (quote == 0 || s[i+1] == quote || s[i+1] == '\\' || quote == '"' && s[i+1] == '$'):
			i++
			b.WriteByte(s[i])
		case c == quote:
			quote = 0
		case quote == 0 && (c == '\'' || c == '"'):
			quote = c
		case c == '$' && quote != '\'':
			for i+1 < len(s) && (s[i+1] == '_' || lexical.IsWord(rune(s[i+1]))) {
				i++
			}
		default:
			b.WriteByte(c)
		}
	}
	return quote
}
