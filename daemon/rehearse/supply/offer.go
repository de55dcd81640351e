package supply

import (
	"slices"
	"strings"

	"showhow/capture"
	"showhow/daemon/rehearse/policy"
	"showhow/daemon/workflow"
)

// rowsOffered reports whether a run may choose its object by itself.
func (f Finder) rowsOffered() bool {
	switch p := f.Policy; {
	case p.Mode == policy.ReadOnly || p.Mode == policy.SafeTargetOnly:
		return true
	case p.Mode == policy.RedirectSend:
		return false // the message would be about another person's object
	}
	return !slices.ContainsFunc(f.Req.Draft.Graph.Steps, func(s workflow.Step) bool { return s.Effect && s.Verb != capture.Download })
}

// pickedFirst reports whether the first use of a parameter is to pick it from a page's rows, so that the page can
// offer others.
func (f Finder) pickedFirst(q workflow.Param) bool {
	if q.Loop || q.List {
		return false
	}
	names := []string{q.Name}
	for _, o := range f.Req.Draft.Graph.Params {
		if id, _, ok := strings.Cut(o.ParamID, "."); ok && id == q.ParamID {
			names = append(names, o.Name)
		}
	}
	holds := func(texts ...string) bool {
		return slices.ContainsFunc(texts, func(t string) bool {
			return slices.ContainsFunc(names, func(n string) bool { return strings.Contains(t, "{"+n+"}") })
		})
	}
	for _, s := range f.Req.Draft.Graph.Steps {
		if s.Page != nil && holds(s.Page.URL) || s.When != nil && (s.When.Name == q.Name || holds(s.When.Expect)) {
			return false
		}
		if slices.ContainsFunc(NamesIn(s), func(n string) bool { return slices.Contains(names, n) }) {
			return s.Surface == policy.OnBrowser && policy.Operates(s.Verb) && !holds(s.Value) && inRow(s.Target)
		}
	}
	return false
}

// inRow reports whether a target is a row or inside one.
func inRow(t *capture.Target) bool {
	row := func(role string) bool {
		return role == "row" || role == "listitem" || role == "cell" || role == "gridcell" || role == "link" || role == "article"
	}
	return t != nil && (row(t.Role) || t.Landmark != nil && row(t.Landmark.Role))
}
