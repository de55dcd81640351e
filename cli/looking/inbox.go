package looking

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"showhow/cli/kit"
	"showhow/daemon/client"
)

func inboxCommand(e *env) *cobra.Command {
	cmd := kit.With(e.Call("inbox", "Everything that waits for you, each with the one thing to do about it",
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
	cmd.AddCommand(inboxAnswer(e))
	return cmd
}

func inboxAnswer(e *env) *cobra.Command {
	var refuse bool
	cmd := e.Call("answer QUESTION [TEXT...]", "Answer what an agent asks you; an answer is confirmed with a code",
		func(ctx context.Context, c *client.Client, args []string) error {
			a := client.QuestionAnswer{Text: strings.Join(args[1:], " "), Refuse: refuse}
			if a.Text == "" && !refuse {
				return kit.Usage("TEXT is missing").WithHint("or --refuse")
			}
			r, err := c.AnswerQuestion(ctx, args[0], a)
			return e.Done(err, "%s", r.Outcome)
		})
	cmd.Args = cobra.MinimumNArgs(1)
	cmd.Flags().BoolVar(&refuse, "refuse", false, "say no")
	return kit.With(cmd, `showhow inbox answer 0199a1b2-... "the red one"`, "showhow inbox answer 0199a1b2-... --refuse")
}
