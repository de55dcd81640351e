// Package shell parses command lines of bash and fish: their programs, calls, words and lists of files, and whether a
// line writes something or only reads.
//
// It guarantees never to run or expand anything; a part that is only known at run time makes the line opaque. A line
// that it cannot parse becomes one program and its words.
//
// It is a leaf of compile: all stages and the performer of a workflow may import it. It is pure; tests need only
// lines.
package shell
