package sandbox

import "io"

// Command is a program that is run in a box as it is, without a shell around it.
type Command struct {
	Args   []string          // a program, looked up in the box's PATH, and its arguments
	Dir    string            // as for Run
	Env    map[string]string // in addition to the box's own
	Stdout io.Writer         // gets what it prints as it comes, besides Result; nil: Result alone
	Stderr io.Writer

	// Stdin is what it reads, for a program that is talked to; nil: nothing. Exec closes it when the program has ended. What such a
	// program prints goes to Stdout and Stderr alone, without a bound and into no Result.
	Stdin io.ReadCloser
}

// ToolDir is where Spec.Tools are in a box on Linux; everywhere they are in its PATH.
const ToolDir = "/run/showhow/bin"
