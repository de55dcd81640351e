// Package draft defines the input and output of a compilation: Input with its demonstrations and marks, and Output.
//
// It holds types only and compiles nothing. Every stage of compile may import it; other packages use the aliases in
// package compile.
package draft
