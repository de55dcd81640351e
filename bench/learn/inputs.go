package main

import (
	"fmt"
	"slices"
	"strings"

	"showhow/bench/corpus"
	"showhow/capture"
	"showhow/daemon/client"
	"showhow/daemon/wire"
)

// found compares the proposed inputs with the truth.
type found struct {
	Right, Proposed, Expected int
	Misses                    []string
	Asked                     int               // what one example cannot tell, and a question asks: neither right nor wrong
	Names                     map[string]string // key of the truth -> proposed name
}

// compare matches the proposed inputs with those a person would expect. An input is right if its name and its kind
// are acceptable, and no other input has taken its place.
//
// One example cannot tell whether a number or a choice given once differs each time. If truth and draft differ only
// in that and the draft asks about it, it counts neither for nor against the draft.
func compare(f *corpus.Workflow, d client.ProposalDetail, examples int) found {
	out := found{Expected: len(f.Inputs), Names: map[string]string{}}
	if d.Interpretation == nil {
		out.Misses = append(out.Misses, "nothing was proposed")
		return out
	}
	proposed := d.Interpretation.Inputs
	out.Proposed = len(proposed)
	used := make([]bool, len(proposed))
	for _, want := range f.Inputs {
		i := slices.IndexFunc(proposed, func(p wire.InputSpec) bool { return slices.Contains(want.Names, p.Name) })
		for j, p := range proposed { // one that is right before one that has only the name
			if !used[j] && right(want, p) {
				i = j
				break
			}
		}
		switch {
		case i < 0 && examples == 1 && asksAbout(d, "constant", want.Names...):
			out.Asked, out.Expected = out.Asked+1, out.Expected-1
		case i < 0 || used[i]:
			out.Misses = append(out.Misses, "no input "+want.Names[0])
		case !right(want, proposed[i]):
			used[i], out.Names[want.Key] = true, proposed[i].Name
			out.Misses = append(out.Misses, fmt.Sprintf("%s is of kind %s", proposed[i].Name, proposed[i].Kind))
		default:
			used[i], out.Names[want.Key] = true, proposed[i].Name
			out.Right++
		}
	}
	for i, p := range proposed {
		switch {
		case used[i]:
		case examples == 1 && slices.Contains(f.Constants, p.Label) && asksAbout(d, "undecided", p.Name):
			out.Asked, out.Proposed = out.Asked+1, out.Proposed-1
		default:
			out.Misses = append(out.Misses, fmt.Sprintf("not expected: %s (%s)", p.Name, p.Kind))
		}
	}
	return out
}

// asksAbout reports whether the draft has a value of one of these names in this role and an open question about it.
func asksAbout(d client.ProposalDetail, role string, names ...string) bool {
	return d.Graph != nil && slices.ContainsFunc(d.Graph.Params, func(p wire.WorkflowParam) bool {
		return p.Role == role && slices.Contains(names, p.Name) && slices.ContainsFunc(d.Questions, func(q wire.LearningQuestion) bool {
			return slices.Contains(strings.Split(q.SubjectRef, ","), p.ParamID)
		})
	})
}

func right(want corpus.Input, p wire.InputSpec) bool {
	return slices.Contains(want.Names, p.Name) && (len(want.Kinds) == 0 || slices.Contains(want.Kinds, capture.ValueKind(p.Kind)))
}

// links counts the places where a value should recur under its input's name.
func links(f *corpus.Workflow, d client.ProposalDetail, n found) (right, expected int, misses []string) {
	if d.Graph == nil {
		return 0, 0, nil
	}
	text := ""
	for _, s := range d.Graph.Steps {
		text += s.Command + "\n" + s.Value + "\n"
		if s.Page != nil {
			text += s.Page.URL + "\n"
		}
		if s.File != nil {
			text += s.File.Name + "\n"
		}
	}
	for _, in := range f.Inputs {
		for _, l := range in.Linked {
			expected++
			if name := n.Names[in.Key]; name != "" && strings.Contains(text, strings.ReplaceAll(l, "{}", "{"+name+"}")) {
				right++
			} else {
				misses = append(misses, "not linked: "+l)
			}
		}
	}
	return right, expected, misses
}
