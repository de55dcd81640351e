package skill

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/mozillazg/go-unidecode"
	"golang.org/x/text/unicode/norm"
	"gopkg.in/yaml.v3"
)

// Render writes a SKILL.md with the standard keys alone: ASCII block YAML, every value a quoted string on its own line,
// metadata flat. Dialect fields of f are not written.
func Render(f Frontmatter, body string) []byte {
	var b strings.Builder
	b.WriteString("---\n")
	b.WriteString("name: " + plainName(f.Name) + "\n")
	line := func(key, value string) {
		if value != "" {
			b.WriteString(key + ": " + quote(value) + "\n")
		}
	}
	line("description", f.Description)
	line("license", f.License)
	line("compatibility", f.Compatibility)
	if len(f.Metadata) > 0 {
		b.WriteString("metadata:\n")
		for _, k := range slices.Sorted(maps.Keys(f.Metadata)) {
			b.WriteString("  " + k + ": " + quote(f.Metadata[k]) + "\n")
		}
	}
	line("allowed-tools", strings.Join(f.AllowedTools, " "))
	b.WriteString("---\n\n")
	b.WriteString(strings.TrimLeft(body, "\n"))
	return []byte(b.String())
}

// plainName leaves a valid name bare, as people write it, unless YAML would read it as something other than text.
func plainName(name string) string {
	var v any
	if ValidName(name) && yaml.Unmarshal([]byte(name), &v) == nil && v == any(name) {
		return name
	}
	return quote(name)
}

// quote is a YAML double-quoted scalar in ASCII: JSON's form is one, with < > & left readable.
func quote(s string) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(ASCII(s)) // a string always encodes
	return strings.TrimSuffix(b.String(), "\n")
}

var plain = strings.NewReplacer("ß", "ss", "æ", "ae", "Æ", "Ae", "œ", "oe", "ø", "o", "Ø", "O", "ł", "l", "Ł", "L", "đ", "d", "ð", "d", "þ", "th",
	"“", `"`, "”", `"`, "„", `"`, "’", "'", "‘", "'", "–", "-", "—", "-", "…", "...", "→", "->", "×", "x", "\u00a0", " ")

// ASCII is s in ASCII: accents dropped, typographic signs replaced, letters of other scripts written in Latin ones, anything else
// left out, white space one blank.
func ASCII(s string) string {
	s = norm.NFC.String(plain.Replace(s))
	var b strings.Builder
	space := false
	write := func(text string) {
		for _, r := range text {
			switch {
			case unicode.IsSpace(r):
				space = b.Len() > 0
			case r > 0x20 && r < 0x7f:
				if space {
					b.WriteByte(' ')
					space = false
				}
				b.WriteRune(r)
			}
		}
	}
	for _, r := range s {
		if r < unicode.MaxASCII || unicode.IsSpace(r) {
			write(string(r))
		} else {
			write(latin(r))
		}
	}
	return b.String()
}

// latin is a letter as Latin ones write it: é is e, я is ya; a character that is a word by itself stands by itself.
func latin(r rune) string {
	if plainly := strings.Map(func(r rune) rune {
		if r < unicode.MaxASCII {
			return r
		}
		return -1
	}, norm.NFD.String(string(r))); plainly != "" {
		return plainly
	}
	if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
		return ""
	}
	out := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, unidecode.Unidecode(string(r)))
	if unicode.Is(unicode.Han, r) {
		return " " + out + " "
	}
	return out
}
