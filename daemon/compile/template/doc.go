// Package template turns texts of a demonstration into templates, in which every supplied value is a reference.
//
// A Generaliser is the only way by which a text of a trace reaches the output, so what it hides is hidden. It guarantees that a learned
// value is found in all the forms in which it may turn up again (workflow.Variants), and that a page's own word, older than the value,
// stays a word (History). It does not decide which values there are.
//
// It reads page. values teaches it, flow, prove and write render what it gives.
package template
