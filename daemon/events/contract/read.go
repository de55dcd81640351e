package contract

import (
	"encoding/json"
	"slices"
	"strconv"
	"time"
	"unicode/utf16"

	"showhow/daemon/wire"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

// reader parses redacted values and collects every violation.
type reader struct {
	violations []wire.Violation
}

const maxViolations = 100

func (r *reader) add(path, rule string, limit any) {
	if len(r.violations) < maxViolations {
		r.violations = append(r.violations, wire.Violation{Path: path, Rule: rule, Limit: limit})
	}
}

func (r *reader) err() error {
	if len(r.violations) == 0 {
		return nil
	}
	return fault.New(fault.InvalidRequest, "this breaks the runtime event contract").
		WithHint("docs/events.md has the shapes; details.violations lists all that is wrong").WithDetail("violations", r.violations)
}

// object is a JSON object with its path for violations.
type object struct {
	r    *reader
	path string
	m    map[string]any
}

func (r *reader) object(path string, v any) (object, bool) {
	m, ok := v.(map[string]any)
	if !ok {
		r.add(path, "type", "object")
	}
	return object{r, path, m}, ok
}

func (o object) at(key string) string { return o.path + "." + key }

func (o object) has(key string) bool { return o.m[key] != nil }

func (o object) child(key string) (object, bool) { return o.r.object(o.at(key), o.m[key]) }

// text reads a string; "" when it is absent. least is 1 for a required one.
func (o object) text(key string, least, most int) string {
	v := o.m[key]
	if v == nil {
		if least > 0 {
			o.r.add(o.at(key), "required", nil)
		}
		return ""
	}
	s, ok := v.(string)
	switch n := len(utf16.Encode([]rune(s))); {
	case !ok:
		o.r.add(o.at(key), "type", "string")
	case n < least:
		o.r.add(o.at(key), "min_length", least)
	case n > most:
		o.r.add(o.at(key), "max_length", most)
	}
	return s
}

// id reads an id; one that was redacted or is malformed is refused, because records are found by it.
func (o object) id(key string, least int) string {
	s := o.text(key, least, 160)
	if s != "" && !idRE.MatchString(s) {
		o.r.add(o.at(key), "pattern", idRE.String())
	}
	return s
}

func (o object) one(key string, least int, of ...string) string {
	s := o.text(key, least, 160)
	if s != "" && !slices.Contains(of, s) {
		o.r.add(o.at(key), "enum", of)
	}
	return s
}

func (o object) texts(key string, items, most int) []string {
	v := o.m[key]
	if v == nil {
		return nil
	}
	list, ok := v.([]any)
	if !ok {
		o.r.add(o.at(key), "type", "array")
		return nil
	}
	if len(list) > items {
		o.r.add(o.at(key), "max_items", items)
		return nil
	}
	out := make([]string, 0, len(list))
	for i := range list {
		each := object{o.r, o.path, map[string]any{key + "[" + strconv.Itoa(i) + "]": list[i]}}
		if s := each.text(key+"["+strconv.Itoa(i)+"]", 1, most); s != "" {
			out = append(out, s)
		}
	}
	return out
}

func (o object) metadata(key string) map[string]any {
	if !o.has(key) {
		return nil
	}
	m, ok := o.child(key)
	if !ok {
		return nil
	}
	if b, err := Marshal(m.m); err != nil || len(b) > maxMetadata {
		o.r.add(o.at(key), "max_bytes", maxMetadata)
	}
	return m.m
}

// time reads an ISO 8601 instant; without an offset it is UTC, as Python writes it. The zero time when it is absent.
func (o object) time(key string) clock.Time {
	s := o.text(key, 0, 60)
	if s == "" {
		return clock.Time{}
	}
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999Z07:00",
		"2006-01-02 15:04:05.999999999"} {
		if t, err := time.Parse(layout, s); err == nil {
			return clock.At(t)
		}
	}
	o.r.add(o.at(key), "format", "date-time")
	return clock.Time{}
}

// score reads a number between 0 and 1; nil when it is absent.
func (o object) score(key string, required bool) *float64 {
	v := o.m[key]
	if v == nil {
		if required {
			o.r.add(o.at(key), "required", nil)
		}
		return nil
	}
	n, ok := v.(json.Number)
	f, err := n.Float64()
	switch {
	case !ok || err != nil:
		o.r.add(o.at(key), "type", "number")
		return nil
	case f < 0:
		o.r.add(o.at(key), "minimum", 0)
	case f > 1:
		o.r.add(o.at(key), "maximum", 1)
	}
	return &f
}

// items reads a list of objects.
func (o object) items(key string, least, most int) []object {
	v := o.m[key]
	if v == nil && least == 0 {
		return nil
	}
	list, ok := v.([]any)
	switch {
	case !ok:
		o.r.add(o.at(key), "type", "array")
	case len(list) < least:
		o.r.add(o.at(key), "min_items", least)
	case len(list) > most:
		o.r.add(o.at(key), "max_items", most)
		return nil
	}
	out := make([]object, 0, len(list))
	for i, e := range list {
		if x, ok := o.r.object(o.at(key)+"["+strconv.Itoa(i)+"]", e); ok {
			out = append(out, x)
		}
	}
	return out
}
