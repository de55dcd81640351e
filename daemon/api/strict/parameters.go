package strict

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// Parameters validates path, query and header parameters. An unknown query parameter is refused: a misspelled filter
// would otherwise return everything.
func (c *Checker) Parameters(r *http.Request, h *huma.Operation) {
	query := r.URL.Query()
	known := map[string]bool{}
	for _, p := range h.Parameters {
		var raw string
		switch p.In {
		case "path":
			raw = r.PathValue(p.Name)
		case "query":
			known[p.Name] = true
			if len(query[p.Name]) > 1 {
				c.add("query."+p.Name, "repeated", nil)
				continue
			}
			raw = query.Get(p.Name)
		case "header":
			raw = r.Header.Get(p.Name)
		}
		path := p.In + "." + p.Name
		if raw == "" {
			if p.Required {
				c.add(path, "required", nil)
			}
			continue
		}
		c.Check(p.Schema, path, typed(p.Schema, raw))
	}
	for k := range query {
		if !known[k] {
			c.add("query", "unknown_key", nil)
		}
	}
}

// typed parses a parameter's text as its schema's type; malformed text stays text and fails the type check.
func typed(s *huma.Schema, raw string) any {
	switch s.Type {
	case huma.TypeInteger, huma.TypeNumber:
		if n, err := strconv.ParseFloat(raw, 64); err == nil {
			return n
		}
	case huma.TypeBoolean:
		if b, err := strconv.ParseBool(raw); err == nil {
			return b
		}
	case huma.TypeArray:
		var out []any
		for part := range strings.SplitSeq(raw, ",") {
			out = append(out, typed(s.Items, part))
		}
		return out
	}
	return raw
}
