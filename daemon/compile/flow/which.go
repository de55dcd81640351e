package flow

import (
	"strings"

	"showhow/capture"
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
