// Package shell parses command lines of bash and fish: their programs, calls, words and lists of files, and whether a
// line makes something or only reads.
//
// It guarantees never to run or expand anything; what is known only when a line runs makes the line opaque. A line
// that it cannot parse is one program and its words.
//
// It is a leaf of compile: all stages and the performer of a workflow may import it. It is pure; tests need only
// lines.
package shell
