// Package shell reads command lines of bash and fish: their programs, calls, words and lists of files, and what a line makes or only looks
// at.
//
// It guarantees never to run or expand anything; what is only known when a line runs makes the line opaque. What it cannot parse is one
// program and its words.
//
// It is a leaf of the room: all stages and whoever performs a workflow may import it. It is pure; tests need lines alone.
package shell
