package decision

import (
	"maps"
	"slices"
	"strings"

	"showhow/capture"
	"showhow/internal/fault"
)

// The keys of Input.Edits (edited_fields of a revision). Every compilation applies all edits so far, so they are passed
// in together. An edit refers to inputs by name or id (pN), to steps by sN and to checkpoints by cp-NN.
//
//	title, goal_summary                      text
//	phrases_of                               text: the title to make trigger phrases from, when only the title's wording changed
//	slug                                     text; made valid and unique
//	use_conditions, non_use_conditions,
//	success_conditions                       list of texts; replaces the list
//	trigger_phrases, negative_triggers       list of texts; replaces the list, and none counts as generated any more
//	project_scope                            global, project_scoped, unclear
//	projects                                 list of project ids: the skill is for these only; empty: for all
//	rename_inputs                            {input: new name}
//	inputs                                   list: always ask for these, whatever was decided before
//	constants                                {input: text}; "" keeps the demonstrated value
//	examples, defaults, descriptions         {input: text}
//	optional_inputs, required_inputs         list
//	drop_inputs                              list: leave out the value and the steps that enter it
//	drop_steps                               list of step ids
//	rename_steps                             {step: title}
//	step_conditions                          {step: when it is needed}
//	checkpoints                              {checkpoint: {goal, success_condition}}; an absent text is unchanged
//	remove_checkpoints                       list of checkpoint ids
//	add_checks                               {step: {kind, expect}}: one more check of the step's success; kind is
//	                                         text, heading, alert, url, file or manual, expect may hold {inputs}
//	remove_checks                            list of "CHECKPOINT KIND"; the condition no longer mentions them
//	input_kinds                              {input: text, number, date, choice, boolean, file, email, url, id}
//	confirm_steps                            list of step ids: ask the user before each
//	move_steps                               {step: "before sN" or "after sN"}; refused where the order matters
//	controls                                 {step: {role, name, place_role, place}}: the control's present name
//	                                         and place; an absent text is unchanged
//	split_after                              list of step ids: a part of the work ends after each
//	answers                                  {question: answer}: given before a part was split off; a later answer wins
//	keep_part                                "1", "2", ...: the only part of a split work to keep
const (
	EditTitle         = "title"
	EditPhrasesOf     = "phrases_of"
	EditSlug          = "slug"
	EditGoal          = "goal_summary"
	EditUse           = "use_conditions"
	EditNonUse        = "non_use_conditions"
	EditSuccess       = "success_conditions"
	EditTriggers      = "trigger_phrases"
	EditNegatives     = "negative_triggers"
	EditScope         = "project_scope"
	EditProjects      = "projects"
	EditRename        = "rename_inputs"
	EditInputs        = "inputs"
	EditConstants     = "constants"
	EditExamples      = "examples"
	EditDefaults      = "defaults"
	EditDescriptions  = "descriptions"
	EditOptional      = "optional_inputs"
	EditRequired      = "required_inputs"
	EditDropInputs    = "drop_inputs"
	EditDropSteps     = "drop_steps"
	EditRenameSteps   = "rename_steps"
	EditConditions    = "step_conditions"
	EditCheckpoints   = "checkpoints"
	EditNoCheckpoints = "remove_checkpoints"
	EditAddChecks     = "add_checks"
	EditNoChecks      = "remove_checks"
	EditKinds         = "input_kinds"
	EditConfirm       = "confirm_steps"
	EditMove          = "move_steps"
	EditSplit         = "split_after"
	EditKeepPart      = "keep_part"
	editControls      = "controls"
	EditAnswers       = "answers"
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
	EditTitle: aText, EditPhrasesOf: aText, EditSlug: aText, EditGoal: aText, EditScope: aText, EditProjects: aList,
	EditUse: aList, EditNonUse: aList, EditSuccess: aList, EditTriggers: aList, EditNegatives: aList,
	EditInputs: aList, EditOptional: aList, EditRequired: aList, EditDropInputs: aList, EditDropSteps: aList, EditNoCheckpoints: aList,
	EditRename: aMap, EditConstants: aMap, EditExamples: aMap, EditDefaults: aMap, EditDescriptions: aMap, EditRenameSteps: aMap,
	EditConditions:  aMap,
	EditCheckpoints: aMapOfMaps, editControls: aMapOfMaps, EditAddChecks: aMapOfMaps,
	EditAnswers: aMap,
	EditKinds:   aMap, EditMove: aMap, EditConfirm: aList, EditSplit: aList, EditNoChecks: aList, EditKeepPart: aText,
}

// CheckEdits returns nil when Compile would understand the edits, and INVALID_REQUEST with details.violations otherwise.
func CheckEdits(edits map[string]any) error {
	var bad []map[string]string
	refuse := func(key, rule string) {
		bad = append(bad, map[string]string{"path": "body.edited_fields." + key, "rule": rule})
	}
	for _, k := range slices.Sorted(maps.Keys(edits)) {
		want, ok := editShapes[k]
		switch {
		case !ok:
			refuse(k, "is no edit")
		case !fits(edits[k], want):
			refuse(k, shapeRules[want])
		}
	}
	if s := Edits(edits).Text(EditScope); s != "" && s != "global" && s != "project_scoped" && s != "unclear" {
		refuse(EditScope, "must be global, project_scoped or unclear")
	}
	if added, _ := asMap(edits[EditAddChecks]); fits(edits[EditAddChecks], aMapOfMaps) {
		for step := range added {
			if kind, expect := Edits(edits).AddedCheck(step); expect == "" || !slices.Contains(addedKinds, kind) {
				refuse(EditAddChecks, "needs a kind ("+strings.Join(addedKinds, ", ")+") and what it expects")
				break
			}
		}
	}
	if _, kinds := Edits(edits).Pairs(EditKinds); len(kinds) > 0 && fits(edits[EditKinds], aMap) {
		for _, k := range kinds {
			if !slices.Contains(givenKinds, capture.ValueKind(k)) {
				refuse(EditKinds, "names a kind that no input has")
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

var shapeRules = map[shape]string{aText: "must be a text", aList: "must be a list of texts", aMap: "must be texts by name",
	aMapOfMaps: "must be texts by name, for each thing"}

// givenKinds are the kinds that a person can choose for an input.
var givenKinds = []capture.ValueKind{capture.KindText, capture.KindNumber, capture.KindDate, capture.KindChoice, capture.KindBoolean,
	capture.KindFile, capture.KindEmail,
	capture.KindURL, capture.KindID}

// addedKinds are the kinds of checks that a person can add to a step.
var addedKinds = []string{"text", "heading", "alert", "url", "file", "manual"}
