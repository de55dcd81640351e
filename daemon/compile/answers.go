package compile

import (
	"maps"
	"slices"
	"strings"

	"showhow/daemon/workflow"
)

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
	fieldName    = "name"
	fieldGoal    = "goal_summary"
	fieldUse     = "use_conditions"
	fieldNonUse  = "non_use_conditions"
	fieldProject = "project_scope"
	fieldSuccess = "success_condition"
	fieldInput   = "input"
	fieldConst   = "constant"
	fieldBranch  = "branch"
)

// withEdited are the answers with those that an edit holds: of a part, what was answered before it was split off.
func (in Input) withEdited() map[string]string {
	_, before := edited{in.Edits}.pairs(editAnswers)
	out := maps.Clone(before)
	if out == nil {
		out = map[string]string{}
	}
	maps.Copy(out, in.Answers)
	return out
}

// answer is what was answered to a question without a subject, or about one subject.
func (in Input) answer(subject, field string) (string, bool) {
	a, ok := in.Answers[subject+"/"+field]
	return strings.TrimSpace(a), ok
}

// valueAnswers spreads the answers about values over single parameters, by id.
func valueAnswers(in Input, params []*param) map[string]string {
	out := map[string]string{}
	keys := make([]string, 0, len(in.Answers))
	for k := range in.Answers {
		keys = append(keys, k)
	}
	// Grouped answers first, so that one about a single value has the last word.
	slices.SortFunc(keys, func(a, b string) int {
		if d := strings.Count(b, ",") - strings.Count(a, ","); d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	for _, k := range keys {
		subject, field, ok := cutLast(k, "/")
		if !ok || field != fieldInput && field != fieldConst {
			continue
		}
		ids := strings.Split(subject, ",")
		for i := range ids {
			ids[i] = paramID(params, ids[i])
		}
		spread(out, params, ids, strings.TrimSpace(in.Answers[k]))
	}
	return out
}

func spread(out map[string]string, params []*param, ids []string, answer string) {
	if len(ids) == 1 {
		out[ids[0]] = answer
		return
	}
	named := map[string]string{}
	for _, part := range strings.Split(answer, ";") {
		who, what, ok := strings.Cut(part, ":")
		id := paramID(params, strings.TrimSpace(who))
		if ok && slices.Contains(ids, id) {
			named[id] = strings.TrimSpace(what)
		}
	}
	for _, id := range ids {
		switch {
		case len(named) == 0 && isVerb(answer):
			out[id] = answer
		case named[id] != "":
			out[id] = named[id]
		default:
			out[id] = workflow.RoleInput
		}
	}
}

// isVerb: a group cannot share one text, so only the bare words apply to all of it.
func isVerb(answer string) bool {
	switch strings.ToLower(answer) {
	case "input", "constant", "example", "drop", "dropped":
		return true
	}
	return false
}

// paramID is the id of a parameter named by id, name or label; what fits none stays as it is.
func paramID(params []*param, who string) string {
	who = strings.TrimSpace(who)
	for _, p := range params {
		if p.ParamID == who {
			return who
		}
	}
	for _, p := range params {
		if strings.EqualFold(p.Name, who) || strings.EqualFold(p.Label, who) || p.Name == snake(who) {
			return p.ParamID
		}
	}
	return who
}

func cutLast(s, sep string) (before, after string, found bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

// apply makes p what an answer says of it.
func (p *param) apply(answer string) {
	verb, text, hasText := strings.Cut(answer, ":")
	text = strings.TrimSpace(text)
	p.answered = true
	switch strings.ToLower(strings.TrimSpace(verb)) {
	case "input", "yes", "ask":
		p.Role = workflow.RoleInput
	case "constant", "always":
		p.fix(text, hasText)
	case "example":
		p.Role = workflow.RoleInput
		p.Default = ""
		p.example(text, hasText)
	case "default":
		p.Role, p.Default, p.Required = workflow.RoleInput, text, false
	case "drop", "dropped":
		p.Role = workflow.RoleDropped
	case "":
		p.answered = false
	default:
		p.fix(strings.TrimSpace(answer), true)
	}
}

func (p *param) fix(text string, given bool) {
	p.Role = workflow.RoleConstant
	if !given || text == "" {
		text = p.template
	}
	p.Default = text
	if text == "" { // nothing was kept of the value, so it cannot be a constant
		p.Role = workflow.RoleInput
	}
}

func (p *param) example(text string, given bool) {
	if !given || text == "" {
		text = p.template
	}
	p.Example = text
}
