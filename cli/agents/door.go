package agents

import (
	"github.com/spf13/cobra"

	"showhow/cli/kit"
)

func doorCommand(e *env) *cobra.Command {
	return kit.With(&cobra.Command{Use: "mcp", Short: "The door to your connected services, for an agent's MCP configuration",
		Long: `Speaks MCP on standard input and output: the tools of every connector, as far as this agent may use them. Whoever runs it counts as an
agent. ` + "`showhow agent connect AGENT`" + ` puts it into an agent's own configuration.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := e.Connect(cmd.Context())
			if err != nil {
				return err
			}
			return c.Door(cmd.Context(), e.In, e.Out)
		}}, "showhow mcp")
}
