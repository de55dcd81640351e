// Package draft defines the input and output of a compilation: demonstrations with their marks, Input, Output.
//
// It holds types only and compiles nothing. Within compile every stage may import it; others use the same names of
// package compile.
package draft
