package values

import (
	"strings"
	"unicode/utf8"

	"showhow/capture"
	"showhow/daemon/compile/align"
	"showhow/daemon/compile/page"
	"showhow/daemon/workflow"
)

// A choice that one demonstration set and another left at its default was submitted in both: the default is another
// value of one input, not another way to do the work.

// LeftAtDefault fills in the values of a choice for the demonstrations that left it at its default, and reports whether
// that explains all demonstrations that omitted the step.
func LeftAtDefault(s *Study, c *align.Column, texts []string) bool {
	a, base := c.Base()
	if a.Verb != capture.Select || a.Run != nil || c.Missing() == 0 || a.Target == nil {
		return false
	}
	for t, b := range c.Acts {
		if b != nil {
			continue
		}
		v := shownAt(s, t, a)
		if v == nil {
			return false
		}
		if texts != nil {
			texts[t] = optionOf(s, v, a, texts[base])
		}
	}
	return true
}

// shownAt returns the last value that a demonstration's pages showed in the field of an act, or nil.
func shownAt(s *Study, t int, a *align.Cell) *capture.Value {
	var found *capture.Value
	for _, c := range s.Columns {
		b := c.Acts[t]
		same, _ := c.Base() // base act of the column: the address in the other demonstration may differ
		if b == nil || b.Surface != workflow.OnBrowser || page.PathPattern(same.URLBefore()) != page.PathPattern(a.URLBefore()) {
			continue
		}
		for _, f := range b.StateBefore().Fields {
			if v := f.Value; page.Clean(f.Label) == page.Clean(page.TargetName(a.Target)) && v != nil && (v.LinkID != "" || v.Text != "") {
				found = v
			}
		}
	}
	return found
}

// optionOf returns the option that a value is. A value that nobody chose is not in the vault: its length tells it from
// the other options, and where that is ambiguous any of them stands for "another one".
func optionOf(s *Study, v *capture.Value, a *align.Cell, chosen string) string {
	if text := s.Open(v); text != "" {
		return text
	}
	if a.Value != nil && v.LinkID == a.Value.LinkID {
		return chosen
	}
	for _, exact := range []bool{true, false} {
		for _, o := range page.Options(a.Target) {
			if !strings.EqualFold(o, chosen) && (!exact || utf8.RuneCountInString(o) == v.Length) {
				return o
			}
		}
	}
	return ""
}
