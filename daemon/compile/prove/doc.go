// Package prove finds the checkpoints of a workflow: for every part of the work the observable state that it ended in, as a sentence and
// as checks for a machine, and the smallest set of them that tells success from failure.
//
// It guarantees that a checkpoint tells only what a demonstration showed or a person said, in words that Lint (CKP-001 to CKP-009) lets
// pass. It does not perform a check; that is package rehearse.
//
// It reads flow; write and revise read it. Lint alone may be called from outside the room.
package prove
