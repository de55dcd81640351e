package perform

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"showhow/capture"
	"showhow/daemon/compile/page"
	"showhow/daemon/rehearse/policy"
	"showhow/daemon/rehearse/port"
	"showhow/daemon/rehearse/record"
	"showhow/daemon/rehearse/supply"
	"showhow/daemon/workflow"
	"showhow/internal/lang"
)

// editsInPlace reports whether a step enters text into a row, or into a text that is not a form field.
func editsInPlace(s workflow.Step) bool { return s.Verb == capture.Type && page.InPlace(s.Target) }

// leaves reports whether a step ends by leaving such a text, because many pages save it then. If keys or an entry of a
// suggestion list follow, the cursor stays.
func (p *job) leaves(s workflow.Step) bool {
	if !editsInPlace(s) {
		return false
	}
	steps := p.Req.Draft.Graph.Steps
	i := slices.IndexFunc(steps, func(o workflow.Step) bool { return o.StepID == s.StepID })
	if i < 0 || i+1 == len(steps) {
		return true
	}
	next := steps[i+1]
	return next.Verb != capture.Press && next.Verb != capture.Submit &&
		(next.Target == nil || next.Target.Role != "option" && next.Target.Role != "menuitem")
}

// secretStep reports whether a step enters what is never kept: the person enters it in the run's window.
func secretStep(s workflow.Step) bool {
	return s.Verb == capture.Type && s.Target != nil && s.Target.InputType == "password"
}

// fillsBox reports whether a step sets a box from an input.
func fillsBox(s workflow.Step) bool {
	return (s.Verb == capture.Check || s.Verb == capture.Uncheck) && strings.HasPrefix(s.Value, "{") && !s.ManyBoxes()
}

// act converts a step to the browser's action.
func (p *tab) act(s workflow.Step) (port.Act, error) {
	a := port.Act{Verb: s.Verb, Target: p.aim(s.Target), Drop: p.aim(s.Drop), Keys: s.Keys, Dialog: s.Dialog, NewTab: s.NewTab}
	if s.Page != nil {
		a.Tab = s.Page.Tab
	}
	switch s.Verb {
	case capture.Navigate, capture.NewTab:
		shown := demonstratedIn(s)
		if a.URL, _ = p.place(shown); a.URL == "" && shown != "" {
			return a, unplaced
		}
	case capture.Type, capture.Select:
		a.Value = p.supply.Text(s.Value)
		if one := workflow.OneOf(s.Verb, a.Target, a.Value); one != nil {
			a.Verb, a.Target = capture.Check, one
		}
		a.Leave = p.leaves(s)
		if p.policy.Mode == policy.RedirectSend && recipient(s, a.Value) {
			a.Value = p.guard.Mail
		}
	case capture.Check, capture.Uncheck:
		if s.ManyBoxes() {
			a.Value = p.supply.Text(s.Value)
		}
		if fillsBox(s) {
			a.Verb = capture.Uncheck
			if ticked(p.supply.Text(s.Value)) {
				a.Verb = capture.Check
			}
		}
	case capture.Upload:
		a.Value = p.supply.Text(s.Value)
		f, err := p.files.fileFor(a.Value)
		if err != nil {
			return a, err
		}
		a.Files = []string{f}
	case capture.Click, capture.DoubleClick, capture.RightClick:
		if unsaid(s) {
			return a, &halt{record.StepFailed, record.CodeTargetAmbiguous,
				"what was shown does not say which one " + s.Value + " is: show it once more with another one"}
		}
	}
	if lacks := p.lacksItemText(supply.TextsOf(a.Target)...); lacks != "" {
		return a, &halt{record.StepSkipped, record.CodeNeedsValue, "what it is called here is not known: " + lacks}
	}
	if strings.Contains(a.Value, supply.Unknown) || len(p.supply.Lacks(a.Value, p.supply.Known)) > 0 {
		return a, &halt{record.StepSkipped, record.CodeNeedsValue, "what is entered here is not known"}
	}
	return a, nil
}

// unsaid reports whether a step picks what an input names, and nothing of its target says which one that is: whatever matched would be
// the thing of the demonstration, or any one.
func unsaid(s workflow.Step) bool {
	t := s.Target
	if t == nil || !supply.Names(s.Value) {
		return false
	}
	said := t.Name + t.Label + t.Text + t.Placeholder + t.Href + t.Frame
	if t.Landmark != nil {
		said += t.Landmark.Name
	}
	for _, l := range t.Locators {
		said += l.Value
	}
	return !supply.Names(said)
}

// each lists the actions of a step: repeated as often as demonstrated, or one for every box of a group.
func (p *job) each(s workflow.Step, a port.Act) []port.Act {
	if !s.ManyBoxes() {
		return slices.Repeat([]port.Act{a}, max(1, s.Times))
	}
	var out []port.Act
	for _, label := range workflow.SplitChoices(p.supply.Text(s.Value), s.Target.Options) {
		one := a
		one.Target = workflow.Box(a.Target, label)
		out = append(out, one)
	}
	return out
}

// ticked reports whether the value of a yes-or-no input is yes.
func ticked(v string) bool {
	switch strings.ToLower(strings.TrimSpace(v)) {
	case "yes", "true", "on", "1", "y", "checked", "ja", "oui", "si", "sí":
		return true
	}
	return false
}

// aim is a target with the run's values and site filled in.
func (p *job) aim(t *capture.Target) *capture.Target {
	t = p.supply.Target(t)
	if t == nil {
		return nil
	}
	t.Href, t.Frame = p.sites.Address(t.Href), p.sites.Address(t.Frame)
	return t
}

// recipients are words of fields that name who receives something.
var recipients = lang.Exactly(lang.Recipient, "thing.email")

func recipient(s workflow.Step, value string) bool {
	if policy.Address.MatchString(value) {
		return true
	}
	if s.Target == nil || s.Verb != capture.Type {
		return false
	}
	label := strings.ToLower(cmp.Or(s.Target.Label, s.Target.Name))
	ws := strings.FieldsFunc(label, func(r rune) bool { return r == ' ' || r == ':' || r == '*' || r == '-' })
	if len(ws) == 0 || len(ws) > 3 {
		return s.Target.InputType == "email"
	}
	last := strings.ReplaceAll(ws[len(ws)-1], "-", "")
	if last == "to" || last == "cc" || last == "an" || last == "invite" {
		return true
	}
	short := utf8.RuneCountInString(last) < 3 && len(ws) > 1 // "do" is Polish for "to", and the end of "To do"
	return s.Target.InputType == "email" || !short && recipients.Has(last)
}

// picks reports whether another step chooses what this step enters on a page: it names the object of the work, which
// existed before the run.
func (p *job) picks(s workflow.Step) bool {
	for _, m := range supply.HoleForm.FindAllStringSubmatch(s.Value, -1) {
		for _, o := range p.Req.Draft.Graph.Steps {
			if o.StepID == s.StepID || o.Target == nil || !policy.Operates(o.Verb) || o.Target.Role == "option" {
				continue
			}
			where := o.Target.Name + o.Target.Text
			if o.Target.Landmark != nil {
				where += o.Target.Landmark.Name
			}
			if m[1] != "*" && strings.Contains(where, m[0]) {
				return true
			}
		}
	}
	return false
}

// demonstratedIn is the address that a step opens.
func demonstratedIn(s workflow.Step) string {
	asked, came := "", ""
	if s.Page != nil {
		asked = s.Page.URL
	}
	if s.After != nil {
		came = s.After.URL
	}
	if asked != "" && page.Unrouted(asked) == page.Unrouted(came) {
		return asked // the route may be the page's own, with what it knew then
	}
	return cmp.Or(came, asked)
}
