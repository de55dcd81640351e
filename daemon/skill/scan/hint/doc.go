// Package hint finds in one pass over a text which of many word sets occur in it, so that a regular expression runs
// only where it can match. The words are derived from the expression itself; a missing word would hide an attack,
// which a test checks.
package hint
