package shelf

import (
	"context"
	"slices"

	"showhow/daemon/ability"
	"showhow/daemon/oci"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// Shareable implements oci.Skills.
func (s Shelf) Shareable(ctx context.Context, name string) (oci.Shareable, error) {
	e, err := s.o.Abilities.AvailabilityOf(ctx, name)
	if err != nil {
		return oci.Shareable{}, err
	}
	if err := ability.MayLeave(e.SkillSlug, e.Trust, e.InstallLane, "shared"); err != nil {
		return oci.Shareable{}, err
	}
	b, err := s.o.Abilities.Approved(ctx, e.AbilityID)
	if err != nil {
		return oci.Shareable{}, err
	}
	if b.Hash() != e.ApprovedHash {
		return oci.Shareable{}, fault.New(fault.ContentHashMismatch, "the files changed while they were read").
			WithHint("look at them with `showhow skill diff`")
	}
	b.Name = e.SkillSlug
	all, err := s.o.Abilities.Origins(ctx)
	if err != nil {
		return oci.Shareable{}, err
	}
	k := oci.Shareable{AbilityID: e.AbilityID, Revision: e.Revision, Title: e.Title, Origin: e.Source, Sites: e.Permissions.Domains, Bundle: b}
	if i := slices.IndexFunc(all, func(o ability.Origin) bool { return o.AbilityID == e.AbilityID }); i >= 0 {
		k.From = all[i].From
	}
	return k, nil
}

// Installed implements oci.Skills.
func (s Shelf) Installed(ctx context.Context) ([]oci.Installed, error) {
	all, err := s.o.Abilities.Origins(ctx)
	out := make([]oci.Installed, 0, len(all))
	for _, o := range all {
		out = append(out, oci.Installed{AbilityID: o.AbilityID, Slug: o.Slug, Approved: o.Trust == ability.TrustApproved,
			ApprovedHash: o.ApprovedHash, From: o.From})
	}
	return out, err
}

// Pushed implements oci.Skills.
func (s Shelf) Pushed(ctx context.Context, abilityID string, to wire.ImportProvenance, sent bool) (receipt string, err error) {
	return s.o.Abilities.Pushed(ctx, ability.Push{AbilityID: abilityID, To: to, Sent: sent})
}
