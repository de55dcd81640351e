//go:build unix

package cli_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"mvdan.cc/sh/v3/shell"

	"showhow/cli"
	"showhow/cli/kit"
)

func commands(cmd *cobra.Command) (out []*cobra.Command) {
	out = append(out, cmd)
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() && c.Name() != "completion" && c.Name() != "help" {
			out = append(out, commands(c)...)
		}
	}
	return out
}

// What stands between the first backquotes of a flag's text is its placeholder in the help: one word, and none for a switch.
func TestPlaceholders(t *testing.T) {
	for _, c := range commands(cli.Tree()) {
		c.Flags().VisitAll(func(f *pflag.Flag) {
			called, _ := pflag.UnquoteUsage(f)
			if quoted := strings.Contains(f.Usage, "`"); strings.Contains(called, " ") || quoted && f.Value.Type() == "bool" {
				t.Errorf("%s --%s %s", c.CommandPath(), f.Name, called)
			}
		})
		if line := kit.UseLine(c); strings.Count(line, "COMMAND") > 1 || strings.Count(c.UseLine(), "COMMAND...") > 1 {
			t.Errorf("%s", line)
		}
	}
}

func TestEveryCommandExplainsItself(t *testing.T) {
	root := cli.Tree()
	for _, c := range commands(root) {
		if c.Short == "" || strings.HasSuffix(c.Short, ".") {
			t.Errorf("%s: its short text is missing, or a sentence with a full stop", c.CommandPath())
		}
		if c.Example == "" {
			t.Errorf("%s has no example", c.CommandPath())
		}
		var help bytes.Buffer
		root.SetOut(&help)
		root.SetArgs(append(strings.Fields(c.CommandPath())[1:], "--help"))
		if err := root.Execute(); err != nil {
			t.Errorf("%s --help: %v", c.CommandPath(), err)
		}
		for _, want := range []string{"Usage:\n  " + c.CommandPath(), "Examples:"} {
			if !strings.Contains(help.String(), want) {
				t.Errorf("%s --help does not hold %q", c.CommandPath(), want)
			}
		}
		for line := range strings.Lines(help.String()) {
			if len([]rune(strings.TrimRight(line, "\n"))) > 150 {
				t.Errorf("%s --help has a line of more than 150 characters: %s", c.CommandPath(), line)
			}
		}
	}
}

// People type the examples: each must parse.
func TestExamplesAreCommands(t *testing.T) {
	for _, c := range commands(cli.Tree()) {
		for line := range strings.Lines(c.Example) {
			if line = strings.TrimSpace(line); !strings.HasPrefix(line, "showhow ") {
				continue
			}
			line, _, _ = strings.Cut(line, " | ")
			words, err := shell.Fields(line, func(string) string { return "" })
			if err != nil {
				t.Errorf("%s: %v", line, err)
				continue
			}
			cmd, args, err := cli.Tree().Find(words[1:])
			if err == nil {
				err = cmd.ParseFlags(args)
			}
			if err == nil {
				err = cmd.ValidateArgs(cmd.Flags().Args())
			}
			if err != nil || !cmd.Runnable() {
				t.Errorf("%s: %v", line, err)
			}
		}
	}
}
