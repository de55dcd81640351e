package cli

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"showhow/daemon/client"
	"showhow/internal/fault"
)

func abilityCommand(e *env) *cobra.Command {
	ability := with(&cobra.Command{Use: "ability", Short: "Look abilities up, see whether they are usable now, switch them on and off",
		Long: "An ability is an installed skill as agents see it: found by what somebody asks for, usable now or not, and why not."},
		`showhow ability lookup "change the delivery date of an order"`, "showhow ability list")
	ability.AddCommand(abilityList(e), abilityShow(e), abilityCatalog(e), abilityLookup(e), abilityExplain(e))
	ability.AddCommand(abilitySwitches(e)...)
	return ability
}

// onAbility makes a command that takes an ability.
func (e *env) onAbility(use, short string, f func(ctx context.Context, c *client.Client, id string) error) *cobra.Command {
	cmd := e.call(use+" ABILITY", short, func(ctx context.Context, c *client.Client, args []string) error { return f(ctx, c, args[0]) })
	cmd.ValidArgsFunction = e.offer(abilityNames)
	return with(cmd, "showhow ability "+use+" change-an-order")
}

// name is what a person calls an ability: its skill's folder. Commands take both.
func name(slug, id string) string {
	if slug != "" {
		return slug
	}
	return id
}

func usableText(usable bool, reason string) string {
	switch {
	case usable:
		return "yes"
	case reason == "":
		return "no"
	}
	return "no: " + reason
}

// unlooked names the sites that nobody looked at: only those of this computer are.
func unlooked(a client.Ability) string {
	far := slices.DeleteFunc(slices.Clone(a.Permissions.Domains), func(d string) bool {
		host, _, _ := strings.Cut(d, ":")
		return host == "localhost" || strings.HasPrefix(host, "127.") || strings.HasPrefix(d, "[::1]")
	})
	if !a.UsableNow || len(far) == 0 {
		return ""
	}
	return " (not looked at: " + strings.Join(far, ", ") + ")"
}

func abilityList(e *env) *cobra.Command {
	return with(e.call("list", "List abilities with whether they are usable now", func(ctx context.Context, c *client.Client, _ []string) error {
		r, err := c.Availability(ctx)
		if err != nil {
			return err
		}
		return e.show(func() {
			e.table("nothing is installed yet", columns("ABILITY", "LANE", "TRUST", "TITLE", "USABLE NOW"), func(row func(...any)) {
				for _, a := range r.Abilities {
					row(name(a.SkillSlug, a.AbilityID), words(a.InstallLane), words(a.Trust), a.Title, usableText(a.UsableNow, a.ReasonUnusable))
				}
			})
		})
	}), "showhow ability list")
}

func abilityShow(e *env) *cobra.Command {
	return e.onAbility("show", "Show an ability: usable now or not, how it is asked for, its checkpoints", func(ctx context.Context, c *client.Client, id string) error {
		a, err := c.Ability(ctx, id)
		if err != nil {
			return err
		}
		return e.show(func() {
			e.say("%s\n  ability      %s\n  id           %s\n  lane         %s\n  trust        %s\n  usable now   %s", a.Title, name(a.SkillSlug, a.AbilityID), a.AbilityID, words(a.InstallLane), words(a.Trust),
				e.wrap(15, usableText(a.UsableNow, a.ReasonUnusable)+unlooked(a)))
			e.say("  checkpoints  %s\n  health       %s", strings.Join(a.Checkpoints, " "), words(a.CheckpointHealth))
			if a.LastUsedAt != nil {
				e.say("  last used    %s", a.LastUsedAt.Local().Format("2006-01-02 15:04"))
			}
			e.say("  asked for    %s", e.wrap(15, strings.Join(a.TriggerPhrases, "; ")))
			if len(a.NegativeTriggers) > 0 {
				e.say("  not for      %s", e.wrap(15, strings.Join(a.NegativeTriggers, "; ")))
			}
			e.say("  content      %s", a.ContentHash)
		})
	})
}

func abilityCatalog(e *env) *cobra.Command {
	return with(e.call("catalog", "List every skill in the agents' folders, those that Showhow did not make too", func(ctx context.Context, c *client.Client, _ []string) error {
		r, err := c.Catalog(ctx)
		if err != nil {
			return err
		}
		return e.show(func() {
			e.table("there are no skills", columns("ABILITY", "SOURCE", "FOUND IN", "TITLE", "USABLE NOW"), func(row func(...any)) {
				for _, a := range r.Items {
					row(name(a.SkillSlug, a.AbilityID), a.Source, strings.Join(a.FoundIn, " "), a.Title, usableText(a.UsableNow, a.ReasonUnusable))
				}
			})
		})
	}), "showhow ability catalog")
}

func abilityLookup(e *env) *cobra.Command {
	var project string
	var lanes []string
	cmd := e.call("lookup QUERY...", "Find the abilities that fit a sentence", func(ctx context.Context, c *client.Client, args []string) error {
		r, err := c.Lookup(ctx, client.LookupQuery{UserQuery: strings.Join(args, " "), ProjectID: project, InstallLanesAllowed: lanes, SchemaVersion: 1})
		if err != nil {
			return err
		}
		return e.show(func() {
			e.table("no ability fits", columns("SCORE", "ABILITY", "TITLE", "USABLE NOW"), func(row func(...any)) {
				for _, m := range r.Matches {
					row(decimal(m.Score), name(m.SkillSlug, m.AbilityID), m.Title, usableText(m.UsableNow, m.ReasonUnusable))
				}
			})
		})
	})
	cmd.Flags().StringVar(&project, "project", "", "project `id`; abilities of other projects do not fit")
	cmd.Flags().StringSliceVar(&lanes, "lane", nil, "only these `lanes` (default: all but other people's private ones)")
	complete(cmd, "lane", "experimental_private", "approved_workspace", "shared_promoted")
	cmd.Long = "Finding nothing is an answer, not a failure: the exit code is 0."
	return with(cmd, `showhow ability lookup "change the delivery date of an order"`)
}

func abilityExplain(e *env) *cobra.Command {
	cmd := e.call("explain QUERY ABILITY", "Say what scored when a sentence is looked up, and what did not", func(ctx context.Context, c *client.Client, args []string) error {
		r, err := c.ExplainMatch(ctx, client.ExplainMatchRequest{UserQuery: args[0], AbilityID: args[1]})
		if err != nil {
			return err
		}
		return e.show(func() {
			verdict := "it fits"
			if !r.Matched {
				verdict = "it does not fit"
			}
			e.say("score %s: %s", decimal(r.Score), verdict)
			for _, x := range r.MatchReasons {
				e.say("  + %s", x)
			}
			for _, x := range r.RejectionReasons {
				e.say("  - %s", x)
			}
		})
	})
	return with(cmd, `showhow ability explain "move the delivery of A-1033" change-an-order`)
}

// abilitySwitches change what an ability may do. Each names the revision that was looked at.
func abilitySwitches(e *env) []*cobra.Command {
	one := func(use, short, word string, f func(context.Context, *client.Client, string) error) *cobra.Command {
		return e.onAbility(use, short, func(ctx context.Context, c *client.Client, id string) error { return e.done(f(ctx, c, id), "%s", word) })
	}
	var reason string
	quarantine := one("quarantine", "Take it out of every agent's reach", "quarantined", func(ctx context.Context, c *client.Client, id string) error {
		_, err := c.Quarantine(ctx, id, reason)
		return err
	})
	quarantine.Flags().StringVar(&reason, "reason", "", "why, for the record")
	return []*cobra.Command{
		one("activate", "Let agents use it", "agents can use it", func(ctx context.Context, c *client.Client, id string) error {
			_, err := c.Activate(ctx, id)
			return err
		}),
		one("deactivate", "Withdraw it without forgetting it", "withdrawn; `showhow ability activate` puts it back", func(ctx context.Context, c *client.Client, id string) error {
			_, err := c.Deactivate(ctx, id)
			return err
		}),
		quarantine,
		one("unquarantine", "Put it back into the lane it came from; you confirm it", "restored", func(ctx context.Context, c *client.Client, id string) error {
			_, err := c.Unquarantine(ctx, id)
			return err
		}),
		one("promote", "Promote it to shared use; you confirm it", "promoted", func(ctx context.Context, c *client.Client, id string) error {
			_, err := c.PromoteShared(ctx, id)
			return err
		}),
		e.onAbility("approve", "Approve its content and permissions as they are now; you confirm it", func(ctx context.Context, c *client.Client, id string) error {
			return e.approveSkill(ctx, c, id, nil)
		}),
		one("remove", "Remove it and everything that was installed for it; you confirm it", "removed", func(ctx context.Context, c *client.Client, id string) error {
			_, err := c.DeleteAbility(ctx, id)
			return err
		}),
	}
}

func checkpointCommand(e *env) *cobra.Command {
	var r client.VerifyCheckpointRequest
	verify := e.call("verify CHECKPOINT", "Report what was seen at a checkpoint", func(ctx context.Context, c *client.Client, args []string) error {
		r.CheckpointID = args[0]
		receipt, err := c.VerifyCheckpoint(ctx, r)
		if err == nil && r.DispatchID == "" && receipt.DispatchID != "" {
			return e.done(nil, "noted; `showhow checkpoint list %s` lists this run", receipt.DispatchID)
		}
		return e.done(err, "noted")
	})
	verify.PreRunE = func(*cobra.Command, []string) error {
		if r.AbilityID == "" && r.LearnSessionID == "" {
			return usage("say which ability was followed: --ability NAME").WithHint("`showhow ability list` names them")
		}
		return nil
	}
	verify.Long = `Reports of one run of an ability belong together. Without --dispatch Showhow tells the runs apart by who reports: looking the
ability up again, an earlier checkpoint than the last one, or an hour without a report begins the next run. Whoever follows
an ability several times at once names each run with --dispatch.`
	f := verify.Flags()
	f.StringVar(&r.AbilityID, "ability", "", "`ability` that is followed")
	f.StringVar(&r.Evidence, "evidence", "", "what was seen, in a sentence; no personal data")
	f.StringVar(&r.Reason, "reason", "", "why it was skipped or failed")
	f.StringVar(&r.DispatchID, "dispatch", "", "your own `id` of this run (default: your present run of the ability)")
	f.StringVar(&r.LearnSessionID, "session", "", "learn session's `id`, instead of --dispatch")
	choose(verify, &r.Status, "status", "reached", "reached, skipped or failed", "reached", "skipped", "failed")
	e.completeWith(verify, "ability", abilityNames)
	with(verify, `showhow checkpoint verify cp-02 --ability change-an-order --status reached --evidence "the confirmation is shown"`,
		`showhow checkpoint verify cp-02 --ability change-an-order --dispatch run-17 --status failed --reason "the button is not there"`)

	var p pages
	list := with(p.flags(e.call("list DISPATCH", "List what was reported for a run", func(ctx context.Context, c *client.Client, args []string) error {
		l, err := c.DispatchCheckpointReceipts(ctx, args[0], p.query())
		if err != nil {
			return err
		}
		return e.show(func() {
			e.table(p.none(l.Total, "nothing was reported for this run"), columns("STATUS", "CHECKPOINT", "BY", "EVIDENCE"), func(row func(...any)) {
				for _, x := range l.Receipts {
					row(x.Status, x.CheckpointID, x.CheckedBy, strings.TrimSpace(x.Evidence+" "+x.Reason))
				}
			})
			p.more(e, len(l.Receipts), l.Total)
		})
	})), "showhow checkpoint list run-17")
	cmd := with(&cobra.Command{Use: "checkpoint", Short: "Report checkpoints, as an agent does while it follows a skill"},
		`showhow checkpoint verify cp-02 --ability change-an-order --evidence "the confirmation is shown"`)
	cmd.AddCommand(verify, list)
	return cmd
}

func agentCommand(e *env) *cobra.Command {
	agent := with(&cobra.Command{Use: "agent", Short: "Agents: tokens of their own, hooks in their settings, runs that are kept",
		Long: "An agent's token looks abilities up, reports checkpoints and sends receipts. It cannot approve, install or watch."},
		"showhow agent add my-agent", "showhow agent list")
	revoke := e.call("revoke NAME", "Refuse its token from now on", func(ctx context.Context, c *client.Client, args []string) error {
		_, err := c.RevokeAgent(ctx, args[0])
		if fault.Is(err, fault.NotFound) {
			err = fault.From(err).WithHint("`showhow agent list` names them")
		}
		return e.done(err, "revoked")
	})
	revoke.ValidArgsFunction = e.offer(agentNames)
	agent.AddCommand(
		with(e.call("add NAME", "Mint a token; it is shown once, and you confirm it", func(ctx context.Context, c *client.Client, args []string) error {
			as, err := c.Agents(ctx)
			if err != nil {
				return err
			}
			if slices.ContainsFunc(as.Agents, func(a client.Agent) bool { return a.Name == args[0] && a.RevokedAt == nil }) {
				return fault.New(fault.NameTaken, "an agent of this name has a token").WithHint("revoke it first, or choose another name")
			}
			a, err := c.AddAgent(ctx, args[0])
			return e.done(err, "%s\n\nGive it to the agent as SHOWHOW_TOKEN. It is not shown again.", a.Token)
		}), "showhow agent add my-agent"),
		with(e.call("list", "List agents", func(ctx context.Context, c *client.Client, _ []string) error {
			l, err := c.Agents(ctx)
			if err != nil {
				return err
			}
			return e.show(func() {
				e.table("no agent has a token", columns("AGENT", "SINCE", "STATE"), func(row func(...any)) {
					for _, a := range l.Agents {
						state := "in force"
						if a.RevokedAt != nil {
							state = "revoked " + a.RevokedAt.Local().Format("2006-01-02")
						}
						row(a.Name, a.CreatedAt.Local().Format("2006-01-02"), state)
					}
				})
			})
		}), "showhow agent list"),
		with(revoke, "showhow agent revoke my-agent"),
		agentHookCommand(e), agentJournalCommand(e),
	)
	return agent
}
