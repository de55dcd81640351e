package oci

import (
	"cmp"
	"context"
	"slices"

	"showhow/daemon/skill"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// update reads what an installed skill would become: what the registry has now, with the changes that were made and
// approved here. Changes that meet in one place are not decided: it says so and changes nothing.
func (s *Service) update(ctx context.Context, q wire.SkillImportSourceRequest) (Pulled, error) {
	all, err := s.o.Skills.Installed(ctx)
	if err != nil {
		return Pulled{}, err
	}
	i := slices.IndexFunc(all, func(k Installed) bool {
		return k.fromRegistry() && (k.AbilityID == q.Updates || k.Slug == q.Updates)
	})
	if i < 0 {
		return Pulled{}, fault.New(fault.NotFound, "no installed skill of this name came from a registry or was pushed to one").
			WithHint("`showhow skill outdated` lists those that did")
	}
	k := all[i]
	ours, err := s.o.Skills.Shareable(ctx, k.AbilityID) // its files are what was approved
	if err != nil {
		if fault.Is(err, fault.TrustRequired) {
			err = fault.Wrap(err, fault.TrustRequired, "what stands here is not approved, so an update cannot keep it")
		}
		return Pulled{}, fault.From(err).WithHint("approve what stands there, or `showhow skill restore` it, then update")
	}
	reference := cmp.Or(q.Reference, k.From.Reference)
	if q.Reference == "" && q.Digest == "" {
		if state, there, _ := s.stateOf(ctx, k); there != nil && state == stateNewer {
			reference = there.Reference
		}
	}
	w := wantedOf(q)
	w.reference, w.updates = reference, k.AbilityID
	theirs, err := s.pull(ctx, w)
	if err != nil {
		return Pulled{}, err
	}
	theirs.Updates = ours.Bundle.Hash()
	if theirs.Reference.Name() != k.From.Repository() {
		return Pulled{}, fault.New(fault.InvalidRequest, "an update comes from where the skill came from").
			WithHint("pull it instead, which makes it a skill of its own")
	}
	if k.From.Earlier(theirs.Digest, theirs.Facts.Created) && !q.Older {
		return Pulled{}, older(theirs.Digest)
	}
	if ours.Bundle.Hash() == k.From.Here() || q.Theirs || ours.Bundle.Hash() == theirs.Facts.TrustHash {
		return theirs, nil
	}
	return s.joined(ctx, k, ours.Bundle, theirs)
}

// joined adds the changes that were made here to what comes from there.
func (s *Service) joined(ctx context.Context, k Installed, ours skill.Bundle, theirs Pulled) (Pulled, error) {
	base, err := s.pull(ctx, wanted{reference: k.From.Reference, digest: k.From.Digest})
	if err == nil && k.From.TrustHash != "" && base.Facts.TrustHash != k.From.TrustHash {
		err = tampered(nil, "trust_hash", "the version that was installed is another one now")
	}
	if err != nil && !fault.Is(err, fault.RegistryNotFound) && !fault.Is(err, fault.RegistryContent) {
		return Pulled{}, err // it may be there
	}
	if err != nil {
		return Pulled{}, fault.Wrap(err, fault.UpdateConflict, "the skill was changed here, and the version that it was changed from is gone").
			WithHint("--theirs gives your changes up; `showhow skill export` keeps them first")
	}
	out, conflicts := merge(base.Bundle, ours, theirs.Bundle)
	if len(conflicts) > 0 {
		return Pulled{}, fault.New(fault.UpdateConflict, "the skill was changed here and there in the same places").
			WithHint("--theirs gives your changes up; `showhow skill export` keeps them first").WithDetail("files", conflicts)
	}
	theirs.Bundle = out
	theirs.Merged = true
	return theirs, nil
}
