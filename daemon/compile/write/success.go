package write

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"showhow/capture"
	"showhow/daemon/compile/decision"
	"showhow/daemon/compile/flow"
	"showhow/daemon/compile/intent"
	"showhow/daemon/compile/page"
	"showhow/daemon/workflow"
	"showhow/internal/plain"
)

// successConditions returns the conditions under which the whole work succeeded: its effects, or the last state if no
// effect was seen.
func (d *Understanding) successConditions(e decision.Edits) []string {
	if list, ok := e.List(decision.EditSuccess); ok {
		return bounded(list)
	}
	out := []string{}
	for _, c := range d.cps {
		if c.Changes {
			out = append(out, c.SuccessCondition)
		}
	}
	if n := len(d.cps); n > 0 && len(out) == 0 {
		out = append(out, d.cps[n-1].SuccessCondition)
	}
	out = append(out, d.reopenConditions()...)
	if a, _ := d.In.Answer("", decision.FieldSuccess); a != "" {
		out = append(out, plain.UpperFirst(a))
	}
	return bounded(out)
}

// reopenConditions says, for a form whose effect was announced but not observed, what its object must show when it is opened
// again. It is not a checkpoint because nobody observed it: it repeats what the person entered, for a later look.
func (d *Understanding) reopenConditions() []string {
	var fills []*flow.Step
	var out []string
	thing := ""
	for _, st := range d.Steps {
		thing = cmp.Or(thingOf(st), thing)
		if len(out) == maxShown {
			break
		}
		if st.Act.Supplies() && !st.Act.Secret() {
			fills = append(fills, st)
		}
		if st.Verb == capture.Submit && flow.Searches(st) {
			fills = nil
		}
		if !flow.Effective(st) {
			continue
		}
		if len(fills) > 0 && st.Act.Surface == workflow.OnBrowser && st.Act.File == nil && !d.showsValues(st) {
			if told := d.reopened(thing, emptied(fills, st)); told != "" {
				out = append(out, told)
			}
		}
		fills = nil
	}
	return out
}

// showsValues reports whether the step's checkpoint compares a value or counts rows: an effect that was seen.
func (d *Understanding) showsValues(st *flow.Step) bool {
	for _, c := range d.cps {
		if c.StepID != st.StepID {
			continue
		}
		for _, ch := range c.Checks() {
			if ch.Kind == "field_value" || ch.Kind == "detail" || ch.Kind == "row_count" {
				return true
			}
		}
	}
	return false
}

// emptied removes the fields that the same page shows empty again after the form was sent: what was entered there
// appears somewhere else, and the demonstration did not show where.
func emptied(fills []*flow.Step, sent *flow.Step) []*flow.Step {
	after := sent.Act.State()
	return slices.DeleteFunc(slices.Clone(fills), func(f *flow.Step) bool {
		i := slices.IndexFunc(after.Fields, func(x capture.Field) bool {
			return f.Act.Target != nil && page.Clean(x.Label) == page.Clean(page.TargetName(f.Act.Target))
		})
		return i >= 0 && (after.Fields[i].Value == nil || after.Fields[i].Value.LinkID == "" && after.Fields[i].Value.Text == "")
	})
}

func (d *Understanding) reopened(thing string, fills []*flow.Step) string {
	var shows []string
	for _, f := range fills {
		if f.ManyBoxes() {
			if f.Verb == capture.Check {
				shows = append(shows, fmt.Sprintf(`%s ticked under "%s"`, d.Names.Prose(f.ValueTemplate), f.Label()))
			}
			continue
		}
		if value := d.Names.Prose(wholeName(f)); value != "" && value != "..." && !strings.Contains(thing, value) && len(shows) < 4 {
			shows = append(shows, fmt.Sprintf("%s as %s", page.QuoteOr(f.Label(), "the field"), value))
		}
	}
	if len(shows) == 0 {
		return ""
	}
	return fmt.Sprintf("When it is opened again, %s shows %s.", cmp.Or(thing, "it"), intent.AndList(shows))
}

// wholeName returns the template of what a step enters. If only a part was typed to find the rest in a list, it is the
// whole value, because that is what is saved.
func wholeName(f *flow.Step) string {
	if ids := page.RefsOf(f.ValueTemplate); len(ids) == 1 && (f.ValueTemplate == page.JoinRef(ids[0], workflow.PartFirst) ||
		f.ValueTemplate == page.JoinRef(ids[0], workflow.PartLast)) {
		return page.Ref(ids[0])
	}
	return f.ValueTemplate
}

// thingOf returns what a step's page is about, by its heading: "order {order}".
func thingOf(st *flow.Step) string {
	if st.After == nil {
		return ""
	}
	for _, h := range st.After.Headings {
		if before, _, numbered := strings.Cut(h, "{*}"); numbered { // "Ticket {*}: {topic}" is about the ticket
			if noun := strings.TrimRight(before, " #:"); noun != "" && !strings.Contains(noun, "{") && len(strings.Fields(noun)) <= 2 &&
				plain.Digits(noun) == 0 {
				return "the " + plain.LowerFirst(noun)
			}
			continue
		}
		if !strings.Contains(h, "{") || len(strings.Fields(h)) > 4 {
			continue
		}
		if strings.HasPrefix(h, "{") {
			return "the page of " + h
		}
		return plain.LowerFirst(h)
	}
	return ""
}
