package values

import (
	"strings"

	"showhow/capture"
	"showhow/daemon/compile/page"
	"showhow/internal/plain"
)

// Open is a value's text: its own when it was literal, else the vault's.
func (s *Study) Open(v *capture.Value) string {
	if v == nil {
		return ""
	}
	if v.Text != "" {
		return plain.Squeeze(v.Text)
	}
	return plain.Squeeze(s.In.Values[v.LinkID])
}

// OpenText is a text of the trace with its masks opened, for comparing only.
func (s *Study) OpenText(text string) string {
	return plain.Squeeze(page.MaskForm.ReplaceAllStringFunc(text, func(m string) string {
		return s.In.Values[page.MaskForm.FindStringSubmatch(m)[1]]
	}))
}

// openOnly opens the masks that hide exactly this value and hides everything else that is known.
func (s *Study) openOnly(text, value string) string {
	text = page.MaskForm.ReplaceAllStringFunc(text, func(m string) string {
		if v := s.In.Values[page.MaskForm.FindStringSubmatch(m)[1]]; strings.EqualFold(plain.Squeeze(v), value) {
			return v
		}
		return m
	})
	return s.Gens[0].Text(text)
}

// OpenRefs is a shell word with its masks' values, for comparing only.
func (s *Study) OpenRefs(word string) string {
	return page.RefForm.ReplaceAllStringFunc(word, func(m string) string {
		id := page.RefForm.FindStringSubmatch(m)[1]
		return s.In.Values[strings.TrimPrefix(id, "@")]
	})
}
