package compile

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"showhow/daemon/skill"
	"showhow/internal/fault"
)

// The keys of Input.Edits (edited_fields of a revision). They are applied in every compilation, so all edits so far are
// handed in together. Inputs are named by name or id (pN); steps by sN, checkpoints by cp-NN.
//
//	title, goal_summary                      text
//	slug                                     text; made valid and unique
//	use_conditions, non_use_conditions,
//	success_conditions                       list of texts; replaces the list
//	trigger_phrases, negative_triggers       list of texts; replaces the list, nothing is marked as generated any more
//	project_scope                            global, project_scoped, unclear
//	rename_inputs                            {input: new name}
//	inputs                                   list: these are asked for, whatever was decided before
//	constants                                {input: text}; "" keeps the demonstrated value
//	examples, defaults, descriptions         {input: text}
//	optional_inputs, required_inputs         list
//	drop_inputs                              list: the value and the steps that give it are left out
//	drop_steps                               list of step ids
//	rename_steps                             {step: title}
//	step_conditions                          {step: when it is needed}
//	checkpoints                              {checkpoint: {goal, success_condition}}; an absent text stays
//	remove_checkpoints                       list of checkpoint ids
const (
	editTitle         = "title"
	editSlug          = "slug"
	editGoal          = "goal_summary"
	editUse           = "use_conditions"
	editNonUse        = "non_use_conditions"
	editSuccess       = "success_conditions"
	editTriggers      = "trigger_phrases"
	editNegatives     = "negative_triggers"
	editScope         = "project_scope"
	editRename        = "rename_inputs"
	editInputs        = "inputs"
	editConstants     = "constants"
	editExamples      = "examples"
	editDefaults      = "defaults"
	editDescriptions  = "descriptions"
	editOptional      = "optional_inputs"
	editRequired      = "required_inputs"
	editDropInputs    = "drop_inputs"
	editDropSteps     = "drop_steps"
	editRenameSteps   = "rename_steps"
	editConditions    = "step_conditions"
	editCheckpoints   = "checkpoints"
	editNoCheckpoints = "remove_checkpoints"
)

// EditKeys lists every key that Input.Edits understands, sorted.
func EditKeys() []string {
	return slices.Sorted(maps.Keys(editShapes))
}

type shape int

const (
	aText shape = iota
	aList
	aMap
	aMapOfMaps
)

var editShapes = map[string]shape{
	editTitle: aText, editSlug: aText, editGoal: aText, editScope: aText,
	editUse: aList, editNonUse: aList, editSuccess: aList, editTriggers: aList, editNegatives: aList,
	editInputs: aList, editOptional: aList, editRequired: aList, editDropInputs: aList, editDropSteps: aList, editNoCheckpoints: aList,
	editRename: aMap, editConstants: aMap, editExamples: aMap, editDefaults: aMap, editDescriptions: aMap, editRenameSteps: aMap, editConditions: aMap,
	editCheckpoints: aMapOfMaps,
}

// CheckEdits says whether Compile would understand these edits: INVALID_REQUEST with details.violations otherwise.
func CheckEdits(edits map[string]any) error {
	var bad []string
	for _, k := range slices.Sorted(maps.Keys(edits)) {
		want, ok := editShapes[k]
		if !ok || !fits(edits[k], want) {
			bad = append(bad, k)
		}
	}
	if s := (edited{edits}).text(editScope); s != "" && s != "global" && s != "project_scoped" && s != "unclear" {
		bad = append(bad, editScope)
	}
	if len(bad) == 0 {
		return nil
	}
	return fault.New(fault.InvalidRequest, "some edits are not understood").WithDetail("violations", bad).
		WithHint("known edits: " + strings.Join(EditKeys(), ", "))
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

// edited reads the edits; a wrong shape has been refused before.
type edited struct{ m map[string]any }

func (e edited) text(key string) string {
	s, _ := e.m[key].(string)
	return strings.TrimSpace(s)
}

// list is the edited list and whether there is one; an empty one empties.
func (e edited) list(key string) ([]string, bool) {
	v, ok := e.m[key]
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

// pairs is an edited map of texts, in order of its keys.
func (e edited) pairs(key string) (keys []string, m map[string]string) {
	raw, _ := asMap(e.m[key])
	m = map[string]string{}
	for k, v := range raw {
		if s, ok := v.(string); ok {
			m[k] = s
		}
	}
	return slices.Sorted(maps.Keys(m)), m
}

func (e edited) checkpoint(id string) (goal, condition string) {
	raw, _ := asMap(e.m[editCheckpoints])
	one, _ := asMap(raw[id])
	goal, _ = one["goal"].(string)
	condition, _ = one["success_condition"].(string)
	return strings.TrimSpace(goal), strings.TrimSpace(condition)
}

func (e edited) has(key, item string) bool {
	l, _ := e.list(key)
	return slices.Contains(l, item)
}

// decide settles every parameter's role and name: demonstrations, then answers, then edits; the last one wins.
func decide(in Input, params []*param) {
	name(params)
	answers := valueAnswers(in, params)
	for _, p := range params {
		if p.literal && p.steady {
			p.fix("", false)
		}
		if a, ok := answers[p.ParamID]; ok && p.Derived == "" {
			p.apply(a)
		}
	}
	editParams(edited{in.Edits}, params)
}

// name gives every parameter its name, from its label, unique.
func name(params []*param) {
	taken := map[string]bool{}
	for _, p := range params {
		if strings.TrimSpace(p.Label) == "" {
			p.Label = "value"
		}
		p.Name = unique(snake(inputName(p)), "_", taken)
	}
}

var leadWords = regexp.MustCompile(`(?i)^(?:please\s+)?(?:enter|type|choose|select|pick|your|the)\s+(?:(?:a|an|the|your)\s+)?`)

// inputName is the words for a parameter's name: its label without "Enter your"; a search field is just the search.
func inputName(p *param) string {
	if p.source == "typed" && searchLabel(p.Label) {
		return "search"
	}
	return orThe(leadWords.ReplaceAllString(p.Label, ""), p.Label)
}

func editParams(e edited, params []*param) {
	each := func(key string, f func(*param)) {
		l, _ := e.list(key)
		for _, who := range l {
			if p := find(params, who); p != nil {
				f(p)
			}
		}
	}
	pairs := func(key string, f func(*param, string)) {
		keys, m := e.pairs(key)
		for _, who := range keys {
			if p := find(params, who); p != nil {
				f(p, strings.TrimSpace(m[who]))
			}
		}
	}
	pairs(editConstants, func(p *param, s string) { p.answered = true; p.fix(s, true) })
	each(editInputs, func(p *param) { p.answered, p.Role, p.Default = true, roleInput, "" })
	each(editDropInputs, func(p *param) { p.answered, p.Role = true, roleDropped })
	pairs(editExamples, func(p *param, s string) { p.Example = s })
	pairs(editDefaults, func(p *param, s string) { p.answered, p.Role, p.Default, p.Required = true, roleInput, s, s == "" })
	pairs(editDescriptions, func(p *param, s string) { p.Description = s })
	each(editOptional, func(p *param) { p.Required = false })
	each(editRequired, func(p *param) { p.Required = true })
	taken := map[string]bool{}
	for _, p := range params {
		taken[p.Name] = true
	}
	renamed := map[*param]string{}
	pairs(editRename, func(p *param, s string) { renamed[p] = s })
	for _, p := range params {
		if s := renamed[p]; s != "" && snake(s) != p.Name {
			delete(taken, p.Name)
			p.Name = unique(snake(s), "_", taken)
		}
	}
}

func find(params []*param, who string) *param {
	id := paramID(params, who)
	for _, p := range params {
		if p.ParamID == id {
			return p
		}
	}
	return nil
}

// slug is the skill's folder name: the edited one or one made from the title, valid, and not taken.
func slug(in Input, title string) string {
	if skill.ValidName(in.ImprovesSlug) {
		return in.ImprovesSlug
	}
	base := slugOf(title)
	if s := (edited{in.Edits}).text(editSlug); s != "" {
		if base = strings.ToLower(s); !skill.ValidName(base) {
			base = slugOf(s)
		}
	}
	taken := map[string]bool{}
	for _, t := range in.TakenSlugs {
		taken[strings.ToLower(t)] = true
	}
	if len(base) > 58 {
		base = strings.TrimRight(base[:58], "-")
	}
	return unique(base, "-", taken)
}
