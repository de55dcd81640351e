package scan

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"showhow/daemon/skill/scan/report"
	"showhow/daemon/skill/scan/source"
)

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
		r == 0x203c || r == 0x2049 || r == 0x2122 || r == 0x2139 || r >= 0x3030 && r <= 0x3299 || source.Selector(r) || source.TagRune(r)
}

// characters looks at the characters of a text that nobody sees, or sees as others.
type characters struct{ *file }

// invisible looks for characters that nobody sees. It returns at once for ASCII.
func (f characters) invisible() {
	if source.Ascii(f.Text) {
		return
	}
	var prev, before rune
	run := 0
	inFlag := false
	tagged, tagLine := strings.Builder{}, 0
	flush := func() {
		if tagged.Len() > 0 {
			f.Add("hidden-tags", tagLine, "", report.With{
				Meaning: fmt.Sprintf("Invisible characters spell: %q", source.Short(tagged.String(), 120))})
			tagged.Reset()
		}
	}
	for i, r := range f.Text {
		switch {
		case r < utf8.RuneSelf:
			run = 0
			inFlag = false
		case source.TagRune(r):
			if prev == 0x1f3f4 {
				inFlag = flagAt(f.Text[i:])
			}
			if !inFlag {
				if tagged.Len() == 0 {
					tagLine = f.Line(i)
				}
				if c := r - 0xe0000; c >= 0x20 && c < 0x7f {
					tagged.WriteRune(c)
				} else {
					tagged.WriteRune('·')
				}
			}
			before, prev = prev, r
			continue
		case source.Selector(r):
			if run++; run == 2 && source.Selector(prev) || r >= 0xe0100 && !unicode.Is(unicode.Han, prev) && !source.Selector(prev) {
				f.Add("hidden-variation", f.Line(i), "", report.With{})
			}
		case source.Widthless(r):
			run++
			f.zeroWidth(i, r, prev, before, run)
		case r == 0x2028 || r == 0x2029 || r == 0x85:
			run = 0
			f.Add("hidden-padding", f.Line(i), "", report.With{Meaning: "A line ends here for some programs and goes on for others."})
		case source.BidiControl(r):
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
		f.Add("hidden-zero-width", f.Line(i), "", report.With{Meaning: "A run of invisible characters can carry hidden data.",
			Severity: report.High})
		return
	}
	next, _ := utf8.DecodeRuneInString(f.Text[i+utf8.RuneLen(r):])
	switch {
	case r == source.Zwj && (emojiLike(prev) && emojiLike(next)), (r == source.Zwj || r == source.Zwnj) &&
		(joins(prev) || joins(next)), source.Widthless(prev) && run < 4:
	case r == 0x00ad && unicode.IsLetter(prev) && unicode.IsLetter(next) && f.Kind == source.Markdown: // a hyphenation mark
		f.Add("hidden-zero-width", f.Line(i), "", report.With{Severity: report.Low})
	case r == 0x3164 || r == 0x115f || r == 0x1160 || r == 0xffa0:
		if !unicode.Is(unicode.Hangul, prev) {
			f.Add("hidden-zero-width", f.Line(i), "", report.With{Meaning: "A letter that looks like nothing stands in the text.",
				Severity: report.High})
		}
	case wordy(prev) && wordy(next):
		sev := report.Medium
		if f.Kind != source.Markdown && f.Kind != source.Plain {
			sev = report.High
		}
		f.Add("hidden-zero-width", f.Line(i), "", report.With{Severity: sev})
	default:
		f.Add("hidden-zero-width", f.Line(i), "", report.With{Severity: report.Low})
	}
}

func wordy(r rune) bool {
	return r < 0x250 && (unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("./-_$:", r))
}

// direction: overrides never; embeddings and isolates where a line has letters that are written from right to left.
func (f characters) direction(i int, r rune) {
	line := f.Line(i)
	rtl := strings.IndexFunc(f.LineText(line), func(r rune) bool {
		return unicode.In(r, unicode.Arabic, unicode.Hebrew, unicode.Syriac, unicode.Thaana, unicode.Nko)
	}) >= 0
	switch {
	case source.BidiOverride(r):
		f.Add("hidden-bidi", line, "", report.With{})
	case f.Kind == source.Markdown || f.Kind == source.Plain || f.Kind == source.DataFile:
		if !rtl {
			f.Add("hidden-bidi", line, "", report.With{Severity: report.Medium})
		}
	default:
		f.Add("hidden-bidi", line, "", report.With{})
	}
}

// lookalikes finds words that mix Latin letters with letters that only look Latin.
func (f characters) lookalikes() {
	start, latinSeen, foreign := -1, 0, 0
	honest := false // a foreign letter that looks like no Latin one: a real word or formula
	end := func(i int) {
		if start >= 0 && latinSeen > 1 && foreign > 0 && !honest {
			f.Add("hidden-homoglyph", f.Line(start), f.Text[start:i],
				report.With{Meaning: fmt.Sprintf("%q reads as %q.", source.Short(f.Text[start:i], 60),
					source.Short(source.Latin(f.Text[start:i]), 60))})
		}
		start, latinSeen, foreign, honest = -1, 0, 0, false
	}
	for i, r := range f.Text {
		if !unicode.IsLetter(r) {
			if start >= 0 && !unicode.IsDigit(r) && r != '.' && !unicode.Is(unicode.Mn, r) && !source.HiddenRune(r) {
				end(i)
			}
			continue
		}
		if start < 0 {
			start = i
		}
		_, alike := source.Confusable[r]
		switch {
		case alike && r != 'ı':
			foreign++
		case unicode.Is(unicode.Latin, r):
			latinSeen++
		default:
			honest = true
		}
	}
	end(len(f.Text))
}
