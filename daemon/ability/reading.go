package ability

import (
	"context"

	"showhow/daemon/skill"
	"showhow/internal/fault"
)

// Reading returns an ability's current files for the person who decides about them, the same that Difference compares:
// the changed copy where a copy was changed. None of it is approved unless its hash says so.
func (s *Reviews) Reading(ctx context.Context, id string) (skill.Bundle, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, a, err := s.asItIs(ctx, id)
	if err != nil {
		return skill.Bundle{}, err
	}
	if a.BuiltIn {
		return s.files(a.AbilityID, a.Slug)
	}
	_, place := s.standsAt(a)
	if place == "" {
		return skill.Bundle{}, fault.New(fault.NotFound,
			"the changed copy is gone").WithHint("put the approved content back, or approve what there is")
	}
	return skill.ReadDir(place)
}

// standsAt is the folder that a person who decides about an ability reads, and its name: the bundle, or the target
// whose copy was changed. An approval takes the bundle, so a changed bundle comes first.
func (s *Reviews) standsAt(a Ability) (where, place string) {
	copied := a.Drift != "" && a.Drift != "bundle" && a.Drift != driftPermissions
	if copied && s.hashes.look(s.bundlePath(a.Slug)).hash == a.ApprovedHash {
		return a.Drift, a.DriftKept
	}
	return "bundle", s.bundlePath(a.Slug)
}
