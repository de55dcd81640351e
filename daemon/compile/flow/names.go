package flow

import (
	"strings"

	"showhow/capture"
	"showhow/daemon/compile/page"
	"showhow/daemon/compile/values"
	"showhow/daemon/workflow"
	"showhow/internal/plain"
)

// Names renders templates once every parameter's name and role are settled.
type Names struct {
	Folder string // where commands ran unless a sentence says otherwise
	Params map[string]*values.Param
	taken  map[string]bool
	made   []*values.Param // derived parameters, made when their form is first used
}

func NewNames(params []*values.Param) *Names {
	n := &Names{Params: map[string]*values.Param{}, taken: map[string]bool{}}
	for _, p := range params {
		n.Params[p.ParamID] = p
		n.taken[p.Name] = true
	}
	return n
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
		return "{" + n.derive(p, part).Name + "}"
	})
}

func (n *Names) constant(p *values.Param, part, any string, depth int) string {
	text := n.render(p.Default, any, depth+1)
	if part == "" && strings.Contains(text, "\n") {
		return text // several lines stay several
	}
	if form, ok := workflow.Part(p.Kind, text, part); ok {
		return form
	}
	return any
}

// derive is the parameter for a form of p ("month"), or p itself.
func (n *Names) derive(p *values.Param, part string) *values.Param {
	if part == "" || part == "url" {
		return p
	}
	id := p.ParamID + "." + part
	if d := n.Params[id]; d != nil {
		return d
	}
	short, _, _ := strings.Cut(part, "_")
	d := &values.Param{Param: workflow.Param{ParamID: id, Name: page.Unique(p.Name+"_"+short, "_", n.taken), Label: p.Label + " " + short, Kind: capture.KindText,
		Role: workflow.RoleInput, Derived: strings.Replace(workflow.PartWords(part), "%s", "{"+p.Name+"}", 1)}, Settled: true}
	n.Params[id] = d
	n.made = append(n.made, d)
	return d
}

// InputsOf lists the inputs that a template shows, derived ones by what they come from.
func (n *Names) InputsOf(tmpl string) []string {
	var out []string
	for _, id := range page.RefsOf(tmpl) {
		if p := n.Params[id]; p != nil && p.Role != workflow.RoleConstant && p.Role != workflow.RoleDropped {
			out = append(out, id)
		}
	}
	return out
}

// fixed is what stands in a line for a value that is always the same, "" for any other.
func (n *Names) fixed(whole, id string) string {
	if p := n.Params[id]; p != nil && p.Role == workflow.RoleConstant {
		return n.Machine(whole)
	}
	return ""
}

// dayOf is the date whose day a template is, nil for any other.
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
