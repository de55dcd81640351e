// Package revise turns sentences of a reviewer into edits, and a draft into the questions that it leaves open. It also says how two drafts
// differ, and which texts of one may be worded otherwise.
//
// It guarantees to guess nothing: a sentence that is not understood is refused with the nearest one that is (docs/review.md lists
// them). It changes no draft; edits take effect when the demonstrations are compiled again.
//
// It reads write. Whoever talks to a reviewer may import it.
package revise
