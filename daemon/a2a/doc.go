// Package a2a speaks A2A 0.3 with callers from elsewhere: they look skills up, and have a sandboxed agent here run those
// that a person opened to them.
//
// Guarantees: a task is its caller's alone; for others it is not there, and a skill that is not open to a caller is not
// there for it either. Nothing runs before a person here has allowed that one task, with the plan that they saw; the
// caller can only wait or cancel. What a caller does ends with it (Evict). Tasks, texts and waiting are bounded, for each
// caller and in all. No address that a caller names is ever called: there are no push notifications and no files.
//
// Not guaranteed: that a task survives the daemon; they are in memory. What a run prints goes to its caller, without the
// values that were delivered to it and other secrets as far as they are recognised.
//
// Package daemon wires it, package remote lets its callers in. To test it: New with runs of the test's own.
package a2a
