package skill

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"showhow/internal/fault"
)

// Frontmatter is the head of a SKILL.md. The first six are the standard's; the rest is what dialects add.
type Frontmatter struct {
	Name          string
	Description   string
	License       string
	Compatibility string
	Metadata      map[string]string // nested values of a dialect are flattened with dots
	AllowedTools  []string

	Version          string
	Triggers         []string
	NegativeTriggers []string
	Tags             []string
	SupportPacks     []string
	ConnectorHints   []string // connectors whose tools it calls: a top-level key, or one in the metadata
	OtherKeys        []string // top-level keys outside the standard, as they were written, sorted
}

// Document is a parsed SKILL.md.
type Document struct {
	Frontmatter
	Body string
}

// ConnectorHints is the metadata key under which a skill names the connectors that it calls (R9 0.2C); the standard
// allows no top-level key for that.
const ConnectorHints = "connector_hints"

var standardKeys = []string{"name", "description", "license", "compatibility", "metadata", "allowed-tools"}

// Parse parses the bundle's SKILL.md. It is tolerant: byte order mark, CRLF, top-level dialect keys, lists as one
// string, nested or one-line metadata. Validate reports what is not standard.
func Parse(b Bundle) (Document, error) {
	f := b.File(Entry)
	if f == nil {
		return Document{}, fault.New(fault.InvalidRequest, "the skill has no SKILL.md")
	}
	return ParseMarkdown(f.Data)
}

// MaxHead is more than any frontmatter needs; a parser's time grows with the square of its keys.
const MaxHead = 64 << 10

// ParseMarkdown parses one SKILL.md.
func ParseMarkdown(data []byte) (Document, error) {
	if !utf8.Valid(data) {
		return Document{}, fault.New(fault.InvalidRequest, "SKILL.md is not UTF-8 text")
	}
	head, body, ok := SplitMarkdown(data)
	if !ok {
		return Document{}, fault.New(fault.InvalidRequest,
			"SKILL.md has no frontmatter").WithHint("it must begin with a line ---, then name and description, then a line ---")
	}
	if len(head) > MaxHead {
		return Document{}, fault.New(fault.InvalidRequest, "the frontmatter of SKILL.md is longer than 64 KB").
			WithHint("keep name, description and a few settings there; the rest belongs below the second line ---")
	}
	var raw map[string]any
	if err := yaml.Unmarshal(head, &raw); err != nil {
		return Document{}, fault.Wrap(err, fault.InvalidRequest, "the frontmatter of SKILL.md is not valid YAML")
	}
	doc := Document{Body: string(body)}
	for key, value := range raw {
		doc.set(key, value)
		if !slices.Contains(standardKeys, key) {
			doc.OtherKeys = append(doc.OtherKeys, key)
		}
	}
	if doc.ConnectorHints == nil {
		doc.ConnectorHints = splitList(doc.Metadata[ConnectorHints])
	}
	slices.Sort(doc.OtherKeys)
	return doc, nil
}

func (f *Frontmatter) set(key string, value any) {
	switch strings.ReplaceAll(strings.ToLower(key), "_", "-") {
	case "name":
		f.Name = scalar(value)
	case "description":
		f.Description = strings.TrimSpace(scalar(value))
	case "license":
		f.License = scalar(value)
	case "compatibility":
		f.Compatibility = scalar(value)
	case "version":
		f.Version = scalar(value)
	case "allowed-tools", "tools":
		f.AllowedTools = list(value)
	case "triggers", "trigger-phrases":
		f.Triggers = list(value)
	case "negative-triggers":
		f.NegativeTriggers = list(value)
	case "tags":
		f.Tags = list(value)
	case "connector-hints":
		f.ConnectorHints = list(value)
	case "support-packs":
		f.SupportPacks = list(value)
	case "metadata":
		f.Metadata = map[string]string{}
		flatten("", value, f.Metadata)
	}
}

// SplitMarkdown returns the frontmatter of a SKILL.md, which is the YAML between two lines of three dashes, and the text
// below it.
func SplitMarkdown(data []byte) (head, body []byte, ok bool) {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	data = bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
	rest, ok := bytes.CutPrefix(data, []byte("---\n"))
	if !ok {
		return nil, nil, false
	}
	if body, ok := bytes.CutPrefix(rest, []byte("---\n")); ok {
		return nil, body, true
	}
	head, body, ok = bytes.Cut(rest, []byte("\n---\n"))
	if !ok {
		head, ok = bytes.CutSuffix(rest, []byte("\n---"))
	}
	return head, body, ok
}

func scalar(v any) string {
	switch v := v.(type) {
	case nil, map[string]any, []any:
		return ""
	case string:
		return v
	default:
		return fmt.Sprint(v)
	}
}

// list reads a YAML list or one string: comma separated, otherwise split at spaces outside parentheses ("Bash(git add
// *) Read").
func list(v any) []string {
	switch v := v.(type) {
	case []any:
		var out []string
		for _, x := range v {
			if s := strings.TrimSpace(scalar(x)); s != "" {
				out = append(out, s)
			}
		}
		return out
	case string:
		return splitList(v)
	}
	return nil
}

func splitList(s string) []string {
	sep := func(r rune) bool { return r == ' ' || r == '\n' || r == '\t' }
	if strings.Contains(s, ",") {
		sep = func(r rune) bool { return r == ',' || r == '\n' }
	}
	depth := 0
	parts := strings.FieldsFunc(s, func(r rune) bool {
		switch r {
		case '(':
			depth++
		case ')':
			depth--
		}
		return depth <= 0 && sep(r)
	})
	var out []string
	for _, p := range parts {
		if p = strings.TrimSpace(p); p != "" {
			out = append(out, p)
		}
	}
	return out
}

func flatten(prefix string, v any, into map[string]string) {
	m, ok := v.(map[string]any)
	if !ok {
		if s := scalar(v); s != "" && prefix != "" {
			into[prefix] = s
		} else if l := list(v); len(l) > 0 && prefix != "" {
			into[prefix] = strings.Join(l, ", ")
		}
		return
	}
	for k, x := range m {
		if prefix != "" {
			k = prefix + "." + k
		}
		flatten(k, x, into)
	}
}
