package ability

import (
	"context"

	"showhow/daemon/skill"
	"showhow/internal/fault"
)

// Open reads an ability's files for an agent that wants to follow it: exactly the approved content. It fails, with the
// reason, if the agent may not use the ability now or one byte differs. agents are the agent's names, as far as they
// are known.
func (s *Views) Open(ctx context.Context, id string, agents []string) (skill.Bundle, AvailabilityEntry, error) {
	e, err := s.AvailabilityOf(ctx, id)
	if err != nil {
		return skill.Bundle{}, e, err
	}
	e, there := e.For(agents)
	if !there {
		return skill.Bundle{}, e, notFound()
	}
	if !e.UsableNow {
		return skill.Bundle{}, e, notUsable(e.SkillSlug, e.ReasonUnusable, e.ReasonCode)
	}
	b, err := s.files(e.AbilityID, e.SkillSlug)
	if err != nil || b.Hash() != e.ApprovedHash {
		return skill.Bundle{}, e, notUsable(e.SkillSlug, "its files changed just now", "drifted")
	}
	return b, e, nil
}

func notUsable(slug, reason, code string) error {
	return fault.New(fault.TrustRequired, "the skill "+slug+" is not usable: "+reason).WithDetail("reason_code", code).
		WithHint("ask the person; `showhow skill show " + slug + "` says more")
}
