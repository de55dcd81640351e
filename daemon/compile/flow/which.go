package flow

import (
	"slices"
	"strings"

	"showhow/capture"
	"showhow/daemon/compile/align"
	"showhow/daemon/compile/page"
	"showhow/daemon/compile/values"
	"showhow/daemon/workflow"
	"showhow/internal/plain"
)

// which keeps of a picked target's texts only what says which thing is meant, or what all demonstrations had. A text that another
// demonstration had otherwise is data: its value where it is the value that was picked, else unknown. Left as one demonstration had it,
// it would name that demonstration's thing in every run.
func (st *Step) which(s *values.Study, n renderer) {
	if st.Target == nil || !st.Act.IsPick() || st.Act.TicksItem() {
		return
	}
	pick := s.Bindings[st.Col.ID].Pick
	settle := func(general *string, read func(t *capture.Target) string) {
		switch {
		case *general == "" || st.sameInAll(s, n, read):
		case st.isPicked(s, read(st.Act.Target)):
			*general = n.Machine(pick)
		case !workflow.InputForm.MatchString(strings.ReplaceAll(*general, "{*}", "")):
			*general = "{*}"
		}
	}
	settle(&st.Target.Name, func(t *capture.Target) string { return t.Name })
	settle(&st.Target.Label, func(t *capture.Target) string { return t.Label })
	settle(&st.Target.Text, func(t *capture.Target) string { return t.Text })
	for i, l := range st.Target.Locators {
		switch l.By {
		case "role", "label", "text", "title", "alt":
			settle(&st.Target.Locators[i].Value, func(t *capture.Target) string { return t.Located(l.By) })
		}
	}
}

// agreed keeps of what programmers call a target, of its path and of how it is drawn only what all demonstrations had. Where they
// differ, another one of several was meant each time, or the page names them anew at each load: either way one demonstration's id would
// lead every run to one thing, whichever is meant.
func (st *Step) agreed(s *values.Study, n renderer) {
	if st.Target == nil {
		return
	}
	general := func(t int, a *align.Cell, by string) string {
		if a.IsPick() {
			return n.Machine(s.Gens[t].Text(a.Target.Located(by)))
		}
		return n.Machine(s.Gens[t].Control(a.Target.Located(by)))
	}
	st.Target.Locators = slices.DeleteFunc(st.Target.Locators, func(l capture.Locator) bool {
		if !programmers[l.By] {
			return false
		}
		for t, a := range st.Col.Acts {
			if a != nil && a.Target != nil && general(t, a, l.By) != l.Value {
				return true
			}
		}
		return false
	})
}

// programmers are the locators that say nothing a person would say.
var programmers = plain.Set("css testid sent drawn spot")

// sameInAll reports whether a text of the target, generalised, is the same in every demonstration.
func (st *Step) sameInAll(s *values.Study, n renderer, read func(t *capture.Target) string) bool {
	first, seen := "", false
	for t, a := range st.Col.Acts {
		if a == nil || a.Target == nil {
			continue
		}
		text := plain.Squeeze(n.Machine(s.Gens[t].Text(read(a.Target))))
		if seen && !strings.EqualFold(text, first) {
			return false
		}
		first, seen = text, true
	}
	return true
}

// isPicked reports whether a text of the target is all of what the step picked.
func (st *Step) isPicked(s *values.Study, text string) bool {
	pick := s.Bindings[st.Col.ID].Pick
	for _, p := range s.Params {
		if pick == page.Ref(p.ParamID) && st.Trace < len(p.Texts) {
			return strings.EqualFold(plain.Squeeze(s.OpenText(text)), plain.Squeeze(p.Texts[st.Trace]))
		}
	}
	return false
}
