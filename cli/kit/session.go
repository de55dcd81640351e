package kit

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"showhow/daemon/client"
	"showhow/internal/fault"
)

// OnSession returns a command that acts on a session.
func (e *Env) OnSession(use, short string, f func(ctx context.Context, c *client.Client, id string, args []string) error) *cobra.Command {
	return e.Call(use, short, func(ctx context.Context, c *client.Client, args []string) error {
		id, err := e.sessionID(ctx, c)
		if err != nil {
			return err
		}
		return f(ctx, c, id, args)
	})
}

func (e *Env) SaySession(s client.Session) {
	e.SayOf(s)
	e.SayNextOf(NextCommand(s))
}

func (e *Env) SayRecord(r client.Record) {
	changed := " "
	if r.Event.CausedStateChange {
		changed = "*"
	}
	e.Say("%s %s %-60s %s", r.Event.CreatedAt.Local().Format("15:04:05.000"), changed, r.Event.ActionLabel, r.Event.EventID)
}

func (e *Env) SayNextOf(next string) {
	if next != "" {
		e.Say("  next      %s", e.Wrap(12, next))
	}
}

func (e *Env) SayOf(s client.Session) {
	state := Words(s.State)
	if s.PauseReason != "" {
		state += " (" + Words(s.PauseReason) + ")"
	}
	goal := s.Goal
	if goal == "" {
		goal = "(no goal named)"
	}
	e.Say("%s\n  session   %s\n  state     %s\n  watches   %s", goal, s.LearnSessionID, state, ScopeText(s.Scope))
	e.Say("  kept      %d\n  withheld  %d%s", s.EventsKept, s.EventsWithheld, WithheldText(s.Withheld))
	if s.ProposalID != "" {
		e.Say("  proposal  %s", s.ProposalID)
	}
	if s.AbilityID != "" {
		e.Say("  ability   %s", s.AbilityID)
	}
	for _, n := range s.Notices {
		e.Say("  ! %s", e.Wrap(4, n))
	}
}

// sessionID is the session a command is about.
func (e *Env) sessionID(ctx context.Context, c *client.Client) (string, error) {
	if e.Session != "" {
		return e.Session, nil
	}
	r, err := c.Runtime(ctx)
	if fault.Is(err, fault.LearnSessionNotFound) {
		return "", fault.New(fault.LearnSessionNotFound, "nothing has been shown yet").
			WithHint("begin with `showhow learn start \"GOAL\" --shell new`; `showhow learn start --help` says what can be watched")
	}
	return r.LearnSessionID, err
}

// NextCommand is the next step from a session's state; the daemon says which are allowed.
func NextCommand(s client.Session) string {
	if s.Ended && s.AbilityID != "" {
		return "showhow ability show " + s.AbilityID
	}
	if s.EventsKept == 0 && (s.State == "stopped" || s.State == "reviewing") {
		return "showhow learn cancel, then begin anew: nothing was kept that a skill could be made of"
	}
	for _, n := range []struct {
		action  client.Action
		command string
	}{
		{"resume", "showhow learn resume, or showhow learn stop"},
		{"stop", "show the task, then showhow learn stop"},
		{"generate_proposal", "showhow learn propose"},
		{"install", "showhow proposal install"},
		{"validate", "showhow proposal validate"},
		{"answer_questions", "showhow learn answer"},
	} {
		if slices.Contains(s.AllowedActions, n.action) {
			return n.command
		}
	}
	return ""
}

// ScopeText describes what may be watched.
func ScopeText(s client.Scope) string {
	var parts []string
	for _, g := range []struct {
		one, many string
		list      []string
	}{{"site", "sites", s.Sites}, {"shell", "shells", s.Shells}, {"app", "apps", s.Apps}, {"folder", "folders", s.Folders},
		{"device", "devices", s.Devices}} {
		switch len(g.list) {
		case 0:
		case 1:
			parts = append(parts, g.one+" "+g.list[0])
		default:
			parts = append(parts, fmt.Sprintf("%s %s", g.many, strings.Join(g.list, ", ")))
		}
	}
	if len(parts) == 0 {
		return "nothing: the scope is empty"
	}
	return strings.Join(parts, "; ")
}

func WithheldText(w []client.Withheld) string {
	if len(w) == 0 {
		return ""
	}
	parts := make([]string, len(w))
	for i, x := range w {
		parts[i] = fmt.Sprintf("%d %s by %s", x.Count, Words(x.Reason), x.Adapter)
	}
	return " (" + strings.Join(parts, ", ") + ")"
}
