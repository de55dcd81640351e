// Package revise turns a reviewer's sentences into edits, and a draft into the questions that it leaves open. It also
// says how two drafts differ, and which of a draft's texts may be reworded.
//
// It guarantees to guess nothing: a sentence that is not understood is refused with the nearest one that is
// (docs/review.md lists them). It changes no draft; edits take effect when the demonstrations are compiled again.
//
// It reads write. Packages that talk to a reviewer may import it.
package revise
