package daemon

import (
	"slices"
	"strings"

	"showhow/capture/redact"
	"showhow/capture/secret"
)

// redactor redacts texts outside a capture, such as what an agent writes as evidence, with rules that are loaded only while needed.
type redactor struct{}

// Text redacts s. If the rules do not load, nothing of s is returned.
func (redactor) Text(s string) string {
	if s == "" {
		return s
	}
	rules, giveBack, err := redact.Lend()
	if err != nil {
		return secret.Token(secret.Withheld)
	}
	defer giveBack()
	return rules.Text(s)
}

// Secret reports whether s holds a secret; personal data is not one. If the rules do not load, every text counts as a secret.
func (r redactor) Secret(s string) bool {
	return slices.ContainsFunc(r.Find(s), func(sp redact.Span) bool { return !sp.Kind.Personal() })
}

// secrets replaces the secrets in a text by what mask says of their kind; personal data stays.
func (r redactor) secrets(text string, mask func(kind string) string) string {
	if text == "" {
		return text
	}
	text = redact.Clean(text)
	var b strings.Builder
	at := 0
	for _, s := range r.Find(text) {
		if s.Kind.Personal() || s.Start < at {
			continue
		}
		b.WriteString(text[at:s.Start] + mask(string(s.Kind)))
		at = s.End
	}
	return b.String() + text[at:]
}

// Find returns the secrets and personal identifiers in a text, which must be Clean. If the rules do not load, the whole text counts as a
// secret.
func (redactor) Find(s string) []redact.Span {
	rules, giveBack, err := redact.Lend()
	if err != nil {
		return []redact.Span{{End: len(s), Kind: secret.Withheld}}
	}
	defer giveBack()
	return rules.Find(s)
}
