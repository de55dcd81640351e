package shelf

import (
	"context"
	"io/fs"

	"showhow/daemon/ability"
	"showhow/daemon/skill"
	"showhow/daemon/skill/scan"
)

// Scan is what the scanner says of a skill that was not made here, as far as trust needs it.
func Scan(ctx context.Context, b skill.Bundle) (ability.Scanned, error) {
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

// ScanImport judges a skill beside those that are there.
func (s Shelf) ScanImport(ctx context.Context, fsys fs.FS, name string) (scan.Report, error) {
	catalog, err := s.o.Abilities.Catalog(ctx)
	if err != nil {
		return scan.Report{}, err
	}
	o := scan.Options{Name: name}
	for _, i := range catalog.Items {
		if i.SkillSlug != name { // which gets a namespace instead
			o.Installed = append(o.Installed, scan.Installed{Slug: i.SkillSlug})
		}
	}
	return scan.Bundle(ctx, fsys, o)
}
