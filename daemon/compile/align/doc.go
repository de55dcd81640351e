// Package align arranges the acts of several demonstrations, and of the rounds of a loop, in columns.
//
// A column is one step of the work; a cell is an act in it, with its context there: the loop whose round it belongs to,
// its position in that round, and whether other demonstrations chose a sibling. Acts themselves are not changed. It
// guarantees that every act of every demonstration is in exactly one cell or in a further round of one, and that the
// acts of a demonstration keep their order, except fields of one form. It does not know values: the next stage explains
// differences between cells.
//
// It reads package trace; values and everything after it read it. To test against it, build acts and call Traces.
package align
