// Package kit is what the commands share: their environment, the connection to the daemon, printing for people and
// for --json, errors and exit codes, a person's confirmation, completion, usage. It knows no command.
//
// Only the packages of the command line import it. It is tested by the scripts in cli/testdata.
package kit

import (
	"context"
	"fmt"
	"io"
	"log/slog"

	"github.com/spf13/cobra"

	"showhow/internal/config"
	"showhow/internal/paths"
	"showhow/internal/plain"
)

// Env is the environment of a command; tests provide their own.
type Env struct {
	Roots  paths.Roots
	In     io.Reader
	Out    io.Writer
	ErrOut io.Writer
	Getenv func(string) string

	Programs Programs
	JSON     bool
	Session  string         // --session
	Body     []byte         // the API's last answer, recorded for --json
	running  *cobra.Command // what fails from now on is not the arguments' form; nil: none runs yet
}

// Programs are the long-running parts that package main injects, so that the command line itself stays a client.
type Programs struct {
	// Daemon runs the daemon until ctx ends.
	Daemon func(ctx context.Context, o DaemonOptions, ready func()) error
	// Demo performs the main job in a separate home.
	Demo func(ctx context.Context, o DemoOptions) error
	// Drive is the person of the demo, as a separate process that speaks JSON lines on its standard streams.
	Drive func(ctx context.Context, in io.Reader, out io.Writer) error
}

// DaemonOptions are the flags of `showhow daemon`.
type DaemonOptions struct {
	Roots       paths.Roots
	Config      config.Config
	Logger      *slog.Logger
	DemoGrant   string
	ThrowAway   bool
	DownloadDir string
}

// DemoOptions are the flags of `showhow demo`.
type DemoOptions struct {
	Out  io.Writer
	Seed uint64 // of the orders
	Dir  string // where the demo lives; "" makes a folder under the temporary directory
	Keep bool
	JSON bool
}

// Say prints a line for people, without what a terminal would obey; with --json it prints nothing.
func (e *Env) Say(format string, args ...any) {
	if !e.JSON {
		fmt.Fprintln(e.Out, plain.Visible(fmt.Sprintf(format, args...)))
	}
}

// Note prints a line beside the answer, for people only.
func (e *Env) Note(format string, args ...any) {
	if !e.JSON {
		fmt.Fprintln(e.ErrOut, plain.Visible(fmt.Sprintf(format, args...)))
	}
}
