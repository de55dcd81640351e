package shelf

import (
	"context"
	"io/fs"

	"showhow/daemon/ability"
	"showhow/daemon/skill"
	"showhow/daemon/skill/scan"
	"showhow/daemon/wire"
	"showhow/internal/twin"
)

// Scan returns the part of the scanner's verdict that trust needs, for a skill that was not made here.
func Scan(ctx context.Context, b skill.Bundle) (ability.Scanned, error) {
	r, err := scan.Skill(ctx, b)
	if err != nil {
		return ability.Scanned{}, err
	}
	out := ability.Scanned{Verdict: ability.ScanVerdict{Verdict: string(r.Verdict), Findings: len(r.Findings)},
		Permissions: ability.Permissions{Tools: r.Permissions.Tools, Domains: r.Permissions.Domains, Credentials: r.Permissions.Credentials}}
	if len(r.Findings) > 0 {
		out.Verdict.Worst = r.Findings[0].Title
	}
	for _, f := range r.Findings {
		if f.Severity.AtLeast(scan.Medium) {
			out.Findings = append(out.Findings, ability.Finding{ScanFinding: twin.To[wire.ScanFinding](f),
				Blocks: f.Severity.AtLeast(scan.High), Instructs: f.Instructs()})
		}
	}
	return out, nil
}

// ScanImport scans a skill next to the installed ones.
func (s Shelf) ScanImport(ctx context.Context, fsys fs.FS, name string) (scan.Report, error) {
	names, err := s.o.Abilities.TakenSlugs(ctx)
	if err != nil {
		return scan.Report{}, err
	}
	o := scan.Options{Name: name}
	for _, n := range names {
		if n != name { // which gets a namespace instead
			o.Installed = append(o.Installed, scan.Installed{Slug: n})
		}
	}
	return scan.Bundle(ctx, fsys, o)
}
