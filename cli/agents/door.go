package agents

import (
	"os"

	"github.com/spf13/cobra"

	"showhow/cli/kit"
	"showhow/internal/agenthook"
)

func doorCommand(e *env) *cobra.Command {
	var project string
	cmd := &cobra.Command{Use: "mcp", Short: "The door to your connected services, for an agent's MCP configuration",
		Long: `Speaks MCP on standard input and output: the tools of every connector, as far as this agent may use them. Whoever runs it counts as
an agent. ` + "`showhow agent connect AGENT`" + ` puts it into an agent's own configuration.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := e.Connect(cmd.Context())
			if err != nil {
				return err
			}
			return c.Door(cmd.Context(), project, e.In, e.Out)
		}}
	cmd.Flags().StringVar(&project, "project", "", "the `project` that the agent works for, as `showhow project list` names it: "+
		"you can then allow a call for the whole project")
	return kit.With(cmd, "showhow mcp", "showhow mcp --project acme")
}

// agentConnect returns the commands that add Showhow's MCP server to an agent's own configuration and remove it.
func agentConnect(e *env) []*cobra.Command {
	var yes bool
	connect := &cobra.Command{Use: "connect AGENT", Short: "Put the door to your connectors into an agent's MCP configuration",
		Long: "Shows what goes where, and writes it with --yes: beside whatever stands there.\n" +
			"`showhow agent disconnect` and `showhow uninstall` take exactly that out again.",
		Args: cobra.ExactArgs(1), ValidArgs: agenthook.Names,
		RunE: func(_ *cobra.Command, args []string) error {
			d, err := e.doorOf(args[0])
			if err != nil {
				return err
			}
			if yes {
				if err := d.Connect(); err != nil {
					return err
				}
			}
			if e.JSON {
				return e.Print(map[string]any{"agent": args[0], "path": d.Path, "config": d.Snippet, "written": yes, "next": d.Next})
			}
			if yes {
				e.Say("written to %s; %s", e.Roots.Tilde(d.Path), d.Next)
				return nil
			}
			e.Say("This goes into %s:\n\n%s\nTo write it:  showhow agent connect %s --yes", e.Roots.Tilde(d.Path), d.Snippet, args[0])
			return nil
		}}
	connect.Flags().BoolVar(&yes, "yes", false, "write it")
	disconnect := &cobra.Command{Use: "disconnect AGENT", Short: "Take it out of the agent's configuration again",
		Args: cobra.ExactArgs(1), ValidArgs: agenthook.Names,
		RunE: func(_ *cobra.Command, args []string) error {
			d, err := e.doorOf(args[0])
			if err == nil {
				err = d.Disconnect()
			}
			if err != nil || e.JSON {
				if err == nil {
					err = e.Print(map[string]any{"agent": args[0], "path": d.Path, "written": false})
				}
				return err
			}
			e.Say("taken out of %s", e.Roots.Tilde(d.Path))
			return nil
		}}
	return []*cobra.Command{kit.With(connect, "showhow agent connect claude-code"), kit.With(disconnect,
		"showhow agent disconnect claude-code")}
}

func (e *env) doorOf(agent string) (agenthook.Door, error) {
	self, err := os.Executable()
	if err != nil {
		return agenthook.Door{}, err
	}
	return agenthook.DoorFor(agent, agenthook.Env{Home: e.Roots.Home, Exe: self, Dirs: kit.AgentDirs(e.Env)})
}
