package upkeep

import (
	"context"

	"showhow/daemon/ability"
	"showhow/daemon/capability/anchor"
	"showhow/daemon/capability/health"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// Repairable returns what a repair of an ability would change, what it was learned from, and the sites that Showhow may
// look at by itself.
func (s *Service) Repairable(ctx context.Context, id string) (abilityID, proposalID string, renamed []wire.RenamedControl,
	sites []string, err error) {
	a, _, err := s.o.Abilities.Health(ctx, id)
	if err != nil {
		return "", "", nil, nil, err
	}
	list, _, _, _, err := s.o.Canaries.List(ctx)
	for _, c := range list {
		if c.AbilityID == a.AbilityID {
			sites = c.Sites
		}
	}
	return a.AbilityID, a.ProposalID, renamedOf(a), sites, err
}

// Renamed lists the controls of an ability that are called otherwise now.
func (s *Service) Renamed(ctx context.Context, id string) ([]wire.RenamedControl, error) {
	a, _, err := s.o.Abilities.Health(ctx, id)
	return renamedOf(a), err
}

func renamedOf(a ability.Ability) []wire.RenamedControl {
	out := []wire.RenamedControl{}
	for _, r := range a.Health.Renamed {
		x := wire.RenamedControl{StepID: r.Step, Role: r.Role, Name: r.Name, Changes: append([]string{}, r.Changes...),
			Source: string(r.Source), Agent: r.Agent, Guess: r.Guess, RunID: r.RunID, At: r.At, Told: toldBy(r)}
		if r.PlaceRole != "" {
			x.Place = &wire.ObservedLandmark{Role: r.PlaceRole, Name: r.Place}
		}
		out = append(out, x)
	}
	return out
}

func toldBy(r health.Renamed) string {
	switch {
	case r.Agent != "":
		return r.Agent + " reported it; Showhow has not seen it"
	case r.Guess:
		return "Showhow saw both when it looked, and does not know whether it is the same control"
	case r.Source == health.Canary:
		return "Showhow saw it when it looked"
	}
	return "Showhow saw it in a test run"
}

// StepsNamed returns the steps of an ability that act on a control of that name.
func (s *Service) StepsNamed(ctx context.Context, a ability.Ability, name string) (out []string, err error) {
	g, _, err := s.o.Shown.Learned(ctx, a.ProposalID, a.ApprovedHash)
	if fault.Is(err, fault.InvalidRequest) {
		return nil, nil // not learned here: nothing could be repaired
	}
	for _, x := range anchor.Of(wire.UIAnchor{CapabilityID: a.CapabilityID}, g, nil, nil) {
		if anchor.Called(x, name) {
			out = append(out, x.StepID)
		}
	}
	return out, err
}
