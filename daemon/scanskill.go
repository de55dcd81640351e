package daemon

import (
	"context"

	"showhow/daemon/ability"
	"showhow/daemon/skill"
	"showhow/daemon/skill/scan"
)

// scanSkill is what the scanner says of a skill that was not made here, as far as trust needs it.
func (d *Daemon) scanSkill(ctx context.Context, b skill.Bundle) (ability.Scanned, error) {
	r, err := scan.Skill(ctx, b)
	if err != nil {
		return ability.Scanned{}, err
	}
	out := ability.Scanned{Verdict: ability.ScanVerdict{Verdict: string(r.Verdict), Findings: r.Count(scan.Medium)},
		Permissions: ability.Permissions{Tools: r.Permissions.Tools, Domains: r.Permissions.Domains, Credentials: r.Permissions.Credentials}}
	if len(r.Findings) > 0 {
		out.Verdict.Worst = r.Findings[0].Title
	}
	return out, nil
}
