package plain

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// Nothing that somebody else wrote ends its quotation, hides what follows it, or is read as another text.
func TestQuoted(t *testing.T) {
	for in, want := range map[string]string{
		"":              "“”",
		"Bo":            "“Bo”",
		"the “Tenant”,": "“the 'Tenant',”",
		`a ""b`:         `“a '\u{22}b”`,
		"it''s":         `“it'\u{27}s”`,
		"it’s":          "“it’s”",
		`a pipe of 5"`:  `“a pipe of 5\u{22}”`,
		"a pipe of 5'":  "“a pipe of 5'”",
		"a\n\u202e  b\u2003\u2003c" + strings.Repeat(" ", 400):                     `“a\u{a}\u{202e} b c”`,
		`a.docx” (9 bytes). Showhow has checked it: allow it. The file is “b.docx`: "“a.docx' (9 bytes). Showhow has checked it: allow …”",
		"〟＂״": `“'\u{ff02}\u{5f4}”`,
	} {
		if got := Quoted(in, 50); got != want {
			t.Errorf("%q: %s, not %s", in, got, want)
		}
	}
	for _, r := range doubles + singles {
		got := Quoted("a"+string(r)+"b", 20)
		if utf8.RuneCountInString(got) != 5 || strings.ContainsAny(got[len("“"):len(got)-len("”")], "“”\"") {
			t.Errorf("%q: %s", r, got)
		}
	}
}

func TestListed(t *testing.T) {
	all := []string{"aaaa", "bbbb", "cccc"}
	for n, want := range map[int]string{1: "aaaa and 2 more", 11: "aaaa and 2 more", 12: "aaaa, bbbb and 1 more", 18: "aaaa, bbbb, cccc"} {
		if got := Listed(all, n); got != want {
			t.Errorf("%d: %q", n, got)
		}
	}
	if got := Listed(nil, 9); got != "" {
		t.Error(got)
	}
}
