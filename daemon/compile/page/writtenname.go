package page

import (
	"strings"
	"unicode"

	"showhow/capture"
	"showhow/internal/lang"
	"showhow/internal/lazyre"
	"showhow/internal/plain"
)

// WrittenName returns the name of a control in the page's source, for controls that show none: the words of its test id,
// id or name attribute, or "" when those are not words. It tells nameless controls apart and names their inputs; it is
// not used to find them.
func WrittenName(t *capture.Target) string {
	for _, by := range []string{"testid", "css"} {
		for _, l := range t.Locators {
			if l.By != by {
				continue
			}
			id := l.Value
			if by == "css" {
				m := idOnly.FindStringSubmatch(id)
				if m == nil {
					continue
				}
				id = m[1] + m[2]
			}
			if name := spelled(id); name != "" {
				return name
			}
			if last := id[strings.LastIndexAny(id, "_.-:")+1:]; last != id && !widgetWords.Has(strings.ToLower(last)) {
				if name := spelled(last); name != "" { // what precedes it is generated
					return name
				}
			}
		}
	}
	return ""
}

// idOnly matches a path that ends in an id or in an attribute that names a field.
var idOnly = lazyre.New(`(?:^|[\s>])[a-z]*(?:#([A-Za-z][\w-]*)|\[(?:id|name)=['"]?([A-Za-z][\w.-]*)['"]?\])$`)

// widgetWords are words that say what kind of thing a control is rather than which one.
var widgetWords = lang.English("widgets")

// spelled splits an identifier into words: "counterparty-taxId" becomes "counterparty tax id"; "" for a generated one.
func spelled(id string) string {
	var b strings.Builder
	lower := false
	for _, r := range id {
		switch {
		case r == '-' || r == '_' || r == '.' || r == ' ' || r == ':':
			b.WriteByte(' ')
			lower = false
			continue
		case unicode.IsUpper(r) && lower:
			b.WriteByte(' ')
		}
		b.WriteRune(unicode.ToLower(r))
		lower = unicode.IsLower(r)
	}
	words := strings.Fields(b.String())
	var out []string
	for _, w := range words {
		if widgetWords.Has(w) && len(words) > 1 {
			continue
		}
		if plain.Digits(w) > 0 && !AllDigits(w) || len(w) < 2 && !AllDigits(w) || len(w) > 24 || AllDigits(w) && len(w) > 2 ||
			!AllDigits(w) && !strings.ContainsAny(w, "aeiouyäöü") {
			return "" // generated
		}
		out = append(out, w)
	}
	if len(out) == 0 || len(out) > 5 || AllDigits(out[0]) {
		return ""
	}
	return strings.Join(out, " ")
}
