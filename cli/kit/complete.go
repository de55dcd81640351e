package kit

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"showhow/adapters/terminal"
	"showhow/daemon/client"
)

// completionTime bounds the time of a completion.
const completionTime = 500 * time.Millisecond

// Offer completes a command's first argument with what a running daemon knows. It starts no daemon and fails
// silently.
func (e *Env) Offer(list func(ctx context.Context, c *client.Client) ([]cobra.Completion, error)) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		ctx, cancel := context.WithTimeout(context.Background(), completionTime)
		defer cancel()
		c, err := e.Dial(ctx)
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		words, err := list(ctx, c)
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return words, cobra.ShellCompDirectiveNoFileComp
	}
}

func AbilityNames(ctx context.Context, c *client.Client) (out []cobra.Completion, err error) {
	r, err := c.Availability(ctx)
	for _, a := range r.Abilities {
		out = append(out, cobra.CompletionWithDesc(Name(a.SkillSlug, a.AbilityID), a.Title))
	}
	return out, err
}

func ProposalIDs(ctx context.Context, c *client.Client) (out []cobra.Completion, err error) {
	r, err := c.Proposals(ctx, client.ProposalFilter{})
	for _, p := range r.Proposals {
		out = append(out, cobra.CompletionWithDesc(p.ProposalID, p.Title))
	}
	return out, err
}

func SessionIDs(ctx context.Context, c *client.Client) (out []cobra.Completion, err error) {
	r, err := c.Sessions(ctx, client.SessionFilter{})
	for _, s := range r.Sessions {
		out = append(out, cobra.CompletionWithDesc(s.LearnSessionID, s.Goal))
	}
	return out, err
}

func AgentNames(ctx context.Context, c *client.Client) (out []cobra.Completion, err error) {
	r, err := c.Agents(ctx)
	for _, a := range r.Agents {
		if a.RevokedAt == nil {
			out = append(out, a.Name)
		}
	}
	return out, err
}

// CompleteWith is Offer for a flag's value, whatever the arguments are.
func (e *Env) CompleteWith(cmd *cobra.Command, flag string, list func(context.Context, *client.Client) ([]cobra.Completion, error)) {
	f := e.Offer(list)
	err := cmd.RegisterFlagCompletionFunc(flag,
		func(cmd *cobra.Command, _ []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return f(cmd, nil, word)
		})
	if err != nil {
		panic(err) // no such flag: a mistake in this package
	}
}

// ShellNames offers --shell the shells that have the hook.
func (e *Env) ShellNames(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	out := []cobra.Completion{cobra.CompletionWithDesc("new", "a fresh shell in this terminal"),
		cobra.CompletionWithDesc("current", "this shell")}
	for _, s := range terminal.Live(e.Roots.Runtime) {
		out = append(out, cobra.CompletionWithDesc(s.TTY, s.Shell))
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}

func RunIDs(ctx context.Context, c *client.Client) (out []cobra.Completion, err error) {
	l, err := c.Runs(ctx, "", client.PageQuery{PageSize: 50})
	for _, r := range l.Runs {
		out = append(out, cobra.CompletionWithDesc(r.RunID, r.Agent+", "+Since(&r.StartedAt)))
	}
	return out, err
}
