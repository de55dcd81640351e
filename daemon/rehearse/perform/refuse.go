package perform

import (
	"cmp"
	"slices"

	"showhow/capture"
	"showhow/daemon/compile/page"
	"showhow/daemon/danger"
	"showhow/daemon/rehearse/policy"
	"showhow/daemon/rehearse/port"
	"showhow/daemon/rehearse/supply"
	"showhow/daemon/workflow"
)

// Refusal says why a performance would stop at a step. A policy that performs nothing forbids only other sites.
func (p *job) Refusal(s workflow.Step) string {
	if !p.policy.Mode.Performs() {
		return policy.Forbids(p.policy, s, p.Req, p.sites)
	}
	return p.refuses(s)
}

// refuses says why the policy forbids a step, "" when it does not, by its control's wording, its command, and its
// demonstrated effect. Its requests are judged again when they are made.
func (p *job) refuses(s workflow.Step) string {
	if why := policy.Forbids(p.policy, s, p.Req, p.sites); why != "" {
		return why
	}
	if s.Command != "" {
		return policy.Forbidden(p.policy, danger.Command(p.supply.Command(p.sites.Line(s.Command))))
	}
	if s.Target == nil || !policy.Operates(s.Verb) || onlyMarks(s) || policy.LeadsOn(p.Req.Draft.Graph, s) ||
		!s.Effect && danger.Document(s.Target.Href) && s.Target.Role == "link" {
		return ""
	}
	for _, words := range p.says(s) {
		words = supply.HoleForm.ReplaceAllString(words, "") // an input's name is no word of the page
		if why := policy.Forbidden(p.policy, danger.Form(s.Target.Role, words, p.filledFor(s))); why != "" {
			return why
		}
	}
	return ""
}

// filledFor lists the labels of the fields filled in for a step, since the last step that changed something.
func (p *job) filledFor(s workflow.Step) (labels []string) {
	for _, o := range p.Req.Draft.Graph.Steps {
		switch {
		case o.StepID == s.StepID:
			return labels
		case o.Effect:
			labels = nil
		case policy.Fills(o.Verb) && o.Target != nil:
			labels = append(labels, cmp.Or(o.Target.Label, o.Target.Name))
		}
	}
	return nil
}

// says is the text by which a step is judged: the words of its control and, if it sends a form, of the boxes ticked
// there. A word for sending is ignored where it only means submitting the form.
func (p *job) says(s workflow.Step) []string {
	out := []string{wordingOf(s, p.supply.Bindings)}
	if danger.SendsForm(out[0], p.filledFor(s)) {
		out[0] = ""
	}
	if s.Effect || s.Verb == capture.Submit {
		out = append(out, p.marked...)
	}
	return out
}

// marks remembers the words of a ticked box until its form is sent.
func (p *job) marks(s workflow.Step, a port.Act) {
	words := ""
	if s.Target != nil {
		words = p.supply.Text(cmp.Or(s.Target.Name, s.Target.Label))
	}
	switch {
	case s.Effect || s.Verb == capture.Submit:
		p.marked = nil
	case !onlyMarks(s) || page.InPlace(s.Target):
	case a.Verb == capture.Uncheck:
		p.marked = slices.DeleteFunc(p.marked, func(m string) bool { return m == words })
	default:
		p.marked = append(p.marked, words)
	}
}

// onlyMarks reports whether a step does nothing by itself: it clears a box, or ticks one of a form. A form acts when
// it is sent, and a page that sends something at once is judged by its request.
func onlyMarks(s workflow.Step) bool {
	return s.Verb == capture.Uncheck || s.Verb == capture.Check && (s.Target.Role == "checkbox" || s.Target.Role == "radio")
}

// wordingOf is the wording of a step's control.
func wordingOf(s workflow.Step, b supply.Bindings) string {
	if s.Target == nil || !policy.Operates(s.Verb) || s.Verb == capture.Uncheck {
		return "" // a cleared box names what is not to be done
	}
	return b.Text(cmp.Or(s.Target.Name, s.Target.Label))
}
