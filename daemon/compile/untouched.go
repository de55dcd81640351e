package compile

import (
	"strings"
	"unicode/utf8"

	"showhow/capture"
	"showhow/daemon/workflow"
)

// A list that one demonstration set and another left as it came was sent with a value all the same: that is another value of one
// input, not another way to do the work.

// leftAsItCame fills in the values of a choice that demonstrations left alone, and reports whether every one that did without the
// step did so.
func (s *study) leftAsItCame(c *column, texts []string) bool {
	a, base := c.base()
	if a.verb != capture.Select || a.run != nil || c.missing() == 0 || a.target == nil {
		return false
	}
	for t, b := range c.acts {
		if b != nil {
			continue
		}
		v := s.shownAt(t, a)
		if v == nil {
			return false
		}
		if texts != nil {
			texts[t] = s.optionOf(v, a, texts[base])
		}
	}
	return true
}

// shownAt is what a demonstration's page showed in the field of an act at the end, nil when it was not seen there.
func (s *study) shownAt(t int, a *act) *capture.Value {
	var found *capture.Value
	for _, c := range s.cols {
		b := c.acts[t]
		same, _ := c.base() // of the demonstration that set it: the page's address there and here may be another
		if b == nil || b.surface != workflow.OnBrowser || pathPattern(same.urlBefore()) != pathPattern(a.urlBefore()) {
			continue
		}
		for _, f := range b.stateBefore().Fields {
			if v := f.Value; clean(f.Label) == clean(targetName(a.target)) && v != nil && (v.LinkID != "" || v.Text != "") {
				found = v
			}
		}
	}
	return found
}

// optionOf is the option that a value is. What nobody chose is in no vault: it is told from the other options by its length, and
// where several have that one, any of them stands for "another one".
func (s *study) optionOf(v *capture.Value, a *act, chosen string) string {
	if text := s.open(v); text != "" {
		return text
	}
	if a.value != nil && v.LinkID == a.value.LinkID {
		return chosen
	}
	for _, exact := range []bool{true, false} {
		for _, o := range options(a.target) {
			if !strings.EqualFold(o, chosen) && (!exact || utf8.RuneCountInString(o) == v.Length) {
				return o
			}
		}
	}
	return ""
}
