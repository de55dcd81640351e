package drafting

import (
	"context"

	"github.com/spf13/cobra"

	"showhow/cli/kit"
	"showhow/daemon/client"
)

func splitCommand(e *env) *cobra.Command {
	var r client.SplitRequest
	cmd := e.onProposal("split [ID]", "Make a draft of each part of the work; the draft itself stays",
		func(ctx context.Context, c *client.Client, id string) error {
			if len(r.After) == 0 {
				return kit.Usage("say after which steps with --after")
			}
			d, err := c.Split(ctx, id, r)
			if err != nil {
				return err
			}
			return e.Show(func() {
				for _, part := range d.Proposal.SplitInto {
					x, err := c.Proposal(ctx, part)
					if err != nil {
						e.Say("%s", part)
						continue
					}
					e.Say("%s  %s, %s", part, x.Proposal.Title, kit.Plural(len(x.Interpretation.Inputs), "input", "inputs"))
				}
				e.Say("The draft they came from, %s, is as it was.\nnext: showhow proposal show ID, for each of them", id)
			})
		})
	cmd.Long = `Each part becomes a proposal of its own, with its own inputs, checkpoints and revisions, to be reviewed, validated and ` +
		`installed
by itself. --after names the steps by their ids, as ` + "`showhow proposal show`" + ` lists them; in plain words:
showhow proposal revise --instructions "split after the export".`
	cmd.Flags().StringArrayVar(&r.After, "after", nil, "`id` of a step after which a part ends")
	cmd.Flags().StringArrayVar(&r.Goals, "goal", nil, "what a part is for, in `words`: one for each part")
	return kit.With(cmd, "showhow proposal split --after s4",
		`showhow proposal split --after s4 --goal "Change an order" --goal "Export an order"`)
}
