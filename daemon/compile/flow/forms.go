package flow

import (
	"strings"

	"showhow/capture"
	"showhow/daemon/compile/page"
	"showhow/daemon/compile/values"
	"showhow/daemon/workflow"
)

// renderer renders templates as texts.
type renderer interface {
	Machine(tmpl string) string
	Prose(tmpl string) string
	fixed(whole, id string) string
}

// forms is a renderer that only collects which forms of values the templates need: a date's month, a title in lower
// case. Each form becomes a parameter of its own that is computed and never asked for.
type forms struct {
	n     *Names
	taken map[string]bool
}

// Machine collects the forms that a template needs.
func (f *forms) Machine(tmpl string) string { f.collect(tmpl, 0); return tmpl }

// Prose collects the forms that a template needs.
func (f *forms) Prose(tmpl string) string    { f.collect(tmpl, 0); return tmpl }
func (f *forms) fixed(string, string) string { return "" }

// collect walks through a template as Names.render does.
func (f *forms) collect(tmpl string, depth int) {
	if !strings.ContainsRune(tmpl, page.RefOpen) {
		return
	}
	for _, m := range page.RefForm.FindAllStringSubmatch(tmpl, -1) {
		id, part, _ := strings.Cut(m[1], ".")
		p := f.n.Params[id]
		switch {
		case p == nil || p.Role == workflow.RoleDropped || depth > 4:
		case p.Role == workflow.RoleConstant:
			f.collect(p.Default, depth+1)
		case part != "" && part != "url" && f.n.Params[id+"."+part] == nil:
			f.add(p, part)
		}
	}
}

func (f *forms) add(p *values.Param, part string) {
	short, _, _ := strings.Cut(part, "_")
	d := &values.Param{Param: workflow.Param{ParamID: p.ParamID + "." + part, Name: page.Unique(p.Name+"_"+short, "_", f.taken),
		Label: p.Label + " " + short,
		Kind:  capture.KindText, Role: workflow.RoleInput, Derived: strings.Replace(workflow.PartWords(part), "%s", "{"+p.Name+"}", 1)},
		Settled: true}
	f.n.Params[d.ParamID] = d
	f.n.derived = append(f.n.derived, d)
}
