package cli

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"showhow/adapters/terminal"
	"showhow/daemon/client"
	"showhow/internal/fault"
)

func learnCommands(e *env) []*cobra.Command {
	learn := &cobra.Command{
		Use:   "learn",
		Short: "Show a task: start, stop, look at what was kept, propose a skill",
		Long: `A learn session watches what you name and nothing else. Commands act on the session under way, or the last one;
--session names another.`,
		Example: `  showhow learn start "Change an order" --site localhost:8080 --shell current
  showhow learn mark-step "now the export"
  showhow learn stop && showhow learn propose && showhow learn answer`,
	}
	learn.PersistentFlags().StringVar(&e.session, "session", "", "the session's id (default: the one under way, else the last)")
	learn.AddCommand(startCommand(e), joinCommand(e), statusCommand(e), scopeCommand(e), eventsCommand(e))
	learn.AddCommand(markCommands(e)...)
	learn.AddCommand(stateCommands(e)...)
	learn.AddCommand(draftCommands(e)...)
	return []*cobra.Command{learn}
}

// sessionID is the session a command is about.
func (e *env) sessionID(ctx context.Context, c *client.Client) (string, error) {
	if e.session != "" {
		return e.session, nil
	}
	r, err := c.Runtime(ctx)
	if fault.Is(err, fault.LearnSessionNotFound) {
		return "", fault.New(fault.LearnSessionNotFound, "nothing has been shown yet").WithHint("`showhow learn start \"GOAL\" --site HOST --shell current`")
	}
	return r.LearnSessionID, err
}

// onSession connects, finds the session and runs f.
func (e *env) onSession(f func(ctx context.Context, c *client.Client, id string, args []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		c, err := e.connect(cmd.Context())
		if err != nil {
			return err
		}
		id, err := e.sessionID(cmd.Context(), c)
		if err != nil {
			return err
		}
		return f(cmd.Context(), c, id, args)
	}
}

func statusCommand(e *env) *cobra.Command {
	return &cobra.Command{Use: "status", Short: "Say what is watched, how much was kept and what comes next", Args: cobra.NoArgs,
		RunE: e.onSession(func(ctx context.Context, c *client.Client, id string, _ []string) error {
			s, err := c.Session(ctx, id)
			if err != nil {
				return err
			}
			return e.show(func() { e.saySession(s) })
		})}
}

func (e *env) saySession(s client.Session) {
	state := string(s.State)
	if s.PauseReason != "" {
		state += " (" + string(s.PauseReason) + ")"
	}
	goal := s.Goal
	if goal == "" {
		goal = "(no goal named)"
	}
	e.say("%s\n  session   %s\n  state     %s\n  kept      %d\n  withheld  %d%s", goal, s.LearnSessionID, state, s.EventsKept, s.EventsWithheld, withheldText(s.Withheld))
	e.say("  watches   %s", scopeText(s.Scope))
	if s.ProposalID != "" {
		e.say("  proposal  %s", s.ProposalID)
	}
	if s.AbilityID != "" {
		e.say("  ability   %s", s.AbilityID)
	}
	if len(s.AllowedActions) > 0 {
		next := make([]string, len(s.AllowedActions))
		for i, a := range s.AllowedActions {
			next[i] = strings.ReplaceAll(string(a), "_", " ")
		}
		e.say("  next      %s", strings.Join(next, ", "))
	}
}

func withheldText(w []client.Withheld) string {
	if len(w) == 0 {
		return ""
	}
	parts := make([]string, len(w))
	for i, x := range w {
		parts[i] = fmt.Sprintf("%d %s by %s", x.Count, x.Reason, x.Adapter)
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

// scopeText says what may be watched, in words.
func scopeText(s client.Scope) string {
	var parts []string
	for _, g := range []struct {
		name string
		list []string
	}{{"sites", s.Sites}, {"shells", s.Shells}, {"apps", s.Apps}, {"folders", s.Folders}, {"devices", s.Devices}} {
		if len(g.list) > 0 {
			parts = append(parts, g.name+" "+strings.Join(g.list, ", "))
		}
	}
	if len(parts) == 0 {
		return "nothing: the scope is empty, everything is withheld"
	}
	return strings.Join(parts, "; ")
}

func scopeCommand(e *env) *cobra.Command {
	var add, remove []string
	cmd := &cobra.Command{Use: "scope", Short: "Show what is watched and what was withheld; change it with --add and --remove",
		Example: "  showhow learn scope --add site=localhost:8080 --remove shell=pts/3", Args: cobra.NoArgs,
		RunE: e.onSession(func(ctx context.Context, c *client.Client, id string, _ []string) error {
			if len(add)+len(remove) > 0 {
				if err := e.changeScope(ctx, c, id, add, remove); err != nil {
					return err
				}
			}
			s, err := c.ObservationScope(ctx, id)
			if err != nil {
				return err
			}
			return e.show(func() {
				e.say("capture   %s\nwatches   %s\nadapters  %s\nkept      %d\nwithheld  %d%s", s.CaptureState, scopeText(s.Allowed),
					strings.Join(s.AdaptersActive, ", "), s.EventsKept, s.OffTargetEventsDropped, withheldText(s.Withheld))
				if len(s.Indicators) > 0 {
					e.say("shown by  %s", strings.Join(s.Indicators, ", "))
				}
			})
		})}
	cmd.Flags().StringArrayVar(&add, "add", nil, "KIND=VALUE to watch too (site, shell, app, folder, device); you confirm it")
	cmd.Flags().StringArrayVar(&remove, "remove", nil, "KIND=VALUE to watch no longer")
	return cmd
}

// changeScope adds and removes entries of the session's scope.
func (e *env) changeScope(ctx context.Context, c *client.Client, id string, add, remove []string) error {
	s, err := c.Session(ctx, id)
	if err != nil {
		return err
	}
	scope := s.Scope
	lists := map[string]*[]string{"site": &scope.Sites, "shell": &scope.Shells, "app": &scope.Apps, "folder": &scope.Folders, "device": &scope.Devices}
	change := func(entries []string, f func(list []string, v string) []string) error {
		for _, entry := range entries {
			kind, value, ok := strings.Cut(entry, "=")
			if !ok || lists[kind] == nil || value == "" {
				return usage("write KIND=VALUE with KIND one of site, shell, app, folder, device")
			}
			*lists[kind] = f(*lists[kind], value)
		}
		return nil
	}
	if err := change(add, func(l []string, v string) []string { return append(l, v) }); err != nil {
		return err
	}
	err = change(remove, func(l []string, v string) []string {
		return slices.DeleteFunc(l, func(x string) bool { return x == v })
	})
	if err != nil {
		return err
	}
	_, err = c.SetScope(ctx, id, client.ScopeRequest{Scope: scope}, client.IfMatch(s.Revision))
	return err
}

func joinCommand(e *env) *cobra.Command {
	return &cobra.Command{Use: "join", Short: "Let the session watch this shell too", Args: cobra.NoArgs,
		RunE: e.onSession(func(ctx context.Context, c *client.Client, id string, _ []string) error {
			tty, err := terminal.CurrentTTY()
			if err != nil {
				return err
			}
			if err := e.changeScope(ctx, c, id, []string{"shell=" + tty}, nil); err != nil {
				return err
			}
			return e.show(func() { e.say("this shell (%s) is watched from its next prompt on", tty) })
		})}
}

func eventsCommand(e *env) *cobra.Command {
	var follow bool
	cmd := &cobra.Command{Use: "events", Short: "List what was kept, as it was kept; --follow shows it live", Args: cobra.NoArgs,
		RunE: e.onSession(func(ctx context.Context, c *client.Client, id string, _ []string) error {
			if follow {
				return c.ObservationStream(ctx, id, 0, func(ev client.Event) error {
					if e.json {
						_, err := fmt.Fprintln(e.out, string(ev.Raw))
						return err
					}
					return e.sayStreamed(ev)
				})
			}
			for page := 1; ; page++ {
				l, err := c.Observations(ctx, id, client.PageQuery{Page: page, PageSize: 100})
				if err != nil {
					return err
				}
				if e.json {
					return e.show(nil)
				}
				for _, r := range l.Observations {
					e.sayRecord(r)
				}
				if page*l.PageSize >= l.Total {
					return nil
				}
			}
		})}
	cmd.Flags().BoolVarP(&follow, "follow", "f", false, "show what is kept as it is kept")
	return cmd
}

func (e *env) sayRecord(r client.Record) {
	changed := " "
	if r.Event.CausedStateChange {
		changed = "*"
	}
	e.say("%s  %s %-16s %s  %s", r.Event.CreatedAt.Local().Format("15:04:05.000"), changed, r.Event.AdapterKind, r.Event.ActionLabel, r.Event.EventID)
}

func markCommands(e *env) []*cobra.Command {
	step := &cobra.Command{Use: "mark-step LABEL", Short: "Name what you are doing now", Args: cobra.ExactArgs(1)}
	kind := step.Flags().String("kind", "action", "action, guard, verification, decision or other (a note)")
	step.RunE = e.onSession(func(ctx context.Context, c *client.Client, id string, args []string) error {
		_, err := c.MarkStep(ctx, id, client.MarkStepRequest{StepLabel: args[0], StepKindHint: *kind})
		return e.done(err, "marked")
	})
	goal := &cobra.Command{Use: "mark-goal TEXT", Short: "Say what you are after", Args: cobra.ExactArgs(1),
		RunE: e.onSession(func(ctx context.Context, c *client.Client, id string, args []string) error {
			_, err := c.MarkGoal(ctx, id, client.MarkGoalRequest{GoalDescription: args[0]})
			return e.done(err, "marked")
		})}
	trim := &cobra.Command{Use: "trim start|end EVENT", Short: "Let the demonstration begin or end at an event (see learn events)", Args: cobra.ExactArgs(2),
		ValidArgs: []string{"start", "end"},
		RunE: e.onSession(func(ctx context.Context, c *client.Client, id string, args []string) error {
			if args[0] != "start" && args[0] != "end" {
				return usage("say `trim start EVENT` or `trim end EVENT`")
			}
			_, err := c.Trim(ctx, id, client.TrimRequest{TrimKind: "trim_" + args[0], ToEventID: args[1]})
			return e.done(err, "trimmed")
		})}
	del := &cobra.Command{Use: "delete [EVENT]", Short: "Delete one kept observation, or the session with everything raw", Args: cobra.MaximumNArgs(1),
		Long: "Deleted observations are gone to the last byte. Deleting a session that has not ended cancels it first.",
		RunE: e.onSession(func(ctx context.Context, c *client.Client, id string, args []string) error {
			var err error
			if len(args) == 1 {
				_, err = c.DeleteObservation(ctx, id, args[0])
			} else {
				_, err = c.DeleteSession(ctx, id)
			}
			return e.done(err, "deleted")
		})}
	return []*cobra.Command{step, goal, trim, del}
}

// done prints the API's answer or one word.
func (e *env) done(err error, word string) error {
	if err != nil {
		return err
	}
	return e.show(func() { e.say("%s", word) })
}

func stateCommands(e *env) []*cobra.Command {
	act := func(use, short string, f func(context.Context, *client.Client, string) (client.Session, error)) *cobra.Command {
		return &cobra.Command{Use: use, Short: short, Args: cobra.NoArgs,
			RunE: e.onSession(func(ctx context.Context, c *client.Client, id string, _ []string) error {
				s, err := f(ctx, c, id)
				if err != nil {
					return err
				}
				return e.show(func() { e.saySession(s) })
			})}
	}
	cancel := &cobra.Command{Use: "cancel", Short: "Give the session up; nothing of it becomes a skill", Args: cobra.NoArgs}
	reason := cancel.Flags().String("reason", "", "why")
	cancel.RunE = e.onSession(func(ctx context.Context, c *client.Client, id string, _ []string) error {
		_, err := c.CancelSession(ctx, id, *reason)
		return e.done(err, "cancelled")
	})
	return []*cobra.Command{
		act("pause", "Stop watching until resume", func(ctx context.Context, c *client.Client, id string) (client.Session, error) {
			return c.PauseSession(ctx, id)
		}),
		act("resume", "Watch again", func(ctx context.Context, c *client.Client, id string) (client.Session, error) {
			return c.ResumeSession(ctx, id)
		}),
		{Use: "stop", Short: "Stop watching for good", Args: cobra.NoArgs,
			RunE: e.onSession(func(ctx context.Context, c *client.Client, id string, _ []string) error {
				r, err := c.StopSession(ctx, id)
				if err != nil {
					return err
				}
				return e.show(func() {
					e.say("stopped: %d observations kept, %d withheld\nnext: showhow learn events, then showhow learn propose", r.CapturedEventCount, r.Session.EventsWithheld)
				})
			})},
		cancel,
	}
}

// tty resolves --shell: current, a process id, or a terminal's name.
func tty(shell string) (string, error) {
	if shell == "current" {
		return terminal.CurrentTTY()
	}
	if pid, err := strconv.Atoi(shell); err == nil {
		return terminal.TTYOf(pid)
	}
	return shell, nil
}
