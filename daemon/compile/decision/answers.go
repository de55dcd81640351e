package decision

import (
	"strings"
)

// IsVerb reports whether an answer is one of the bare words that can apply to a whole group of values; values in a group
// cannot share one text.
func IsVerb(answer string) bool {
	switch strings.ToLower(answer) {
	case "input", "constant", "example", "drop", "dropped":
		return true
	}
	return false
}

// CutAtLast splits a text at the last separator.
func CutAtLast(s, sep string) (before, after string, found bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

// The fields of questions. A key of Input.Answers is the question's SubjectRef + "/" + Field; it keeps its meaning in
// later compilations even when the question is worded differently. Answers are read as follows:
//
//	pN/input, pN/constant    about one value (a list "p1,p2/input" about several; a name instead of pN works too):
//	    input                it differs each time: ask for it
//	    constant             always the demonstrated value, which becomes text of the skill
//	    constant: TEXT       always TEXT
//	    example              ask for it, and show the demonstrated value as an example
//	    example: TEXT        ask for it, with TEXT as the example
//	    default: TEXT        ask only when something other than TEXT is wanted
//	    drop                 leave out the value and the step that enters it
//	    TEXT                 always TEXT
//	    order: input; note: constant: TEXT      (several values, by name or id; those not named are inputs)
//	sN/branch                when the step is needed: "always", "never", or a condition in words
//	sN/success_condition     what the page says when the step has worked; "none" when it says nothing
//	/use_conditions          how a person would ask for this: phrases separated by ";" or lines, added to the trigger phrases
//	/non_use_conditions      when not to use it; "" or "none" for no such case
//	/name                    the title
//	/goal_summary            the goal in a sentence
//	/project_scope           global, project_scoped or unclear
//	/success_condition       one more condition for the success of the whole
const (
	FieldName    = "name"
	FieldGoal    = "goal_summary"
	FieldUse     = "use_conditions"
	FieldNonUse  = "non_use_conditions"
	FieldProject = "project_scope"
	FieldSuccess = "success_condition"
	FieldInput   = "input"
	FieldConst   = "constant"
	FieldBranch  = "branch"
)
