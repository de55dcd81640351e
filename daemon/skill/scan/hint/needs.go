package hint

import (
	"regexp/syntax"
	"slices"
)

// An expression costs far more than a word search, and almost never matches. The words that every match must contain
// stand in the expression itself: for (?:ignore|forget).{0,60}(?:rules|orders), one of the first two and one of the
// last two.

// shortest is the least length of a word that is worth a search.
const shortest = 3

// needs returns word sets; every match of the expression contains a word of each. None if the expression requires no
// word.
func needs(expr string) [][]string {
	re, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return nil
	}
	return needsOf(re)
}

func needsOf(re *syntax.Regexp) [][]string {
	switch re.Op {
	case syntax.OpLiteral:
		if re.Flags&syntax.FoldCase == 0 && len(string(re.Rune)) >= shortest {
			return [][]string{{string(re.Rune)}}
		}
	case syntax.OpCapture, syntax.OpPlus:
		return needsOf(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return needsOf(re.Sub[0])
		}
	case syntax.OpConcat:
		var all [][]string
		for _, sub := range re.Sub {
			all = append(all, needsOf(sub)...)
		}
		return all
	case syntax.OpAlternate:
		var either []string
		for _, sub := range re.Sub {
			of := needsOf(sub)
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
	if d := least(a) - least(b); d != 0 {
		return d
	}
	return len(b) - len(a)
}

func least(words []string) int {
	n := len(words[0])
	for _, w := range words {
		n = min(n, len(w))
	}
	return n
}
