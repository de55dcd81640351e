package values

import (
	"strings"

	"showhow/capture"
	"showhow/daemon/compile/page"
	"showhow/internal/plain"
)

// learnAddresses tells the generalisers which values in opened addresses are a fixed part of the address, like its path:
// those that every demonstration opened and nobody entered. It needs more than one demonstration.
func learnAddresses(s *Study) {
	if len(s.Gens) < 2 {
		return
	}
	fixed := map[string]string{}
	for _, c := range s.Columns {
		var shared map[string]bool
		for _, a := range c.Acts {
			here := map[string]bool{}
			if a != nil && a.Verb == capture.Navigate {
				for _, m := range page.MaskForm.FindAllStringSubmatch(a.URL(), -1) {
					here[m[1]] = m[1] != "" && (shared == nil || shared[m[1]])
				}
			}
			shared = here
		}
		for link, in := range shared {
			if text := s.In.Values[link]; in && text != "" && !s.given(text) {
				fixed[link] = text
			}
		}
	}
	for _, g := range s.Gens {
		g.Fixed = fixed
	}
}

// given reports whether a text was entered or chosen in any demonstration.
func (s *Study) given(text string) bool {
	for _, g := range s.Gens {
		if _, ok := g.History.Given[strings.ToLower(plain.Squeeze(text))]; ok {
			return true
		}
	}
	return false
}
