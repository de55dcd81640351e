package looking

import (
	"context"

	"github.com/spf13/cobra"

	"showhow/cli/kit"
	"showhow/daemon/client"
)

func inboxCommand(e *env) *cobra.Command {
	return kit.With(e.Call("inbox", "Everything that waits for you, each with the one thing to do about it",
		func(ctx context.Context, c *client.Client, _ []string) error {
			b, err := c.Inbox(ctx)
			if err != nil {
				return err
			}
			return e.Show(func() {
				if len(b.Items) == 0 {
					e.Say("nothing waits for you")
				}
				for _, i := range b.Items {
					e.Say("%s", i.Title)
					if i.Detail != "" {
						e.Say("  %s", e.Wrap(2, i.Detail))
					}
					e.Say("  %s: %s", i.Action.Label, i.Action.Command)
				}
			})
		}), "showhow inbox")
}
