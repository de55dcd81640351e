package skill

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"showhow/internal/plain"
)

// Render writes a SKILL.md with the standard keys only: ASCII block YAML, every value a quoted string on its own line,
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

// plainName leaves a valid name unquoted, as people write it, unless YAML would read it as something other than text.
func plainName(name string) string {
	var v any
	if ValidName(name) && yaml.Unmarshal([]byte(name), &v) == nil && v == any(name) {
		return name
	}
	return quote(name)
}

// quote is a double-quoted ASCII YAML scalar: JSON's form is one, with < > & left readable.
func quote(s string) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(plain.ASCII(s)) // a string always encodes
	return strings.TrimSuffix(b.String(), "\n")
}
