// Package upkeep presents the health of abilities to people: each one's state with reasons in words, and the looks of
// canaries. It joins the counts of package ability with the consents of package canary, and performs a look through
// learning, which keeps the demonstrations.
//
// Guarantees: a look performs only the reading part, under the read-only policy, at the sites that the consent names;
// its outcome is counted once, by whoever performed it.
//
// Package daemon wires it; the API's routes use it. To test it, implement its ports.
package upkeep

import (
	"context"
	"log/slog"
	"time"

	"showhow/daemon/ability"
	"showhow/daemon/capability/canary"
	"showhow/daemon/capability/health"
	"showhow/daemon/capability/probe"
	"showhow/daemon/rehearse"
	"showhow/daemon/wire"
	"showhow/daemon/workflow"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

// Abilities is the part of *ability.Service that upkeep needs.
type Abilities interface {
	Availability(ctx context.Context) (ability.AvailabilitySnapshot, error)
	Health(ctx context.Context, id string) (ability.Ability, []health.Outcome, error)
	HealthIndex(ctx context.Context) (wire.CapabilityHealthIndex, error)
	StatsIndex(ctx context.Context) (wire.CapabilityStatsIndex, error)
	ClearQuarantine(ctx context.Context, id string, rev *int) (ability.AvailabilityEntry, error)
}

// Shown keeps what skills were learned from, and performs it; *learn.Service implements it.
type Shown interface {
	Look(ctx context.Context, proposalID, hash string, sites []string, r rehearse.ValidateRequest) (rehearse.ValidationRun,
		[]rehearse.ValidationStepResult, error)
	LookSites(ctx context.Context, proposalID, hash string) (sites []string, err error)
	Learned(ctx context.Context, proposalID, hash string) (workflow.Graph, []workflow.Checkpoint, error)
}

// Options configures a Service.
type Options struct {
	Abilities Abilities
	Shown     Shown
	Canaries  *canary.Service

	Anchors    AnchorStore
	Connectors func(ctx context.Context) (wire.MCPServerListResponse, error)
	Projects   func(ctx context.Context) (wire.ProjectBindings, error)
	Connector  func(id string) (why string) // why a connector cannot be used now; nil: all can
	Now        func() clock.Time
	Log        *slog.Logger
}

// Service reports on abilities' health.
type Service struct {
	Abilities
	o Options

	anchors touched
}

// New makes a service.
func New(o Options) *Service {
	return &Service{Abilities: o.Abilities, o: o, anchors: touched{wake: make(chan struct{}, 1)}}
}

// HealthOf is an ability's health in words, with its sources.
func (s *Service) HealthOf(ctx context.Context, id string) (wire.AbilityHealthDetail, error) {
	a, latest, err := s.o.Abilities.Health(ctx, id)
	if err != nil {
		return wire.AbilityHealthDetail{}, err
	}
	out := wire.AbilityHealthDetail{AbilityID: a.AbilityID, CapabilityID: a.CapabilityID, Title: a.Title, Health: a.ShownHealth(),
		Because: []string{}, Stats: a.Stats(), Outcomes: []wire.AbilityOutcome{}, SchemaVersion: 1}
	for _, o := range latest {
		if o.Change() {
			continue
		}
		out.Outcomes = append(out.Outcomes, wire.AbilityOutcome{OutcomeID: o.OutcomeID, Source: string(o.Source), Result: string(o.Result),
			StepID: o.Step, Code: o.Code, Critical: o.Critical, TraceID: o.TraceID, At: o.At})
	}
	list, _, _, why, err := s.o.Canaries.List(ctx)
	if err != nil {
		return out, err
	}
	for _, c := range list {
		if c.AbilityID == a.AbilityID {
			c.Title = a.Title
			out.Canary = &c
		}
	}
	out.Because, out.Renamed = because(a, out.Canary, why), renamedOf(a)
	out.Probe = s.probed(ctx, a, out.Canary)
	out.Anchors, err = s.anchorsOf(ctx, a, latest)
	return out, err
}

// Canaries lists every consent, with the titles of the abilities.
func (s *Service) Canaries(ctx context.Context) (wire.Canaries, error) {
	list, set, spent, why, err := s.o.Canaries.List(ctx)
	out := wire.Canaries{Canaries: []wire.CanaryConsent{}, Settings: set, Waiting: why, SchemaVersion: 1,
		Today: wire.CanarySpent{Looks: spent.Looks, Seconds: spent.Seconds, Requests: spent.Requests}}
	if err != nil {
		return out, err
	}
	snap, err := s.o.Abilities.Availability(ctx)
	for _, c := range list {
		for _, e := range snap.Abilities {
			if e.AbilityID == c.AbilityID {
				c.Title = e.Title
			}
		}
		out.Canaries = append(out.Canaries, c)
	}
	return out, err
}

// LookSites lists the sites that looks at an ability would visit; an error says why nothing of it can be looked at.
func (s *Service) LookSites(ctx context.Context, id string) ([]string, error) {
	a, _, err := s.o.Abilities.Health(ctx, id)
	if err != nil {
		return nil, err
	}
	return s.o.Shown.LookSites(ctx, a.ProposalID, a.ApprovedHash)
}

// Allow gives the consent for an ability. The caller has bound the person's confirmation to the sites that LookSites
// lists.
func (s *Service) Allow(ctx context.Context, id string, q wire.CanaryAllow) (wire.CanaryConsent, error) {
	a, _, err := s.o.Abilities.Health(ctx, id)
	if err != nil {
		return wire.CanaryConsent{}, err
	}
	if a.Trust != ability.TrustApproved {
		return wire.CanaryConsent{}, fault.New(fault.TrustRequired, "only an approved skill can be looked at by itself").
			WithHint("look at it with `showhow skill diff`, then approve it")
	}
	sites, err := s.o.Shown.LookSites(ctx, a.ProposalID, a.ApprovedHash)
	if err != nil {
		return wire.CanaryConsent{}, err
	}
	c, err := s.o.Canaries.Allow(ctx, wire.CanaryConsent{AbilityID: a.AbilityID, Sites: sites, EveryHours: q.EveryHours, Managed: q.Managed})
	c.Title = a.Title
	return c, err
}

// Withdraw ends the consent.
func (s *Service) Withdraw(ctx context.Context, abilityID string) (bool, error) {
	return s.o.Canaries.Withdraw(ctx, abilityID)
}

// Settings sets the bounds of all looks.
func (s *Service) Settings(ctx context.Context, q wire.CanarySettings) (wire.CanarySettings, error) {
	return s.o.Canaries.Change(ctx, q)
}

// Reprobe looks now.
func (s *Service) Reprobe(ctx context.Context, id string) (wire.Reprobe, error) {
	c, err := s.o.Canaries.Now(ctx, id)
	if err != nil {
		return wire.Reprobe{}, err
	}
	a, _, err := s.o.Abilities.Health(ctx, id)
	c.Title = a.Title
	return wire.Reprobe{AbilityID: a.AbilityID, Health: a.ShownHealth(), Canary: c, SchemaVersion: 1}, err
}

// Performer performs the looks of the canary service.
type Performer struct {
	Abilities Abilities
	Shown     Shown
	Connector func(id string) (why string) // as in Options
}

// Look runs the manifest's health probe and, unless that fails, performs the reading part of the ability, as its consent
// allows. What does not answer says nothing of the ability, and costs no browser.
func (p Performer) Look(ctx context.Context, c canary.Consent) (canary.Look, error) {
	a, _, err := p.Abilities.Health(ctx, c.AbilityID)
	if err != nil {
		return canary.Look{}, err
	}
	switch {
	case a.Trust != ability.TrustApproved:
		return canary.Look{}, fault.New(fault.TrustRequired, "its content is not approved")
	case !a.Enabled, a.Lane == ability.LaneQuarantined && a.QuarantinedBy == "":
		return canary.Look{}, fault.New(fault.InstallLaneDenied, "you switched it off")
	}
	r := rehearse.ValidateRequest{}
	if c.Managed {
		r.Profile = rehearse.ProfileManaged
	}
	began := time.Now()
	asked := probe.Run(ctx, probeOf(a), probe.Machine{Sites: c.Sites, Connector: p.Connector})
	if asked.Ran && !asked.Passed {
		return canary.Look{Outcome: health.Outcome{Source: health.Canary, Result: health.Inconclusive, Code: asked.Code}, Told: asked.Told,
			Requests: asked.Requests, Took: time.Since(began)}, nil
	}
	run, steps, err := p.Shown.Look(ctx, a.ProposalID, a.ApprovedHash, c.Sites, r)
	if err != nil {
		return canary.Look{}, err
	}
	o, told := rehearse.OutcomeOf(run, steps)
	return canary.Look{Outcome: o, RunID: run.ValidationRunID, Told: told, Repairs: len(run.Repairs),
		Requests: run.Requests + asked.Requests,
		Took:     time.Since(began)}, nil
}

// Health is an ability's current health.
func (p Performer) Health(ctx context.Context, id string) (health.State, bool) {
	a, _, err := p.Abilities.Health(ctx, id)
	return a.Health, err == nil || !fault.Is(err, fault.AbilityNotFound)
}
