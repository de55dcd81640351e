package oci

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/notaryproject/notation-core-go/signature"
	"github.com/notaryproject/notation-core-go/signature/jws"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
	"oras.land/oras-go/v2/content"
	"oras.land/oras-go/v2/registry/remote"

	"showhow/daemon/wire"
	"showhow/internal/clock"
)

// Bounds of the signatures of one skill.
const (
	maxSignatures = 32
	maxEnvelope   = 256 << 10
)

// Why a signature does not count.
const (
	problemUnreadable = "unreadable" // no signature, or one of a kind that is not read
	problemWrong      = "wrong"      // the bytes are not what the key signed
	problemContent    = "content"    // it is for another content
	problemExpired    = "expired"
)

// signed is one signature, read and checked.
type signed struct {
	signer  string // the key's fingerprint
	at      time.Time
	mark    string // what it was signed for: PATH:TAG; "" for one that Showhow did not make
	problem string // "" when it holds
}

var errEnough = errors.New("enough signatures")

// signatures reads the signatures that a registry has for a manifest: by the referrers API, else by its tag schema.
func (s *Service) signatures(ctx context.Context, repo *remote.Repository, d ocispec.Descriptor) ([]signed, error) {
	var found []ocispec.Descriptor
	plain := ocispec.Descriptor{MediaType: d.MediaType, Digest: d.Digest, Size: d.Size}
	err := repo.Referrers(ctx, plain, signatureType, func(page []ocispec.Descriptor) error {
		if found = append(found, page...); len(found) >= maxSignatures {
			return errEnough
		}
		return nil
	})
	if status := statusOf(err); status >= 400 && status < 500 && status != 401 && status != 429 || status == 501 {
		err = nil // it has no referrers, or shows them to nobody
	}
	if err != nil && !errors.Is(err, errEnough) {
		return nil, err
	}
	out := []signed{}
	for _, f := range found[:min(len(found), maxSignatures)] {
		x, err := s.signature(ctx, repo, plain, f)
		if err != nil {
			return nil, err
		}
		out = append(out, x)
	}
	return out, nil
}

// signature reads one signature. What is wrong with it is part of the result; an error is the registry's.
func (s *Service) signature(ctx context.Context, repo *remote.Repository, of, at ocispec.Descriptor) (signed, error) {
	bad := func(problem string) (signed, error) { return signed{problem: problem}, nil }
	if at.MediaType != ocispec.MediaTypeImageManifest || at.Size > maxEnvelope {
		return bad(problemUnreadable)
	}
	raw, err := content.FetchAll(ctx, repo.Manifests(), at)
	if err != nil {
		return s.gone(err)
	}
	var m ocispec.Manifest
	if json.Unmarshal(raw, &m) != nil || len(m.Layers) != 1 || m.Layers[0].MediaType != jws.MediaTypeEnvelope ||
		m.Layers[0].Size > maxEnvelope || m.Layers[0].Size < 0 {
		return bad(problemUnreadable)
	}
	if raw, err = content.FetchAll(ctx, repo.Blobs(), m.Layers[0]); err != nil {
		return s.gone(err)
	}
	return readSignature(raw, of, s.o.Now().Time), nil
}

// gone is a signature that is listed and not there, or not the one that is listed.
func (s *Service) gone(err error) (signed, error) {
	if statusOf(err) == 404 || errors.Is(err, content.ErrMismatchedDigest) || errors.Is(err, content.ErrTrailingData) ||
		errors.Is(err, content.ErrInvalidDescriptorSize) {
		return signed{problem: problemUnreadable}, nil
	}
	return signed{}, err
}

// readSignature checks an envelope: the signature itself, its certificate, that it is for this content, and that it is in time.
func readSignature(raw []byte, of ocispec.Descriptor, now time.Time) signed {
	env, err := jws.ParseEnvelope(raw)
	if err != nil {
		return signed{problem: problemUnreadable}
	}
	c, err := env.Verify()
	if err != nil {
		return signed{problem: problemWrong}
	}
	leaf := c.SignerInfo.CertificateChain[0]
	at := c.SignerInfo.SignedAttributes
	out := signed{signer: fingerprint(leaf), at: at.SigningTime}
	var p payload
	switch {
	case c.Payload.ContentType != payloadType || json.Unmarshal(c.Payload.Content, &p) != nil,
		at.SigningScheme != signature.SigningSchemeX509,
		slices.ContainsFunc(at.ExtendedAttributes, func(a signature.Attribute) bool { return a.Critical }):
		out.problem = problemUnreadable
	case p.Target.Digest != of.Digest || p.Target.Size != of.Size || p.Target.MediaType != of.MediaType:
		out.problem = problemContent
	case !at.Expiry.IsZero() && now.After(at.Expiry), now.After(leaf.NotAfter):
		out.problem = problemExpired
	}
	out.mark = oneLine(p.Target.Annotations[noteFor], maxReference)
	return out
}

func (x signed) wire() wire.SkillSignature {
	out := wire.SkillSignature{Signer: x.signer, For: x.mark, Problem: x.problem}
	if !x.at.IsZero() {
		at := clock.At(x.at)
		out.SignedAt = &at
	}
	return out
}
