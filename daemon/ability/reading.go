package ability

import (
	"context"

	"showhow/daemon/skill"
	"showhow/internal/fault"
)

// Reading is an ability's files as they stand now, for a person who decides about them: what Difference compares. It is the
// changed copy where a copy was changed. Nothing of it was approved unless its hash says so.
func (s *Reviews) Reading(ctx context.Context, id string) (skill.Bundle, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, a, err := s.asItIs(ctx, id)
	if err != nil {
		return skill.Bundle{}, err
	}
	_, place := s.standsAt(a)
	if place == "" {
		return skill.Bundle{}, fault.New(fault.NotFound,
			"the changed copy is gone").WithHint("put the approved content back, or approve what there is")
	}
	return skill.ReadDir(place)
}

// standsAt is the folder that a person who decides about an ability looks at, and what it is called: the bundle, or the target
// whose copy was changed.
func (s *Reviews) standsAt(a Ability) (where, place string) {
	if a.Drift != "" && a.Drift != "bundle" && a.Drift != driftPermissions {
		return a.Drift, a.DriftKept
	}
	return "bundle", s.bundlePath(a.Slug)
}
