package page

import (
	"strings"

	"showhow/daemon/workflow"
	"showhow/internal/lang"
	"showhow/internal/lazyre"
	"showhow/internal/plain"
)

// keyTold is the key that a control tells behind its name: "Next month (PageDown)".
var keyTold = lazyre.New(`\s*\([^()]{1,20}\)\s*$`)

// Turns reports whether a step only goes on to the next month, or page, or part of a list.
func Turns(s workflow.Step) bool {
	return s.Surface == workflow.OnBrowser && IsClick(s.Verb) && !s.Effect && s.Value == "" && s.Target != nil &&
		lang.Turns(plain.Squeeze(keyTold.ReplaceAllString(TargetName(s.Target), "")))
}

// Back is what a control is called that leads the other way, "" when nobody knows.
func Back(name string) string { return lang.Opposite(plain.Squeeze(name)) }

// AimOf is the step for whose sake the i-th one turns pages: the next other one, when an input says what it is about; nil for any other
// step.
func AimOf(steps []workflow.Step, i int) *workflow.Step {
	if !Turns(steps[i]) {
		return nil
	}
	for j := i + 1; j < len(steps); j++ {
		s := &steps[j]
		if Turns(*s) {
			continue
		}
		if s.Surface != workflow.OnBrowser || s.Target == nil || s.Page == nil || steps[i].Page == nil ||
			PathOf(s.Page.URL) != PathOf(steps[i].Page.URL) {
			return nil
		}
		if !IsAboutInput(*s) || s.FillsField() {
			return nil
		}
		return s
	}
	return nil
}

// IsAboutInput reports whether an input says which thing of a page a step is done to.
func IsAboutInput(s workflow.Step) bool {
	if s.Surface != workflow.OnBrowser || s.Target == nil {
		return false
	}
	about := s.Target.Name + s.Target.Text
	if s.Target.Landmark != nil {
		about += s.Target.Landmark.Name
	}
	return workflow.InputForm.MatchString(strings.ReplaceAll(about, "{*}", ""))
}
