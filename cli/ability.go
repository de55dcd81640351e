package cli

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"showhow/daemon/client"
)

// call makes a command that connects and runs f.
func (e *env) call(use, short string, args cobra.PositionalArgs, f func(ctx context.Context, c *client.Client, args []string) error) *cobra.Command {
	return &cobra.Command{Use: use, Short: short, Args: args, RunE: func(cmd *cobra.Command, args []string) error {
		c, err := e.connect(cmd.Context())
		if err != nil {
			return err
		}
		return f(cmd.Context(), c, args)
	}}
}

func abilityCommands(e *env) []*cobra.Command {
	ability := &cobra.Command{Use: "ability", Short: "Look abilities up, see whether they are usable now, switch them on and off",
		Example: "  showhow ability lookup \"change the delivery date of an order\"\n  showhow ability list"}
	var project string
	lookup := e.call("lookup QUERY", "Find the abilities that fit a sentence", cobra.MinimumNArgs(1), func(ctx context.Context, c *client.Client, args []string) error {
		r, err := c.Lookup(ctx, client.LookupQuery{UserQuery: strings.Join(args, " "), ProjectID: project, SchemaVersion: 1})
		if err != nil {
			return err
		}
		return e.show(func() {
			if len(r.Matches) == 0 {
				e.say("no ability fits")
			}
			for _, m := range r.Matches {
				usable := "usable now"
				if !m.UsableNow {
					usable = "not usable: " + m.ReasonUnusable
				}
				e.say("%.2f  %-40s %s  (%s)", m.Score, m.Title, usable, m.AbilityID)
			}
		})
	})
	lookup.Flags().StringVar(&project, "project", "", "project id")
	explain := e.call("explain QUERY ABILITY", "Say what scored, and what did not", cobra.ExactArgs(2), func(ctx context.Context, c *client.Client, args []string) error {
		r, err := c.ExplainMatch(ctx, client.ExplainMatchRequest{UserQuery: args[0], AbilityID: args[1]})
		if err != nil {
			return err
		}
		return e.show(func() {
			e.say("score %.2f, matched %v", r.Score, r.Matched)
			for _, x := range r.MatchReasons {
				e.say("  + %s", x)
			}
			for _, x := range r.RejectionReasons {
				e.say("  - %s", x)
			}
		})
	})
	list := e.call("list", "List abilities with whether they are usable now", cobra.NoArgs, func(ctx context.Context, c *client.Client, _ []string) error {
		r, err := c.Availability(ctx)
		if err != nil {
			return err
		}
		return e.show(func() {
			e.table(func(row func(...any)) {
				row("ABILITY", "LANE", "TRUST", "USABLE", "TITLE")
				for _, a := range r.Abilities {
					usable := "yes"
					if !a.UsableNow {
						usable = "no: " + a.ReasonUnusable
					}
					row(a.AbilityID, a.InstallLane, a.Trust, usable, a.Title)
				}
			})
		})
	})
	catalog := e.call("catalog", "List every skill, those that agents brought along too", cobra.NoArgs, func(ctx context.Context, c *client.Client, _ []string) error {
		r, err := c.Catalog(ctx)
		if err != nil {
			return err
		}
		return e.show(func() {
			e.table(func(row func(...any)) {
				row("ABILITY", "SOURCE", "USABLE", "TITLE")
				for _, a := range r.Items {
					row(a.AbilityID, a.Source, a.UsableNow, a.Title)
				}
			})
		})
	})
	one := func(use, short, word string, f func(context.Context, *client.Client, string) error) *cobra.Command {
		return e.call(use+" ABILITY", short, cobra.ExactArgs(1), func(ctx context.Context, c *client.Client, args []string) error {
			return e.done(f(ctx, c, args[0]), word)
		})
	}
	var reason string
	quarantine := one("quarantine", "Take it out of every agent's reach", "quarantined", func(ctx context.Context, c *client.Client, id string) error {
		_, err := c.Quarantine(ctx, id, reason)
		return err
	})
	quarantine.Flags().StringVar(&reason, "reason", "by the user", "why")
	ability.AddCommand(list, catalog, lookup, explain,
		one("activate", "Let agents use it", "active", func(ctx context.Context, c *client.Client, id string) error {
			_, err := c.Activate(ctx, id)
			return err
		}),
		one("deactivate", "Withdraw it without forgetting it", "inactive", func(ctx context.Context, c *client.Client, id string) error {
			_, err := c.Deactivate(ctx, id)
			return err
		}),
		quarantine,
		one("unquarantine", "Put it back where it was", "restored", func(ctx context.Context, c *client.Client, id string) error {
			_, err := c.Unquarantine(ctx, id)
			return err
		}),
		one("promote", "Promote it to shared use", "promoted", func(ctx context.Context, c *client.Client, id string) error {
			_, err := c.PromoteShared(ctx, id)
			return err
		}),
		one("approve", "Approve it again after its files changed", "approved", func(ctx context.Context, c *client.Client, id string) error {
			a, err := c.Ability(ctx, id)
			if err != nil {
				return err
			}
			_, err = c.ApproveAbility(ctx, id, a.ContentHash, client.IfMatch(a.Revision))
			return err
		}),
		one("remove", "Remove it and everything that was installed for it", "removed", func(ctx context.Context, c *client.Client, id string) error {
			_, err := c.DeleteAbility(ctx, id)
			return err
		}),
	)
	return []*cobra.Command{ability, checkpointCommand(e)}
}

func checkpointCommand(e *env) *cobra.Command {
	var r client.VerifyCheckpointRequest
	verify := e.call("verify ID", "Report what was seen at a checkpoint", cobra.ExactArgs(1), func(ctx context.Context, c *client.Client, args []string) error {
		r.CheckpointID = args[0]
		_, err := c.VerifyCheckpoint(ctx, r)
		return e.done(err, "noted")
	})
	f := verify.Flags()
	f.StringVar(&r.AbilityID, "ability", "", "ability id or skill name")
	f.StringVar(&r.Status, "status", "reached", "reached, skipped or failed")
	f.StringVar(&r.Evidence, "evidence", "", "what was seen, in a sentence")
	f.StringVar(&r.Reason, "reason", "", "why it was skipped or failed")
	f.StringVar(&r.DispatchID, "dispatch", "", "your own id of this run")
	f.StringVar(&r.LearnSessionID, "session", "", "learn session")
	verify.Example = `  showhow checkpoint verify cp-02 --ability change-an-order --dispatch run-17 --status reached --evidence "the confirmation is shown"`
	cmd := &cobra.Command{Use: "checkpoint", Short: "Report checkpoints, as an agent does while it follows a skill"}
	list := e.call("list DISPATCH", "List what was reported for a run", cobra.ExactArgs(1), func(ctx context.Context, c *client.Client, args []string) error {
		l, err := c.DispatchCheckpointReceipts(ctx, args[0], client.PageQuery{Page: 1, PageSize: 100})
		if err != nil {
			return err
		}
		return e.show(func() {
			for _, x := range l.Receipts {
				e.say("%-8s %s  %s %s", x.Status, x.CheckpointID, x.Evidence, x.Reason)
			}
		})
	})
	cmd.AddCommand(verify, list)
	return cmd
}

// jsonOrText reads a flag's value as JSON where it is, else as text.
func jsonOrText(s string) any {
	var v any
	if err := json.Unmarshal([]byte(s), &v); err == nil {
		return v
	}
	return s
}

// pause waits a moment between two looks at something that will come true.
func pause(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(50 * time.Millisecond):
		return nil
	}
}
