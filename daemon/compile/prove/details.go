package prove

import (
	"fmt"
	"slices"
	"strings"

	"showhow/capture"
	"showhow/daemon/compile/flow"
	"showhow/daemon/compile/page"
	"showhow/daemon/compile/trace"
	"showhow/daemon/workflow"
	"showhow/internal/plain"
)

// An effect is best observed in the details that a page shows beside labels ("Customer: Ada Lovelace"): they are not
// fields, so they never show what was only typed. Their values are sealed like those of fields: a checkpoint names the
// input with the same value, the person's choice, or nothing.

// maxDetails bounds the details that one checkpoint mentions.
const maxDetails = 3

// enteredDetails finds the details that show what was entered since the last change.
func (m *miner) enteredDetails() {
	var told []string
	for _, f := range m.st.Act.State().Details {
		label, t := m.detailLabel(f), m.detailIn(f)
		if t == "" || label == "" || slices.Contains(told, t) || !m.given(t) || m.shownBefore(f) {
			continue
		}
		if told = append(told, t); len(told) > maxDetails {
			return
		}
		m.add(fmt.Sprintf(`the page shows "%s" as %s`, m.n.Prose(label), m.n.Prose(t)), workflow.Check{Kind: "detail", Name: m.n.Machine(label),
			Expect: m.n.Machine(t)}, t)
	}
}

// changedDetail finds a detail that an act changed in every demonstration to an unknown value. Dates are left out because
// they change by themselves.
func (m *miner) changedDetail() {
	for _, f := range m.st.Act.State().Details {
		label := m.detailLabel(f)
		always := label != "" && f.Value != nil && f.Value.Kind != capture.KindDate
		for _, a := range m.st.Col.Acts {
			always = always && (a == nil || slices.ContainsFunc(trace.DetailChanges(a.Act), func(c string) bool { return c == f.Label }))
		}
		if always {
			m.add(fmt.Sprintf(`the page shows another "%s" than before`, m.n.Prose(label)), workflow.Check{Kind: "detail", Name: m.n.Machine(label)})
			return
		}
	}
}

func (m *miner) detailLabel(f capture.Field) string {
	t := m.g.Control(plain.Squeeze(f.Label))
	if plain.Letters(page.RefForm.ReplaceAllString(t, "")) == 0 {
		return ""
	}
	return t
}

// detailIn returns the template of the detail beside a label in all demonstrations, or "" if it is no known value.
func (m *miner) detailIn(f capture.Field) string {
	out := ""
	for t, a := range m.st.Col.Acts {
		if a == nil {
			continue
		}
		v := page.DetailOf(a.State(), f.Label)
		if v == nil {
			return ""
		}
		tmpl := m.s.Gens[t].Links[v.LinkID]
		if tmpl == "" {
			tmpl = m.s.Gens[t].Text(m.s.Open(v))
		}
		if rest := page.RefForm.ReplaceAllString(tmpl, ""); plain.Letters(rest)+plain.Digits(rest) > 0 || strings.Contains(tmpl, page.AnyRef) ||
			out != "" && out != tmpl {
			return ""
		}
		out = tmpl
	}
	return out
}

// given reports whether a template refers to a value that was entered since the last change.
func (m *miner) given(t string) bool {
	ids := page.RefsOf(t)
	for i, id := range ids {
		ids[i], _, _ = strings.Cut(id, ".")
	}
	if len(ids) == 0 || len(m.n.InputsOf(t)) == 0 && !constantOf(m, t) {
		return false
	}
	for _, st := range slices.Backward(append(slices.Clone(m.earlier), m.seg.Steps...)) {
		if st != m.st && flow.Effective(st) {
			return false
		}
		if st.Act.Supplies() && slices.ContainsFunc(page.RefsOf(st.ValueTemplate), func(id string) bool { return slices.Contains(ids, id) }) {
			return true
		}
	}
	return false
}

// shownBefore reports whether the page showed the same detail before the act.
func (m *miner) shownBefore(f capture.Field) bool {
	b := m.st.Act.StateBefore()
	v := page.DetailOf(b, f.Label)
	return v != nil && f.Value != nil && v.LinkID == f.Value.LinkID && v.Text == f.Value.Text &&
		page.PathOf(b.URL) == page.PathOf(m.st.Act.URL())
}
