// Package align puts the acts of several demonstrations, and of the rounds of a loop, beside each other in columns.
//
// A column is one step of the work; a cell is an act in it, with what it is only there: the run whose round it belongs to, its place
// in that round, and whether others chose another tab. Acts themselves are not touched. It guarantees that every act of every
// demonstration is in exactly one cell, or in a round behind one, and that acts of one demonstration keep their order, fields of one
// form apart. It does not know values: what differs between cells is the next stage's question.
//
// It reads package trace; values and everything after it read it. To test against it, build acts and call Traces.
package align
