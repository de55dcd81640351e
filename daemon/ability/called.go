package ability

import (
	"context"
	"errors"
	"slices"

	"showhow/daemon/capability/health"
	"showhow/internal/plain"
)

// Called is a call to a connector that an agent made, without what was sent or answered.
type Called struct {
	Agent           string // its name in policies
	Connector, Tool string // Tool is its name at the door
	Result          health.Result
	Code            string // of a failure
}

// NoteCalled counts a call for the abilities that need the connector and that its agent follows at that moment: it
// looked them up, or reported on them, within the hour. The agent chose what was sent, so the outcome counts as its
// report. A call that says nothing of an ability (a sign-in, throttling, no answer) is no outcome.
func (s *Outcomes) NoteCalled(ctx context.Context, c Called) error {
	if c.Result == health.Inconclusive || !s.following.any(c.Agent, s.now()) {
		return nil
	}
	users, err := s.users(ctx, c.Connector)
	for _, id := range users {
		by := s.following.mark(c.Agent, id, s.now())
		if by == "" {
			continue
		}
		o := health.Outcome{Source: health.Connector, Result: c.Result, Step: plain.Cut(c.Tool, 160), By: by}
		if c.Result == health.Failed {
			o.Code = plain.Cut(c.Code, 80)
		}
		_, failed := s.Report(ctx, id, "", nil, o)
		err = errors.Join(err, failed)
	}
	return err
}

// users lists the abilities that need a connector.
func (s *Outcomes) users(ctx context.Context, connector string) (out []string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	w, err := s.load(ctx)
	if err != nil {
		return nil, err
	}
	for _, a := range w.abilities {
		if slices.Contains(a.RequiredConnectors, connector) {
			out = append(out, a.AbilityID)
		}
	}
	return out, nil
}
