package oci

import (
	"context"
	"slices"

	"showhow/daemon/wire"
	"showhow/internal/clock"
)

// Verify checks all that a pull checks and keeps nothing of it.
func (s *Service) Verify(ctx context.Context, q wire.SkillVerifyQuery) (wire.SkillVerified, error) {
	all, err := s.o.Skills.Installed(ctx)
	if err != nil {
		return wire.SkillVerified{}, err
	}
	p, err := s.pull(ctx, wanted{reference: q.Reference, signer: q.Signer, checked: true})
	if err != nil {
		return wire.SkillVerified{}, err
	}
	out := wire.SkillVerified{Reference: p.Reference.String(), Digest: p.Digest, Version: p.Facts.Version, ContentHash: p.Facts.TrustHash,
		Files: len(p.Bundle.Files), Signer: p.Signer, Signatures: []wire.SkillSignature{}, SchemaVersion: 1,
		Expected: pinnedFor(all, p.Reference)}
	if !p.Facts.Created.IsZero() {
		at := clock.At(p.Facts.Created)
		out.PushedAt = &at
	}
	for _, x := range p.signatures {
		out.Signatures = append(out.Signatures, x.wire())
	}
	if i := slices.IndexFunc(all, func(k Installed) bool { return k.isFrom(p.Reference) }); i >= 0 {
		out.InstalledAs = all[i].Slug
	}
	k, err := s.signer(ctx)
	out.Yours = err == nil && k != nil && fingerprint(k.cert) == p.Signer
	return out, nil
}

// Signer is this computer's key, as others know it.
func (s *Service) Signer(ctx context.Context) (wire.SkillSigner, error) {
	out := wire.SkillSigner{Available: s.o.Keychain != nil, SchemaVersion: 1}
	k, err := s.signer(ctx)
	if k != nil {
		out.Signer = fingerprint(k.cert)
	}
	return out, err
}
