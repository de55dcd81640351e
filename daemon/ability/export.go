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
	if a.Trust != TrustApproved || a.Lane == LaneQuarantined {
		return skill.Bundle{}, nil, fault.New(fault.TrustRequired, "only an approved skill is exported").
			WithHint("`showhow skill diff` shows why it is not approved")
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
