package hint

import (
	"regexp/syntax"
	"slices"
)

// An expression costs far more than a look for words, and nearly always finds nothing. What words a match cannot be without
// stands in the expression itself: of (?:ignore|forget).{0,60}(?:rules|orders) one of the first and one of the second.

// shortest is how long a word must be to tell anything.
const shortest = 3

// needs are sets of words; every match of the expression holds a word of each. None where an expression promises nothing.
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

// moreTelling orders sets by how much it says that one of their words is there.
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
