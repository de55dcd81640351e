// Package revise turns a reviewer's sentences into edits, and a draft into the questions that it leaves open. It also
// describes how two drafts differ, and lists the texts of a draft that may be reworded.
//
// It guarantees to guess nothing: a sentence that it does not understand is refused with the nearest one that it does
// (docs/review.md lists them). It changes no draft; edits take effect when the demonstrations are compiled again.
//
// It reads write. Packages that talk to a reviewer may import it.
package revise
