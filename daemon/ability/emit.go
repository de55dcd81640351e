package ability

import (
	"slices"

	"showhow/daemon/skill"
)

// forTarget is a skill as it is projected into an agent's folder: in the form in which `skill export` hands it to that kind of
// agent. What an agent refuses is the author's to mend; its folder gets what everybody gets. What the host manages beside the
// skill goes along.
func forTarget(t Target, b skill.Bundle) skill.Bundle {
	out, _, err := skill.Emit(b, skill.TargetOf(t.Name))
	if err != nil {
		return b
	}
	if f := b.File(skill.HostManaged); f != nil {
		out.Files = append(slices.Clone(out.Files), *f)
	}
	return out
}

// source is the content that a copy was made of. Copies from before targets had forms of their own are that content.
func (r LedgerEntry) source() string {
	if r.Source == "" {
		return r.Hash
	}
	return r.Source
}

// standsFor is the content that a copy shows agents: what it was made of as long as no byte of it changed.
func (r LedgerEntry) standsFor(p place) place {
	if p.hash == r.Hash {
		p.hash = r.source()
	}
	return p
}
