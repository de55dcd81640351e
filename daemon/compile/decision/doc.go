// Package decision represents a person's decisions about a draft as data: answers to its questions, structured edits,
// and the ids by which both name their subjects.
//
// It guarantees that edits of several revisions merge the same way everywhere (MergeEdits), that malformed edits are
// refused before anything is compiled (CheckEdits), and that an id never changes its meaning (IDs). It applies nothing:
// every stage reads the decisions that concern it. Package revise turns sentences into edits.
//
// All stages may import it. It is pure; tests need only maps and texts.
package decision
