package decision

import (
	"maps"
	"slices"
	"strings"
)

// Edits gives typed access to Input.Edits. CheckEdits has already refused wrong shapes.
type Edits map[string]any

// Text returns an edited text, or "" when there is none.
func (e Edits) Text(key string) string {
	s, _ := e[key].(string)
	return strings.TrimSpace(s)
}

// List returns an edited list and whether there is one. An empty list is an edit too: it replaces the list by nothing.
func (e Edits) List(key string) ([]string, bool) {
	v, ok := e[key]
	if !ok {
		return nil, false
	}
	out := []string{}
	switch v := v.(type) {
	case []string:
		out = append(out, v...)
	case []any:
		for _, x := range v {
			if s, ok := x.(string); ok {
				out = append(out, s)
			}
		}
	}
	return slices.DeleteFunc(out, func(s string) bool { return strings.TrimSpace(s) == "" }), true
}

// Pairs returns an edited map of texts and its keys, sorted.
func (e Edits) Pairs(key string) (keys []string, m map[string]string) {
	raw, _ := asMap(e[key])
	m = map[string]string{}
	for k, v := range raw {
		if s, ok := v.(string); ok {
			m[k] = s
		}
	}
	return slices.Sorted(maps.Keys(m)), m
}

// Checkpoint returns the edited texts of a checkpoint; an empty one is unchanged.
func (e Edits) Checkpoint(id string) (goal, condition string) {
	return e.twoTexts(EditCheckpoints, id, "goal", "success_condition")
}

// KindsOf lists the kinds of checks that were removed from a checkpoint.
func (e Edits) KindsOf(checkpoint string) []string {
	var out []string
	l, _ := e.List(EditNoChecks)
	for _, x := range l {
		if id, kind, _ := strings.Cut(strings.TrimSpace(x), " "); id == checkpoint {
			out = append(out, strings.TrimSpace(kind))
		}
	}
	return out
}

// AddedCheck returns the check that a person added to a step.
func (e Edits) AddedCheck(step string) (kind, expect string) {
	return e.twoTexts(EditAddChecks, step, "kind", "expect")
}

// Control returns the edited role and name of a step's control.
func (e Edits) Control(step string) (role, name string) {
	return e.twoTexts(editControls, step, "role", "name")
}

// Place returns the edited role and name of the place where a step's control stands.
func (e Edits) Place(step string) (role, name string) {
	return e.twoTexts(editControls, step, "place_role", "place")
}

// twoTexts returns two texts that an edit holds for one thing.
func (e Edits) twoTexts(key, of, a, b string) (string, string) {
	raw, _ := asMap(e[key])
	one, _ := asMap(raw[of])
	x, _ := one[a].(string)
	y, _ := one[b].(string)
	return strings.TrimSpace(x), strings.TrimSpace(y)
}

// Has reports whether an edited list names an item.
func (e Edits) Has(key, item string) bool {
	l, _ := e.List(key)
	return slices.Contains(l, item)
}

func fits(v any, want shape) bool {
	switch want {
	case aText:
		_, ok := v.(string)
		return ok
	case aList:
		return isList(v)
	}
	m, ok := asMap(v)
	for _, x := range m {
		if _, text := x.(string); want == aMap && !text || want == aMapOfMaps && !fits(x, aMap) {
			return false
		}
	}
	return ok
}

func isList(v any) bool {
	switch v := v.(type) {
	case []string:
		return true
	case []any:
		for _, x := range v {
			if _, ok := x.(string); !ok {
				return false
			}
		}
		return true
	}
	return false
}

func asMap(v any) (map[string]any, bool) {
	switch v := v.(type) {
	case map[string]any:
		return v, true
	case map[string]string:
		out := map[string]any{}
		for k, x := range v {
			out[k] = x
		}
		return out, true
	}
	return nil, false
}
