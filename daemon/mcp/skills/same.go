package skills

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// SameFrontmatter reports whether an entry's frontmatter is that of the SKILL.md that the entry describes, field by field.
// Whoever reads a skill must compare them (SEP-2640, Frontmatter Verification).
func SameFrontmatter(listed json.RawMessage, md []byte) bool {
	written, _, err := frontmatter(md)
	if err != nil {
		return false
	}
	var a, b map[string]any
	return exactly(listed, &a) == nil && exactly(written, &b) == nil && same(a, b)
}

// exactly decodes without rounding numbers.
func exactly(raw json.RawMessage, into any) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	return d.Decode(into)
}

// same compares values as JSON means them: a number may be written in two ways.
func same(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		return ok && maps.EqualFunc(a, b, same)
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, same)
	case json.Number:
		b, ok := b.(json.Number)
		return ok && (a == b || equal(a.String(), b.String()))
	}
	return a == b
}

// equal compares two numbers of which one at least is a fraction or has an exponent.
func equal(a, b string) bool {
	x, err := strconv.ParseFloat(a, 64)
	y, err2 := strconv.ParseFloat(b, 64)
	return err == nil && err2 == nil && x == y && strings.ContainsAny(a+b, ".eE")
}
