package agents

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"showhow/adapters/receipts/report"
	"showhow/cli/kit"
	"showhow/internal/agenthook"
	"showhow/internal/fault"
)

// hookCommand is the part of the hook that people see. Agents' calls never get here: report.Main handles them first.
func hookCommand(e *env) *cobra.Command {
	var printConfig bool
	var agent string
	cmd := kit.With(&cobra.Command{Use: "hook claude-code|codex|openclaw|generic",
		Short: "Report an agent's tool call; its own hook calls this",
		Long: `Reads on standard input what the agent hands to its hook, and exits with 0 within 50 ms, printing nothing. When nobody wants
receipts of the agent it looks at one file and no more. With generic an agent of any kind reports; --agent names it:

` + indentLines(report.GenericForm, "  ") + `

What the agent writes into files, what a tool answers and what a command prints are not read.`,
		ValidArgs: report.Known,
		RunE: func(_ *cobra.Command, args []string) error {
			if !printConfig {
				return fault.New(fault.Usage, "an agent's hook calls this with the call on standard input").
					WithHint("`showhow agent hook install AGENT` installs it; --print-config shows what to add by hand; generic needs --agent NAME")
			}
			return e.printHook(args[0], agent)
		}},
		"showhow hook claude-code --print-config",
		"showhow hook generic --agent my-agent --print-config")
	cmd.Flags().BoolVar(&printConfig, "print-config", false, "print what to add to the agent's settings, and change nothing")
	cmd.Flags().StringVar(&agent, "agent", "", "the agent's `name`, with generic: small letters, digits, dots and dashes")
	return cmd
}

func indentLines(s, by string) string { return by + strings.ReplaceAll(s, "\n", "\n"+by) }

func (e *env) printHook(format, agent string) error {
	if format == report.Generic {
		if !report.ValidAgent(agent) {
			return kit.Usage("name the agent: --agent NAME, in small letters, digits, dots and dashes")
		}
		if e.JSON {
			return e.Print(map[string]string{"agent": agent, "command": "showhow hook generic --agent " + agent})
		}
		e.Say("Have it run, after each tool call:  showhow hook generic --agent %s\nwith this on standard input, without the comments; "+
			"several objects, one after another, are fine:\n%s", agent, report.GenericForm)
		return nil
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	p, err := agenthook.For(format, agenthook.Env{Home: e.Roots.Home, Exe: self, Hook: agenthook.Beside(self),
		MarkDir: report.Dir(e.Roots.State), Dirs: kit.AgentDirs(e.Env)})
	if err != nil {
		return err
	}
	if e.JSON {
		return e.Print(map[string]string{"agent": format, "path": p.Path, "config": p.Snippet, "next": p.Next})
	}
	e.Note("%s, then: %s", e.Roots.Tilde(p.Path), p.Next)
	fmt.Fprintln(e.Out, p.Snippet)
	return nil
}
