package decision

import (
	"strings"
)

// IsVerb: a group cannot share one text, so only the bare words apply to all of it.
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

// How answers are read. A key of Input.Answers is SubjectRef + "/" + Field of the question; it keeps its meaning in later
// compilations even when the question is asked differently.
//
//	pN/input, pN/constant    about one value (a list "p1,p2/input" about several; a name instead of pN works too):
//	    input                it differs each time: ask for it
//	    constant             always the demonstrated value, which becomes text of the skill
//	    constant: TEXT       always TEXT
//	    example              ask for it, and show the demonstrated value as an example
//	    example: TEXT        ask for it, with TEXT as the example
//	    default: TEXT        ask only when another than TEXT is wanted
//	    drop                 leave the value and the step that gives it out
//	    TEXT                 always TEXT
//	    order: input; note: constant: TEXT      (several values: by name or id; what is not named is an input)
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
