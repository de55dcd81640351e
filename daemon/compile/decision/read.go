package decision

import (
	"maps"
	"slices"
	"strings"
)

// Edits reads the edits; a wrong shape has been refused before.
type Edits map[string]any

// Text is an edited text, "" for none.
func (e Edits) Text(key string) string {
	s, _ := e[key].(string)
	return strings.TrimSpace(s)
}

// List is the edited list and whether there is one; an empty one empties.
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

// Pairs is an edited map of texts, in order of its keys.
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

// Checkpoint is what a checkpoint's texts are edited to; an absent one stays.
func (e Edits) Checkpoint(id string) (goal, condition string) {
	return e.twoTexts(EditCheckpoints, id, "goal", "success_condition")
}

// KindsOf are the kinds of checks that a checkpoint does without.
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

// AddedCheck is the check that a person added to a step.
func (e Edits) AddedCheck(step string) (kind, expect string) {
	return e.twoTexts(EditAddChecks, step, "kind", "expect")
}

// Control is what a step's control is called now.
func (e Edits) Control(step string) (role, name string) {
	return e.twoTexts(editControls, step, "role", "name")
}

// Place is where a step's control stands now.
func (e Edits) Place(step string) (role, name string) {
	return e.twoTexts(editControls, step, "place_role", "place")
}

// twoTexts are two texts of what an edit says of one thing.
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
