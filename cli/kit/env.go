// Package kit is what the commands share: the environment they work in, the connection to the daemon, printing for people and for
// --json, errors and exit codes, a person's confirmation, completion, usage. It knows no command.
//
// The rooms of the command line import it, nobody else. It is tried by the scripts in cli/testdata.
package kit

import (
	"context"
	"fmt"
	"io"
	"log/slog"

	"showhow/internal/config"
	"showhow/internal/paths"
)

// Env is what a command works with; tests give their own.
type Env struct {
	Roots  paths.Roots
	In     io.Reader
	Out    io.Writer
	ErrOut io.Writer
	Getenv func(string) string

	Programs Programs
	JSON     bool
	Session  string // --session
	Body     []byte // the API's last answer, recorded for --json
	started  bool   // a command runs: what fails from now on is not the arguments' form
}

// Programs are the long-running parts that package main wires in, so that the command line itself stays a client.
type Programs struct {
	// Daemon runs the daemon until ctx ends.
	Daemon func(ctx context.Context, o DaemonOptions, ready func()) error
	// Demo performs the main job in a home of its own.
	Demo func(ctx context.Context, o DemoOptions) error
	// Drive is the person of the demo, as a process of its own, speaking JSON lines on its standard streams.
	Drive func(ctx context.Context, in io.Reader, out io.Writer) error
}

// DaemonOptions is what `showhow daemon` was asked for.
type DaemonOptions struct {
	Roots       paths.Roots
	Config      config.Config
	Logger      *slog.Logger
	DemoGrant   string
	ThrowAway   bool
	DownloadDir string
}

// DemoOptions is what `showhow demo` was asked for.
type DemoOptions struct {
	Out  io.Writer
	Seed uint64 // of the orders
	Dir  string // where the demo lives; "" makes a folder under the temporary directory
	Keep bool
	JSON bool
}

// Say prints a line for people; with --json it prints nothing.
func (e *Env) Say(format string, args ...any) {
	if !e.JSON {
		fmt.Fprintf(e.Out, format+"\n", args...)
	}
}

// Note prints a line beside the answer, for people only.
func (e *Env) Note(format string, args ...any) {
	if !e.JSON {
		fmt.Fprintf(e.ErrOut, format+"\n", args...)
	}
}
