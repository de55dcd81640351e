// Package decision holds what a person decided about a draft, as data: answers to its questions, structured edits, and the ids by
// which both name what they are about.
//
// It guarantees that edits of several revisions merge the same way everywhere (MergeEdits), that a wrong shape is refused before
// anything is compiled (CheckEdits), and that an id never comes to mean something else (IDs). It does not apply anything: every stage
// reads what concerns it. Turning sentences into edits is package revise.
//
// All stages may import it. It is pure; tests need maps and texts alone.
package decision
