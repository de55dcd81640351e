package source

import (
	"strings"
	"unicode/utf8"

	"showhow/daemon/skill/scan/report"
	"showhow/internal/lazyre"
)

const (
	Zwnj = '\u200c'
	Zwj  = '\u200d'
)

func TagRune(r rune) bool { return r >= 0xe0000 && r <= 0xe007f }

func Selector(r rune) bool { return r >= 0xfe00 && r <= 0xfe0f || r >= 0xe0100 && r <= 0xe01ef }

func BidiOverride(r rune) bool { return r == 0x202d || r == 0x202e }

func BidiControl(r rune) bool {
	return r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}

// Widthless are characters that take no room, and fillers that look like blanks but are letters.
func Widthless(r rune) bool {
	switch r {
	case 0x200b, Zwnj, Zwj, 0x2060, 0x2061, 0x2062, 0x2063, 0x2064, 0xfeff, 0x180e, 0x115f, 0x1160, 0x3164, 0xffa0, 0x00ad, 0x034f:
		return true
	}
	return false
}

func HiddenRune(r rune) bool {
	return TagRune(r) || Selector(r) || Widthless(r) || BidiControl(r) || r < 0x20 && r != '\n' && r != '\t' && r != '\r' || r == 0x7f
}

// Visible is s with every invisible character left out or, for control characters, replaced.
func Visible(s string) string {
	if Ascii(s) && strings.IndexFunc(s, HiddenRune) < 0 {
		return s
	}
	return strings.Map(func(r rune) rune {
		if HiddenRune(r) {
			return -1
		}
		return r
	}, s)
}

func Ascii(s string) bool {
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
func (f *File) steadied(s string) string {
	if !steers(s) {
		return s
	}
	f.SetText(s) // for the lines
	for _, at := range steering.FindAllStringIndex(s, 10000) {
		switch m := s[at[0]:at[1]]; {
		case colouring.MatchString(m):
			f.Add("hidden-control", f.Line(at[0]), "", report.With{Meaning: "The text is coloured by a terminal's control sequences.",
				Severity: report.Low})
		case len(m) == 1:
			f.Add("hidden-control", f.Line(at[0]), "", report.With{Meaning: "A control character, which no screen shows, stands in the text.",
				Severity: report.Medium})
		default:
			f.Add("hidden-control", f.Line(at[0]), "", report.With{})
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

// Confusable maps letters of other alphabets to the Latin ones that they look like.
var Confusable = map[rune]rune{
	'а': 'a', 'е': 'e', 'о': 'o', 'р': 'p', 'с': 'c', 'х': 'x', 'у': 'y', 'і': 'i', 'ѕ': 's', 'ј': 'j', 'һ': 'h', 'ԁ': 'd', 'ԛ': 'q', 'ԝ': 'w',
	'ѵ': 'v', 'ӏ': 'l', 'ɡ': 'g', 'ո': 'n', 'ս': 'u', 'օ': 'o', 'հ': 'h', 'ց': 'g', 'զ': 'q',
	'А': 'A', 'В': 'B', 'Е': 'E', 'К': 'K', 'М': 'M', 'Н': 'H', 'О': 'O', 'Р': 'P', 'С': 'C', 'Т': 'T', 'Х': 'X', 'У': 'Y', 'І': 'I', 'Ѕ': 'S',
	'Ј': 'J', 'Ԍ': 'G',
	'ο': 'o', 'α': 'a', 'ν': 'v', 'ι': 'i', 'ρ': 'p', 'κ': 'k', 'υ': 'u', 'Α': 'A', 'Β': 'B', 'Ε': 'E', 'Ζ': 'Z', 'Η': 'H', 'Ι': 'I', 'Κ': 'K',
	'Μ': 'M', 'Ν': 'N', 'Ο': 'O', 'Ρ': 'P', 'Τ': 'T', 'Υ': 'Y', 'Χ': 'X',
	'ı': 'i', 'ꞵ': 'b', 'ⅼ': 'l', 'ⅰ': 'i', 'ꜱ': 's', 'ᴄ': 'c', 'ᴏ': 'o', 'ᴠ': 'v', 'ᴢ': 'z', '／': '/', '․': '.', '∕': '/', '⁄': '/', '։': ':',
	'‐': '-', '‑': '-',
	'ʜ': 'h', 'ᴡ': 'w',
	// Cherokee, whose letters are made after the Latin ones, and Lisu, which uses them
	'Ꭰ': 'D', 'Ꭱ': 'R', 'Ꭲ': 'T', 'Ꭵ': 'i', 'Ꭺ': 'A', 'Ꭻ': 'J', 'Ꭼ': 'E', 'Ꭹ': 'y', 'Ꭴ': 'O', 'Ꮃ': 'W', 'Ꮇ': 'M', 'Ꮋ': 'H', 'Ꮍ': 'Y',
	'Ꮎ': 'O', 'Ꮐ': 'G', 'Ꮒ': 'h', 'Ꮓ': 'Z', 'Ꮟ': 'b', 'Ꮢ': 'R', 'Ꮤ': 'W', 'Ꮥ': 'S', 'Ꮩ': 'V', 'Ꮪ': 'S', 'Ꮮ': 'L', 'Ꮯ': 'C', 'Ꮲ': 'P',
	'Ꮶ': 'K', 'Ꮷ': 'd', 'Ᏼ': 'B', 'ꭰ': 'd', 'ꭱ': 'r', 'ꭲ': 't', 'ꭵ': 'i', 'ꭺ': 'a', 'ꭻ': 'j', 'ꭼ': 'e', 'ꭹ': 'y', 'ꭴ': 'o', 'ꮃ': 'w',
	'ꮇ': 'm', 'ꮋ': 'h', 'ꮍ': 'y', 'ꮎ': 'o', 'ꮐ': 'g', 'ꮒ': 'h', 'ꮓ': 'z', 'ꮢ': 'r', 'ꮤ': 'w', 'ꮥ': 's', 'ꮩ': 'v', 'ꮪ': 's', 'ꮮ': 'l',
	'ꮯ': 'c', 'ꮲ': 'p', 'ꮶ': 'k', 'ꮷ': 'd',
	'ꓐ': 'B', 'ꓑ': 'P', 'ꓓ': 'D', 'ꓔ': 'T', 'ꓖ': 'G', 'ꓗ': 'K', 'ꓙ': 'J', 'ꓚ': 'C', 'ꓜ': 'Z', 'ꓝ': 'F', 'ꓟ': 'M', 'ꓠ': 'N', 'ꓡ': 'L',
	'ꓢ': 'S', 'ꓣ': 'R', 'ꓦ': 'V', 'ꓧ': 'H', 'ꓪ': 'W', 'ꓫ': 'X', 'ꓬ': 'Y', 'ꓮ': 'A', 'ꓰ': 'E', 'ꓲ': 'I', 'ꓳ': 'O', 'ꓴ': 'U',
}

// Latin is s with look-alikes replaced and what is invisible left out: what a reader thinks it says.
func Latin(s string) string {
	if Ascii(s) {
		return s
	}
	return strings.Map(func(r rune) rune {
		if HiddenRune(r) && r != '\n' {
			return -1
		}
		if c, ok := Confusable[r]; ok {
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

func Short(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return string(r[:n]) + "…"
}
