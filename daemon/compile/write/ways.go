package write

import (
	"slices"

	"showhow/daemon/workflow"
)

// writeWays writes the preferred way and the fallbacks (baseline 1.1E, 1.1Q), if there is a choice.
func writeWays(d *Understanding, w *md) {
	var items []string
	if len(d.Places.Connectors) > 0 && len(d.Places.surfaces) > 1 {
		items = append(items, "Where a step names a connector's tool, call the tool. Pages are no substitute for it: if the call fails, "+
			"say so.")
	}
	for _, s := range d.Places.surfaces {
		if len(workflow.WayOf(s).Then) > 0 {
			items = append(items, wayWords[s])
		}
	}
	if len(items) == 0 {
		return
	}
	w.head(2, "Which way to prefer")
	w.list(items)
	w.para("Before you change over to another way, look whether the last step has already taken effect: nothing is done twice. The " +
		"checkpoints are the same whichever way you go.")
}

// wayWords describe the ways of the surfaces that have more than one.
var wayWords = map[string]string{
	workflow.OnBrowser: "In the browser, use your browser tool and find things by the names that are given here. If a name is not there, " +
		"go by where the thing stood (`page_knowledge_ui`, [references/steps.md](references/steps.md)). Operate the screen by pointer and keys " +
		"(`raw_ui`) only if that fails, too.",
	workflow.OnProgram: "In a program, use its own tools or what it offers to assistive technology. Operate the screen by pointer and keys " +
		"(`raw_ui`) only if there is nothing else.",
}

// hasWays reports whether some step can be done in more than one way.
func (d *Understanding) hasWays() bool {
	return slices.ContainsFunc(d.Places.surfaces, func(s string) bool { return len(workflow.WayOf(s).Then) > 0 })
}
