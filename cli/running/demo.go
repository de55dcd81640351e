package running

import (
	"github.com/spf13/cobra"

	"showhow/cli/kit"
)

func demoCommand(e *env) *cobra.Command {
	var o kit.DemoOptions
	demo := kit.With(&cobra.Command{Use: "demo", Short: "Perform the main job on this machine, unattended",
		Long: `Starts a daemon in a home of its own, serves a small order desk, lets a separate process act as the person in a real browser
and a real shell, and follows the skill from the demonstration to an agent's look-up. Your own home is not touched.`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			o.Out, o.JSON = e.Out, e.JSON
			return e.Programs.Demo(cmd.Context(), o)
		}}, "showhow demo", "showhow demo --seed 7 --keep")
	demo.Flags().Uint64Var(&o.Seed, "seed", 1, "which orders the desk has")
	demo.Flags().StringVar(&o.Dir, "dir", "", "folder for everything the demo makes (must not exist)")
	demo.Flags().BoolVar(&o.Keep, "keep", false, "keep that folder; without it only the skill stays")
	demo.AddCommand(&cobra.Command{Use: "drive", Short: "Act as the person of the demo", Hidden: true,
		RunE: func(cmd *cobra.Command, _ []string) error { return e.Programs.Drive(cmd.Context(), e.In, e.Out) }})
	return demo
}
