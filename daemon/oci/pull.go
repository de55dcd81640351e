package oci

import (
	"bytes"
	"context"
	"io"
	"path"
	"slices"
	"time"

	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
	"golang.org/x/sync/errgroup"
	"oras.land/oras-go/v2/content"
	"oras.land/oras-go/v2/registry/remote"

	"showhow/daemon/skill"
	"showhow/daemon/skill/archive"
	"showhow/daemon/wire"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

const (
	pullTime    = 2 * time.Minute
	filesAtOnce = 4

	clockSkew = 10 * time.Minute // of whoever pushed against this computer
)

// Pulled is a skill as a registry has it.
type Pulled struct {
	Reference Reference
	Digest    string // of the manifest
	Facts     Facts
	Bundle    skill.Bundle
	Signer    string // the fingerprint of the key that signed it, "" for nobody
	Merged    bool   // changes that were made here are in it
	Updates   string // of an update: the hash of what is installed
	Pinned    string // of an unsigned one: the accepted key, which stays accepted
	SetAside  string // the accepted key that did not sign it

	signatures []signed
}

// wanted is what is to be pulled, and what must hold of it.
type wanted struct {
	reference string
	digest    string // exactly this content, in the same repository
	signer    string // the key that must have signed it
	unsigned  bool   // also without a signature
	older     bool   // also an earlier push than the installed one
	pin       string // what becomes of the accepted key: pinKeep, pinForget, ""
	updates   string // the ability that it is an update of
	checked   bool   // the signature counts; not for what was accepted before and is fetched again by its digest
}

func wantedOf(q wire.SkillImportSourceRequest) wanted {
	return wanted{reference: q.Reference, digest: q.Digest, signer: q.Signer, unsigned: q.Unsigned, older: q.Older, pin: q.Pin,
		checked: true}
}

// Fetch reads a skill from a registry into memory (imports.Remote).
func (s *Service) Fetch(ctx context.Context, q wire.SkillImportSourceRequest) ([]skill.File, string, wire.ImportProvenance, error) {
	var p Pulled
	var err error
	if q.Updates != "" {
		p, err = s.update(ctx, q)
	} else {
		p, err = s.pull(ctx, wantedOf(q))
	}
	if err != nil {
		return nil, "", wire.ImportProvenance{}, err
	}
	return p.Bundle.Files, p.Bundle.Name, p.provenance(), nil
}

func (p Pulled) provenance() wire.ImportProvenance {
	out := wire.ImportProvenance{Reference: p.Reference.String(), Digest: p.Digest, Version: p.Facts.Version, TrustHash: p.Facts.TrustHash,
		Origin: p.Facts.Origin, ApprovedThere: p.Facts.Approved, Merged: p.Merged, Updates: p.Updates,
		Signer: p.Signer, Pinned: p.Pinned, SetAside: p.SetAside}
	if !p.Facts.Created.IsZero() {
		at := clock.At(p.Facts.Created)
		out.PushedAt = &at
	}
	return out
}

// Pull reads a skill from a registry. Everything is checked: each file against its layer's digest, the manifest against
// its own, the whole against the trust hash that it claims, the signature against the key that was accepted before.
func (s *Service) Pull(ctx context.Context, reference string) (Pulled, error) {
	return s.pull(ctx, wanted{reference: reference, checked: true})
}

// at is the reference that is asked for: the digest instead of the tag if there is one.
func (w wanted) at(named Reference) (Reference, error) {
	if w.digest == "" {
		return named, nil
	}
	r := named.at(w.digest)
	if !r.pinned() {
		return r, badReference(nil)
	}
	if named.pinned() && named != r {
		return r, fault.New(fault.InvalidRequest, "the reference names another content than the digest").
			WithHint("give one of the two, or the reference with its tag; in a lock file, `showhow skill sync --write` writes both")
	}
	return r, nil
}

func (s *Service) pull(ctx context.Context, w wanted) (Pulled, error) {
	named, err := Parse(w.reference)
	if err != nil {
		return Pulled{}, err
	}
	r, err := w.at(named)
	if err != nil {
		return Pulled{}, err
	}
	if w.signer != "" && !isFingerprint(w.signer) {
		return Pulled{}, fault.New(fault.InvalidRequest, "this is no fingerprint of a key").
			WithHint("a fingerprint has 64 characters, 0 to 9 and a to f; `showhow skill signer` shows that of your own key")
	}
	ctx, cancel := context.WithTimeout(ctx, pullTime)
	defer cancel()
	repo := s.repository(r)
	d, m, f, err := s.manifest(ctx, repo, r)
	if err != nil {
		return Pulled{}, err
	}
	p := Pulled{Reference: named, Digest: d.Digest.String(), Facts: f}
	if w.checked { // before a file is asked for
		if err := s.accept(ctx, repo, d, r, w, &p); err != nil {
			return Pulled{}, err
		}
	}
	files, err := s.files(ctx, repo, m)
	if err != nil {
		return Pulled{}, failed(err, r)
	}
	b, err := skill.New(path.Base(r.Repository), files)
	if err != nil {
		return Pulled{}, notASkill(err)
	}
	if f.TrustHash != "" && f.TrustHash != b.Hash() {
		return Pulled{}, tampered(nil, "trust_hash", "the skill's files are not those that its trust hash names")
	}
	p.Facts.TrustHash, p.Bundle = b.Hash(), b
	return p, nil
}

// accept judges the signature, and whether the tag was moved back since it was pulled.
func (s *Service) accept(ctx context.Context, repo *remote.Repository, d ocispec.Descriptor, r Reference, w wanted, p *Pulled) error {
	all, err := s.o.Skills.Installed(ctx)
	if err != nil {
		return err
	}
	pinned := pinnedFor(all, r)
	if i := slices.IndexFunc(all, func(k Installed) bool { return w.updates != "" && k.AbilityID == w.updates }); i >= 0 {
		pinned = all[i].From.Pin()
	}
	want := w.demand(pinned)
	p.signatures, err = s.signatures(ctx, repo, d, func(read []signed) bool { // without a key to look for, all count
		_, err := s.judge(read, r, want)
		return err == nil && want.expected() != "" && slices.ContainsFunc(read, want.by)
	})
	if err != nil {
		return failed(err, r)
	}
	if p.Signer, err = s.judge(p.signatures, r, want); err != nil {
		return err
	}
	p.keepPin(pinned, w)
	for _, k := range all {
		if !r.pinned() && k.From.Reference == r.String() && k.From.Earlier(p.Digest, p.Facts.Created) && !w.older {
			return older(p.Digest)
		}
	}
	return nil
}

// older is the refusal of an earlier push than the installed one.
func older(digest string) error {
	return fault.New(fault.RegistryOlder, "the registry leads to an older push than the installed one").
		WithHint("`pull` or `update` with --older takes it all the same; "+
			"if nobody meant to go back, tell whoever runs the registry").WithDetail("digest", digest)
}

// manifest reads the manifest that a reference names.
func (s *Service) manifest(ctx context.Context, repo *remote.Repository, r Reference) (ocispec.Descriptor, ocispec.Manifest, Facts, error) {
	none := ocispec.Manifest{}
	d, body, err := repo.Manifests().FetchReference(ctx, r.Reference.Reference)
	if err != nil {
		return d, none, Facts{}, failed(err, r)
	}
	defer body.Close()
	switch {
	case d.MediaType != ocispec.MediaTypeImageManifest:
		return d, none, Facts{}, notASkill(nil)
	case d.Size > maxManifest:
		return d, none, Facts{}, tooLarge(archive.TooLarge)
	}
	raw, err := content.ReadAll(body, d)
	if err != nil {
		return d, none, Facts{}, failed(err, r)
	}
	m, f, err := parse(raw, s.limits())
	if err == nil && f.Created.After(s.o.Now().Add(clockSkew)) { // every later push would count as an older one
		err = tampered(nil, "created", "the push names a time that has not come yet")
	}
	return d, m, f, err
}

// files reads the layers, by the rules of an archive.
func (s *Service) files(ctx context.Context, repo *remote.Repository, m ocispec.Manifest) ([]skill.File, error) {
	data := make([][]byte, len(m.Layers))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(filesAtOnce)
	for i, l := range m.Layers {
		g.Go(func() (err error) {
			data[i], err = content.FetchAll(ctx, repo.Blobs(), l)
			return ofManifest(err)
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	c := archive.NewCollector(s.limits(), "the artifact")
	for i, l := range m.Layers {
		open := func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data[i])), nil }
		if err := c.File(l.Annotations[ocispec.AnnotationTitle], mode(l), l.Size, open); err != nil {
			return nil, err
		}
	}
	return c.Files(), nil
}
