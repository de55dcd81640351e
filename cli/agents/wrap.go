package agents

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"mvdan.cc/sh/v3/syntax"

	"showhow/adapters/receipts/report"
	"showhow/cli/kit"
	"showhow/daemon/client"
	"showhow/daemon/wire"
)

// sendTime bounds how long the end of a wrapped command waits for the daemon.
const sendTime = 300 * time.Millisecond

// Ended is how a wrapped command ended; the program ends the same way.
type Ended struct {
	code   int
	signal os.Signal // that ended it, where the system has signals
}

func (x Ended) Error() string { return fmt.Sprintf("the command failed with exit code %d", x.code) }

func wrapCommand(e *env) *cobra.Command {
	var watch []string
	cmd := kit.With(&cobra.Command{Use: "wrap -- COMMAND...", Short: "Run a command and report what it did: exit code, duration, files",
		Long: `The command has this terminal, its signals and its exit code, as if it were run without wrap. When a session or a kept run wants
it, and only then, the names and sizes of files that it created, changed or removed below this folder are noted; hidden
files and folders, node_modules and what lies beyond 20,000 files are left out. Whether the daemon answers changes nothing.`,
		DisableFlagsInUseLine: true,
		RunE: func(_ *cobra.Command, args []string) error {
			return e.wrapped(args, watch)
		}},
		"showhow wrap -- make report", "showhow wrap --watch ~/reports -- ./export.sh --month 11")
	cmd.Flags().StringArrayVar(&watch, "watch", nil, "another `folder` whose files count as effects")
	cmd.Flags().SetInterspersed(false)
	return cmd
}

// wrapped runs a command and reports it.
func (e *env) wrapped(args, watch []string) error {
	if !report.AnyWanted(report.Dir(e.Roots.State)) {
		return run(args)
	}
	cwd, _ := os.Getwd()
	roots := []string{cwd}
	for _, w := range watch {
		if abs, err := filepath.Abs(w); err == nil {
			roots = append(roots, abs)
		}
	}
	before := kit.Look(roots)
	begun := time.Now()
	how := run(args)
	took := time.Since(begun)
	var x Ended
	if !errors.As(how, &x) {
		return how // it was never run
	}
	outcome := report.OK
	if x.code != 0 {
		outcome = report.Failed
	}
	r := wire.AgentReceipt{Kind: report.Wrapped, Tool: "wrap", Command: quoted(args), Cwd: cwd, Outcome: outcome, ExitCode: &x.code,
		DurationMS: took.Milliseconds(), Files: kit.Effects(before, kit.Look(roots), begun, cwd)}
	e.report(r)
	return how
}

// report sends the receipt. A failure is ignored: only the command's result counts.
func (e *env) report(r wire.AgentReceipt) {
	if len(r.Command) > 32768 {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), sendTime)
	defer cancel()
	var o []client.Option
	if t := e.Getenv("SHOWHOW_TOKEN"); t != "" {
		o = append(o, client.WithToken(t))
	}
	_, _ = client.Unix(e.Roots.Socket(), o...).SendReceipts(ctx, []client.AgentReceipt{r})
}

// quoted is a command line that a shell would parse into these words.
func quoted(args []string) string {
	words := make([]string, len(args))
	for i, a := range args {
		w, err := syntax.Quote(a, syntax.LangBash)
		if err != nil {
			w = "'" + strings.ReplaceAll(strings.ReplaceAll(a, "\x00", ""), "'", `'\''`) + "'"
		}
		words[i] = w
	}
	return strings.Join(words, " ")
}

// notRun is the exit status of shells for a command that could not be run.
func notRun(name string, err error) Ended {
	if errors.Is(err, exec.ErrNotFound) || errors.Is(err, fs.ErrNotExist) {
		fmt.Fprintf(os.Stderr, "showhow wrap: %s: command not found\n", name)
		return Ended{code: 127}
	}
	fmt.Fprintf(os.Stderr, "showhow wrap: %s: cannot be run\n", name)
	return Ended{code: 126}
}
