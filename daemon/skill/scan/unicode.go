package scan

import (
	"fmt"
	"showhow/internal/lazyre"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	zwnj = '\u200c'
	zwj  = '\u200d'
)

func tagRune(r rune) bool      { return r >= 0xe0000 && r <= 0xe007f }
func selector(r rune) bool     { return r >= 0xfe00 && r <= 0xfe0f || r >= 0xe0100 && r <= 0xe01ef }
func bidiOverride(r rune) bool { return r == 0x202d || r == 0x202e }
func bidiControl(r rune) bool {
	return r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}

// widthless are characters that take no room, and fillers that look like blanks but are letters.
func widthless(r rune) bool {
	switch r {
	case 0x200b, zwnj, zwj, 0x2060, 0x2061, 0x2062, 0x2063, 0x2064, 0xfeff, 0x180e, 0x115f, 0x1160, 0x3164, 0xffa0, 0x00ad, 0x034f:
		return true
	}
	return false
}

func hiddenRune(r rune) bool {
	return tagRune(r) || selector(r) || widthless(r) || bidiControl(r) || r < 0x20 && r != '\n' && r != '\t' && r != '\r' || r == 0x7f
}

// visible is s with every invisible character left out or, for control characters, replaced.
func visible(s string) string {
	if ascii(s) && strings.IndexFunc(s, hiddenRune) < 0 {
		return s
	}
	return strings.Map(func(r rune) rune {
		if hiddenRune(r) {
			return -1
		}
		return r
	}, s)
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// steering are a terminal's control sequences, without the texts that some of them carry: an agent reads those.
var steering = lazyre.New(`(?:\x1b\[|\x{9b})[0-?]*[ -/]*[@-~]|\x1b[ -/]*[0-~]|[\x00-\x08\x0e-\x1f\x7f-\x{9f}]`)

// colouring only chooses how text looks, unless it is made invisible (8) or of its ground's colour, which is not looked into.
var colouring = lazyre.New(`^(?:\x1b\[|\x{9b})[0-79;]*m$`)

// steadied is a text without control characters, which could stand in the midst of every word that is looked for. They are
// noted. No line is lost by it.
func (f *file) steadied(s string) string {
	if !steers(s) {
		return s
	}
	f.setText(s) // for the lines
	for _, at := range steering.FindAllStringIndex(s, 10000) {
		switch m := s[at[0]:at[1]]; {
		case colouring.MatchString(m):
			f.add("hidden-control", f.line(at[0]), "", with{meaning: "The text is coloured by a terminal's control sequences.", severity: Low})
		case len(m) == 1:
			f.add("hidden-control", f.line(at[0]), "", with{meaning: "A control character, which no screen shows, stands in the text.",
				severity: Medium})
		default:
			f.add("hidden-control", f.line(at[0]), "", with{})
		}
	}
	return steering.ReplaceAllString(s, "")
}

// steers reports whether there is a control character besides those that lay text out.
func steers(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case c >= 0x20 && c < 0x7f, c >= '\t' && c <= '\r':
		case c == 0xc2:
			if i+1 < len(s) && s[i+1] < 0xa0 {
				return true
			}
		case c <= 0x7f:
			return true
		}
	}
	return false
}

// joins: scripts in which ZWJ and ZWNJ are spelling.
func joins(r rune) bool {
	return unicode.In(r, unicode.Arabic, unicode.Syriac, unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati,
		unicode.Oriya, unicode.Tamil, unicode.Telugu, unicode.Kannada, unicode.Malayalam, unicode.Sinhala, unicode.Khmer, unicode.Myanmar,
		unicode.Mongolian, unicode.Thai, unicode.Lao, unicode.Tibetan, unicode.Hebrew)
}

// emojiLike are signs that ZWJ joins and selectors shape.
func emojiLike(r rune) bool {
	return r >= 0x1f000 && r <= 0x1faff || r >= 0x2190 && r <= 0x2bff || r >= 0x1f3fb && r <= 0x1f3ff || r == 0x20e3 || r == 0xa9 ||
		r == 0xae || r >= '0' && r <= '9' || r == '#' || r == '*' ||
		r == 0x203c || r == 0x2049 || r == 0x2122 || r == 0x2139 || r >= 0x3030 && r <= 0x3299 || selector(r) || tagRune(r)
}

// characters looks at the characters of a text that nobody sees, or sees as others.
type characters struct{ *file }

// invisible looks for characters that nobody sees. It returns at once for ASCII.
func (f characters) invisible() {
	if ascii(f.text) {
		return
	}
	var prev, before rune
	run := 0
	inFlag := false
	tagged, tagLine := strings.Builder{}, 0
	flush := func() {
		if tagged.Len() > 0 {
			f.add("hidden-tags", tagLine, "", with{meaning: fmt.Sprintf("Invisible characters spell: %q", short(tagged.String(), 120))})
			tagged.Reset()
		}
	}
	for i, r := range f.text {
		switch {
		case r < utf8.RuneSelf:
			run = 0
			inFlag = false
		case tagRune(r):
			if prev == 0x1f3f4 {
				inFlag = flagAt(f.text[i:])
			}
			if !inFlag {
				if tagged.Len() == 0 {
					tagLine = f.line(i)
				}
				if c := r - 0xe0000; c >= 0x20 && c < 0x7f {
					tagged.WriteRune(c)
				} else {
					tagged.WriteRune('·')
				}
			}
			before, prev = prev, r
			continue
		case selector(r):
			if run++; run == 2 && selector(prev) || r >= 0xe0100 && !unicode.Is(unicode.Han, prev) && !selector(prev) {
				f.add("hidden-variation", f.line(i), "", with{})
			}
		case widthless(r):
			run++
			f.zeroWidth(i, r, prev, before, run)
		case bidiControl(r):
			run = 0
			f.direction(i, r)
		default:
			run = 0
			inFlag = false
		}
		flush()
		before, prev = prev, r
	}
	flush()
	f.lookalikes()
}

// flagAt: the three flags that are spelt with tags.
func flagAt(s string) bool {
	for _, sub := range []string{"gbeng", "gbsct", "gbwls"} {
		var b strings.Builder
		for _, c := range sub {
			b.WriteRune(0xe0000 + c)
		}
		if strings.HasPrefix(s, b.String()+"\U000e007f") {
			return true
		}
	}
	return false
}

func (f characters) zeroWidth(i int, r, prev, before rune, run int) {
	if i == 0 && r == 0xfeff {
		return
	}
	if run == 4 {
		f.add("hidden-zero-width", f.line(i), "", with{meaning: "A run of invisible characters can carry hidden data.", severity: High})
		return
	}
	next, _ := utf8.DecodeRuneInString(f.text[i+utf8.RuneLen(r):])
	switch {
	case r == zwj && (emojiLike(prev) && emojiLike(next)), (r == zwj || r == zwnj) && (joins(prev) || joins(next)), widthless(prev) && run < 4:
	case r == 0x00ad && unicode.IsLetter(prev) && unicode.IsLetter(next) && f.kind == markdown: // a hyphenation mark
		f.add("hidden-zero-width", f.line(i), "", with{severity: Low})
	case r == 0x3164 || r == 0x115f || r == 0x1160 || r == 0xffa0:
		if !unicode.Is(unicode.Hangul, prev) {
			f.add("hidden-zero-width", f.line(i), "", with{meaning: "A letter that looks like nothing stands in the text.", severity: High})
		}
	case wordy(prev) && wordy(next):
		sev := Medium
		if f.kind != markdown && f.kind != plain {
			sev = High
		}
		f.add("hidden-zero-width", f.line(i), "", with{severity: sev})
	default:
		f.add("hidden-zero-width", f.line(i), "", with{severity: Low})
	}
}

func wordy(r rune) bool {
	return r < 0x250 && (unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("./-_$:", r))
}

// direction: overrides never; embeddings and isolates where a line has letters that are written from right to left.
func (f characters) direction(i int, r rune) {
	line := f.line(i)
	rtl := strings.IndexFunc(f.lineText(line), func(r rune) bool {
		return unicode.In(r, unicode.Arabic, unicode.Hebrew, unicode.Syriac, unicode.Thaana, unicode.Nko)
	}) >= 0
	switch {
	case bidiOverride(r):
		f.add("hidden-bidi", line, "", with{})
	case f.kind == markdown || f.kind == plain || f.kind == dataFile:
		if !rtl {
			f.add("hidden-bidi", line, "", with{severity: Medium})
		}
	default:
		f.add("hidden-bidi", line, "", with{})
	}
}

// confusable maps letters of other alphabets to the Latin ones that they look like.
var confusable = map[rune]rune{
	'а': 'a', 'е': 'e', 'о': 'o', 'р': 'p', 'с': 'c', 'х': 'x', 'у': 'y', 'і': 'i', 'ѕ': 's', 'ј': 'j', 'һ': 'h', 'ԁ': 'd', 'ԛ': 'q', 'ԝ': 'w',
	'ѵ': 'v', 'ӏ': 'l', 'ɡ': 'g', 'ո': 'n', 'ս': 'u', 'օ': 'o', 'հ': 'h', 'ց': 'g', 'զ': 'q',
	'А': 'A', 'В': 'B', 'Е': 'E', 'К': 'K', 'М': 'M', 'Н': 'H', 'О': 'O', 'Р': 'P', 'С': 'C', 'Т': 'T', 'Х': 'X', 'У': 'Y', 'І': 'I', 'Ѕ': 'S',
	'Ј': 'J', 'Ԍ': 'G',
	'ο': 'o', 'α': 'a', 'ν': 'v', 'ι': 'i', 'ρ': 'p', 'κ': 'k', 'υ': 'u', 'Α': 'A', 'Β': 'B', 'Ε': 'E', 'Ζ': 'Z', 'Η': 'H', 'Ι': 'I', 'Κ': 'K',
	'Μ': 'M', 'Ν': 'N', 'Ο': 'O', 'Ρ': 'P', 'Τ': 'T', 'Υ': 'Y', 'Χ': 'X',
	'ı': 'i', 'ꞵ': 'b', 'ⅼ': 'l', 'ⅰ': 'i', 'ꜱ': 's', 'ᴄ': 'c', 'ᴏ': 'o', 'ᴠ': 'v', 'ᴢ': 'z', '／': '/', '․': '.', '∕': '/', '⁄': '/', '։': ':',
	'‐': '-', '‑': '-',
}

// latin is s with look-alikes replaced and what is invisible left out: what a reader thinks it says.
func latin(s string) string {
	if ascii(s) {
		return s
	}
	return strings.Map(func(r rune) rune {
		if hiddenRune(r) && r != '\n' {
			return -1
		}
		if c, ok := confusable[r]; ok {
			return c
		}
		if r >= 0xff01 && r <= 0xff5e { // full width
			return r - 0xfee0
		}
		if r >= 0x1d400 && r <= 0x1d6a3 { // mathematical letters
			n := (r - 0x1d400) % 52
			if n < 26 {
				return 'A' + n
			}
			return 'a' + n - 26
		}
		return r
	}, s)
}

// lookalikes finds words that mix Latin letters with letters that only look Latin.
func (f characters) lookalikes() {
	start, latinSeen, foreign := -1, 0, 0
	honest := false // a foreign letter that looks like no Latin one: a real word or formula
	end := func(i int) {
		if start >= 0 && latinSeen > 1 && foreign > 0 && !honest {
			f.add("hidden-homoglyph", f.line(start), f.text[start:i],
				with{meaning: fmt.Sprintf("%q reads as %q.", short(f.text[start:i], 60), short(latin(f.text[start:i]), 60))})
		}
		start, latinSeen, foreign, honest = -1, 0, 0, false
	}
	for i, r := range f.text {
		if !unicode.IsLetter(r) {
			if start >= 0 && !unicode.IsDigit(r) && r != '.' && !unicode.Is(unicode.Mn, r) && !hiddenRune(r) {
				end(i)
			}
			continue
		}
		if start < 0 {
			start = i
		}
		_, alike := confusable[r]
		switch {
		case alike && r != 'ı':
			foreign++
		case unicode.Is(unicode.Latin, r):
			latinSeen++
		default:
			honest = true
		}
	}
	end(len(f.text))
}

func short(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return string(r[:n]) + "…"
}
