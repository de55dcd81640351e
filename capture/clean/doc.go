// Package clean makes the record of one observation: secrets are taken out of every text, what a person supplied is sealed, and
// wherever a supplied value comes back, its mask takes its place.
//
// The work goes in layers, each with its own type: texts (the one way for any text into a record), values (the session's
// policy), addresses (URLs), and the record itself. A command line is read by package cmdline, whose visitor keeps it readable
// except for what must not be read.
//
// Guarantees: no text enters a record except through texts. What went into a secret field is never sealed; it becomes
// [[secret KIND]] wherever it comes back. A Cleaner belongs to one goroutine, the pipeline's.
package clean
