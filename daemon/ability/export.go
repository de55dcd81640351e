package ability

import (
	"context"

	"showhow/daemon/skill"
	"showhow/internal/fault"
)

// Export is an ability's approved content in the form of one kind of agent. Unapproved content is not exported.
func (s *Reviews) Export(ctx context.Context, id, target string) (skill.Bundle, []skill.Finding, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, a, err := s.asItIs(ctx, id)
	if err != nil {
		return skill.Bundle{}, nil, err
	}
	if err := MayLeave(a.Slug, a.Trust, a.Lane, "exported"); err != nil {
		return skill.Bundle{}, nil, err
	}
	b, err := s.files(a.AbilityID, a.Slug)
	if err != nil {
		return b, nil, err
	}
	if b.Hash() != a.ApprovedHash {
		return b, nil, fault.New(fault.ContentHashMismatch,
			"the files changed while they were read").WithHint("look at them with `showhow skill diff`")
	}
	return skill.Emit(b, target)
}

// MayLeave refuses to hand on a skill that is quarantined or not approved, and names the command that changes it. done is
// what would be done with it: exported, shared.
func MayLeave(slug, trust, lane, done string) error {
	switch {
	case lane == LaneQuarantined:
		return fault.New(fault.TrustRequired, "the skill "+slug+" is quarantined: it is not "+done).
			WithHint("if you trust it again: showhow ability unquarantine " + slug)
	case trust != TrustApproved:
		return fault.New(fault.TrustRequired, "the skill "+slug+" is not approved: only an approved one is "+done).
			WithHint("showhow skill diff " + slug + " shows what to look at; then: showhow skill approve " + slug)
	}
	return nil
}
