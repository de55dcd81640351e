// Package trace reads a demonstration: its records as acts, in order, folded, without detours.
//
// An act is the click with its submit, its navigation and its download. What the person gave up, took back or did again is left out, and
// a note says so. It guarantees that every act has evidence, and that records, which are the caller's, stay as they are. Once Read has
// returned, nobody changes an act. It does not know other demonstrations.
//
// It is the first stage: it reads draft and the leaves. To test against it, build records or acts.
package trace
