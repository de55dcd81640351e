package using

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"showhow/cli/kit"
	"showhow/daemon/client"
	"showhow/daemon/wire"
)

func abilityCommand(e *env) *cobra.Command {
	ability := kit.With(&cobra.Command{Use: "ability", Short: "Look abilities up, see whether they are usable now, switch them on and off",
		Long: "An ability is an installed skill as agents see it: found by what somebody asks for, usable now or not, and why not."},
		`showhow ability lookup "change the delivery date of an order"`, "showhow ability list")
	ability.AddCommand(abilityList(e), abilityShow(e), abilityCatalog(e), abilityLookup(e), abilityExplain(e), abilityConfigure(e),
		abilityHealth(e), abilityRepair(e), abilityRoute(e))
	ability.AddCommand(abilitySwitches(e)...)
	return ability
}

// onAbility returns a command that takes an ability.
func (e *env) onAbility(use, short string, f func(ctx context.Context, c *client.Client, id string) error) *cobra.Command {
	cmd := e.Call(use+" ABILITY", short, func(ctx context.Context, c *client.Client, args []string) error { return f(ctx, c, args[0]) })
	cmd.ValidArgsFunction = e.Offer(kit.AbilityNames)
	return kit.With(cmd, "showhow ability "+use+" change-an-order")
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

// unlooked lists the sites that were not checked: only sites on this computer are.
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
	return kit.With(e.Call("list", "List abilities with whether they are usable now",
		func(ctx context.Context, c *client.Client, _ []string) error {
			r, err := c.Availability(ctx)
			if err != nil {
				return err
			}
			return e.Show(func() {
				e.Table("nothing is installed yet", kit.Columns("ABILITY", "LANE", "TRUST", "TITLE", "USABLE NOW"), func(row func(...any)) {
					for _, a := range r.Abilities {
						row(kit.Name(a.SkillSlug, a.AbilityID), kit.Words(a.InstallLane), kit.Trust(a.Trust, a.BuiltIn), a.Title,
							usableText(a.UsableNow, a.ReasonUnusable))
					}
				})
			})
		}), "showhow ability list")
}

func abilityShow(e *env) *cobra.Command {
	return e.onAbility("show", "Show an ability: usable now or not, how it is asked for, its checkpoints",
		func(ctx context.Context, c *client.Client, id string) error {
			a, err := c.Ability(ctx, id)
			if err != nil {
				return err
			}
			return e.Show(func() {
				e.Say("%s\n  ability      %s\n  id           %s\n  lane         %s\n  trust        %s\n  usable now   %s", a.Title,
					kit.Name(a.SkillSlug, a.AbilityID), a.AbilityID, kit.Words(a.InstallLane), kit.Trust(a.Trust, a.BuiltIn),
					e.Wrap(15, usableText(a.UsableNow, a.ReasonUnusable)+unlooked(a)))
				if a.BuiltIn {
					e.Say("  origin       %s", kit.Origin(a.Source, a.BuiltIn))
				}
				e.Say("  checkpoints  %s\n  health       %s", strings.Join(a.Checkpoints, " "), kit.Words(a.CheckpointHealth))
				if a.LastUsedAt != nil {
					e.Say("  last used    %s", a.LastUsedAt.Local().Format("2006-01-02 15:04"))
				}
				e.Say("  asked for    %s", e.Wrap(15, strings.Join(a.TriggerPhrases, "; ")))
				if len(a.NegativeTriggers) > 0 {
					e.Say("  not for      %s", e.Wrap(15, strings.Join(a.NegativeTriggers, "; ")))
				}
				if len(a.Configured) > 0 {
					e.Say("  configured   %s", e.Wrap(15, configuredText(a.Configured)))
				}
				e.Say("  content      %s", a.ContentHash)
			})
		})
}

func abilityCatalog(e *env) *cobra.Command {
	return kit.With(e.Call("catalog", "List every skill in the agents' folders, those that Showhow did not make too",
		func(ctx context.Context, c *client.Client, _ []string) error {
			r, err := c.Catalog(ctx)
			if err != nil {
				return err
			}
			return e.Show(func() {
				e.Table("there are no skills", kit.Columns("ABILITY", "SOURCE", "FOUND IN", "TITLE", "USABLE NOW"), func(row func(...any)) {
					for _, a := range r.Items {
						row(kit.Name(a.SkillSlug, a.AbilityID), kit.Origin(a.Source, a.BuiltIn), strings.Join(a.FoundIn, " "), a.Title,
							usableText(a.UsableNow, a.ReasonUnusable))
					}
				})
			})
		}), "showhow ability catalog")
}

func abilityLookup(e *env) *cobra.Command {
	var project string
	var lanes []string
	cmd := e.Call("lookup QUERY...", "Find the abilities that fit a sentence",
		func(ctx context.Context, c *client.Client, args []string) error {
			r, err := c.Lookup(ctx, client.LookupQuery{UserQuery: strings.Join(args, " "), ProjectID: project, InstallLanesAllowed: lanes,
				SchemaVersion: 1})
			if err != nil {
				return err
			}
			return e.Show(func() {
				none := "no ability fits"
				if c := r.Closest; c != nil {
					none = fmt.Sprintf("no ability fits; closest: %s (%s), not close enough", kit.Name(c.SkillSlug, c.AbilityID),
						kit.Decimal(c.Score))
				}
				e.Table(none, kit.Columns("SCORE", "ABILITY", "TITLE", "USABLE NOW"), func(row func(...any)) {
					for _, m := range r.Matches {
						row(kit.Decimal(m.Score), kit.Name(m.SkillSlug, m.AbilityID), m.Title, usableText(m.UsableNow, m.ReasonUnusable))
					}
				})
				if n := len(r.AskWhich); n > 0 {
					e.Say("the first %d are too close to choose: ask which is meant", n)
				}
			})
		})
	cmd.Flags().StringVar(&project, "project", "", "project `id`; abilities of other projects do not fit")
	cmd.Flags().StringSliceVar(&lanes, "lane", nil, "only these `lanes` (default: all but other people's private ones)")
	kit.Complete(cmd, "lane", "experimental_private", "approved_workspace", "shared_promoted")
	cmd.Long = "Every word counts by how rare it is. Where the best ones are too close to choose, it says so; where nothing fits, it says\n" +
		"what came closest. Finding nothing is an answer, not a failure: the exit code is 0."
	return kit.With(cmd, `showhow ability lookup "change the delivery date of an order"`)
}

func abilityExplain(e *env) *cobra.Command {
	cmd := e.Call("explain QUERY ABILITY", "Say what scored when a sentence is looked up, and what did not",
		func(ctx context.Context, c *client.Client, args []string) error {
			r, err := c.ExplainMatch(ctx, client.ExplainMatchRequest{UserQuery: args[0], AbilityID: args[1]})
			if err != nil {
				return err
			}
			return e.Show(func() {
				verdict := "it fits"
				if !r.Matched {
					verdict = "it does not fit"
				}
				e.Say("score %s: %s", kit.Decimal(r.Score), verdict)
				for _, x := range r.MatchReasons {
					e.Say("  + %s", x)
				}
				for _, x := range r.RejectionReasons {
					e.Say("  - %s", x)
				}
			})
		})
	return kit.With(cmd, `showhow ability explain "move the delivery of A-1033" change-an-order`)
}

// abilitySwitches change what an ability may do. Each names the revision that was displayed.
func abilitySwitches(e *env) []*cobra.Command {
	one := func(use, short, word string, f func(context.Context, *client.Client, string) error) *cobra.Command {
		return e.onAbility(use, short, func(ctx context.Context, c *client.Client, id string) error { return e.Done(f(ctx, c, id), "%s", word) })
	}
	var reason string
	quarantine := one("quarantine", "Take it out of every agent's reach", "quarantined",
		func(ctx context.Context, c *client.Client, id string) error {
			_, err := c.Quarantine(ctx, id, reason)
			return err
		})
	quarantine.Flags().StringVar(&reason, "reason", "", "why, for the record")
	return []*cobra.Command{
		one("activate", "Let agents use it", "agents can use it", func(ctx context.Context, c *client.Client, id string) error {
			_, err := c.Activate(ctx, id)
			return err
		}),
		one("deactivate", "Switch it off for every agent, without forgetting it",
			"switched off; `showhow ability activate` switches it on again",
			func(ctx context.Context, c *client.Client, id string) error {
				_, err := c.Deactivate(ctx, id)
				return err
			}),
		quarantine,
		one("unquarantine", "Put it back into the lane it came from; you confirm it", "restored",
			func(ctx context.Context, c *client.Client, id string) error {
				_, err := c.Unquarantine(ctx, id)
				return err
			}),
		one("promote", "Move it to the shared lane, which lookup prefers; you confirm it", "promoted",
			func(ctx context.Context, c *client.Client, id string) error {
				_, err := c.PromoteShared(ctx, id)
				return err
			}),
		e.onAbility("approve", "Approve its content and permissions as they are now; you confirm it",
			func(ctx context.Context, c *client.Client, id string) error {
				return e.approveSkill(ctx, c, id, nil)
			}),
		one("remove", "Remove it and everything that was installed for it; you confirm it", "removed",
			func(ctx context.Context, c *client.Client, id string) error {
				_, err := c.DeleteAbility(ctx, id)
				return err
			}),
	}
}

func checkpointCommand(e *env) *cobra.Command {
	var r client.VerifyCheckpointRequest
	var renamed []string
	verify := e.Call("verify CHECKPOINT", "Report what was seen at a checkpoint",
		func(ctx context.Context, c *client.Client, args []string) error {
			r.CheckpointID = args[0]
			for _, x := range renamed {
				was, now, ok := strings.Cut(x, "=")
				if !ok || was == "" || now == "" {
					return kit.Usage("write --renamed \"OLD NAME=NEW NAME\"")
				}
				r.Renamed = append(r.Renamed, wire.RenamedReport{Was: was, Now: now})
			}
			receipt, err := c.VerifyCheckpoint(ctx, r)
			if err == nil && r.DispatchID == "" && receipt.DispatchID != "" {
				return e.Done(nil, "noted; `showhow checkpoint list %s` lists this run", receipt.DispatchID)
			}
			return e.Done(err, "noted")
		})
	verify.PreRunE = func(*cobra.Command, []string) error {
		if r.AbilityID == "" && r.LearnSessionID == "" {
			return kit.Usage("say which ability was followed: --ability NAME").WithHint("`showhow ability list` names them")
		}
		return nil
	}
	verify.Long = `Reports of one run of an ability belong together. Without --dispatch Showhow tells the runs apart by who reports: ` +
		`looking the
ability up again, an earlier checkpoint than the last one, or an hour without a report begins the next run. Whoever follows
an ability several times at once names each run with --dispatch.`
	f := verify.Flags()
	f.StringVar(&r.AbilityID, "ability", "", "`ability` that is followed")
	f.StringVar(&r.Evidence, "evidence", "", "what was seen, in a sentence; no personal data")
	f.StringVar(&r.Reason, "reason", "", "why it was skipped or failed")
	f.StringVar(&r.DispatchID, "dispatch", "", "your own `id` of this run (default: your present run of the ability)")
	f.StringVar(&r.LearnSessionID, "session", "", "learn session's `id`, instead of --dispatch")
	f.StringVar(&r.Surface, "surface", "", "`way` that was gone where it was not the preferred one, for example raw_ui")
	f.StringArrayVar(&renamed, "renamed", nil,
		"`OLD=NEW`: a control that the page calls otherwise than the skill does; a person may take it over")
	kit.Choose(verify, &r.Status, "status", "reached", "reached, skipped or failed", "reached", "skipped", "failed")
	e.CompleteWith(verify, "ability", kit.AbilityNames)
	kit.With(verify, `showhow checkpoint verify cp-02 --ability change-an-order --status reached --evidence "the confirmation is shown"`,
		`showhow checkpoint verify cp-02 --ability change-an-order --dispatch run-17 --status failed --reason "the button is not there"`)

	var p kit.Pages
	list := kit.With(p.Flags(e.Call("list DISPATCH", "List what was reported for a run",
		func(ctx context.Context, c *client.Client, args []string) error {
			l, err := c.DispatchCheckpointReceipts(ctx, args[0], p.Query())
			if err != nil {
				return err
			}
			followed := map[string]string{} // names, by id; an ability that is gone keeps its id
			for _, x := range l.Receipts {
				if followed[x.AbilityID] == "" && x.AbilityID != "" {
					followed[x.AbilityID] = x.AbilityID
					if a, err := c.Ability(ctx, x.AbilityID); err == nil {
						followed[x.AbilityID] = a.SkillSlug
					}
				}
			}
			return e.Show(func() {
				if len(followed) > 0 {
					e.Say("a run of %s", strings.Join(slices.Sorted(maps.Values(followed)), ", "))
				}
				e.Table(p.None(l.Total, "nothing was reported for this run"), kit.Columns("AT", "STATUS", "CHECKPOINT", "BY", "EVIDENCE"),
					func(row func(...any)) {
						for _, x := range l.Receipts {
							row(x.CreatedAt.Local().Format(when), x.Status, x.CheckpointID, cmp.Or(x.ReportedBy, x.CheckedBy),
								strings.TrimSpace(x.Evidence+" "+x.Reason))
						}
					})
				p.More(e.Env, len(l.Receipts), l.Total)
			})
		})), "showhow checkpoint list run-17")
	var of string
	progress := e.Call("progress [DISPATCH]", "Show how far your own run of a skill is",
		func(ctx context.Context, c *client.Client, args []string) error {
			d, err := c.Progress(ctx, strings.Join(args, ""), of)
			if err != nil {
				return err
			}
			return e.Show(func() {
				e.Table("", kit.Columns("STATUS", "CHECKPOINT"), func(row func(...any)) {
					for _, x := range d.Checkpoints {
						row(x.Status, x.CheckpointID)
					}
				})
			})
		})
	progress.Args = cobra.MaximumNArgs(1)
	progress.Flags().StringVar(&of, "ability", "", "`ability` whose present run is meant, without DISPATCH")
	e.CompleteWith(progress, "ability", kit.AbilityNames)
	kit.With(progress, "showhow checkpoint progress --ability change-an-order", "showhow checkpoint progress run-17")
	cmd := kit.With(&cobra.Command{Use: "checkpoint", Short: "Report checkpoints, as an agent does while it follows a skill"},
		`showhow checkpoint verify cp-02 --ability change-an-order --evidence "the confirmation is shown"`)
	cmd.AddCommand(verify, list, progress)
	return cmd
}
