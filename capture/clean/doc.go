// Package clean makes the record of one observation: it removes secrets from every text, seals what a person
// supplied, and replaces a supplied value by its mask wherever it occurs again.
//
// The work is layered, each layer with its own type: texts (the only way for any text into a record), values (the
// session's policy), addresses (URLs), and the record itself. A command line is parsed by package cmdline, whose
// visitor keeps it readable except for private parts.
//
// Guarantees: no text enters a record except through texts. What was entered into a secret field is never sealed; it
// becomes [[secret KIND]] wherever it occurs again. A Cleaner belongs to one goroutine, the pipeline's.
package clean
