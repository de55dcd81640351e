package flow

import (
	"slices"
	"strings"

	"showhow/daemon/compile/intent"
	"showhow/daemon/compile/page"
	"showhow/daemon/compile/values"
	"showhow/daemon/workflow"
)

// ExportParams returns the parameters in the graph's form.
func ExportParams(s *values.Study, n *Names, steps []*Step) []workflow.Param {
	used := map[string][]string{}
	for _, st := range steps {
		seen := map[string]bool{}
		var uses func(tmpl string)
		uses = func(tmpl string) {
			for _, id := range page.RefsOf(tmpl) {
				if seen[id] {
					continue
				}
				seen[id] = true
				used[id] = append(used[id], st.StepID)
				if p := n.Params[id]; p != nil && p.Role == workflow.RoleConstant {
					uses(p.Default) // the values in it are used where it is used
				}
			}
		}
		for _, tmpl := range []string{st.ValueTemplate, st.CommandTemplate, st.FileTemplate, st.Owner,
			s.Bindings[st.Col.ID].Drop} {
			uses(tmpl)
		}
	}
	var out []workflow.Param
	for _, p := range append(slices.Clone(s.Params), n.derived...) {
		x := p.Param
		x.Default, x.Example = n.Prose(p.Default), n.Prose(p.Example)
		if p.Literal && x.Example == "" && p.Role != workflow.RoleConstant {
			x.Example = n.Prose(p.Template)
		}
		x.UsedIn = used[p.ParamID]
		if x.UsedIn == nil {
			x.UsedIn = []string{}
		}
		x.Loop = p.InLoop
		out = append(out, x)
	}
	return out
}

// overWords says in words what a loop iterates over: "each item with its quantity".
func overWords(ids []string, n *Names) string {
	var words []string
	for _, id := range ids {
		words = append(words, strings.ReplaceAll(n.Params[id].Name, "_", " "))
	}
	first := words[0]
	for _, lead := range []string{"name of the ", "name of a ", "name of ", "name "} {
		first = strings.TrimPrefix(first, lead)
	}
	out := "each " + first
	if len(words) > 1 && len(words) <= 4 {
		out += " with its " + intent.AndList(words[1:])
	}
	return out
}

// ExportLoops returns the loops in the graph's form.
func ExportLoops(s *values.Study, n *Names, steps []*Step) []workflow.Loop {
	out := []workflow.Loop{}
	for k, l := range s.Loops {
		loop := workflow.Loop{Rounds: l.Count, Steps: []string{}}
		for _, st := range steps {
			if st.Loop == k {
				loop.Steps = append(loop.Steps, st.StepID)
				for _, id := range append(page.RefsOf(st.ValueTemplate), page.RefsOf(st.CommandTemplate)...) {
					if p := n.Params[id]; p != nil && p.InLoop && !slices.Contains(loop.Params, id) {
						loop.Params = append(loop.Params, id)
					}
				}
			}
		}
		if len(loop.Steps) == 0 {
			continue
		}
		loop.Over = "each item"
		if len(loop.Params) > 0 {
			loop.Over = overWords(loop.Params, n)
		}
		out = append(out, loop)
	}
	return out
}
