package upkeep

import (
	"context"
	"maps"
	"slices"
	"sync"

	"showhow/daemon/ability"
	"showhow/daemon/capability/anchor"
	"showhow/daemon/capability/health"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// AnchorStore stores the records of UI anchors (baseline 1.1G), which are a view of workflows and outcomes.
type AnchorStore interface {
	All(ctx context.Context) ([]wire.UIAnchor, error)
	Put(ctx context.Context, abilityID string, all []wire.UIAnchor) error
}

// touched are the abilities whose anchors may differ from their records.
type touched struct {
	mu   sync.Mutex
	ids  map[string]bool
	wake chan struct{}
}

// Touch says that an ability came, fared, changed or went: its anchors are written soon. It does not block.
func (s *Service) Touch(abilityID string) {
	s.anchors.mu.Lock()
	if s.anchors.ids == nil {
		s.anchors.ids = map[string]bool{}
	}
	s.anchors.ids[abilityID] = true
	s.anchors.mu.Unlock()
	select {
	case s.anchors.wake <- struct{}{}:
	default:
	}
}

// Run keeps the records of anchors true until ctx ends: at first of every ability, then of those that were touched.
func (s *Service) Run(ctx context.Context) error {
	s.touchAll(ctx)
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-s.anchors.wake:
		}
		s.anchors.mu.Lock()
		ids := s.anchors.ids
		s.anchors.ids = nil
		s.anchors.mu.Unlock()
		for _, id := range slices.Sorted(maps.Keys(ids)) {
			if err := s.writeAnchors(ctx, id); err != nil && ctx.Err() == nil {
				s.o.Log.Warn("the anchors of an ability could not be written", "code", string(fault.CodeOf(err)))
			}
		}
	}
}

// touchAll touches the installed abilities and those that have anchors.
func (s *Service) touchAll(ctx context.Context) {
	snap, err := s.o.Abilities.Availability(ctx)
	all, err2 := s.o.Anchors.All(ctx)
	if err != nil || err2 != nil {
		return // each writes its own when something becomes of it
	}
	for _, e := range snap.Abilities {
		s.Touch(e.AbilityID)
	}
	for _, x := range all {
		s.Touch(x.AbilityID)
	}
}

func (s *Service) writeAnchors(ctx context.Context, abilityID string) error {
	a, latest, err := s.o.Abilities.Health(ctx, abilityID)
	if fault.Is(err, fault.AbilityNotFound) {
		return s.o.Anchors.Put(ctx, abilityID, nil)
	}
	if err != nil {
		return err
	}
	all, err := s.anchorsOf(ctx, a, latest)
	if err != nil {
		return err
	}
	return s.o.Anchors.Put(ctx, abilityID, all)
}

// anchorsOf are the anchors of an ability as they are now; none for one that was not learned here.
func (s *Service) anchorsOf(ctx context.Context, a ability.Ability, latest []health.Outcome) ([]wire.UIAnchor, error) {
	g, _, err := s.o.Shown.Learned(ctx, a.ProposalID, a.ApprovedHash)
	if fault.Is(err, fault.InvalidRequest) {
		return []wire.UIAnchor{}, nil
	}
	if err != nil {
		return nil, err
	}
	of := wire.UIAnchor{AppID: a.Family, AbilityID: a.AbilityID, CapabilityID: a.CapabilityID}
	return anchor.Of(of, g, latest, a.Health.Renamed), nil
}

// Anchors lists the anchors of every ability, as they are recorded.
func (s *Service) Anchors(ctx context.Context) (wire.UIAnchors, error) {
	all, err := s.o.Anchors.All(ctx)
	if all == nil {
		all = []wire.UIAnchor{}
	}
	return wire.UIAnchors{Anchors: all, SchemaVersion: 1}, err
}
