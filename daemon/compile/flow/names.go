package flow

import (
	"strings"

	"showhow/daemon/compile/page"
	"showhow/daemon/compile/trace"
	"showhow/daemon/compile/values"
	"showhow/daemon/workflow"
	"showhow/internal/plain"
)

// Names renders templates once every parameter's name and role are settled. The forms of values that templates need are
// collected before: rendering makes no parameters.
type Names struct {
	Folder  string // the folder of commands unless a sentence names another
	Params  map[string]*values.Param
	derived []*values.Param // the forms, in the order in which templates first needed them
}

// NewNames collects the parameters of a study and the forms of them that its columns and the notes of its traces need.
func NewNames(s *values.Study, traces []trace.Trace) *Names {
	f := &forms{n: &Names{Params: map[string]*values.Param{}}, taken: map[string]bool{}}
	for _, p := range s.Params {
		f.n.Params[p.ParamID] = p
		f.taken[p.Name] = true
	}
	for _, c := range s.Columns {
		a, t := c.Base()
		st := &Step{Act: a, Trace: t, Col: c, Loop: -1}
		st.fill(s, f)
		f.collect(st.Owner, 0)
	}
	for t, tr := range traces {
		for _, text := range tr.Said() {
			f.collect(s.Gens[t].Text(text), 0)
		}
	}
	return f.n
}

// Machine renders a template for checks and the graph: {name}, {*}.
func (n *Names) Machine(tmpl string) string { return n.render(tmpl, "{*}", 0) }

// Prose renders a template for people: {name}, "...".
func (n *Names) Prose(tmpl string) string { return plain.Squeeze(n.render(tmpl, "...", 0)) }

func (n *Names) render(tmpl, any string, depth int) string {
	if !strings.ContainsRune(tmpl, page.RefOpen) {
		return tmpl
	}
	return page.RefForm.ReplaceAllStringFunc(tmpl, func(m string) string {
		id, part, _ := strings.Cut(page.RefForm.FindStringSubmatch(m)[1], ".")
		p := n.Params[id]
		if p == nil || p.Role == workflow.RoleDropped || depth > 4 {
			return any
		}
		if p.Role == workflow.RoleConstant {
			return n.constant(p, part, any, depth)
		}
		if p = n.form(p, part); p == nil {
			return any
		}
		return "{" + p.Name + "}"
	})
}

func (n *Names) constant(p *values.Param, part, any string, depth int) string {
	text := n.render(p.Default, any, depth+1)
	if part == "" && strings.Contains(text, "\n") {
		return text // a text of several lines stays as it is
	}
	if form, ok := workflow.Part(p.Kind, text, part); ok {
		return form
	}
	return any
}

// form returns the parameter for a form of p ("month"), or p itself for the plain value; nil for a form that was not
// collected.
func (n *Names) form(p *values.Param, part string) *values.Param {
	if part == "" || part == "url" {
		return p
	}
	return n.Params[p.ParamID+"."+part]
}

// InputsOf lists the inputs that a template uses.
func (n *Names) InputsOf(tmpl string) []string {
	var out []string
	for _, id := range page.RefsOf(tmpl) {
		if p := n.Params[id]; p != nil && p.Role != workflow.RoleConstant && p.Role != workflow.RoleDropped {
			out = append(out, id)
		}
	}
	return out
}

// fixed returns the text that a constant has in a line, or "" for any other parameter.
func (n *Names) fixed(whole, id string) string {
	if p := n.Params[id]; p != nil && p.Role == workflow.RoleConstant {
		return n.Machine(whole)
	}
	return ""
}

// dayOf returns the date whose day a template is, or nil.
func dayOf(tmpl string, n *Names) *values.Param {
	m := page.RefForm.FindStringSubmatch(tmpl)
	if m == nil || m[0] != tmpl {
		return nil
	}
	if base, part, _ := strings.Cut(m[1], "."); part == workflow.PartDay {
		return n.Params[base]
	}
	return nil
}
