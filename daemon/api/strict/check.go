package strict

import (
	"cmp"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"

	"showhow/daemon/wire"
	"showhow/internal/fault"
	"showhow/internal/lazyre"
)

// Checker validates parsed values against schemas of the OpenAPI document, collects every violation, removes unknown
// keys where they are allowed and fills in defaults. It serves one request and is not safe for concurrent use.
//
// It replaces huma's validation because huma counts runes, folds the case of keys, and repeats submitted values in its
// errors.
type Checker struct {
	Schemas    huma.Registry
	violations []wire.Violation
}

// maxViolations bounds an answer to a hostile request.
const maxViolations = 100

func (c *Checker) add(path, rule string, limit any) {
	if len(c.violations) < maxViolations {
		c.violations = append(c.violations, wire.Violation{Path: path, Rule: rule, Limit: limit})
	}
}

// Err is nil, or the fault that lists every violation.
func (c *Checker) Err() error {
	if len(c.violations) == 0 {
		return nil
	}
	slices.SortFunc(c.violations, func(a, b wire.Violation) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(a.Rule, b.Rule))
	})
	return fault.New(fault.InvalidRequest, "the request breaks the bounds of its schema").WithDetail("violations", c.violations)
}

// Check validates v, named path in violations, against s and changes it in place.
func (c *Checker) Check(s *huma.Schema, path string, v any) {
	for s.Ref != "" {
		s = c.Schemas.SchemaFromRef(s.Ref)
	}
	if v == nil && (s.Nullable || s.Type == "") {
		return
	}
	ok := true
	switch s.Type {
	case huma.TypeBoolean:
		_, ok = v.(bool)
	case huma.TypeInteger, huma.TypeNumber:
		var n float64
		if n, ok = v.(float64); ok {
			ok = c.number(s, path, n)
		}
	case huma.TypeString:
		var str string
		if str, ok = v.(string); ok {
			c.text(s, path, str)
		}
	case huma.TypeArray:
		var a []any
		if a, ok = v.([]any); ok {
			c.array(s, path, a)
		}
	case huma.TypeObject:
		var m map[string]any
		if m, ok = v.(map[string]any); ok {
			c.object(s, path, m)
		}
	}
	if !ok {
		c.add(path, "type", s.Type)
		return
	}
	if len(s.Enum) > 0 && !slices.ContainsFunc(s.Enum, func(e any) bool { return equal(e, v) }) {
		c.add(path, "enum", s.Enum)
	}
}

func (c *Checker) number(s *huma.Schema, path string, n float64) (ok bool) {
	if s.Type == huma.TypeInteger && (n != math.Trunc(n) || math.Abs(n) > 1<<53) {
		return false
	}
	if s.Minimum != nil && n < *s.Minimum {
		c.add(path, "minimum", *s.Minimum)
	}
	if s.Maximum != nil && n > *s.Maximum {
		c.add(path, "maximum", *s.Maximum)
	}
	return true
}

func (c *Checker) text(s *huma.Schema, path, str string) {
	n := UTF16Len(str)
	if s.MinLength != nil && n < *s.MinLength {
		c.add(path, "min_length", *s.MinLength)
	}
	if s.MaxLength != nil && n > *s.MaxLength {
		c.add(path, "max_length", *s.MaxLength)
	}
	if s.Pattern != "" && !compiled(s.Pattern).MatchString(str) {
		c.add(path, "pattern", s.Pattern)
	}
	switch s.Format {
	case "uuid":
		if !UUID.MatchString(str) {
			c.add(path, "format", "uuid")
		}
	case "date-time":
		if _, err := time.Parse(time.RFC3339Nano, str); err != nil {
			c.add(path, "format", "date-time")
		}
	}
	if strings.ContainsRune(str, 0) {
		c.add(path, "nul", nil)
	}
}

func (c *Checker) array(s *huma.Schema, path string, a []any) {
	if s.MinItems != nil && len(a) < *s.MinItems {
		c.add(path, "min_items", *s.MinItems)
	}
	if s.MaxItems != nil && len(a) > *s.MaxItems {
		c.add(path, "max_items", *s.MaxItems)
	}
	for i, e := range a {
		c.Check(s.Items, path+"["+strconv.Itoa(i)+"]", e)
	}
}

func (c *Checker) object(s *huma.Schema, path string, m map[string]any) {
	for _, k := range s.Required {
		if _, ok := m[k]; !ok && s.Properties[k].Default == nil {
			c.add(path+"."+k, "required", nil)
		}
	}
	for k, p := range s.Properties {
		v, ok := m[k]
		if !ok {
			if p.Default != nil {
				m[k] = plain(p.Default)
			}
			continue
		}
		c.Check(p, path+"."+k, v)
	}
	for k, v := range m {
		if _, ok := s.Properties[k]; ok {
			continue
		}
		switch extra := s.AdditionalProperties.(type) {
		case *huma.Schema:
			c.Check(extra, path+".*", v)
		case bool:
			if !extra {
				c.unknown(s, path, k)
			}
		default:
			if len(s.Properties) > 0 {
				delete(m, k)
			}
		}
	}
}

// unknown reports an unknown key without repeating it, which may be anything: it says which there are.
func (c *Checker) unknown(s *huma.Schema, path, key string) {
	v := wire.Violation{Path: path, Rule: "unknown_key", Limit: slices.Sorted(maps.Keys(s.Properties))}
	for k := range s.Properties {
		if strings.EqualFold(k, key) || strings.EqualFold(strings.ReplaceAll(k, "_", ""), key) {
			v.DidYouMean = k
		}
	}
	if len(c.violations) < maxViolations {
		c.violations = append(c.violations, v)
	}
}

// UUID matches a UUID's text, in either case.
var UUID = lazyre.New(`^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$`)

var patterns sync.Map // string -> *regexp.Regexp

// compiled caches a schema's pattern, which is written in Go's syntax and known at start.
func compiled(p string) *regexp.Regexp {
	if re, ok := patterns.Load(p); ok {
		return re.(*regexp.Regexp)
	}
	re := regexp.MustCompile(p)
	patterns.Store(p, re)
	return re
}

// equal compares an enum's value, which has its Go type, with a parsed one.
func equal(want, got any) bool { return plain(want) == got }

// plain converts a default or enum value to the type that parsing gives: numbers are float64, lists []any.
func plain(v any) any {
	switch v := v.(type) {
	case int:
		return float64(v)
	case int32:
		return float64(v)
	case int64:
		return float64(v)
	case []string:
		out := make([]any, len(v))
		for i, s := range v {
			out[i] = s
		}
		return out
	case []any:
		return slices.Clone(v)
	}
	return v
}

// UTF16Len is a string's length in UTF-16 units, as a browser counts.
func UTF16Len(s string) (n int) {
	for _, r := range s {
		n += UTF16Units(r)
	}
	return n
}

// UTF16Units is how many UTF-16 units a rune takes.
func UTF16Units(r rune) int {
	if r > 0xFFFF && r != utf8.RuneError {
		return 2
	}
	return 1
}
