package decision

import (
	"maps"
	"slices"
)

// MergeEdits adds the edits of one revision to those before: maps are joined, lists of dropped or requested things grow,
// any other edit replaces the earlier one, and null takes an edit back. When edits contradict each other the later one
// wins.
func MergeEdits(before, now map[string]any) map[string]any {
	out := map[string]any{}
	maps.Copy(out, before)
	if now[EditTitle] != nil {
		delete(out, EditPhrasesOf) // another title, not another wording of it
	}
	for _, k := range slices.Sorted(maps.Keys(now)) {
		v := now[k]
		if v == nil {
			delete(out, k)
			continue
		}
		for _, rival := range rivals[k] {
			without(out, rival, named(v))
		}
		old, wasMap := asMap(out[k])
		add, isMap := asMap(v)
		switch {
		case wasMap && isMap && editShapes[k] != aText:
			joined := maps.Clone(old)
			maps.Copy(joined, add)
			out[k] = joined
		case addsUp[k] && isList(v):
			had := Edits(out)
			l, _ := had.List(k)
			more, _ := Edits(now).List(k)
			all := []any{}
			for _, s := range append(l, more...) {
				if !slices.Contains(all, any(s)) {
					all = append(all, s)
				}
			}
			out[k] = all
		default:
			out[k] = v
		}
	}
	return out
}

// addsUp are the lists that grow from revision to revision.
var addsUp = map[string]bool{EditDropInputs: true, EditDropSteps: true, EditNoCheckpoints: true, EditInputs: true, EditOptional: true,
	EditRequired: true, EditConfirm: true, EditSplit: true, EditNoChecks: true}

// rivals are the earlier edits that an edit overrides for the same things: making an input a constant also takes back
// that it is asked for.
var rivals = map[string][]string{
	EditConstants: {EditInputs, EditDefaults, EditDropInputs}, EditInputs: {EditConstants, EditDefaults, EditDropInputs},
	EditDefaults:   {EditConstants, EditInputs, EditDropInputs, EditRequired},
	EditDropInputs: {EditConstants, EditInputs, EditDefaults}, EditOptional: {EditRequired}, EditRequired: {EditOptional, EditDefaults},
}

// named lists the things that an edit names.
func named(v any) []string {
	if m, ok := asMap(v); ok {
		return slices.Collect(maps.Keys(m))
	}
	l, _ := (Edits(map[string]any{"": v})).List("")
	return l
}

// without removes the named things from an edit.
func without(edits map[string]any, key string, who []string) {
	if m, ok := asMap(edits[key]); ok {
		m = maps.Clone(m)
		for _, w := range who {
			delete(m, w)
		}
		edits[key] = m
		return
	}
	if l, ok := Edits(edits).List(key); ok {
		kept := []any{}
		for _, s := range l {
			if !slices.Contains(who, s) {
				kept = append(kept, s)
			}
		}
		edits[key] = kept
	}
}
