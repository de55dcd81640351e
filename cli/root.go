// Package cli is the command line. Each part of the help text has a package of its own (learning, drafting, using,
// agents, looking, running), and each command is thin: parse, call daemon/client, print. Shared code is in kit. This
// package assembles the command tree and maps errors to exit codes.
//
// With --json a command prints exactly the API's body; a failure prints the error envelope on stderr. Exit codes: 0
// done, 1 failed, 2 usage, 3 not running or not reachable, 4 refused by policy or state, 5 not found.
//
// Not guaranteed: the texts for people. Programs use --json and the exit codes.
//
// To test against it: testdata/*.txtar are scripts that run the real program and a real daemon in a home of their own
// (script_test.go); a script may use a real terminal.
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

	"showhow/adapters/receipts/report"
	"showhow/cli/agents"
	"showhow/cli/drafting"
	"showhow/cli/keeping"
	"showhow/cli/kit"
	"showhow/cli/learning"
	"showhow/cli/looking"
	"showhow/cli/running"
	"showhow/cli/using"
	"showhow/internal/fault"
	"showhow/internal/paths"
	"showhow/internal/version"
)

// What package main injects, by the names that it knows.
type (
	Programs      = kit.Programs
	DaemonOptions = kit.DaemonOptions
	DemoOptions   = kit.DemoOptions
)

// Main runs the command line and returns the exit code. The first Ctrl-C lets a command end cleanly, the second kills
// it.
func Main(args []string, p Programs) int {
	if len(args) > 1 && args[0] == "hook" { // an agent waits: nothing else first
		self, _ := os.Executable()
		report.Main(args[1:], self)
	}
	e := &kit.Env{In: os.Stdin, Out: kit.NewOutput(os.Stdout), ErrOut: os.Stderr, Getenv: os.Getenv, Programs: p}
	if len(args) > 0 && args[0] == "wrap" { // signals are the command's
		return run(context.Background(), e, args)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	return run(ctx, e, args)
}

func run(ctx context.Context, e *kit.Env, args []string) (code int) {
	defer func() {
		if p := recover(); p != nil { // a bug of ours: say so, without a trace of what was typed
			code = e.Fail(fault.New(fault.Internal, "Showhow failed unexpectedly").WithHint("run `showhow doctor`; `showhow logs` has the details"))
		}
	}()
	var err error
	if e.Roots, err = paths.From(e.Getenv); err != nil {
		return e.Fail(fault.Wrap(err, fault.Usage, "there is no home directory").WithHint("set HOME"))
	}
	return execute(ctx, e, tree(e), args)
}

func execute(ctx context.Context, e *kit.Env, root *cobra.Command, args []string) int {
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if out, ok := e.Out.(*kit.Output); ok && err == nil {
		err = out.Err()
	}
	if err != nil {
		if kit.ReaderLeft(err) {
			return fault.ExitFailed
		}
		if how := (agents.Ended{}); errors.As(err, &how) {
			return how.End()
		}
		return e.Fail(e.AsFault(err))
	}
	return 0
}

// Tree returns every command, for documentation; none of them is meant to run.
func Tree() *cobra.Command {
	return tree(&kit.Env{In: strings.NewReader(""), Out: io.Discard, ErrOut: io.Discard, Getenv: func(string) string { return "" }})
}

func tree(e *kit.Env) *cobra.Command {
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
	root.PersistentFlags().BoolVar(&e.JSON, "json", false, "print exactly the API's answer; a failure as JSON on stderr")
	v := version.Get()
	root.Version = strings.TrimSpace(fmt.Sprintf("%s %.12s (%s)", v.Version, v.Commit, v.Go))
	root.SetVersionTemplate("showhow {{.Version}}\n")
	root.SetIn(e.In)
	root.SetOut(e.Out)
	root.SetErr(e.ErrOut)
	root.SetUsageFunc(kit.WriteUsage)
	root.SetFlagErrorFunc(kit.WrongFlag)
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
	e.Finish(root)
	return root
}

// group is a part of the help text.
type group struct {
	id, title string
	commands  func(*kit.Env) []*cobra.Command
}

// groups are in the order of the work: show, review, use, look after.
var groups []group

func init() { // the commands refer to the tree, which refers to them
	groups = []group{
		{"show", "Show a task", func(e *kit.Env) []*cobra.Command {
			return []*cobra.Command{learning.LearnCommand(e), learning.MineCommand(e), looking.ShellInit(e), looking.BrowserCommand(e),
				looking.TargetsCommand(e)}
		}},
		{"review", "Decide on what was drafted", func(e *kit.Env) []*cobra.Command { return []*cobra.Command{drafting.ProposalCommand(e)} }},
		{"use", "Use what was learned", func(e *kit.Env) []*cobra.Command {
			return []*cobra.Command{using.AbilityCommand(e), using.SkillCommand(e), using.CategoryCommand(e), using.CheckpointCommand(e),
				using.CanaryCommand(e), using.ProjectCommand(e), using.ContractCommand(e), keeping.NotesCommand(e), keeping.TaskCommand(e),
				keeping.PDFCommand(e), keeping.WordCommand(e), keeping.OutlookCommand(e),
				using.RemoteCommand(e),
				using.ConnectorCommand(e), using.M365Command(e), agents.DoorCommand(e), agents.AgentCommand(e), agents.RunCommand(e),
				agents.CredentialCommand(e),
				agents.WrapCommand(e), agents.HookCommand(e)}
		}},
		{"look", "See what goes on", func(e *kit.Env) []*cobra.Command {
			return append([]*cobra.Command{looking.StatusCommand(e), looking.InboxCommand(e),
				looking.DoctorCommand(e), looking.HistoryCommand(e), looking.ReceiptsCommand(e), looking.EventsCommand(e),
				looking.LogsCommand(e), looking.SupportCommand(e)}, looking.DataCommands(e)...)
		}},
		{"more", "The rest", func(e *kit.Env) []*cobra.Command {
			return []*cobra.Command{running.DaemonCommand(e), running.DemoCommand(e), running.AppCommand(e), looking.OpenCommand(e),
				running.TrayCommand(e), running.OverlayCommand(e), running.SettingsCommand(e), looking.ConfigCommand(e), running.UninstallCommand(e),
				looking.VersionCommand(e)}
		}},
	}
}
