// Package draft holds the shapes of what a compilation takes and gives: demonstrations with their marks, the input, the output.
//
// It guarantees nothing but the shapes and compiles nothing. Inside the room every stage may import it; outside, package compile has
// the same names.
package draft
