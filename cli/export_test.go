package cli

import (
	"context"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"showhow/cli/kit"
)

// Calls returns a function that runs one command line after the other on one tree, each as if it were the first: cobra
// keeps every tree that was ever built. It is for wrong use, which leaves no values behind.
func Calls(e *kit.Env) func(ctx context.Context, args []string) (code int) {
	root := tree(e)
	var forget func(*cobra.Command)
	forget = func(c *cobra.Command) {
		c.Flags().VisitAll(func(f *pflag.Flag) { f.Changed = false })
		for _, sub := range c.Commands() {
			forget(sub)
		}
	}
	return func(ctx context.Context, args []string) int {
		e.JSON = false
		forget(root)
		return execute(ctx, e, root, args)
	}
}
