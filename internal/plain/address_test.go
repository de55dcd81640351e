package plain

import "testing"

func TestMisleading(t *testing.T) {
	for address, want := range map[string]string{
		"ada@example.com": "", "Zoë.Müller@example.com": "", "山田たろう@example.jp": "", "o'hara+x@example.com": "",
		"a\u200bda@example.com": "holds characters that do not show",
		"ada @example.com":      "holds characters that do not show",
		"аda@example.com":       "mixes the letters of several scripts", // the first is Cyrillic
		"ada@exаmple.com":       "has a domain that is not ASCII",
		"nobody":                "",
	} {
		if got := Misleading(address); got != want {
			t.Errorf("%q: %q, want %q", address, got, want)
		}
	}
}
