package plain

import (
	"strings"
	"testing"
)

// Nothing that a person cannot see is in what the person decides about, and every script in use stays as it was.
func TestVisible(t *testing.T) {
	for in, want := range map[string]string{
		"pay\uFE01 Ann\U000E0101e":          "pay Anne",
		"a\u034Fb\u17B4c\u180Bd\u2065e":     "abcde",
		"a\u115Fb\u3164c\uFFA0d\u2800e":     "a b c d e",
		"do n\u0336o\u0336t\u20DD send":     "do not send",
		"a" + strings.Repeat("\u0301", 40):  "a" + strings.Repeat("\u0301", 3),
		"\u0301\u0302pay":                   "pay",
		"a\u202Eb\u2066c\u200Bd\uE000e\x1b": "abcde",
		"two\nlines\tof\r\u2028it":          "two\nlines\tof  it",
		"\xff":                              "\uFFFD",
		"Việt ngữ, हिन्दी, שָׁלוֹם, ไทยนี้": "Việt ngữ, हिन्दी, שָׁלוֹם, ไทยนี้",
	} {
		if got := Visible(in); got != want {
			t.Errorf("%+q: %+q, not %+q", in, got, want)
		}
	}
	if got := VisibleLine(" sort\nthem\u202e\u001b[2J\u200b all\u2800\uFE0F "); got != "sort them [2J all" {
		t.Errorf("%+q", got)
	}
}

// What is left out for a reader is spelled for one who has to know it.
func TestSpelled(t *testing.T) {
	for in, want := range map[string]string{
		"pay\u202e Ann\U000E0101": `pay\u{202e} Ann\u{e0101}`,
		"a\u3164b\u00a0c\u0085d":  `a\u{3164}b c\u{85}d`,
		"a\u0336b\n\tc\x1b":       `a\u{336}b\u{a}\u{9}c\u{1b}`,
		"Việt ngữ, हिन्दी":        "Việt ngữ, हिन्दी",
		// A mark is on a letter or it is spelled: it could change how a code reads.
		"a\u0301\u0301\u0301\u0301":  "a\u0301\u0301\u0301\\u{301}",
		"\u0301 \u0301\n\u0301":      `\u{301} \u{301}\u{a}\u{301}`,
		"a\u200b\u0301b\u0336\u0301": `a\u{200b}\u{301}b\u{336}\u{301}`,
		"👍\ufe0f":                    `👍\u{fe0f}`,
	} {
		if got := SpelledLine(in); got != want {
			t.Errorf("%+q: %+q, not %+q", in, got, want)
		}
	}
}
