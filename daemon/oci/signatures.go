package oci

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/notaryproject/notation-core-go/signature"
	"github.com/notaryproject/notation-core-go/signature/jws"
	"github.com/opencontainers/go-digest"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
	"golang.org/x/sync/errgroup"
	"oras.land/oras-go/v2/content"
	"oras.land/oras-go/v2/errdef"
	"oras.land/oras-go/v2/registry/remote"

	"showhow/daemon/wire"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

// Bounds of the signatures of one skill.
const (
	maxSignatures    = 256
	signaturesBatch  = 32
	signaturesAtOnce = 8
	maxEnvelope      = 256 << 10
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

// signatures reads the signatures that a registry has for a manifest: by the referrers API, else by its tag schema. It
// reads on until enough says so. What somebody added, broken or not, hides none: if there are more than are read, or some
// could not be read, that is the answer unless those that were read are enough.
func (s *Service) signatures(ctx context.Context, repo *remote.Repository, d ocispec.Descriptor, enough func([]signed) bool) (
	[]signed, error) {
	plain := ocispec.Descriptor{MediaType: d.MediaType, Digest: d.Digest, Size: d.Size}
	found, more, err := listed(ctx, repo, plain)
	if err != nil {
		return nil, err
	}
	out, unread := []signed{}, error(nil)
	for batch := range slices.Chunk(found[:min(len(found), maxSignatures)], signaturesBatch) {
		got, failures := make([]signed, len(batch)), make([]error, len(batch))
		var g errgroup.Group
		g.SetLimit(signaturesAtOnce)
		for i, f := range batch {
			g.Go(func() error {
				got[i], failures[i] = s.signature(ctx, repo, plain, f)
				return nil
			})
		}
		_ = g.Wait()
		for i, x := range got {
			if unread = cmp.Or(unread, failures[i]); failures[i] == nil {
				out = append(out, x)
			}
		}
		if enough(out) {
			return out, nil
		}
	}
	if unread == nil && (more || len(found) > maxSignatures) {
		unread = fault.New(fault.RegistryTooMany, "the skill has more signatures than are read, and those that were read do not decide").
			WithDetail("read", len(out)).WithHint("ask whoever runs the registry to remove the others; " +
			"--signer FINGERPRINT looks for one that this key made")
	}
	return out, unread
}

// listed are the signatures that a registry names for a manifest, each once; more: it names others too.
func listed(ctx context.Context, repo *remote.Repository, of ocispec.Descriptor) (found []ocispec.Descriptor, more bool, err error) {
	seen := map[digest.Digest]bool{}
	err = repo.Referrers(ctx, of, signatureType, func(page []ocispec.Descriptor) error {
		for _, f := range page {
			if !seen[f.Digest] {
				seen[f.Digest] = true
				found = append(found, f)
			}
		}
		if len(found) > maxSignatures {
			return errEnough
		}
		return nil
	})
	status := statusOf(err)
	switch {
	case errors.Is(err, errEnough), errors.Is(err, errdef.ErrSizeExceedsLimit), errors.Is(err, errdef.ErrTooManyPages):
		return found, true, nil
	case status >= 400 && status < 500 && status != 401 && status != 429 || status == 501:
		return found, false, nil // it has no referrers, or shows them to nobody
	case err != nil && status == 0 && answered(err):
		return nil, false, tampered(err, "signatures", "the registry's list of the skill's signatures cannot be read")
	}
	return found, false, err
}

// signature reads one signature. What is wrong with it is part of the result; an error is the registry's.
func (s *Service) signature(ctx context.Context, repo *remote.Repository, of, at ocispec.Descriptor) (signed, error) {
	bad := func(problem string) (signed, error) { return signed{problem: problem}, nil }
	if at.MediaType != ocispec.MediaTypeImageManifest || at.Size > maxEnvelope {
		return bad(problemUnreadable)
	}
	raw, err := content.FetchAll(ctx, repo.Manifests(), at)
	if err != nil {
		return gone(err)
	}
	var m ocispec.Manifest
	if json.Unmarshal(raw, &m) != nil || len(m.Layers) != 1 || m.Layers[0].MediaType != jws.MediaTypeEnvelope ||
		m.Layers[0].Size > maxEnvelope || m.Layers[0].Size < 0 {
		return bad(problemUnreadable)
	}
	if raw, err = content.FetchAll(ctx, repo.Blobs(), m.Layers[0]); err != nil {
		return gone(err)
	}
	return readSignature(raw, of, s.o.Now().Time), nil
}

// gone is a signature that is listed and not there, or not the one that is listed. Where the registry did not answer, or
// not now, it may be there.
func gone(err error) (signed, error) {
	if !answered(err) {
		return signed{}, err
	}
	return signed{problem: problemUnreadable}, nil
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
