package values

import (
	"slices"
	"strings"

	"showhow/daemon/compile/decision"
	"showhow/daemon/compile/draft"
	"showhow/daemon/compile/page"
	"showhow/daemon/workflow"
)

// valueAnswers assigns the answers about values, grouped ones included, to single parameters, by id.
func valueAnswers(in draft.Input, params []*Param) map[string]string {
	out := map[string]string{}
	keys := make([]string, 0, len(in.Answers))
	for k := range in.Answers {
		keys = append(keys, k)
	}
	// Grouped answers first, so that an answer about a single value wins.
	slices.SortFunc(keys, func(a, b string) int {
		if d := strings.Count(b, ",") - strings.Count(a, ","); d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	for _, k := range keys {
		subject, field, ok := decision.CutAtLast(k, "/")
		if !ok || field != decision.FieldInput && field != decision.FieldConst {
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

func spread(out map[string]string, params []*Param, ids []string, answer string) {
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
		case len(named) == 0 && decision.IsVerb(answer):
			out[id] = answer
		case named[id] != "":
			out[id] = named[id]
		default:
			out[id] = workflow.RoleInput
		}
	}
}

// paramID returns the id of a parameter named by id, name or label. A text that matches none is returned unchanged.
func paramID(params []*Param, who string) string {
	who = strings.TrimSpace(who)
	for _, p := range params {
		if p.ParamID == who {
			return who
		}
	}
	for _, p := range params {
		if strings.EqualFold(p.Name, who) || strings.EqualFold(p.Label, who) || p.Name == page.Snake(who) {
			return p.ParamID
		}
	}
	return who
}

// apply gives p the role and texts that an answer decides.
func (p *Param) apply(answer string) {
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

func (p *Param) fix(text string, given bool) {
	p.Role = workflow.RoleConstant
	if !given || text == "" {
		text = p.Template
	}
	p.Default = text
	if text == "" { // the value was not stored, so it cannot be a constant
		p.Role = workflow.RoleInput
	}
}

func (p *Param) example(text string, given bool) {
	if !given || text == "" {
		text = p.Template
	}
	p.Example = text
}
