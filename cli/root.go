// Package cli is the command line: one file per command group, each thin: parse, call daemon/client, print.
//
// With --json a command prints exactly the API's body; a failure prints the error envelope on stderr. Exit codes: 0 done,
// 1 failed, 2 usage, 3 not running or not reachable, 4 refused by policy or state, 5 not found.
package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"showhow/internal/fault"
	"showhow/internal/paths"
)

// env is what a command works with; tests give their own.
type env struct {
	roots  paths.Roots
	in     io.Reader
	out    io.Writer
	errOut io.Writer
	getenv func(string) string

	programs Programs
	json     bool
	session  string // --session
	body     []byte // the API's last answer, recorded for --json
	started  bool   // a command runs: what fails from now on is not the arguments' form
}

// Programs are the long-running parts that package main wires in, so that the command line itself stays a client.
type Programs struct {
	// Daemon runs the daemon until ctx ends; ErrRestart asks to be started again.
	Daemon func(ctx context.Context, o DaemonOptions, ready func()) error
	// Demo performs the main job in a home of its own.
	Demo func(ctx context.Context, o DemoOptions) error
	// Drive is the person of the demo, as a process of its own, speaking JSON lines on its standard streams.
	Drive func(ctx context.Context, in io.Reader, out io.Writer) error
}

// Main runs the command line and returns the exit code.
func Main(args []string, p Programs) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	e := &env{in: os.Stdin, out: os.Stdout, errOut: os.Stderr, getenv: os.Getenv, programs: p}
	return e.run(ctx, args)
}

func (e *env) run(ctx context.Context, args []string) (code int) {
	defer func() {
		if p := recover(); p != nil { // a bug of ours: say so, without a trace of what was typed
			code = e.fail(fault.New(fault.Internal, "Showhow failed unexpectedly").WithHint("run `showhow doctor`; `showhow logs` has the details"))
		}
	}()
	var err error
	if e.roots, err = paths.From(e.getenv); err != nil {
		return e.fail(fault.Wrap(err, fault.Usage, "no home directory").WithHint("set HOME"))
	}
	root := Root(e)
	root.SetArgs(args)
	if err := root.ExecuteContext(ctx); err != nil {
		return e.fail(e.asFault(err))
	}
	return 0
}

// Root builds the command tree; cli/gen writes its documentation.
func Root(e *env) *cobra.Command {
	root := &cobra.Command{
		Use:   "showhow",
		Short: "Show a task once; get a reviewed, rehearsed, portable skill that any agent can use",
		Long: `Showhow watches only what you allow, understands what the steps were for, drafts a skill,
asks the few questions that matter, and installs it only when you say so. Everything stays on this computer.`,
		Example: `  showhow learn start "Change an order" --site localhost:8080 --shell current
  showhow learn stop && showhow learn propose
  showhow ability lookup "change the delivery date of an order"`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.NoArgs,

		PersistentPreRun: func(*cobra.Command, []string) { e.started = true },
		RunE: func(cmd *cobra.Command, _ []string) error {
			return cmd.Help()
		},
	}
	root.PersistentFlags().BoolVar(&e.json, "json", false, "print exactly the API's answer as JSON")
	root.SetIn(e.in)
	root.SetOut(e.out)
	root.SetErr(e.errOut)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return fault.New(fault.Usage, err.Error()).WithHint("see `" + cmd.CommandPath() + " --help`")
	})
	root.CompletionOptions.HiddenDefaultCmd = false
	for _, add := range groups {
		root.AddCommand(add(e)...)
	}
	return root
}

// NewEnv is an environment that only serves to build the tree, for documentation.
func NewEnv() *env {
	return &env{in: strings.NewReader(""), out: io.Discard, errOut: io.Discard, getenv: os.Getenv}
}

// groups are the command groups, in the order of the help text.
var groups []func(*env) []*cobra.Command

func init() {
	groups = []func(*env) []*cobra.Command{
		daemonCommands, learnCommands, proposalCommands, abilityCommands, observeCommands, recordCommands, demoCommands,
	}
}

// asFault makes cobra's own complaints (unknown command, wrong number of arguments) usage errors.
func (e *env) asFault(err error) *fault.Error {
	var f *fault.Error
	if errors.As(err, &f) || e.started && !errors.Is(err, context.Canceled) {
		return fault.From(err)
	}
	if errors.Is(err, context.Canceled) {
		return fault.Wrap(err, fault.Cancelled, "cancelled")
	}
	return fault.New(fault.Usage, err.Error()).WithHint("see `showhow --help`")
}

// fail prints a failure and returns its exit code.
func (e *env) fail(f *fault.Error) int {
	if e.json {
		body := map[string]any{"code": f.Code, "message": f.Message, "retryable": f.Code.Spec().Retryable}
		if f.Hint != "" {
			body["hint"] = f.Hint
		}
		if len(f.Details) > 0 {
			body["details"] = f.Details
		}
		b, _ := json.Marshal(map[string]any{"error": body})
		fmt.Fprintln(e.errOut, string(b))
		return f.Code.Spec().Exit
	}
	fmt.Fprintf(e.errOut, "showhow: %s (%s)\n", f.Message, f.Code)
	if f.Hint != "" {
		fmt.Fprintf(e.errOut, "  %s\n", f.Hint)
	}
	for _, v := range violations(f) {
		fmt.Fprintf(e.errOut, "  - %s\n", v)
	}
	return f.Code.Spec().Exit
}

// violations lists what a validation error names, one line each.
func violations(f *fault.Error) []string {
	list, _ := f.Details["violations"].([]any)
	var out []string
	for _, v := range list {
		m, _ := v.(map[string]any)
		out = append(out, fmt.Sprintf("%v: %v", m["path"], m["rule"]))
	}
	return out
}

// usage is an error about flags or arguments.
func usage(format string, args ...any) error {
	return fault.Newf(fault.Usage, format, args...)
}
