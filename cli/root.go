// Package cli is the command line: one file per command group, each thin: parse, call daemon/client, print.
//
// With --json a command prints exactly the API's body; a failure prints the error envelope on stderr. Exit codes: 0 done,
// 1 failed, 2 usage, 3 not running or not reachable, 4 refused by policy or state, 5 not found.
//
// Not guaranteed: the texts for people. Programs use --json and the exit codes.
//
// To test against it: testdata/*.txtar are scripts that run the real program and a real daemon in a home of their own
// (script_test.go); a script may act at a real terminal.
package cli

import (
	"context"
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
	"showhow/internal/version"
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
	// Daemon runs the daemon until ctx ends.
	Daemon func(ctx context.Context, o DaemonOptions, ready func()) error
	// Demo performs the main job in a home of its own.
	Demo func(ctx context.Context, o DemoOptions) error
	// Drive is the person of the demo, as a process of its own, speaking JSON lines on its standard streams.
	Drive func(ctx context.Context, in io.Reader, out io.Writer) error
}

// Main runs the command line and returns the exit code. The first Ctrl-C lets a command end in order, the second kills it.
func Main(args []string, p Programs) int {
	e := &env{in: os.Stdin, out: os.Stdout, errOut: os.Stderr, getenv: os.Getenv, programs: p}
	if len(args) > 0 && args[0] == "wrap" { // signals are the command's
		return e.run(context.Background(), args)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
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
		return e.fail(fault.Wrap(err, fault.Usage, "there is no home directory").WithHint("set HOME"))
	}
	root := tree(e)
	root.SetArgs(args)
	if err := root.ExecuteContext(ctx); err != nil {
		if how := (ended{}); errors.As(err, &how) {
			return how.end()
		}
		return e.fail(e.asFault(err))
	}
	return 0
}

// Tree is every command, for documentation; none of them is meant to run.
func Tree() *cobra.Command {
	return tree(&env{in: strings.NewReader(""), out: io.Discard, errOut: io.Discard, getenv: func(string) string { return "" }})
}

func tree(e *env) *cobra.Command {
	root := &cobra.Command{
		Use:   "showhow",
		Short: "Show a task once; get a reviewed, rehearsed, portable skill that any agent can use",
		Long: `Showhow watches only what you allow, understands what the steps were for, drafts a skill,
asks the few questions that matter, and installs it only when you say so. Everything stays on this computer.`,
		Example: `  showhow learn start "Change an order" --site localhost:8080 --shell new
  showhow learn propose
  showhow ability lookup "change the delivery date of an order"`,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.PersistentFlags().BoolVar(&e.json, "json", false, "print exactly the API's answer; a failure as JSON on stderr")
	v := version.Get()
	root.Version = strings.TrimSpace(fmt.Sprintf("%s %.12s (%s)", v.Version, v.Commit, v.Go))
	root.SetVersionTemplate("showhow {{.Version}}\n")
	root.SetIn(e.in)
	root.SetOut(e.out)
	root.SetErr(e.errOut)
	root.SetUsageFunc(writeUsage)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		hint := "see `" + cmd.CommandPath() + " --help`"
		if name := likelyFlag(cmd, err); name != "" {
			hint = "did you mean --" + name + "?"
		}
		return fault.New(fault.Usage, err.Error()).WithHint(hint)
	})
	for _, g := range groups {
		root.AddGroup(&cobra.Group{ID: g.id, Title: g.title})
		for _, cmd := range g.commands(e) {
			cmd.GroupID = g.id
			root.AddCommand(cmd)
		}
	}
	root.SetHelpCommandGroupID("more")
	root.SetCompletionCommandGroupID("more")
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd("completion")
	e.finish(root)
	return root
}

// group is a part of the help text.
type group struct {
	id, title string
	commands  func(*env) []*cobra.Command
}

// groups are in the order of the work: show, review, use, look after.
var groups []group

func init() { // the commands refer to the tree, which refers to them
	groups = []group{
		{"show", "Show a task", func(e *env) []*cobra.Command {
			return []*cobra.Command{learnCommand(e), shellInit(e), browserCommand(e), targetsCommand(e)}
		}},
		{"review", "Decide on what was drafted", func(e *env) []*cobra.Command { return []*cobra.Command{proposalCommand(e)} }},
		{"use", "Use what was learned", func(e *env) []*cobra.Command {
			return []*cobra.Command{abilityCommand(e), skillCommand(e), categoryCommand(e), checkpointCommand(e), agentCommand(e), runCommand(e), credentialCommand(e), wrapCommand(e), hookCommand(e)}
		}},
		{"look", "See what goes on", func(e *env) []*cobra.Command {
			return append([]*cobra.Command{statusCommand(e), doctorCommand(e), historyCommand(e), receiptsCommand(e), logsCommand(e), supportCommand(e)}, dataCommands(e)...)
		}},
		{"more", "The rest", func(e *env) []*cobra.Command {
			return []*cobra.Command{daemonCommand(e), demoCommand(e), appCommand(e), openCommand(e), trayCommand(e), overlayCommand(e), settingsCommand(e), configCommand(e), uninstallCommand(e), versionCommand(e)}
		}},
	}
}

// say prints a line for people; with --json it prints nothing.
func (e *env) say(format string, args ...any) {
	if !e.json {
		fmt.Fprintf(e.out, format+"\n", args...)
	}
}

// note prints a line beside the answer, for people only.
func (e *env) note(format string, args ...any) {
	if !e.json {
		fmt.Fprintf(e.errOut, format+"\n", args...)
	}
}
