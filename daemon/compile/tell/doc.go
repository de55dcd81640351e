// Package tell describes a running demonstration in a person's words, in the parts into which a draft of it would be
// cut.
//
// It guarantees that every observation is in one of the parts, including what a draft leaves out, and that texts are
// those of the observations: redacted, with masks for sealed values. It makes no draft.
//
// It reads trace and flow. Packages that show a session may import it.
package tell
