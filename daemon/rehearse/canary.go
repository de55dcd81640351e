package rehearse

import (
	"slices"

	"showhow/daemon/compile"
	"showhow/daemon/danger"
	"showhow/daemon/workflow"
)

// canaryPrefix is the smallest beginning of a workflow that only reads: up to the first checkpoint, and never to or beyond a step
// that changes something.
func canaryPrefix(d compile.Output) []workflow.Step {
	var out []workflow.Step
	for _, s := range d.Graph.Steps {
		if !reads(s) {
			break
		}
		out = append(out, s)
		if slices.ContainsFunc(d.Interpretation.Checkpoints, func(cp workflow.Checkpoint) bool { return cp.StepID == s.StepID }) {
			break
		}
	}
	return out
}

// reads reports whether a step leaves the world as it was.
func reads(s workflow.Step) bool {
	switch {
	case s.Effect || s.Grave || s.Surface != onBrowser && s.Surface != onShell:
		return false
	case s.Surface == onShell:
		f := danger.Command(s.Command)
		return f.Class == danger.Reads
	case s.Target != nil && operates(s.Verb):
		f := danger.Control(s.Target.Role, orThe(s.Target.Name, s.Target.Label), "")
		return !f.Has(danger.Destroys) && !f.Has(danger.Sends)
	}
	return true
}
