// Package compile turns demonstrations into a skill. It is the front of the room: Compile goes through the stages, each a package
// that makes a finished record of the one before.
//
//	trace   a demonstration as acts, without detours
//	align   acts of several demonstrations and rounds beside each other, in columns
//	values  what was supplied: parameters, and for every column which of them it takes
//	flow    the graph: steps, conditions, segments, effects, texts with {inputs}
//	prove   checkpoints, and the lint that they pass
//	write   the bundle: texts, manifest, tests
//	revise  beside them: sentences of a reviewer become edits, a draft becomes questions
//	tell    a demonstration in a person's words, while it goes on
//
// Below them are leaves: draft (what goes in and comes out), decision (answers and edits as data), template (texts in which values
// are references), page and shell (what a page or a command line says), intent (what the work is for).
//
// Compile promises: no step, input or checkpoint without evidence in the trace; no sealed value as text unless a person's answer
// made it so (an option of the page that was the same every time is the page's own word); at most five questions; ids that keep
// their meaning over revisions. Every stage is a pure function of its input; ids and time are injected. It does not promise to know
// from one example what varies. It asks. Whoever learns or rehearses skills may import it; the stages do not know it. To test
// against it, see the txtar fixtures in testdata and the recorded workflows of bench/corpus.
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
