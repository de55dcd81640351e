//go:build unix

package cli_test

import (
	"bytes"
	"encoding/json"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"showhow/cli"
	"showhow/cli/kit"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// foreignWords are how the command-line framework and strconv say what is wrong.
var foreignWords = []string{"arg(s)", "required flag(s)", "unknown command", "unknown flag", "unknown shorthand", "unknown help topic",
	"flag needs an argument", "invalid argument", "if any flags", "none of the others", "at least one of the flags", "strconv.", "USAGE: "}

// Every command of the tree is called in every way that its use line and its flags make wrong: each answer has our form.
func TestWrongUseHasOneForm(t *testing.T) {
	home := t.TempDir()
	var errOut bytes.Buffer
	run := cli.Calls(&kit.Env{In: strings.NewReader(""), Out: io.Discard, ErrOut: &errOut, Getenv: func(name string) string {
		if name == "HOME" {
			return home
		}
		return ""
	}})
	call := func(args []string) (code int, out string) {
		errOut.Reset()
		code = run(t.Context(), args)
		return code, errOut.String()
	}
	total := 0
	for _, c := range everyCommand(cli.Tree()) {
		for _, w := range wrongUses(c) {
			total++
			args := slices.Concat(strings.Fields(c.CommandPath())[1:], w)
			code, out := call(args)
			first, rest, _ := strings.Cut(out, "\n")
			switch {
			case code != fault.ExitUsage:
				t.Errorf("showhow %q: exit code %d, want %d:\n%s", args, code, fault.ExitUsage, out)
				continue
			case !strings.HasPrefix(first, "showhow: ") || !strings.HasSuffix(first, " (USAGE)"):
				t.Errorf("showhow %q: no message with its code: %s", args, first)
			case strings.TrimSpace(rest) == "":
				t.Errorf("showhow %q: nothing says what to do: %s", args, out)
			}
			for _, word := range foreignWords {
				if strings.Contains(out, word) {
					t.Errorf("showhow %q answers in the framework's words: %s", args, out)
				}
			}
			code, out = call(append([]string{"--json"}, args...))
			var body wire.Error
			if err := json.Unmarshal([]byte(out), &body); err != nil || code != fault.ExitUsage || body.Error.Code != fault.Usage ||
				body.Error.Hint == "" {
				t.Errorf("showhow --json %q: exit code %d, %v: %s", args, code, err, out)
			}
		}
	}
	if left, _ := filepath.Glob(filepath.Join(home, "*")); len(left)+len(glob(home, ".*")) > 0 || total < 1000 {
		t.Errorf("%d wrong uses; left behind: %v", total, left)
	}
}

func glob(dir, pattern string) []string {
	found, _ := filepath.Glob(filepath.Join(dir, pattern))
	return found
}

func everyCommand(cmd *cobra.Command) []*cobra.Command {
	out := []*cobra.Command{cmd}
	for _, c := range cmd.Commands() {
		if c.Name() != "__complete" && c.Name() != "__completeNoDesc" {
			out = append(out, everyCommand(c)...)
		}
	}
	return out
}

var optionalPart = regexp.MustCompile(`\[[^]]*\](\.\.\.)?`)

// wrongUses are arguments that a command must refuse.
func wrongUses(c *cobra.Command) (out [][]string) {
	out = append(out, []string{"--no-such-flag"}, []string{"-Ω"})
	if c.HasSubCommands() && len(strings.Fields(c.Use)) == 1 {
		return append(out, []string{"no-such-command"})
	}
	if c.Name() == "help" {
		return append(out, []string{"no-such-command"}, []string{"learn", "no-such-command"})
	}
	use := strings.Fields(optionalPart.ReplaceAllString(c.Use, ""))[1:]
	open := strings.Contains(c.Use, "...")
	most := len(strings.Fields(c.Use)) - 1
	required := slices.Repeat([]string{"x"}, len(use)-strings.Count(c.Use, "-- ")+strings.Count(c.Use, "[-- "))
	if len(required) > 0 {
		out = append(out, nil)
	}
	if !open {
		out = append(out, slices.Repeat([]string{"x"}, most+1))
	}
	exclusive, together := mark((*cobra.Command).MarkFlagsMutuallyExclusive), mark((*cobra.Command).MarkFlagsRequiredTogether)
	good := func(f *pflag.Flag) string { return "--" + f.Name + "=" + f.DefValue }
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if slices.Contains(f.Annotations[cobra.BashCompOneRequiredFlag], "true") {
			out = append(out, required) // without it
		}
		if f.NoOptDefVal == "" {
			out = append(out, []string{"--" + f.Name})
			if f.Shorthand != "" {
				out = append(out, []string{"-" + f.Shorthand})
			}
		}
		if kind := f.Value.Type(); f.Name != "json" && !slices.Contains([]string{"string", "stringArray", "stringSlice"}, kind) {
			out = append(out, []string{"--" + f.Name + "=no such value"})
		}
		for _, group := range f.Annotations[exclusive] {
			both := slices.Clone(required)
			for _, name := range strings.Fields(group) {
				both = append(both, good(c.Flags().Lookup(name)))
			}
			out = append(out, both)
		}
		for range f.Annotations[together] {
			out = append(out, append(slices.Clone(required), good(f)))
		}
	})
	return out
}

// mark is the annotation by which cobra knows a kind of group of flags.
func mark(group func(*cobra.Command, ...string)) (name string) {
	var c cobra.Command
	c.Flags().Bool("a", false, "")
	c.Flags().Bool("b", false, "")
	group(&c, "a", "b")
	for name = range c.Flags().Lookup("a").Annotations {
	}
	return name
}
