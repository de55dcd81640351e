// Package compile turns demonstrations into a skill. Compile runs the stages, each a package that turns the finished
// record of the stage before into the next:
//
//	trace   a demonstration as acts, without detours
//	align   the acts of several demonstrations and rounds side by side, in columns
//	values  what was supplied: parameters, and which of them every column takes
//	flow    the graph: steps, conditions, segments, effects, texts with {inputs}
//	prove   checkpoints, and the lint that they pass
//	write   the bundle: texts, manifest, tests
//	revise  beside the stages: a reviewer's sentences become edits, a draft becomes questions
//	tell    a running demonstration in a person's words
//
// Below them are leaves: draft (input and output), decision (answers and edits as data), template (texts in which
// values are references), page and shell (parsing pages and command lines), intent (the goal of the work).
//
// Guaranteed: no step, input or checkpoint without evidence in the trace; no sealed value as text unless a person's
// answer made it so (an option of the page that was the same every time is the page's own word); at most five
// questions; ids that keep their meaning over revisions. Every stage is a pure function of its input; ids and time are
// injected. Not guaranteed: knowing from one example what varies; it asks. Packages that learn or rehearse skills may
// import it; the stages do not know it. To test against it, see the txtar fixtures in testdata and the recorded
// workflows of bench/corpus.
package compile

import (
	"showhow/daemon/compile/decision"
	"showhow/daemon/compile/draft"
)

type (
	Input      = draft.Input       // what a compilation depends on
	Output     = draft.Output      // a draft
	Trace      = draft.Trace       // one demonstration
	Mark       = draft.Mark        // what the person named while demonstrating
	Question   = decision.Question // what a draft leaves open
	LintReport = draft.LintReport
	Finding    = draft.Finding
)
