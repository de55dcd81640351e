package rehearse

import (
	"context"
	"slices"
	"strings"

	"showhow/capture"
	"showhow/daemon/compile/intent"
	"showhow/daemon/compile/page"
	"showhow/daemon/workflow"
)

// Many a page shows a thing beside its list, in a dialog or behind a tab, and has no address for that: opened afresh it shows none of
// it. A second look then opens the thing as the work did. Only what reads is done once more, and nothing that would write leaves.

// way is how the view at hand came about since its address was opened.
type way struct {
	address string
	acts    []Act
	steps   []string // that they are of
}

// leads notes an act that only opened something without leaving its address.
func (p *play) leads(s workflow.Step, a Act, sc *scene) {
	if at := sc.before.URL; p.way.address != at {
		p.way = way{address: at}
	}
	if !opens(s) || !p.guard.onlyRead(s.StepID) {
		return
	}
	a.Tab, a.Dialog = "", "dismissed"
	p.way.acts = append(p.way.acts, a)
	p.way.steps = append(p.way.steps, s.StepID)
}

// opens reports whether a step does nothing but show something: it searches, goes to a tab or a link, or something came up that was not
// there before and no word of its control promises a deed.
func opens(s workflow.Step) bool {
	t := s.Target
	if t == nil || s.NewTab || s.Dialog != "" || s.Keys != "" && s.Verb == capture.Click || !reads(s) {
		return false
	}
	switch s.Verb {
	case capture.Type, capture.Press, capture.Submit:
		return page.Searches(s)
	case capture.Click:
	default:
		return false
	}
	switch t.Role {
	case "tab", "link":
		return true
	case "option", "radio", "checkbox", "switch", "combobox", "textbox", "searchbox", "spinbutton", "slider", "menuitemcheckbox", "menuitemradio":
		return false
	}
	if s.Before == nil || s.After == nil {
		return false
	}
	return came(s.Before.Dialogs, s.After.Dialogs) || !intent.Promises(orThe(t.Name, t.Text)) &&
		(came(s.Before.Headings, s.After.Headings) || came(labelsOf(s.Before.Details), labelsOf(s.After.Details)) || came(labelsOf(s.Before.Fields), labelsOf(s.After.Fields)))
}

// came reports whether there is something that was not there before.
func came(before, after []string) bool {
	return slices.ContainsFunc(after, func(s string) bool { return !slices.Contains(before, s) })
}

func labelsOf(fields []capture.Field) (out []string) {
	for _, f := range fields {
		out = append(out, f.Label)
	}
	return out
}

// setting is a box or a radio button that was set.
type setting struct {
	label   string
	to      bool
	address string
}

// sets notes a box that an act is about to change.
func (p *play) sets(s workflow.Step, a Act) {
	t := a.Target
	if t == nil || a.Verb != capture.Check && a.Verb != capture.Uncheck || t.Landmark != nil && (t.Landmark.Role == "row" || t.Landmark.Role == "listitem") {
		return // a row's own box says which, or is looked up in its row
	}
	set := setting{orThe(t.Label, t.Name), a.Verb == capture.Check, p.state.URL}
	if was := boxesCalled(p.state, set.label); len(was) == 1 && on(was[0]) != set.to {
		p.set = append(p.set, set)
	}
}

// boxesCalled are the boxes, switches and radio buttons of a label.
func boxesCalled(st capture.State, label string) (out []capture.Field) {
	for _, f := range st.Fields {
		if (f.Role == "checkbox" || f.Role == "switch" || f.Role == "radio") && strings.EqualFold(f.Label, strings.TrimSpace(label)) {
			out = append(out, f)
		}
	}
	return out
}

func on(f capture.Field) bool { return valueOf(f) == "on" }

// lookCloser opens an address afresh and then what the work opened there. What cannot be opened again tells nothing.
func (p *play) lookCloser(ctx context.Context, cp workflow.Checkpoint, address string, seen map[string]*sight, sc *scene, r *review) {
	if p.way.address != address || len(p.way.acts) == 0 || slices.ContainsFunc(p.way.steps, func(id string) bool { return !p.guard.onlyRead(id) }) {
		return
	}
	page, ok := p.peek(ctx, address)
	if !ok || page.Status >= 400 || routeOf(page.State.URL) != routeOf(address) {
		return
	}
	p.guard.look(true)
	defer p.guard.look(false)
	for _, a := range p.way.acts {
		if _, err := p.browser.Do(ctx, a); err != nil {
			return
		}
	}
	page, err := p.browser.Read(ctx)
	if err != nil || routeOf(page.State.URL) != routeOf(address) {
		return
	}
	kept, known := p.kept(page.State, address)
	if !kept {
		return // what was set is set no more, and nothing else vouches for it
	}
	p.sights, r.closer = seen, true
	cp.MoreChecks = slices.DeleteFunc(slices.Clone(cp.MoreChecks), func(c workflow.Check) bool { return c.Kind == "row_count" })
	if cp.Check != nil && cp.Check.Kind == "row_count" {
		cp.Check = nil
	}
	p.reviewChecks(cp, page, sc, r)
	p.reviewPage(address, page, r)
	r.form(page, address)
	if known != "" {
		r.facts = append(r.facts, known)
	}
	r.closer = false
}

// kept reports whether all boxes that were set in a view are as they were set, and what shows that.
func (p *play) kept(st capture.State, address string) (kept bool, known string) {
	for _, s := range p.set {
		if s.address != address {
			continue
		}
		boxes := boxesCalled(st, s.label)
		if len(boxes) != 1 || on(boxes[0]) != s.to {
			return false, ""
		}
		known = "what was ticked is as it was set"
	}
	return true, known
}
