package sandbox

import "io"

// Command is a program that is run in a box as it is, without a shell around it.
type Command struct {
	Args   []string          // a program, looked up in the box's PATH, and its arguments
	Dir    string            // as for Run
	Env    map[string]string // in addition to the box's own
	Stdout io.Writer         // gets what it prints as it comes, besides Result; nil: Result alone
	Stderr io.Writer
}

// ToolDir is where Spec.Tools are in a box on Linux; everywhere they are in its PATH.
const ToolDir = "/run/showhow/bin"
