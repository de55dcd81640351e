package page

import (
	"cmp"

	"showhow/daemon/workflow"
)

// Searches reports whether a step of a graph only searches.
func Searches(s workflow.Step) bool {
	if s.Target == nil {
		return false
	}
	return SearchedBy(cmp.Or(s.Target.Name, s.Target.Label), s)
}

// SearchedBy is Searches for a step whose control has this label.
func SearchedBy(label string, st workflow.Step) bool {
	text := label
	if st.Target != nil && st.Target.Landmark != nil {
		text += " " + st.Target.Landmark.Role + " " + st.Target.Landmark.Name
	}
	for _, w := range LabelWords(text) {
		switch w {
		case "search", "find", "searchbox", "look", "filter":
			return true
		case "go": // it sends whatever was entered beside it
			return st.Before == nil || st.After == nil || !SaysDone(st.Before, st.After)
		}
	}
	return st.Target != nil && st.Target.Role == "searchbox"
}

// SearchLabel reports whether a field's label asks what to search for rather than what to enter.
func SearchLabel(label string) bool {
	for _, w := range LabelWords(label) {
		switch w {
		case "search", "find", "filter", "query", "lookup":
			return true
		}
	}
	return false
}
