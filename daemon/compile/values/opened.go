package values

import (
	"strings"

	"showhow/capture"
	"showhow/daemon/compile/page"
	"showhow/internal/plain"
)

// Open returns a value's text: its own when it was literal, else the vault's.
func (s *Study) Open(v *capture.Value) string {
	if v == nil {
		return ""
	}
	if v.Text != "" {
		return plain.Squeeze(v.Text)
	}
	return plain.Squeeze(s.In.Values[v.LinkID])
}

// OpenText opens the masks in a text of the trace. Use the result only for comparison.
func (s *Study) OpenText(text string) string {
	return plain.Squeeze(page.MaskForm.ReplaceAllStringFunc(text, func(m string) string {
		return s.In.Values[page.MaskForm.FindStringSubmatch(m)[1]]
	}))
}

// openOnly opens the masks that hide exactly this value and generalises everything else that is known.
func (s *Study) openOnly(text, value string) string {
	text = page.MaskForm.ReplaceAllStringFunc(text, func(m string) string {
		if v := s.In.Values[page.MaskForm.FindStringSubmatch(m)[1]]; strings.EqualFold(plain.Squeeze(v), value) {
			return v
		}
		return m
	})
	return s.Gens[0].Text(text)
}

// OpenRefs opens the references in a shell word. Use the result only for comparison.
func (s *Study) OpenRefs(word string) string {
	return page.RefForm.ReplaceAllStringFunc(word, func(m string) string {
		id := page.RefForm.FindStringSubmatch(m)[1]
		return s.In.Values[strings.TrimPrefix(id, "@")]
	})
}
