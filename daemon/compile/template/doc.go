// Package template turns texts of a demonstration into templates, in which every supplied value is a reference.
//
// A Generaliser is the only way by which a text of a trace reaches the output, so what it hides is hidden. It guarantees
// that a learned value is found in all forms in which it may appear again (workflow.Variants), and that a word which the
// page showed before the value was entered stays a word (History). It does not decide which values there are.
//
// It reads page. Package values teaches it; flow, prove and write render its templates.
package template
