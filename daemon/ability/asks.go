package ability

import (
	"context"
	"slices"

	"showhow/daemon/skill"
)

// asks is what a skill asks for: what the scanner finds its text and scripts to use, and the tools in its frontmatter. A copy of
// it asks for the same on every computer.
func (s *base) asks(ctx context.Context, b skill.Bundle) (p Permissions, verdict *ScanVerdict, err error) {
	if s.o.Scan != nil {
		r, err := s.o.Scan(ctx, b)
		if err != nil {
			return p, nil, err
		}
		p, verdict = r.Permissions, &r.Verdict
	}
	if doc, err := skill.Parse(b); err == nil {
		p.Tools = slices.Concat(p.Tools, doc.AllowedTools)
	}
	return normal(p), verdict, nil
}
