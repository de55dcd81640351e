package compile

import (
	"fmt"
	"slices"
	"strings"

	"showhow/capture"
	"showhow/daemon/workflow"
	"showhow/internal/plain"
)

// What a page says of one thing by labels ("Customer: Ada Lovelace") is where an effect is seen best: it is no field, so it never shows
// what was only typed. Its values are as sealed as those of fields: one is told by the input that it equals, by what the person chose,
// or not at all.

// maxDetails bounds the entries of a page that one checkpoint tells.
const maxDetails = 3

// toldOf finds where the page says, beside a label, what was entered since the last change.
func (m *miner) toldOf() {
	var told []string
	for _, f := range m.st.act.state().Details {
		label, t := m.detailLabel(f), m.detailIn(f)
		if t == "" || label == "" || slices.Contains(told, t) || !m.given(t) || m.stood(f) {
			continue
		}
		if told = append(told, t); len(told) > maxDetails {
			return
		}
		m.add(fmt.Sprintf(`the page shows "%s" as %s`, m.n.prose(label), m.n.prose(t)), workflow.Check{Kind: "detail", Name: m.n.machine(label), Expect: m.n.machine(t)}, t)
	}
}

// toldAnother tells the entry of a page that an act changed, where nobody knows to what: dates change by themselves.
func (m *miner) toldAnother() {
	for _, f := range m.st.act.state().Details {
		label := m.detailLabel(f)
		always := label != "" && f.Value != nil && f.Value.Kind != capture.KindDate
		for _, a := range m.st.col.acts {
			always = always && (a == nil || slices.ContainsFunc(detailChanges(a), func(c string) bool { return c == f.Label }))
		}
		if always {
			m.add(fmt.Sprintf(`the page shows another "%s" than before`, m.n.prose(label)), workflow.Check{Kind: "detail", Name: m.n.machine(label)})
			return
		}
	}
}

func (m *miner) detailLabel(f capture.Field) string {
	t := m.g.control(plain.Squeeze(f.Label))
	if plain.Letters(refForm.ReplaceAllString(t, "")) == 0 {
		return ""
	}
	return t
}

// detailIn is the template of what stands beside a label in every demonstration, "" where that is nothing that is known.
func (m *miner) detailIn(f capture.Field) string {
	out := ""
	for t, a := range m.st.col.acts {
		if a == nil {
			continue
		}
		v := detailOf(a.state(), f.Label)
		if v == nil {
			return ""
		}
		tmpl := m.s.gens[t].links[v.LinkID]
		if tmpl == "" {
			tmpl = m.s.gens[t].text(m.s.open(v))
		}
		if rest := refForm.ReplaceAllString(tmpl, ""); plain.Letters(rest)+plain.Digits(rest) > 0 || strings.Contains(tmpl, anyRef) || out != "" && out != tmpl {
			return ""
		}
		out = tmpl
	}
	return out
}

// given reports whether a template is of something that was entered since the last change.
func (m *miner) given(t string) bool {
	ids := refsOf(t)
	for i, id := range ids {
		ids[i], _, _ = strings.Cut(id, ".")
	}
	if len(ids) == 0 || len(m.n.inputsOf(t)) == 0 && !m.constantOf(t) {
		return false
	}
	for _, st := range slices.Backward(append(slices.Clone(m.earlier), m.seg.steps...)) {
		if st != m.st && effective(st) {
			return false
		}
		if st.act.supplies() && slices.ContainsFunc(refsOf(st.value), func(id string) bool { return slices.Contains(ids, id) }) {
			return true
		}
	}
	return false
}

// stood reports whether the page said the same before the act.
func (m *miner) stood(f capture.Field) bool {
	b := m.st.act.stateBefore()
	v := detailOf(b, f.Label)
	return v != nil && f.Value != nil && v.LinkID == f.Value.LinkID && v.Text == f.Value.Text && pathOf(b.URL) == pathOf(m.st.act.url())
}

// detailOf is what stands beside a label, nil where that is not one thing.
func detailOf(s *capture.State, label string) *capture.Value {
	var out *capture.Value
	for _, f := range s.Details {
		if f.Label != label {
			continue
		}
		if out != nil || f.Value == nil || f.Value.LinkID == "" && f.Value.Text == "" {
			return nil
		}
		out = f.Value
	}
	return out
}

// detailChanges are the labels beside which an act changed what a page says.
func detailChanges(a *act) []string {
	b, s := a.stateBefore(), a.state()
	if pathOf(b.URL) != pathOf(s.URL) {
		return nil
	}
	var out []string
	for _, f := range s.Details {
		was, is := detailOf(b, f.Label), detailOf(s, f.Label)
		if was != nil && is != nil && (was.LinkID != is.LinkID || was.Text != is.Text) {
			out = append(out, f.Label)
		}
	}
	return out
}

func (s *study) oneWord(v *capture.Value) bool {
	text := s.open(v)
	return v != nil && text != "" && plain.Digits(text) == 0 && !strings.Contains(text, " ")
}

// wordsOfDetails are the links of single words that pages say beside their labels, or offer and show as chosen, and that nobody
// entered: "Paid" is no more somebody's there than in a heading.
func (s *study) wordsOfDetails() map[string]bool {
	out, given := map[string]bool{}, map[string]bool{}
	give := func(v *capture.Value) {
		if v != nil {
			given[v.LinkID] = true
		}
	}
	for _, c := range s.cols {
		acts := slices.Clone(c.acts)
		for _, r := range s.roundN[c] {
			acts = append(acts, r.act)
		}
		for _, a := range acts {
			if a == nil {
				continue
			}
			give(a.value)
			for _, st := range []*capture.State{a.stateBefore(), a.state()} {
				for _, f := range st.Fields {
					if f.Value == nil || !f.Value.Chosen || f.Value.Kind != capture.KindChoice {
						give(f.Value)
					} else if s.oneWord(f.Value) { // one of the page's own options
						out[f.Value.LinkID] = true
					}
				}
				for _, f := range st.Details {
					if s.oneWord(f.Value) {
						out[f.Value.LinkID] = true
					}
				}
			}
		}
	}
	for link := range given {
		delete(out, link)
	}
	delete(out, "")
	return out
}
