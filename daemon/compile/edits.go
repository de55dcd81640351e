package compile

import (
	"cmp"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"showhow/capture"
	"showhow/daemon/skill"
	"showhow/daemon/workflow"
	"showhow/internal/fault"
	"showhow/internal/plain"
)

// The keys of Input.Edits (edited_fields of a revision). They are applied in every compilation, so all edits so far are
// handed in together. Inputs are named by name or id (pN); steps by sN, checkpoints by cp-NN.
//
//	title, goal_summary                      text
//	phrases_of                               text: the title that phrases are made of, when only its wording changed
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
//	add_checks                               {step: {kind, expect}}: what its success is told by, besides what was seen; kind is
//	                                         text, heading, alert, url, file or manual, expect may hold {inputs}
//	remove_checks                            list of "CHECKPOINT KIND"; the condition no longer says what is not checked
//	input_kinds                              {input: text, number, date, choice, boolean, file, email, url, id}
//	confirm_steps                            list of step ids: the user is asked before them
//	move_steps                               {step: "before sN" or "after sN"}; refused where the order matters
//	controls                                 {step: {role, name, place_role, place}}: what its control is called and where it stands now; an absent text stays
//	split_after                              list of step ids: a part of the work ends there
//	answers                                  {question: answer}: given before a part was split off; what is answered later holds
//	keep_part                                "1", "2", ...: of a split work, only this part
const (
	editTitle         = "title"
	editPhrasesOf     = "phrases_of"
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
	editAddChecks     = "add_checks"
	editNoChecks      = "remove_checks"
	editKinds         = "input_kinds"
	editConfirm       = "confirm_steps"
	editMove          = "move_steps"
	editSplit         = "split_after"
	editKeepPart      = "keep_part"
	editControls      = "controls"
	editAnswers       = "answers"
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
	editTitle: aText, editPhrasesOf: aText, editSlug: aText, editGoal: aText, editScope: aText,
	editUse: aList, editNonUse: aList, editSuccess: aList, editTriggers: aList, editNegatives: aList,
	editInputs: aList, editOptional: aList, editRequired: aList, editDropInputs: aList, editDropSteps: aList, editNoCheckpoints: aList,
	editRename: aMap, editConstants: aMap, editExamples: aMap, editDefaults: aMap, editDescriptions: aMap, editRenameSteps: aMap, editConditions: aMap,
	editCheckpoints: aMapOfMaps, editControls: aMapOfMaps, editAddChecks: aMapOfMaps,
	editAnswers: aMap,
	editKinds:   aMap, editMove: aMap, editConfirm: aList, editSplit: aList, editNoChecks: aList, editKeepPart: aText,
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
	if added, _ := asMap(edits[editAddChecks]); !slices.Contains(bad, editAddChecks) {
		for step := range added {
			if kind, expect := (edited{edits}).addedCheck(step); expect == "" || !slices.Contains(addedKinds, kind) {
				bad = append(bad, editAddChecks)
				break
			}
		}
	}
	if _, kinds := (edited{edits}).pairs(editKinds); len(kinds) > 0 && !slices.Contains(bad, editKinds) {
		for _, k := range kinds {
			if !slices.Contains(givenKinds, capture.ValueKind(k)) {
				bad = append(bad, editKinds)
				break
			}
		}
	}
	if len(bad) == 0 {
		return nil
	}
	return fault.New(fault.InvalidRequest, "some edits are not understood").WithDetail("violations", bad).
		WithHint("known edits: " + strings.Join(EditKeys(), ", "))
}

// givenKinds are the kinds that a person can give an input.
var givenKinds = []capture.ValueKind{capture.KindText, capture.KindNumber, capture.KindDate, capture.KindChoice, capture.KindBoolean, capture.KindFile, capture.KindEmail,
	capture.KindURL, capture.KindID}

// MergeEdits adds the edits of one revision to those before: what is by name is joined, what is dropped adds up, anything else
// is replaced, and null takes an edit back. Of edits that contradict each other the later one holds.
func MergeEdits(before, now map[string]any) map[string]any {
	out := map[string]any{}
	maps.Copy(out, before)
	if now[editTitle] != nil {
		delete(out, editPhrasesOf) // another title, not another wording of it
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
			had := edited{out}
			l, _ := had.list(k)
			more, _ := edited{now}.list(k)
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

// addsUp are lists that grow from revision to revision.
var addsUp = map[string]bool{editDropInputs: true, editDropSteps: true, editNoCheckpoints: true, editInputs: true, editOptional: true, editRequired: true, editConfirm: true, editSplit: true, editNoChecks: true}

// rivals are edits that decide the same otherwise: making an input constant takes back that it is asked for.
var rivals = map[string][]string{
	editConstants: {editInputs, editDefaults, editDropInputs}, editInputs: {editConstants, editDefaults, editDropInputs}, editDefaults: {editConstants, editInputs, editDropInputs, editRequired},
	editDropInputs: {editConstants, editInputs, editDefaults}, editOptional: {editRequired}, editRequired: {editOptional, editDefaults},
}

// named lists what an edit is about.
func named(v any) []string {
	if m, ok := asMap(v); ok {
		return slices.Collect(maps.Keys(m))
	}
	l, _ := (edited{map[string]any{"": v}}).list("")
	return l
}

// without takes the named things out of an edit.
func without(edits map[string]any, key string, who []string) {
	if m, ok := asMap(edits[key]); ok {
		m = maps.Clone(m)
		for _, w := range who {
			delete(m, w)
		}
		edits[key] = m
		return
	}
	if l, ok := (edited{edits}).list(key); ok {
		kept := []any{}
		for _, s := range l {
			if !slices.Contains(who, s) {
				kept = append(kept, s)
			}
		}
		edits[key] = kept
	}
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
	return e.two(editCheckpoints, id, "goal", "success_condition")
}

// kindsOf are the kinds of checks that a checkpoint does without.
func (e edited) kindsOf(checkpoint string) []string {
	var out []string
	l, _ := e.list(editNoChecks)
	for _, x := range l {
		if id, kind, _ := strings.Cut(strings.TrimSpace(x), " "); id == checkpoint {
			out = append(out, strings.TrimSpace(kind))
		}
	}
	return out
}

func (e edited) addedCheck(step string) (kind, expect string) {
	return e.two(editAddChecks, step, "kind", "expect")
}

func (e edited) control(step string) (role, name string) {
	return e.two(editControls, step, "role", "name")
}

// place is where a step's control stands now.
func (e edited) place(step string) (role, name string) {
	return e.two(editControls, step, "place_role", "place")
}

// two are two texts of what an edit says of one thing.
func (e edited) two(key, of, a, b string) (string, string) {
	raw, _ := asMap(e.m[key])
	one, _ := asMap(raw[of])
	x, _ := one[a].(string)
	y, _ := one[b].(string)
	return strings.TrimSpace(x), strings.TrimSpace(y)
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
		if p.steady && p.readable() {
			p.fix("", false)
		}
		if a, ok := answers[p.ParamID]; ok && p.Derived == "" {
			p.apply(a)
		}
	}
	editParams(edited{in.Edits}, params)
	goal := plain.Words(goalOf(in))
	for _, p := range params {
		besides := p.beside || slices.ContainsFunc(params, func(o *param) bool {
			return o != p && o.act == p.act && o.Derived == "" && o.Role != workflow.RoleConstant
		})
		if p.Role == workflow.RoleUndecided && besides && p.namedIn(goal) {
			p.fix("", false) // the goal names this file; what varies is something else of the command
			p.ask = true
		}
		if p.Role == workflow.RoleUndecided && p.ask {
			p.fix("", false)
		}
		if p.source == "ticked" && p.Role == workflow.RoleUndecided { // until somebody decides, the box is set as it was
			p.fix("", false)
			p.ask = true
		} else if p.source == "ticked" && p.Role == workflow.RoleInput && p.Default == "" && p.untouched != "" {
			p.Default, p.Required = p.untouched, false
		}
	}
}

// namedIn reports whether a file that a command line names readably is named by the goal, too: "the sales" are sales.csv.
func (p *param) namedIn(goal []string) bool {
	if p.source != "argument" || p.Kind != capture.KindFile || p.List || !p.readable() || len(p.texts) == 0 {
		return false
	}
	ws := plain.Words(strings.TrimSuffix(path.Base(p.texts[0]), path.Ext(p.texts[0])))
	return len(ws) > 0 && len(ws) <= 3 && !slices.ContainsFunc(ws, func(w string) bool { return !slices.ContainsFunc(goal, func(g string) bool { return sameWord(g, w) }) })
}

// readable reports whether a value's text is nobody's secret: it was literal, stood plainly in a command line, is the state of a
// box, or is one of the page's own options. What was the same every time is then a constant without asking.
func (p *param) readable() bool {
	switch p.source {
	case "ticked":
		return true
	case "argument":
		return p.LinkID == "" && !strings.ContainsRune(p.template, refOpen) && !p.sealed
	case "chosen":
		return p.literal || p.List || slices.ContainsFunc(p.Options, func(o string) bool { return strings.EqualFold(o, p.template) })
	}
	return p.literal
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

var leadWords = regexp.MustCompile(`(?i)^(?:please\s+)?(?:enter|type|choose|select|pick|write|leave|your|the)\s+(?:(?:a|an|the|your)\s+)?`)

// inputName is the words for a parameter's name: its label without "Enter your"; a search field is just the search.
func inputName(p *param) string {
	if p.source == "typed" && searchLabel(p.Label) {
		return "search"
	}
	label := p.Label
	if i := strings.IndexAny(label, ":.(?"); i > 0 && len(plain.Words(label)) > 5 && strings.ContainsFunc(label[:i], unicode.IsLetter) {
		label = label[:i] // what follows explains it
	}
	return cmp.Or(leadWords.ReplaceAllString(label, ""), label)
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
	each(editInputs, func(p *param) { p.answered, p.Role, p.Default = true, workflow.RoleInput, "" })
	each(editDropInputs, func(p *param) { p.answered, p.Role = true, workflow.RoleDropped })
	pairs(editExamples, func(p *param, s string) { p.Example = s })
	pairs(editDefaults, func(p *param, s string) {
		p.answered, p.Role, p.Default, p.Required = true, workflow.RoleInput, s, s == ""
	})
	pairs(editDescriptions, func(p *param, s string) { p.Description = s })
	pairs(editKinds, func(p *param, s string) { p.Kind = capture.ValueKind(s) })
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
			p.renamed = true
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
