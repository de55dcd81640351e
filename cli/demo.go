package cli

import (
	"io"

	"github.com/spf13/cobra"
)

// DemoOptions is what `showhow demo` was asked for.
type DemoOptions struct {
	Out  io.Writer
	Seed uint64 // of the orders
	Dir  string // where the demo lives; "" makes a folder under the temporary directory
	Keep bool
	JSON bool
}

func demoCommand(e *env) *cobra.Command {
	var o DemoOptions
	demo := with(&cobra.Command{Use: "demo", Short: "Perform the main job on this machine, unattended",
		Long: `Starts a daemon in a home of its own, serves a small order desk, lets a separate process act as the person in a real browser
and a real shell, and follows the skill from the demonstration to an agent's look-up. Your own home is not touched.`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			o.Out, o.JSON = e.out, e.json
			return e.programs.Demo(cmd.Context(), o)
		}}, "showhow demo", "showhow demo --seed 7 --keep")
	demo.Flags().Uint64Var(&o.Seed, "seed", 1, "which orders the desk has")
	demo.Flags().StringVar(&o.Dir, "dir", "", "folder for everything the demo makes (must not exist)")
	demo.Flags().BoolVar(&o.Keep, "keep", false, "keep that folder; without it only the skill stays")
	demo.AddCommand(&cobra.Command{Use: "drive", Short: "Act as the person of the demo", Hidden: true,
		RunE: func(cmd *cobra.Command, _ []string) error { return e.programs.Drive(cmd.Context(), e.in, e.out) }})
	return demo
}
