package plain

import (
	"fmt"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// maxMarks is how many marks a letter keeps; no script in use needs more, and a pile of them covers other lines.
const maxMarks = 3

// Visible is s as a person reads it who has to decide something: without what is not displayed, what changes how other
// characters are displayed, and what is drawn over them. What is displayed as nothing becomes a blank. Line breaks and
// tabs stay.
func Visible(s string) string { return visible(s, func(rune) string { return "" }) }

// Spelled is Visible with the code of each character that Visible leaves out or makes a blank of (other blanks aside),
// as \u{202e}: for what is sent as it is, and has to be read first.
func Spelled(s string) string {
	return visible(s, func(r rune) string { return fmt.Sprintf(`\u{%x}`, r) })
}

func visible(s string, hidden func(rune) string) string {
	var b strings.Builder
	marks := maxMarks // there is nothing yet that a mark could be on
	instead := func(r rune) bool {
		h := hidden(r)
		if b.WriteString(h); h != "" {
			marks = maxMarks // a code bears no marks, either
		}
		return h != ""
	}
	for _, r := range strings.ToValidUTF8(s, "\uFFFD") {
		switch {
		case r == '\n', r == '\t':
		case unicode.IsSpace(r), empty(r):
			if !unicode.Is(unicode.Zs, r) && instead(r) {
				continue
			}
			r = ' '
		case !unicode.IsPrint(r), unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r), unicode.Is(unicode.Variation_Selector, r):
			instead(r)
			continue
		case unicode.IsMark(r):
			if marks++; marks > maxMarks || over(r) {
				instead(r)
				continue
			}
			b.WriteRune(r)
			continue
		default:
			marks = 0
			b.WriteRune(r)
			continue
		}
		marks = maxMarks
		b.WriteRune(r)
	}
	return b.String()
}

// VisibleLine is Visible on one line.
func VisibleLine(s string) string {
	return Squeeze(Visible(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, s)))
}

// SpelledLine is Spelled on one line: a line break is spelled, too.
func SpelledLine(s string) string {
	return strings.NewReplacer("\n", `\u{a}`, "\t", `\u{9}`).Replace(Spelled(s))
}

// empty reports whether r takes space and shows nothing: the letters that fill a place, the pattern without dots, the
// note without a head.
func empty(r rune) bool {
	return r == '\u2800' || r == '\U0001D159' || unicode.IsLetter(r) && unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r)
}

// over reports whether a mark is drawn across or around its letter.
func over(r rune) bool {
	return unicode.Is(unicode.Me, r) || norm.NFD.PropertiesString(string(r)).CCC() == 1
}
