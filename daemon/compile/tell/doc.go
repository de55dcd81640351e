// Package tell tells a demonstration in a person's words while it goes on, in the parts that a draft of it would be cut into.
//
// It guarantees that every observation is in one of the parts, also what a draft leaves out, and that texts are those of the
// observations: redacted, with masks for sealed values. It makes no draft.
//
// It reads trace and flow. Whoever shows a session may import it.
package tell
