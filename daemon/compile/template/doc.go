// Package template turns texts of a demonstration into templates, in which every supplied value is a reference.
//
// A Generaliser is the only way for a text of a trace to the output, so what it hides is hidden. It guarantees that a
// learned value is found in all the forms in which it may appear again (workflow.Variants), and that a page's own
// word, older than the value, stays a word (History). It does not decide which values there are.
//
// It reads page. Package values teaches it; flow, prove and write render its templates.
package template
