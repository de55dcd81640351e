package using

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"showhow/cli/kit"
	"showhow/daemon/client"
	"showhow/daemon/wire"
)

const when = "2006-01-02 15:04"

func abilityHealth(e *env) *cobra.Command {
	return e.onAbility("health", "How an ability fares, why, and what its last uses and trials came to",
		func(ctx context.Context, c *client.Client, id string) error {
			d, err := c.AbilityHealth(ctx, id)
			if err != nil {
				return err
			}
			return e.Show(func() {
				e.Say("%s: %s", d.Title, statusWords(d.Health))
				for _, b := range d.Because {
					e.Say("  %s", e.Wrap(2, b))
				}
				if c := d.Canary; c != nil && c.LastAt != nil {
					e.Say("  last check   %s, %s", c.LastAt.Local().Format(when), strings.TrimSuffix(c.LastResult+": "+c.LastTold, ": "))
				}
				e.Say("  counted      %d passed, %d failed, %d said nothing", d.Stats.Passed, d.Stats.Failed, d.Stats.Inconclusive)
				e.Say("  probe        %s: %s", kit.Words(d.Probe.Result), d.Probe.Told)
				for _, r := range d.Renamed {
					what := "renamed"
					if r.Guess {
						what = "replaced?"
					}
					e.Say("  %-12s %s: %s (%s); `showhow ability repair` drafts it", what, r.StepID,
						strings.Join(r.Changes, "; "), r.Told)
				}
				e.sayAnchors(d.Anchors)
				if len(d.Outcomes) == 0 {
					return
				}
				e.Say("its last uses and trials:")
				e.Table("", kit.Columns("WHEN", "SOURCE", "RESULT", "AT", "CODE"), func(row func(...any)) {
					for _, o := range d.Outcomes[:min(len(d.Outcomes), 20)] {
						row(o.At.Local().Format(when), kit.Words(o.Source), o.Result, o.StepID, o.Code)
					}
				})
			})
		})
}

// sayAnchors prints the controls that an ability acts on.
func (e *env) sayAnchors(all []wire.UIAnchor) {
	if len(all) == 0 {
		return
	}
	e.Say("the controls that it acts on:")
	e.Table("", kit.Columns("STEP", "CONTROL", "CALLED", "FOUND", "SURE", "MISSED SINCE"), func(row func(...any)) {
		for _, a := range all {
			found, called := "", a.LocatorValue
			if a.LastVerifiedAt != nil {
				found = a.LastVerifiedAt.Local().Format(when)
			}
			if a.FoundAs != "" {
				called += ", now " + a.FoundAs
			}
			row(a.StepID, a.SemanticRole, called, found, kit.Decimal(a.Confidence), a.FailureCount)
		}
	})
}

func abilityRepair(e *env) *cobra.Command {
	return e.onAbility("repair",
		"Open a draft with what was found or reported under other names, and test it; what is installed stays as it is",
		func(ctx context.Context, c *client.Client, id string) error {
			d, err := c.RepairAbility(ctx, id)
			if err != nil {
				return err
			}
			return e.Show(func() {
				e.Say("the draft %s is ready and being tested: `showhow proposal show %s`, then rehearse and install it",
					d.Proposal.ProposalID, d.Proposal.ProposalID)
				last := client.RevisionInfo{}
				for _, r := range d.Revisions {
					if r.Revision > last.Revision {
						last = r
					}
				}
				for _, change := range append(last.Changes, last.Instructions) {
					e.Say("  %s", e.Wrap(4, change))
				}
			})
		})
}

func canaryCommand(e *env) *cobra.Command {
	canary := kit.With(&cobra.Command{Use: "canary", Short: "Check automatically whether abilities still work, read-only",
		Long: `Showhow performs the read-only part of each ability that you allow it for, while nobody uses the computer, the screen is not
locked, the connection is not metered and the computer is not on battery. ` + "`showhow ability health`" + ` shows the results.`},
		"showhow canary allow change-an-order", "showhow canary list")
	canary.AddCommand(canaryList(e), canaryAllow(e), canaryWithdraw(e), canaryLook(e), canarySettings(e))
	return canary
}

func canaryList(e *env) *cobra.Command {
	return kit.With(e.Call("list", "List the allowed checks, their results, and today's cost",
		func(ctx context.Context, c *client.Client, _ []string) error {
			l, err := c.Canaries(ctx)
			if err != nil {
				return err
			}
			return e.Show(func() {
				e.Table("no ability is checked automatically; `showhow canary allow ABILITY` allows it",
					kit.Columns("ABILITY", "SITES", "EVERY", "LAST", "RESULT", "NEXT"), func(row func(...any)) {
						for _, x := range l.Canaries {
							last, next := "", ""
							if x.LastAt != nil {
								last = x.LastAt.Local().Format(when)
							}
							if x.NextAt != nil {
								next = x.NextAt.Local().Format(when)
							}
							row(x.Title, strings.Join(x.Sites, " "), hours(x.EveryHours), last, strings.TrimSuffix(x.LastResult+": "+x.LastTold, ": "), next)
						}
					})
				e.sayBounds(l)
			})
		}), "showhow canary list")
}

func (e *env) sayBounds(l client.Canaries) {
	s := l.Settings
	e.Say("today %d of %d checks, %d of %d seconds, %d of %d requests", l.Today.Looks, s.LooksPerDay, l.Today.Seconds, s.SecondsPerDay,
		l.Today.Requests, s.RequestsPerDay)
	if l.Waiting != "" {
		e.Say("waiting: %s", kit.Words(l.Waiting))
	}
}

func hours(n int) string {
	if n == 24 {
		return "day"
	}
	return kit.Plural(n, "hour", "hours")
}

func canaryAllow(e *env) *cobra.Command {
	var r wire.CanaryAllow
	cmd := e.Call("allow ABILITY", "Allow automatic read-only checks of an ability; you confirm it",
		func(ctx context.Context, c *client.Client, args []string) error {
			x, err := c.AllowCanary(ctx, args[0], r)
			return e.Done(err, "Showhow checks it every %s, read-only, at %s", hours(x.EveryHours), strings.Join(x.Sites, " "))
		})
	cmd.Flags().IntVar(&r.EveryHours, "every", 24, "`hours` between two checks")
	cmd.Flags().BoolVar(&r.Managed, "managed", false, "check in Showhow's browser profile, where you are signed in")
	cmd.ValidArgsFunction = e.Offer(kit.AbilityNames)
	return kit.With(cmd, "showhow canary allow change-an-order --every 12")
}

func canaryWithdraw(e *env) *cobra.Command {
	cmd := e.Call("withdraw ABILITY", "End the automatic checks of an ability",
		func(ctx context.Context, c *client.Client, args []string) error {
			x, err := c.WithdrawCanary(ctx, args[0])
			if err == nil && !x.Withdrawn {
				return e.Done(nil, "it was not allowed")
			}
			return e.Done(err, "withdrawn")
		})
	cmd.ValidArgsFunction = e.Offer(kit.AbilityNames)
	return kit.With(cmd, "showhow canary withdraw change-an-order")
}

func canaryLook(e *env) *cobra.Command {
	cmd := e.Call("look ABILITY", "Check an allowed ability now",
		func(ctx context.Context, c *client.Client, args []string) error {
			x, err := c.Reprobe(ctx, args[0])
			return e.Done(err, "%s. It is %s.%s", strings.TrimRight(strings.TrimSuffix(x.Canary.LastResult+": "+x.Canary.LastTold, ": "), "."),
				statusWords(x.Health), again(x))
		})
	cmd.ValidArgsFunction = e.Offer(kit.AbilityNames)
	return kit.With(cmd, "showhow canary look change-an-order")
}

// statusWords is a health in words: what failed since it was last seen to work is not simply healthy.
func statusWords(h wire.AbilityHealth) string {
	switch {
	case h.Suspect && h.Status == "healthy":
		return "suspect (healthy until now)"
	case h.Suspect && h.Status == "unknown":
		return "suspect (nobody has seen it work yet)"
	}
	return h.Status
}

// again says when a failed check is repeated.
func again(x wire.Reprobe) string {
	if x.Canary.LastResult != "failed" || x.Canary.NextAt == nil {
		return ""
	}
	said := " Showhow checks it again on " + x.Canary.NextAt.Local().Format(when)
	if x.Health.Status == "degraded" || x.Health.Status == "quarantined" {
		return said + "; `showhow inbox` says how to mend it."
	}
	return said + "; if it fails the same way three times within seven days, it is marked as degraded."
}

func canarySettings(e *env) *cobra.Command {
	var s client.CanarySettings
	var off, on bool
	cmd := &cobra.Command{}
	*cmd = *e.Call("settings", "Show or change what all checks together may cost in a day",
		func(ctx context.Context, c *client.Client, _ []string) error {
			l, err := c.Canaries(ctx)
			if err != nil {
				return err
			}
			now, set := l.Settings, cmd.Flags().Changed
			for name, v := range map[string]struct{ to, from *int }{"checks": {&now.LooksPerDay, &s.LooksPerDay},
				"seconds": {&now.SecondsPerDay, &s.SecondsPerDay}, "requests": {&now.RequestsPerDay, &s.RequestsPerDay}} {
				if set(name) {
					*v.to = *v.from
				}
			}
			if set("on-battery") {
				now.OnBattery = s.OnBattery
			}
			now.Enabled = (now.Enabled || on) && !off
			if now != l.Settings {
				if l.Settings, err = c.ChangeCanarySettings(ctx, now); err != nil {
					return err
				}
			}
			return e.Show(func() {
				e.Say("checks are %s; on battery: %s", map[bool]string{true: "on", false: "off"}[l.Settings.Enabled], yes(l.Settings.OnBattery))
				e.sayBounds(l)
			})
		})
	fl := cmd.Flags()
	fl.IntVar(&s.LooksPerDay, "checks", 0, "`number` of checks in a day")
	fl.IntVar(&s.SecondsPerDay, "seconds", 0, "`seconds` of checks in a day")
	fl.IntVar(&s.RequestsPerDay, "requests", 0, "`number` of requests in a day")
	fl.BoolVar(&s.OnBattery, "on-battery", false, "check on battery, too")
	fl.BoolVar(&off, "off", false, "turn checks off")
	fl.BoolVar(&on, "on", false, "turn checks on")
	return kit.With(cmd, "showhow canary settings --checks 10 --on-battery")
}

func abilityRoute(e *env) *cobra.Command {
	var q client.RouteAsk
	cmd := e.onAbility("route", "Which way an ability is best gone now, and why",
		func(ctx context.Context, c *client.Client, id string) error {
			q.AbilityID = id
			r, err := c.ExplainRoute(ctx, q)
			if err != nil {
				return err
			}
			return e.Show(func() {
				for _, b := range r.Because {
					e.Say("%s", b)
				}
				e.Table("", kit.Columns("SURFACE", "TIER", "WHY"), func(row func(...any)) {
					for _, s := range r.Surfaces {
						row(s.Surface, s.Tier, s.Why)
					}
				})
				if len(r.ScoreBreakdown) > 0 {
					e.Table("", kit.Columns("CONNECTOR", "SCORE", "BECAUSE"), func(row func(...any)) {
						for _, s := range r.ScoreBreakdown {
							row(s.ServerID, kit.Decimal(s.Score), strings.Join(s.Reasons, "; "))
						}
					})
				}
				if r.Plan == nil {
					return
				}
				e.Table("", kit.Columns("STEP", "WHAT FOR", "WAY", "SEEN ON", "CONFIRMED"), func(row func(...any)) {
					for _, s := range r.Plan.Steps {
						row(s.StepID, s.Purpose, s.ActSurface, s.VerifySurface, kit.Words(s.SupervisionClass))
					}
				})
			})
		})
	cmd.Flags().StringVar(&q.DesiredTool, "tool", "", "`name` of a connector's tool that is wanted")
	cmd.Flags().StringVar(&q.ProjectID, "project", "", "`project` that it is for, by any of its names")
	return cmd
}
