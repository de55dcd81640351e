package prove

import (
	"slices"
	"strings"

	"showhow/internal/lazyre"
)

// pattern is a regular expression with quick tests for what a matching text must contain: they settle most texts, of
// which a long demonstration has many.
type pattern struct {
	re    *lazyre.Regexp
	chars string   // a match needs one of these characters; "" means no test
	words []string // a match needs one of these, in lower case; none means no test
}

func needs(chars, words, expr string) pattern {
	p := pattern{re: lazyre.New(expr), chars: chars}
	if words != "" {
		p.words = strings.Split(words, "|")
	}
	return p
}

// may reports whether a text could match; low is the text in lower case.
func (p pattern) may(s, low string) bool {
	return (p.chars == "" || strings.ContainsAny(s, p.chars)) && (len(p.words) == 0 || holdsAny(low, p.words))
}

// in reports whether any of the patterns matches.
func in(s string, patterns ...pattern) bool {
	low := strings.ToLower(s)
	return slices.ContainsFunc(patterns, func(p pattern) bool { return p.may(s, low) && p.re.MatchString(s) })
}

// all returns the matches in s.
func (p pattern) all(s string) []string {
	if !p.may(s, strings.ToLower(s)) {
		return nil
	}
	return p.re.FindAllString(s, -1)
}

func holdsAny(s string, words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(s, w) })
}
