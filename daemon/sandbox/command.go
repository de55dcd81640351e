package sandbox

import "io"

// Command is a program that is run in a box directly, without a shell.
type Command struct {
	Args   []string          // a program, looked up in the box's PATH, and its arguments
	Dir    string            // as for Run
	Env    map[string]string // in addition to the box's own
	Stdout io.Writer         // receives the output as it comes, besides Result; nil means Result alone
	Stderr io.Writer

	// Stdin is the program's input, for an interactive program; nil means none. Exec closes it when the program has
	// ended. The output of such a program goes to Stdout and Stderr only, unbounded and into no Result.
	Stdin io.ReadCloser
}

// ToolDir is where Spec.Tools are in a box on Linux; on every system they are in its PATH.
const ToolDir = "/run/showhow/bin"
