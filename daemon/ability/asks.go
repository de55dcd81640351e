package ability

import (
	"context"
	"slices"

	"showhow/daemon/skill"
)

// asks is what a skill asks for: what the scanner finds its text and scripts to use, and the tools in its frontmatter. A copy of
// it asks for the same on every computer.
func (s *base) asks(ctx context.Context, b skill.Bundle) (Permissions, error) {
	var p Permissions
	if s.o.Scan != nil {
		r, err := s.o.Scan(ctx, b)
		if err != nil {
			return p, err
		}
		p = r.Permissions
	}
	if doc, err := skill.Parse(b); err == nil {
		p.Tools = slices.Concat(p.Tools, doc.AllowedTools)
	}
	return normal(p), nil
}
