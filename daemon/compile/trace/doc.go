// Package trace reads a demonstration: its records as acts, in order, folded, without detours.
//
// An act is a click with the submit, the navigation and the download that it caused. What the person gave up, undid or
// repeated is left out, with a note. It guarantees that every act has evidence, and that records, which belong to the
// caller, are not changed. Acts are immutable once Read has returned. It sees one demonstration at a time.
//
// It is the first stage: it reads draft and the leaves. To test against it, build records or acts.
package trace
