// Package hint tells in one pass over a text which of many sets of words have a member in it, so that an expression runs only where it
// can match. What an expression needs is read from the expression itself; a word too few would hide an attack, which a test looks for.
package hint
