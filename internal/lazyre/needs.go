package lazyre

import (
	"regexp/syntax"
	"slices"
)

// An expression costs far more than a word search, and almost never matches. The words that every match must contain
// stand in the expression itself: for (?:ignore|forget).{0,60}(?:rules|orders), one of the first two and one of the
// last two.

// Needs returns sets of words of at least so many bytes; every match of the expression contains a word of each. None if the
// expression requires no such word.
func Needs(expr string, least int) [][]string {
	re, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return nil
	}
	return needsOf(re, least)
}

// needsOf is needs for words of at least so many bytes.
func needsOf(re *syntax.Regexp, least int) [][]string {
	switch re.Op {
	case syntax.OpLiteral:
		if re.Flags&syntax.FoldCase == 0 && len(string(re.Rune)) >= least {
			return [][]string{{string(re.Rune)}}
		}
	case syntax.OpCapture, syntax.OpPlus:
		return needsOf(re.Sub[0], least)
	case syntax.OpRepeat:
		if re.Min > 0 {
			return needsOf(re.Sub[0], least)
		}
	case syntax.OpConcat:
		var all [][]string
		for _, sub := range re.Sub {
			all = append(all, needsOf(sub, least)...)
		}
		return all
	case syntax.OpAlternate:
		var either []string
		for _, sub := range re.Sub {
			of := needsOf(sub, least)
			if len(of) == 0 {
				return nil
			}
			either = append(either, slices.MaxFunc(of, moreTelling)...)
		}
		return [][]string{either}
	}
	return nil
}

// moreTelling orders sets by how much the presence of one of their words says.
func moreTelling(a, b []string) int {
	if d := shortest(a) - shortest(b); d != 0 {
		return d
	}
	return len(b) - len(a)
}

func shortest(words []string) int {
	n := len(words[0])
	for _, w := range words {
		n = min(n, len(w))
	}
	return n
}
