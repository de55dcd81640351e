// Package anchor describes the controls that an ability acts on as UI anchors (baseline 1.1G): what each is called, how
// sure Showhow is that it is found, and how often it was missed.
//
// Guarantees: an anchor is a view of two things that are kept anyway: the targets of the approved workflow, which
// browser/find looks for, and the outcomes of uses and trials. Nothing is decided by it, and nothing but its step's
// own target failing counts against it. A step that picks one of several things is anchored by its input's name, never
// by what was picked in the demonstration.
//
// Package upkeep writes the records and shows them. To test it, give it a graph and outcomes.
package anchor

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"showhow/daemon/capability/health"
	"showhow/daemon/wire"
	"showhow/daemon/workflow"
	"showhow/internal/clock"
	"showhow/internal/plain"
)

// Path is the canonical file, one record a line.
const Path = "system/capabilities/ui_anchors.jsonl"

// weighed bounds how many attempts at a control its confidence is computed from: the latest.
const weighed = 20

// Of lists the anchors of an ability's workflow in the order of its steps. Outcomes are the latest, newest first; found
// are the controls that are called otherwise now.
func Of(a wire.UIAnchor, g workflow.Graph, outcomes []health.Outcome, found []health.Renamed) []wire.UIAnchor {
	out := []wire.UIAnchor{}
	for _, s := range g.Steps {
		x := a
		if !locate(&x, s) {
			continue
		}
		x.StepID, x.SchemaVersion = s.StepID, 1
		x.AnchorID = plain.Cut(a.CapabilityID+"/"+s.StepID, 160)
		for _, r := range found {
			if r.Step == s.StepID && r.Name != "" && r.Name != x.LocatorValue && !r.Guess { // a guess is said as one
				x.FoundAs = plain.Cut(r.Name, 240)
			}
		}
		x.LastVerifiedAt, x.Confidence, x.FailureCount = fared(s.StepID, outcomes)
		out = append(out, x)
	}
	return out
}

// locate fills in what the step acts on; false when it acts on no control.
func locate(x *wire.UIAnchor, s workflow.Step) bool {
	x.WindowKind, x.SemanticRole, x.Alternates = "page", string(s.Verb), []string{}
	t := s.Target
	switch {
	case s.MIDI != nil:
		x.WindowKind, x.SemanticRole, x.LocatorType = "device", s.MIDI.Gesture, "midi_binding"
		x.LocatorValue = strings.TrimSpace(fmt.Sprint(s.Device, " channel ", s.MIDI.Channel, " ", s.MIDI.Numbers))
	case s.Surface != workflow.OnBrowser:
		return false
	case t == nil && s.Keys != "":
		x.LocatorType, x.LocatorValue = "keyboard_shortcut", s.Keys
	case t == nil:
		return false
	default:
		if t.Landmark != nil && t.Landmark.Role != "heading" {
			x.WindowKind = t.Landmark.Role
		}
		x.SemanticRole = cmp.Or(t.Role, t.Tag, x.SemanticRole)
		picks := s.ParamID != "" && s.Value != "" && t.InputType == "" && !writes(t.Role)
		names := []named{{"aria_text", t.Name}, {"snapshot_label", t.Label}, {"snapshot_label", t.Placeholder}, {"snapshot_label", t.Text},
			{"css_selector", attribute("data-testid", t.Located("testid"))}, {"css_selector", t.Located("css")}}
		if picks { // the name is the data that was picked
			names = []named{{"aria_text", s.Value}}
		}
		names = slices.DeleteFunc(names, func(n named) bool { return n.value == "" })
		if len(names) == 0 {
			return false
		}
		x.LocatorType, x.LocatorValue = names[0].by, names[0].value
		for _, n := range names[1:] {
			if v := plain.Cut(n.value, 400); v != x.LocatorValue && !slices.Contains(x.Alternates, v) {
				x.Alternates = append(x.Alternates, v)
			}
		}
	}
	x.LocatorValue = plain.Cut(x.LocatorValue, 400)
	x.WindowKind, x.SemanticRole = plain.Cut(x.WindowKind, 120), plain.Cut(x.SemanticRole, 120)
	return x.LocatorValue != ""
}

type named struct{ by, value string }

// writes reports whether a control of the role takes a value and keeps its own name.
func writes(role string) bool {
	return slices.Contains([]string{"textbox", "searchbox", "combobox", "listbox", "spinbutton", "slider", "checkbox", "switch", "radiogroup"},
		role)
}

func attribute(name, value string) string {
	if value == "" {
		return ""
	}
	return fmt.Sprintf("[%s=%q]", name, value)
}

// missed are the failures that are about the control itself.
var missed = []string{"target_missing", "target_ambiguous"}

// fared returns when a step's control was last found, how sure it is that it is found again, and how often it was
// missed since then. Nothing known is one half.
func fared(step string, outcomes []health.Outcome) (at *clock.Time, confidence float64, failures int) {
	good, bad := 0, 0
	for _, o := range outcomes {
		switch {
		case o.Source.Seen() && slices.Contains(o.Covered, step):
			if at == nil {
				at = o.At.Ptr()
			}
			if good+bad < weighed {
				good++
			}
		case o.Result == health.Failed && o.Step == step && slices.Contains(missed, o.Code):
			if at == nil {
				failures++
			}
			if good+bad < weighed {
				bad++
			}
		}
	}
	return at, float64((good+1)*100/(good+bad+2)) / 100, failures
}

// Called reports whether an anchor is a control of that name, as a reader of the page would say it.
func Called(x wire.UIAnchor, name string) bool {
	same := func(v string) bool { return strings.EqualFold(plain.Squeeze(v), plain.Squeeze(name)) }
	switch x.LocatorType {
	case "aria_text", "snapshot_label":
		return name != "" && (same(x.LocatorValue) || slices.ContainsFunc(x.Alternates, same))
	}
	return false
}
