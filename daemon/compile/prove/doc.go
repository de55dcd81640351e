// Package prove finds the checkpoints of a workflow: for every part of the work the observable state in which it
// ended, as a sentence and as machine checks, and the smallest set of them that distinguishes success from failure.
//
// It guarantees that a checkpoint states only what a demonstration showed or a person said, in words that Lint (CKP-001
// to CKP-009) accepts. It does not perform checks; package rehearse does.
//
// It reads flow; write and revise read it. Only Lint may be called from outside compile.
package prove
