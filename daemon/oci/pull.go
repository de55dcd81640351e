package oci

import (
	"bytes"
	"context"
	"io"
	"path"
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
)

// Pulled is a skill as a registry has it.
type Pulled struct {
	Reference Reference
	Digest    string // of the manifest
	Facts     Facts
	Bundle    skill.Bundle
	Merged    bool   // changes that were made here are in it
	Updates   string // of an update: the hash of what is installed
}

// Fetch reads a skill from a registry into memory (imports.Remote).
func (s *Service) Fetch(ctx context.Context, q wire.SkillImportSourceRequest) ([]skill.File, string, wire.ImportProvenance, error) {
	var p Pulled
	var err error
	if q.Updates != "" {
		p, err = s.update(ctx, q)
	} else {
		p, err = s.pull(ctx, q.Reference, q.Digest)
	}
	if err != nil {
		return nil, "", wire.ImportProvenance{}, err
	}
	return p.Bundle.Files, p.Bundle.Name, p.provenance(), nil
}

func (p Pulled) provenance() wire.ImportProvenance {
	out := wire.ImportProvenance{Reference: p.Reference.String(), Digest: p.Digest, Version: p.Facts.Version, TrustHash: p.Facts.TrustHash,
		Origin: p.Facts.Origin, ApprovedThere: p.Facts.Approved, Merged: p.Merged, Updates: p.Updates}
	if !p.Facts.Created.IsZero() {
		at := clock.At(p.Facts.Created)
		out.PushedAt = &at
	}
	return out
}

// Pull reads a skill from a registry. Everything is checked: each file against its layer's digest, the manifest against
// its own, the whole against the trust hash that it claims.
func (s *Service) Pull(ctx context.Context, reference string) (Pulled, error) {
	return s.pull(ctx, reference, "")
}

// pull reads the skill that a reference names, or the one with a digest in the same repository.
func (s *Service) pull(ctx context.Context, reference, digest string) (Pulled, error) {
	named, err := Parse(reference)
	if err != nil {
		return Pulled{}, err
	}
	r := named
	if digest != "" {
		if r = named.at(digest); !r.pinned() {
			return Pulled{}, badReference(nil)
		}
		if named.pinned() && named != r {
			return Pulled{}, fault.New(fault.InvalidRequest, "the reference names another content than the digest").
				WithHint("give one of the two, or the reference with its tag; in a lock file, `showhow skill sync --write` writes both")
		}
	}
	ctx, cancel := context.WithTimeout(ctx, pullTime)
	defer cancel()
	repo := s.repository(r)
	d, m, f, err := s.manifest(ctx, repo, r)
	if err != nil {
		return Pulled{}, err
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
	f.TrustHash = b.Hash()
	return Pulled{Reference: named, Digest: d.Digest.String(), Facts: f, Bundle: b}, nil
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
			return err
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
