package learning

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"showhow/cli/kit"
	"showhow/daemon/client"
	"showhow/internal/fault"
)

var minedSources = []string{"runs", "receipts", "sessions", "fingerprints"}

func mineCommand(e *env) *cobra.Command {
	cmd := kit.With(e.Call("mine", "What was done again and again, and could be learned", func(ctx context.Context, c *client.Client,
		_ []string) error {
		l, err := c.MinedRoutines(ctx)
		if err != nil {
			return err
		}
		return e.Show(func() { e.mined(l.Routines) })
	}), "showhow mine", "showhow mine settings --allow runs,sessions", "showhow mine scan", "showhow mine learn ID")
	cmd.Long = `Nothing is looked at before you allow it: agents' kept runs, receipts of their calls, your own demonstrations that have ended.
Of a piece of work only its steps are compared, never values. ID is what the list shows.`
	cmd.AddCommand(mineScan(e), mineShow(e), mineLearn(e), mineLater(e), mineNever(e), mineSettings(e))
	return cmd
}

// mined prints a list.
func (e *env) mined(rs []client.MinedRoutine) {
	e.Table("nothing was found that is done again and again", kit.Columns("ID", "STATE", "TIMES", "WHAT"), func(row func(...any)) {
		for _, r := range rs {
			what := r.Summary
			if what == "" {
				what = "(its sources were deleted)"
			}
			row(shortID(r), kit.Words(r.State), r.Times, kit.PlainText(what))
		}
	})
}

// shortID is the id that people use: full ids begin with the time, which those of one scan share.
func shortID(r client.MinedRoutine) string {
	id := r.Cluster.ClusterID
	return id[max(0, len(id)-8):]
}

// routineOf finds a routine by its id, or the end of it.
func routineOf(ctx context.Context, c *client.Client, id string) (client.MinedRoutine, error) {
	l, err := c.MinedRoutines(ctx)
	if err != nil {
		return client.MinedRoutine{}, err
	}
	var found []client.MinedRoutine
	for _, r := range l.Routines {
		if strings.HasSuffix(r.Cluster.ClusterID, id) {
			found = append(found, r)
		}
	}
	switch len(found) {
	case 0:
		return client.MinedRoutine{}, fault.New(fault.NotFound, "there is no such routine").WithHint("`showhow mine` lists them")
	case 1:
		return found[0], nil
	}
	return client.MinedRoutine{}, fault.New(fault.Usage, "several routines have an id that ends so").WithHint("name more of it")
}

// onRoutine returns a command that takes a routine.
func (e *env) onRoutine(use, short string, f func(ctx context.Context, c *client.Client, r client.MinedRoutine) error) *cobra.Command {
	cmd := e.Call(use, short, func(ctx context.Context, c *client.Client, args []string) error {
		r, err := routineOf(ctx, c, args[0])
		if err != nil {
			return err
		}
		return f(ctx, c, r)
	})
	cmd.ValidArgsFunction = e.Offer(func(ctx context.Context, c *client.Client) (out []cobra.Completion, err error) {
		l, err := c.MinedRoutines(ctx)
		for _, r := range l.Routines {
			out = append(out, cobra.CompletionWithDesc(shortID(r), kit.PlainText(r.Summary)))
		}
		return out, err
	})
	return cmd
}

func mineScan(e *env) *cobra.Command {
	return kit.With(e.Call("scan", "Look through what you allowed, now", func(ctx context.Context, c *client.Client, _ []string) error {
		s, err := c.ScanForRoutines(ctx)
		if err != nil {
			return err
		}
		return e.Show(func() {
			e.Say("looked at %s: %s, %s", strings.Join(s.Looked, ", "), kit.Plural(s.Works, "piece of work", "pieces of work"),
				kit.Plural(s.Steps, "step", "steps"))
			e.mined(s.Routines)
		})
	}), "showhow mine scan")
}

func mineShow(e *env) *cobra.Command {
	return kit.With(e.onRoutine("show ID", "Show a routine: its steps, what varied, why it is offered or not",
		func(_ context.Context, _ *client.Client, r client.MinedRoutine) error {
			return e.Show(func() { e.routine(r) })
		}), "showhow mine show 6c1d2e3f")
}

func (e *env) routine(r client.MinedRoutine) {
	e.Say("%s", kit.PlainText(r.Summary))
	e.Say("")
	for i, s := range r.Steps {
		varied := ""
		if s.Varied != "" {
			varied = "  (" + s.Varied + ")"
		}
		e.Say("  %2d. %s%s", i+1, kit.PlainText(s.Text), varied)
	}
	e.Say("")
	for _, g := range r.Gates {
		e.Say("  %-4s %s", map[bool]string{true: "ok", false: "no"}[g.Passed], g.Reason)
	}
	for _, x := range r.Indicators {
		e.Say("  for     %s", x)
	}
	for _, x := range r.Concerns {
		e.Say("  against %s", x)
	}
	if r.State != "waiting" {
		e.Say("\nstate: %s", kit.Words(r.State))
		if r.AbilityID != "" {
			e.Say("installed; to take it back: showhow ability remove %s", r.AbilityID)
		} else if r.ProposalID != "" {
			e.Say("its draft: showhow proposal show %s", r.ProposalID)
		}
		return
	}
	for _, q := range r.Questions {
		if q.Required {
			e.Say("\n%s\n  --answer %s=...   (suggested: %s)", q.Text, q.Question, kit.PlainText(q.Suggested))
		}
	}
	e.Say("\nlearn it: showhow mine learn %s     not now: showhow mine later %[1]s     never: showhow mine never %[1]s",
		shortID(r))
	if !r.Learnable {
		e.Say("only a note that it was done is still kept: show it once, with showhow learn start")
	}
}

func mineLearn(e *env) *cobra.Command {
	var answers []string
	cmd := e.onRoutine("learn ID", "Draft a skill from what is still kept of it",
		func(ctx context.Context, c *client.Client, r client.MinedRoutine) error {
			var q client.LearnMinedRequest
			for _, a := range answers {
				k, v, ok := strings.Cut(a, "=")
				if !ok {
					return kit.Usage("--answer takes QUESTION=TEXT, for example --answer name=\"Change an order\"")
				}
				q.Answers = append(q.Answers, client.MiningAnswer{Question: k, Text: v})
			}
			l, err := c.LearnMined(ctx, r.Cluster.ClusterID, q)
			if err != nil {
				return err
			}
			return e.Show(func() {
				e.Say("drafted: showhow proposal show %s", l.ProposalID)
			})
		})
	cmd.Flags().StringArrayVar(&answers, "answer", nil, "`QUESTION=TEXT`: name, when, when_not, scope or approval; as often as you like")
	return kit.With(cmd, `showhow mine learn 6c1d2e3f --answer name="Change an order"`)
}

func mineLater(e *env) *cobra.Command {
	var days int
	cmd := e.onRoutine("later ID", "Not now: offer it again later", func(ctx context.Context, c *client.Client, r client.MinedRoutine) error {
		x, err := c.LaterMined(ctx, r.Cluster.ClusterID, days)
		if err != nil {
			return err
		}
		return e.Show(func() { e.Say("offered again after %s", x.Until.Local().Format("2006-01-02")) })
	})
	cmd.Flags().IntVar(&days, "days", 14, "after how many `days`")
	return kit.With(cmd, "showhow mine later 6c1d2e3f --days 30")
}

func mineNever(e *env) *cobra.Command {
	return kit.With(e.onRoutine("never ID", "Never offer it again", func(ctx context.Context, c *client.Client, r client.MinedRoutine) error {
		_, err := c.NeverMined(ctx, r.Cluster.ClusterID)
		return e.Done(err, "it is not offered any more")
	}), "showhow mine never 6c1d2e3f")
}

func mineSettings(e *env) *cobra.Command {
	var mode string
	var allow, forbid []string
	var least int
	var variation, coverage float64
	cmd := e.Call("settings", "Show or change how routines are looked for, and in what", nil)
	cmd.RunE = e.Call("settings", "", func(ctx context.Context, c *client.Client, _ []string) error {
		var r client.MiningSettingsChange
		f := cmd.Flags()
		if f.Changed("mode") {
			m := client.MiningMode(mode)
			r.Mode = &m
		}
		if f.Changed("times") {
			r.MinSuccessfulTraces = &least
		}
		if f.Changed("max-variation") {
			r.MaxVariation = &variation
		}
		if f.Changed("min-coverage") {
			r.MinVerificationCover = &coverage
		}
		if len(allow)+len(forbid) > 0 {
			r.Sources = &client.MiningSourcesChange{}
			for to, names := range map[bool][]string{true: allow, false: forbid} {
				if err := consent(r.Sources, names, to); err != nil {
					return err
				}
			}
		}
		s, err := c.MiningSettings(ctx)
		if err == nil && r != (client.MiningSettingsChange{}) {
			s, err = c.SetMiningSettings(ctx, r)
		}
		if err != nil {
			return err
		}
		return e.Show(func() { e.miningSettings(s) })
	}).RunE
	cmd.Long = `SOURCES are runs (agents' runs that are kept), receipts (of their calls to connectors), sessions (your own demonstrations
that have ended), fingerprints (keep for 60 days which steps were done, never with which values). All are off until you allow
them. What was derived from a source goes when you forbid it. auto_install_private learns and installs by itself what you did;
what agents did always waits for you.`
	f := cmd.Flags()
	kit.Choose(cmd, &mode, "mode", "", "what happens with a find", "off", "ask_before_build", "build_then_review", "auto_install_private")
	f.StringSliceVar(&allow, "allow", nil, "`SOURCES` that may be looked at")
	f.StringSliceVar(&forbid, "forbid", nil, "`SOURCES` that may not")
	f.IntVar(&least, "times", 3, "in how many pieces of work it must have worked")
	f.Float64Var(&variation, "max-variation", .4, "how much it may vary, 0 to 1")
	f.Float64Var(&coverage, "min-coverage", .5, "for which share of its steps an effect must be seen")
	return kit.With(cmd, "showhow mine settings", "showhow mine settings --allow runs,fingerprints", "showhow mine settings --mode off")
}

// consent sets which sources may be looked at.
func consent(s *client.MiningSourcesChange, names []string, to bool) error {
	for _, n := range names {
		at, ok := map[string]**bool{"runs": &s.Runs, "receipts": &s.Receipts, "sessions": &s.Sessions, "fingerprints": &s.Fingerprints}[n]
		if !ok {
			return kit.Usage("a source is one of %s", strings.Join(minedSources, ", "))
		}
		*at = &to
	}
	return nil
}

func (e *env) miningSettings(s client.MiningSettings) {
	e.Say("mode            %s", s.Mode)
	for _, x := range []struct {
		name string
		on   bool
	}{{"runs", s.Sources.Runs}, {"receipts", s.Sources.Receipts}, {"sessions", s.Sources.Sessions}, {"fingerprints", s.Sources.Fingerprints}} {
		e.Say("%-15s %s", x.name, map[bool]string{true: "allowed", false: "not allowed"}[x.on])
	}
	e.Say("offered         after %d times, varying by at most %.2f, with at least %.0f %% of its effects seen", s.MinSuccessfulTraces,
		s.MaxVariation, 100*s.MinVerificationCover)
}
