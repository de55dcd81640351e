package drafting

import (
	"bufio"
	"context"
	"strings"

	"github.com/spf13/cobra"

	"showhow/cli/kit"
	"showhow/daemon/client"
)

func improveTextCommand(e *env) *cobra.Command {
	var consent string
	var take bool
	cmd := e.onProposal("improve-text [ID]", "Ask the model of config.toml for a better wording of the draft; you take it or leave it",
		func(ctx context.Context, c *client.Client, id string) error {
			w, err := c.ImproveText(ctx, id, client.ImproveTextRequest{ConsentTo: consent})
			if err != nil {
				return err
			}
			if len(w.Texts) == 0 || !take && !e.AsksPerson() {
				return e.Show(func() { e.sayWording(w) })
			}
			e.sayWording(w)
			if !take {
				e.Say("\nTake these texts as a revision? [y/N]")
				line, err := kit.ReadLine(ctx, bufio.NewReader(e.In))
				if err != nil || !strings.EqualFold(line, "y") && !strings.EqualFold(line, "yes") {
					e.Say("left as it was")
					return nil
				}
			}
			d, err := c.Revise(ctx, id, client.ReviseRequest{EditedFields: w.EditedFields}, client.IfMatch(w.Revision))
			return e.Done(err, "Taken, as revision %d; validate it again before you install it.", d.Proposal.Revision)
		})
	cmd.Long = `Titles, descriptions and sentences of a draft may be worded better by a language model that you run or name in config.toml
(docs/model.md). It sees the texts without values, quotations, commands and addresses, and never the recording. Its answer
is used only where steps, inputs, checkpoints and what is run or visited stay exactly as they are; what is thrown away is
said with the reason. Nothing changes before you take it, as a revision of its own.`
	cmd.Flags().StringVar(&consent, "consent-to", "",
		"let the model at this `address`, on another machine, see the texts of this session's draft; you confirm it with a code")
	cmd.Flags().BoolVar(&take, "take", false, "take what it says without asking")
	return kit.With(cmd, "showhow proposal improve-text", "showhow proposal improve-text --consent-to https://api.example.com")
}

func (e *env) sayWording(w client.ImproveTextResponse) {
	e.Say("%s at %s saw %d texts of revision %d.", w.Model, w.Endpoint, w.TextsSent, w.Revision)
	for _, x := range w.Texts {
		e.Say("\n%s\n  - %s\n  + %s", x.Text, e.Wrap(4, x.Before), e.Wrap(4, x.After))
	}
	for _, x := range w.Refused {
		e.Say("\n%s: stays as it is; what the model said was thrown away: %s", x.Text, x.Reason)
	}
	if len(w.Texts) == 0 {
		e.Say("Nothing became better; the draft is as it was.")
	}
}
