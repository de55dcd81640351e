// Package trace reads a demonstration: its records as acts, in order, folded, without detours.
//
// An act is a click with its submit, its navigation and its download. What the person gave up, undid or repeated is
// left out, with a note. It guarantees that every act has evidence, and that records, which belong to the caller, are
// not changed. Once Read has returned, nobody changes an act. It does not know other demonstrations.
//
// It is the first stage: it reads draft and the leaves. To test against it, build records or acts.
package trace
