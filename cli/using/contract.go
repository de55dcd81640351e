package using

import (
	"context"
	"encoding/json"

	"github.com/spf13/cobra"

	"showhow/cli/kit"
	"showhow/daemon/client"
	"showhow/internal/fault"
)

// ContractCommand makes the command.
func ContractCommand(e *kit.Env) *cobra.Command {
	cmd := kit.With(&cobra.Command{Use: "contract", Short: "Ask Showhow under the wire contract: one envelope for every question"},
		"showhow contract status")
	print := func(tool, use, short string, long bool) *cobra.Command {
		c := e.Call(use, short, func(ctx context.Context, c *client.Client, args []string) error {
			request := map[string]any{}
			if long {
				tool = args[0]
			}
			if len(args) > 1 {
				if err := json.Unmarshal([]byte(args[1]), &request); err != nil {
					return fault.Wrap(err, fault.Usage, "the request is not a JSON object").WithHint("`showhow contract spec` has its schema")
				}
			}
			out, err := c.CallContract(ctx, tool, request)
			if err != nil {
				return err
			}
			return e.Print(out)
		})
		if c.Args = cobra.NoArgs; long {
			c.Args = cobra.RangeArgs(1, 2)
			c.ValidArgs = []string{"showhow", "showhow_read", "showhow_write", "showhow_channel"}
		}
		return c
	}
	cmd.AddCommand(
		kit.With(print("", "call TOOL [REQUEST]", "Call a tool with a request envelope, as JSON", true),
			`showhow contract call showhow '{"from_kind":"recall","ask":"sort my receipts"}'`,
			`showhow contract call showhow_read '{"from_kind":"session","purpose":"researching_history"}'`),
		kit.With(print("get_protocol_spec", "spec", "Show schemas, kinds with tiers, tools and errors", false), "showhow contract spec"),
		kit.With(print("server_status", "status", "Show what Showhow holds, and the kinds", false), "showhow contract status"),
		kit.With(print("tool_telemetry", "telemetry", "Show how often which tool was called; no content", false), "showhow contract telemetry"))
	return cmd
}
