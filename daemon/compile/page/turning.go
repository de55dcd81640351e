package page

import (
	"strings"

	"showhow/capture"
	"showhow/daemon/workflow"
	"showhow/internal/lang"
	"showhow/internal/lazyre"
	"showhow/internal/plain"
)

// shortcutSuffix matches the keyboard shortcut behind a control's name: "Next month (PageDown)".
var shortcutSuffix = lazyre.New(`\s*\([^()]{1,20}\)\s*$`)

// Turns reports whether a step only turns to the next or previous month, page or part of a list.
func Turns(s workflow.Step) bool {
	return s.Surface == workflow.OnBrowser && IsClick(s.Verb) && !s.Effect && s.Value == "" && LeadsFurther(s.Target)
}

// LeadsFurther reports whether a control is called as those are that turn to another month, page or part of a list.
func LeadsFurther(t *capture.Target) bool {
	return t != nil && lang.Turns(plain.Squeeze(shortcutSuffix.ReplaceAllString(TargetName(t), "")))
}

// OppositeName returns the name of the control that turns the other way, or "" when it is unknown.
func OppositeName(name string) string { return lang.Opposite(plain.Squeeze(name)) }

// TurnedFor returns the step for which step i turns pages: the next step that does not turn pages, if an input says what it
// acts on. It is nil for any other step.
func TurnedFor(steps []workflow.Step, i int) *workflow.Step {
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

// IsAboutInput reports whether an input names the thing on the page that a step acts on.
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
