package agents

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"showhow/cli/kit"
	"showhow/daemon/client"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

func practiceCommand(e *env) *cobra.Command {
	var r client.PracticeRequest
	var domains, read []string
	var most int
	var limit time.Duration
	var coach bool
	cmd := e.Call("practice GOAL [-- COMMAND...]", "Have an agent practise in the sandbox, and draft a skill from what worked",
		func(ctx context.Context, c *client.Client, args []string) error {
			r.Goal = args[0]
			if len(args) > 1 {
				r.Command = located(args[1:])
			}
			if r.EntryMode = "autonomous_agent_practice"; coach || len(r.Hints) > 0 {
				r.EntryMode = "coaching_agent"
			}
			r.ReadOnly, r.Limits.Seconds = absolute(read), int(limit.Seconds())
			r.TestPolicy = &client.TestPolicy{PolicyID: clock.NewID(), Mode: "safe_target_only", AllowedDomains: domains, MaxActions: most,
				SchemaVersion: 1,
				SafeTargets:   []client.SafeTarget{{TargetKind: "temp_folder", Ref: "workspace"}}}
			p, err := c.StartPractice(ctx, r)
			if err != nil {
				return err
			}
			return e.followPractice(ctx, c, p)
		})
	cmd.DisableFlagsInUseLine = true
	cmd.Long = `Each attempt is a run in the sandbox (showhow run --help) and a learn session of what the agent's own hooks report. An attempt
counts when the program ended well, the files that it says it made are there, and --verify succeeds in its workspace; what did
not work is discarded. Several attempts are compared as several demonstrations. The draft is yours to review as any other.
Without COMMAND the configuration's agent_command practises. Leaving this command ends the attempt: nobody would see it.`
	f := cmd.Flags()
	f.StringArrayVar(&r.Hints, "hint", nil, "a `hint` of yours, which makes it coaching; as often as you like")
	f.BoolVar(&coach, "coach", false, "coaching, also without hints: the agent may ask")
	f.IntVar(&r.Attempts, "attempts", 1, "how often it tries, at most 5")
	f.StringVar(&r.Verify, "verify", "", "a `line` of shell that succeeds in the workspace when the goal was reached")
	f.StringSliceVar(&domains, "domains", nil, "`hosts` that it may reach")
	f.IntVar(&most, "max-actions", 40, "end an attempt after `n` reported actions")
	f.StringVar(&r.Agent, "agent", "", "whose `profile` it has, when the program's name does not say it")
	f.StringArrayVar(&read, "read", nil, "a further `path` that it may read")
	f.DurationVar(&limit, "time", 0, "how long an attempt may take (default 30m)")
	return kit.With(cmd, `showhow learn practice "turn the orders into a report" --read ~/orders --verify "test -s report.csv" --attempts 2`)
}

// followPractice is the practice's indicator: while it runs, a person can see that something is recorded.
func (e *env) followPractice(ctx context.Context, c *client.Client, p client.Practice) error {
	told, run := 0, ""
	var at int64
	asked := ""
	for {
		if ctx.Err() != nil {
			if run != "" {
				_, _ = c.CancelSandboxRun(context.WithoutCancel(ctx), run)
			}
			return ctx.Err()
		}
		if _, err := c.RenewIndicator(ctx, "terminal"); err != nil && ctx.Err() == nil {
			return err
		}
		q, err := c.Practice(ctx, p.PracticeID)
		if err != nil && ctx.Err() == nil {
			return err
		}
		for ; told < len(q.Attempts) && q.Attempts[told].Ended; told++ {
			a := q.Attempts[told]
			e.Note("attempt %d: %s", told+1, map[bool]string{true: "it worked", false: "it did not work: " + a.Reason}[a.Worked])
		}
		if n := len(q.Attempts); n > 0 && q.Attempts[n-1].RunID != run {
			run, at = q.Attempts[n-1].RunID, 0
		}
		if q.State != "running" {
			return e.practised(q)
		}
		if r, err := c.SandboxRun(ctx, run); err == nil && r.Question != nil && r.Question.QuestionID != asked {
			asked = r.Question.QuestionID
			e.question(r)
		}
		wait := time.After(500 * time.Millisecond)
		if o, err := c.SandboxRunOutput(ctx, run, at); err == nil && !o.Ended && !e.JSON {
			at = o.Next
			fmt.Fprint(e.Out, o.Text)
		}
		select {
		case <-wait:
		case <-ctx.Done():
		}
	}
}

func (e *env) practised(p client.Practice) error {
	if err := e.Show(func() {
		if p.State == "drafted" {
			e.Say("drafted: showhow proposal show %s", p.ProposalID)
		}
	}); err != nil || p.State == "drafted" {
		return err
	}
	return fault.New(fault.AgentRunFailed, "nothing was learned: "+p.Reason).WithHint(
		"`showhow run evidence` says what the last attempt did; an agent must report through its hook")
}

func practicesCommand(e *env) *cobra.Command {
	return kit.With(e.Call("practices", "List agents' practices, newest first", func(ctx context.Context, c *client.Client, _ []string) error {
		l, err := c.Practices(ctx)
		if err != nil {
			return err
		}
		return e.Show(func() {
			e.Table("no agent has practised yet", kit.Columns("STARTED", "STATE", "ATTEMPTS", "GOAL", "OUTCOME"), func(row func(...any)) {
				for _, p := range l.Practices {
					outcome := p.Reason
					if p.ProposalID != "" {
						outcome = "showhow proposal show " + p.ProposalID
					}
					row(p.StartedAt.Local().Format("2006-01-02 15:04"), p.State, len(p.Attempts), p.Goal, outcome)
				}
			})
		})
	}), "showhow learn practices")
}
