package source

import (
	"strings"

	"showhow/internal/lazyre"
)

// Place says where text stands: it decides how much a sentence weighs.
type Place struct {
	Hidden  string // the rule for text that is not shown, "" for text that is
	Quoted  bool   // in a code block, a quotation or inline code
	Before  string // what stands before it: it can say that a bad example follows
	Literal bool   // a comment or a string of a program, a value of a data file
	Head    bool   // description or triggers
	Whole   bool   // both halves of a harm are said: whose orders, and that they are followed
	Denied  bool   // in a list whose heading is a negation and nothing else
	Forbids bool   // in a list whose heading says that these are things not to do
}

// badExample: words that present what follows as something not to do or to look for.
var badExample = Wording("bad.example")

// forbids is a heading, or what introduces a list, that says nothing but that what follows is not to be done.
var forbids = Wording("list.forbids")

// Forbidding reports whether a heading or introduction says that what follows is not to be done, and nothing else.
func Forbidding(s string) bool { return len(s) < 80 && forbids.MatchString(s) }

// Denying reports whether a heading or introduction is the negation of what follows, in so many words.
func Denying(s string) bool { return len(s) < 40 && negation(s) && denies.MatchString(s) }

// negation: the text has a letter pair that every negation in denies has, which costs less than to try.
func negation(s string) bool {
	return strings.Contains(s, "ver") || strings.Contains(s, "VER") || strings.Contains(s, "n't") || strings.Contains(s, "not") ||
		strings.Contains(s, "N'T") || strings.Contains(s, "NOT") || strings.Contains(s, "ont") || strings.Contains(s, "Not")
}

var denies = Wording("list.denies")

// Cue: what stands before presents this as something not to do.
func (p Place) Cue() bool { return Presented(p.Before) }

// Presented reports whether a heading, or a sentence that ends in a colon, opens with words that present what follows
// as something bad. Words later in it do not count, because they could have been appended, nor does a sentence that
// introduces nothing.
func Presented(s string) bool {
	lines := strings.Split(strings.TrimSpace(plainWords(s)), "\n")
	for i, l := range lines {
		l = strings.TrimRight(l, " \t*_")
		if i := strings.LastIndex(strings.TrimRight(l, ".:!? "), ". "); i >= 0 {
			l = l[i+2:]
		}
		if (strings.HasSuffix(l, ":") || strings.HasPrefix(l, "#") || i == 0 && len(lines) > 1) && opensBadly(l) {
			return true
		}
	}
	return false
}

// Presents: the sentence itself opens with such words, which stand before what is said at an offset.
func Presents(s string, at int) bool {
	l := plainWords(s)
	m := badExample.FindStringIndex(l)
	return m != nil && m[0] < len(plainWords(s[:at])) && opensBadly(l)
}

func plainWords(s string) string {
	if strings.Contains(s, "://") || strings.Contains(s, ".example") {
		return addressLike.ReplaceAllString(s, " ")
	}
	return s
}

func opensBadly(l string) bool {
	m := badExample.FindStringIndex(l)
	if m == nil {
		return false
	}
	before, all := len(strings.Fields(l[:m[0]])), len(strings.Fields(l))
	return before == 0 || before < 5 && before*2 < all-1
}

var addressLike = lazyre.New(`(?i)https?://[^\s"'<>)]+|[\w@.-]+\.(?:example|invalid|test)\b[^\s"'<>)]*`)
