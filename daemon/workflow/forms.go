package workflow

import (
	"net/url"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"showhow/capture"
	"showhow/internal/plain"
)

// Variant is another spelling of a value. Without a Part it is recognised but cannot be computed.
type Variant struct{ Text, Part string }

// Variants are the other spellings of a value, without those that equal it.
func Variants(kind capture.ValueKind, text string) []Variant {
	return slices.DeleteFunc(forms(kind, text), func(v Variant) bool { return strings.EqualFold(v.Text, text) })
}

// forms are the spellings of a value: a date's parts, a file's stem, an address's escapes. A form without a part is
// recognised, so that it is not mistaken for a constant, but cannot be computed.
func forms(kind capture.ValueKind, text string) []Variant {
	var out []Variant
	add := func(s, part string) {
		if s != "" {
			out = append(out, Variant{s, part})
		}
	}
	for _, esc := range []string{url.QueryEscape(text), url.PathEscape(text)} {
		add(esc, "url")
	}
	if d, ok := ParseMonth(text); ok {
		for _, f := range DateParts {
			if strings.HasPrefix(f.Part, "month") {
				add(d.Format(f.Layout), f.Part)
			}
		}
		return out
	}
	if d, ok := ParseDate(text); ok {
		for _, f := range DateParts {
			add(d.Format(f.Layout), f.Part)
		}
		return out
	}
	if base := path.Base(text); strings.Contains(text, "/") && kind != capture.KindURL {
		add(base, "file")
		if stem := strings.TrimSuffix(base, path.Ext(base)); utf8.RuneCountInString(stem) >= 3 {
			add(stem, "stem")
		}
	} else if ext := path.Ext(text); kind == capture.KindFile && ext != "" {
		if stem := strings.TrimSuffix(text, ext); utf8.RuneCountInString(stem) >= 3 {
			add(stem, "stem")
		}
	}
	if plain.Digits(text) >= 4 && plain.Letters(text) == 0 && kind == capture.KindNumber {
		for _, s := range grouped(text) {
			add(s, "")
		}
	}
	if ws := strings.Fields(text); len(ws) > 1 && len(ws) < 8 { // a title in an address's notation
		add(strings.Join(ws, "_"), PartUnder)
		add(strings.Join(ws, "-"), PartHyphen)
	}
	if ws := plain.Words(plain.ASCII(text)); len(ws) > 1 && len(ws) < 8 {
		add(strings.Join(ws, "_"), PartSnake)
		add(strings.Join(ws, "-"), PartSlug)
	}
	return out
}

// grouped formats a whole number with thousands separators, as pages do.
func grouped(n string) []string {
	whole, _, _ := strings.Cut(strings.ReplaceAll(n, ",", "."), ".")
	if strings.IndexFunc(whole, func(r rune) bool { return !unicode.IsDigit(r) }) >= 0 {
		return nil
	}
	var parts []string
	for len(whole) > 3 {
		parts = append([]string{whole[len(whole)-3:]}, parts...)
		whole = whole[:len(whole)-3]
	}
	parts = append([]string{whole}, parts...)
	return []string{strings.Join(parts, ","), strings.Join(parts, "."), strings.Join(parts, " ")}
}
