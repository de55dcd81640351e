package learning

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"showhow/adapters/terminal"
	"showhow/cli/agents"
	"showhow/cli/drafting"
	"showhow/cli/kit"
	"showhow/daemon/client"
	"showhow/internal/fault"
)

func learnCommand(e *env) *cobra.Command {
	learn := kit.With(&cobra.Command{
		Use:   "learn",
		Short: "Show a task: start, stop, look at what was kept, propose a skill",
		Long: `A learn session watches what you name and nothing else. Commands act on the session under way, or the last one;
--session names another.`,
	},
		`showhow learn start "Change an order" --site localhost:8080 --shell new`,
		`showhow learn mark-step "now the export"`,
		"showhow learn stop",
		"showhow learn propose",
		"showhow learn answer")
	learn.PersistentFlags().StringVar(&e.Session, "session", "", "the session's `id` (default: the one under way, else the last)")
	learn.RegisterFlagCompletionFunc("session",
		func(cmd *cobra.Command, _ []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return e.Offer(kit.SessionIDs)(cmd, nil, word)
		})
	learn.AddCommand(startCommand(e), agents.PracticeCommand(e.Env), agents.PracticesCommand(e.Env), drafting.ImportCommand(e.Env),
		previewCommand(e), joinCommand(e), learnStatusCommand(e), scopeCommand(e), eventsCommand(e))
	learn.AddCommand(markCommands(e)...)
	learn.AddCommand(stateCommands(e)...)
	learn.AddCommand(drafting.DraftCommands(e.Env)...)
	return learn
}

func learnStatusCommand(e *env) *cobra.Command {
	return kit.With(e.OnSession("status", "Say what is watched, how much was kept and what comes next",
		func(ctx context.Context, c *client.Client, id string, _ []string) error {
			s, err := c.Session(ctx, id)
			if err != nil {
				return err
			}
			next, err := e.nextOf(ctx, c, s)
			if err != nil {
				return err
			}
			return e.Show(func() { e.SayOf(s); e.SayNextOf(next) })
		}), "showhow learn status")
}

// nextOf is the next step of a session: that of its draft, if there is one.
func (e *env) nextOf(ctx context.Context, c *client.Client, s client.Session) (string, error) {
	if e.JSON || s.ProposalID == "" || s.Ended || s.State == "stopped" || s.State == "reviewing" {
		return kit.NextCommand(s), nil
	}
	d, err := c.Proposal(ctx, s.ProposalID)
	if err != nil {
		return "", err
	}
	return drafting.NextForProposal(d), nil
}

func scopeCommand(e *env) *cobra.Command {
	var add, remove []string
	cmd := kit.With(e.OnSession("scope", "Show what is watched and what was withheld; change it with --add and --remove",
		func(ctx context.Context, c *client.Client, id string, _ []string) error {
			if len(add)+len(remove) > 0 {
				if err := e.changeScope(ctx, c, id, add, remove); err != nil {
					return err
				}
			}
			s, err := c.ObservationScope(ctx, id)
			if err != nil {
				return err
			}
			return e.Show(func() {
				e.Say("capture   %s\nwatches   %s", captureText(s), kit.ScopeText(s.Allowed))
				if len(s.AdaptersActive) > 0 {
					e.Say("with      %s", strings.Join(s.AdaptersActive, ", "))
				}
				e.Say("kept      %d\nwithheld  %d%s", s.EventsKept, total(s.Withheld), kit.WithheldText(s.Withheld))
				if len(s.Indicators) > 0 {
					e.Say("shown by  %s", kit.Words(strings.Join(s.Indicators, ", ")))
				}
			})
		}), "showhow learn scope", "showhow learn scope --add site=localhost:8080 --remove shell=pts/3")
	cmd.Flags().StringArrayVar(&add, "add", nil, "`KIND=VALUE` to watch too (site, shell, app, folder, device); you confirm it")
	cmd.Flags().StringArrayVar(&remove, "remove", nil, "`KIND=VALUE` to watch no longer")
	return cmd
}

// changeScope adds and removes entries of the session's current scope: the session may pause by itself, as it does
// when nothing indicates capture, or somebody may change it between reading and writing.
func (e *env) changeScope(ctx context.Context, c *client.Client, id string, add, remove []string) error {
	for tries := 1; ; tries++ {
		s, err := c.Session(ctx, id)
		if err != nil {
			return err
		}
		scope, err := e.changedScope(s.Scope, add, remove)
		if err != nil {
			return err
		}
		_, err = c.SetScope(ctx, id, client.ScopeRequest{Scope: scope}, client.IfMatch(s.Revision))
		if !fault.Is(err, fault.RevisionConflict) || tries == 5 {
			return err
		}
	}
}

// changedScope is scope with and without these entries.
func (e *env) changedScope(scope client.Scope, add, remove []string) (client.Scope, error) {
	lists := map[string]*[]string{"site": &scope.Sites, "shell": &scope.Shells, "app": &scope.Apps, "folder": &scope.Folders,
		"device": &scope.Devices}
	change := func(entries []string, folder func(string) (string, error), f func(list []string, v string) []string) error {
		for _, entry := range entries {
			kind, value, ok := strings.Cut(entry, "=")
			if !ok || lists[kind] == nil || value == "" {
				return kit.Usage("write KIND=VALUE with KIND one of site, shell, app, folder, device")
			}
			switch kind {
			case "site":
				value = host(value)
			case "folder":
				var err error
				if value, err = folder(value); err != nil {
					return err
				}
			}
			*lists[kind] = f(*lists[kind], value)
		}
		return nil
	}
	err := change(add, e.Folder, func(l []string, v string) []string {
		if slices.Contains(l, v) {
			return l
		}
		return append(l, v)
	})
	if err == nil {
		err = change(remove, e.Whole, func(l []string, v string) []string {
			return slices.DeleteFunc(l, func(x string) bool { return x == v })
		})
	}
	return scope, err
}

func joinCommand(e *env) *cobra.Command {
	cmd := e.OnSession("join", "Let the session watch this shell too; you confirm it",
		func(ctx context.Context, c *client.Client, id string, _ []string) error {
			tty, err := terminal.CurrentTTY()
			if err != nil {
				return err
			}
			if err := e.hooked(tty); err != nil {
				return err
			}
			return e.Done(e.changeScope(ctx, c, id, []string{"shell=" + tty}, nil), "This shell (%s) is watched from its next prompt on.", tty)
		})
	return kit.With(cmd, "showhow learn join")
}

func eventsCommand(e *env) *cobra.Command {
	var follow bool
	var p kit.Pages
	cmd := e.OnSession("events", "List what was kept, as it was kept; --follow shows it live",
		func(ctx context.Context, c *client.Client, id string, _ []string) error {
			if follow {
				return e.followEvents(ctx, c, id)
			}
			l, err := c.Observations(ctx, id, p.Query())
			if err != nil {
				return err
			}
			var marks []client.Boundary
			if !e.JSON {
				if marks, err = marked(ctx, c, id); err != nil {
					return err
				}
			}
			return e.Show(func() {
				for i, r := range l.Observations {
					for len(marks) > 0 && !marks[0].CreatedAt.After(r.Event.CreatedAt.Time) {
						if i > 0 || p.Number == 1 {
							e.sayMark(marks[0])
						}
						marks = marks[1:]
					}
					e.SayRecord(r)
				}
				if p.Number*p.Size >= l.Total {
					for _, m := range marks {
						e.sayMark(m)
					}
				}
				if len(l.Observations) == 0 {
					e.Say("%s", p.None(l.Total, "nothing was kept"))
				}
				p.More(e.Env, len(l.Observations), l.Total)
			})
		})
	cmd.Long = "Each line: when, whether it changed something (*), what was done, and the id that trim and delete take. What was marked " +
		"meanwhile stands between (=)."
	cmd.Flags().BoolVarP(&follow, "follow", "f", false, "show what is kept as it is kept, until Ctrl-C")
	return kit.With(p.Flags(cmd), "showhow learn events", "showhow learn events --follow")
}

// followEvents prints the live stream until it ends or the person stops it. With --json each event is a line.
func (e *env) followEvents(ctx context.Context, c *client.Client, id string) error {
	err := c.ObservationStream(ctx, id, 0, func(ev client.Event) error {
		if e.JSON {
			_, err := fmt.Fprintln(e.Out, string(ev.Raw))
			return err
		}
		return e.sayStreamed(ev)
	})
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// marked are the marks that the person set while demonstrating, in order.
func marked(ctx context.Context, c *client.Client, id string) ([]client.Boundary, error) {
	l, err := c.Boundaries(ctx, id)
	if err != nil {
		return nil, err
	}
	marks := slices.DeleteFunc(l.Boundaries, func(b client.Boundary) bool { return b.Label == "" })
	slices.SortStableFunc(marks, func(a, b client.Boundary) int { return a.CreatedAt.Compare(b.CreatedAt.Time) })
	return marks, nil
}

func (e *env) sayMark(b client.Boundary) {
	what := "step"
	switch {
	case b.Kind == "mark_goal":
		what = "goal"
	case b.StepKindHint != "" && b.StepKindHint != "action":
		what = b.StepKindHint
	}
	e.Say("%s = marked as %s: %s", b.CreatedAt.Local().Format("15:04:05.000"), what, b.Label)
}

func markCommands(e *env) []*cobra.Command {
	var kind string
	step := kit.With(e.OnSession("mark-step LABEL...", "Name what you are doing now",
		func(ctx context.Context, c *client.Client, id string, args []string) error {
			_, err := c.MarkStep(ctx, id, client.MarkStepRequest{StepLabel: strings.Join(args, " "), StepKindHint: kind})
			return e.Done(err, "marked")
		}), `showhow learn mark-step "now the export"`, `showhow learn mark-step "the total must be right" --kind verification`)
	kit.Choose(step, &kind, "kind", "action", "action, guard, verification, decision or other (a note)", "action", "guard", "verification",
		"decision", "other")

	goal := kit.With(e.OnSession("mark-goal TEXT...", "Say what you are after",
		func(ctx context.Context, c *client.Client, id string, args []string) error {
			_, err := c.MarkGoal(ctx, id, client.MarkGoalRequest{GoalDescription: strings.Join(args, " ")})
			return e.Done(err, "marked")
		}), `showhow learn mark-goal "the customer gets the order a week later"`)

	trim := kit.With(e.OnSession("trim start|end EVENT", "Let the demonstration begin or end at an event (see learn events)",
		func(ctx context.Context, c *client.Client, id string, args []string) error {
			if args[0] != "start" && args[0] != "end" {
				return kit.Usage("say `trim start EVENT` or `trim end EVENT`")
			}
			_, err := c.Trim(ctx, id, client.TrimRequest{TrimKind: "trim_" + args[0], ToEventID: args[1]})
			return e.Done(err, "trimmed")
		}), "showhow learn trim start EVENT")
	trim.ValidArgs = []string{"start", "end"}

	del := kit.With(e.OnSession("delete [EVENT]", "Delete one kept observation, or the session with everything raw",
		func(ctx context.Context, c *client.Client, id string, args []string) error {
			var err error
			if len(args) == 1 {
				_, err = c.DeleteObservation(ctx, id, args[0])
			} else {
				_, err = c.DeleteSession(ctx, id)
			}
			return e.Done(err, "deleted, to the last byte")
		}), "showhow learn delete", "showhow learn delete EVENT")
	del.Long = `What is deleted is gone to the last byte. A session that has not ended is cancelled first; you confirm its deletion with a
code. What was installed from it stays.`
	return []*cobra.Command{step, goal, trim, del}
}

func stateCommands(e *env) []*cobra.Command {
	act := func(use, short string, f func(context.Context, *client.Client, string) (client.Session, error)) *cobra.Command {
		return kit.With(e.OnSession(use, short, func(ctx context.Context, c *client.Client, id string, _ []string) error {
			s, err := f(ctx, c, id)
			if err != nil {
				return err
			}
			return e.Show(func() { e.SaySession(s) })
		}), "showhow learn "+use)
	}
	var reason string
	cancel := kit.With(e.OnSession("cancel", "Give the session up; it does not become a skill",
		func(ctx context.Context, c *client.Client, id string, _ []string) error {
			_, err := c.CancelSession(ctx, id, reason)
			return e.Done(err, "cancelled")
		}), "showhow learn cancel")
	cancel.Flags().StringVar(&reason, "reason", "", "why, for the record")

	aside := kit.With(e.OnSession("put-aside", "Put the draft aside for later, so that something else can be shown",
		func(ctx context.Context, c *client.Client, id string, _ []string) error {
			r, err := c.PutAside(ctx, id)
			if err != nil {
				return err
			}
			return e.Show(func() {
				e.Say("put aside: another task can be shown now")
				e.Say("Draft, answers and sealed values wait until %s, under a key that is kept as long; then they go.",
					r.PutAsideUntil.Local().Format("2 January 2006"))
				e.Say("next: showhow learn take-up %s", r.ProposalID)
			})
		}), "showhow learn put-aside")
	up := kit.With(e.Call("take-up [PROPOSAL]", "Go on with a draft that was put aside",
		func(ctx context.Context, c *client.Client, args []string) error {
			id, err := waiting(ctx, c, args)
			if err != nil {
				return err
			}
			r, err := c.TakeUp(ctx, id)
			if err != nil {
				return err
			}
			return e.Show(func() { e.SaySession(r.Session) })
		}), "showhow learn take-up", "showhow learn take-up PROPOSAL")
	up.ValidArgsFunction = e.Offer(kit.ProposalIDs)

	var off bool
	retain := kit.With(e.OnSession("retain", "Keep the raw observations beyond seven days",
		func(ctx context.Context, c *client.Client, id string, _ []string) error {
			_, err := c.Retain(ctx, id, !off)
			if off {
				return e.Done(err, "the raw observations go seven days after the session's end")
			}
			return e.Done(err, "the raw observations stay until you delete the session")
		}), "showhow learn retain", "showhow learn retain --off")
	retain.Flags().BoolVar(&off, "off", false, "let them go on time")

	return []*cobra.Command{
		act("pause", "Stop watching until resume", func(ctx context.Context, c *client.Client, id string) (client.Session, error) {
			return c.PauseSession(ctx, id)
		}),
		act("resume", "Watch again", func(ctx context.Context, c *client.Client, id string) (client.Session, error) {
			return c.ResumeSession(ctx, id)
		}),
		kit.With(e.OnSession("stop", "Stop watching for good", func(ctx context.Context, c *client.Client, id string, _ []string) error {
			return e.sayStopped(c.StopSession(ctx, id))
		}), "showhow learn stop"),
		cancel, aside, up, retain,
	}
}

// waiting is the proposal that the arguments name, else the only one that was put aside.
func waiting(ctx context.Context, c *client.Client, args []string) (string, error) {
	if len(args) == 1 {
		return args[0], nil
	}
	l, err := c.Proposals(ctx, client.ProposalFilter{Pending: true})
	if err != nil {
		return "", err
	}
	var ids []string
	for _, p := range l.Proposals {
		if p.PutAsideUntil != nil {
			ids = append(ids, p.ProposalID)
		}
	}
	switch len(ids) {
	case 0:
		return "", fault.New(fault.ProposalNotFound, "no draft was put aside").WithHint("`showhow proposal list` shows the drafts there are")
	case 1:
		return ids[0], nil
	}
	return "", kit.Usage("several drafts were put aside: name one of those that `showhow proposal list` shows")
}

// sayStreamed prints one event of the live stream; frames without an observation are for programs.
func (e *env) sayStreamed(ev client.Event) error {
	var r client.Record
	if err := json.Unmarshal(ev.Payload, &r); err == nil && r.Event.EventID != "" {
		e.SayRecord(r)
	}
	return nil
}
