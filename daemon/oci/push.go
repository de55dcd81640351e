package oci

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
	"oras.land/oras-go/v2/content"
	"oras.land/oras-go/v2/registry/remote"

	"showhow/daemon/skill"
	"showhow/daemon/wire"
	"showhow/internal/clock"
	"showhow/internal/fault"
	"showhow/internal/lazyre"
	"showhow/internal/plain"
	"showhow/internal/twin"
)

const pushTime = 2 * time.Minute

// plan is a push before it happens: everything that would leave.
type plan struct {
	r        Reference
	from     string // the repository in the same registry that its files may be mounted from
	bundle   skill.Bundle
	manifest ocispec.Manifest
	there    bool                  // the tag leads to exactly this already
	as       ocispec.Descriptor    // its manifest; a signature may be missing
	at       time.Time             // when that was pushed
	was      wire.ImportProvenance // where the skill was pulled from, or pushed to before
	preview  wire.SkillPushPreview
}

// Preview says exactly what a push would send, and where. Nothing is sent.
func (s *Service) Preview(ctx context.Context, q wire.SkillPushRequest) (wire.SkillPushPreview, error) {
	p, err := s.plan(ctx, q)
	return p.preview, err
}

func (s *Service) plan(ctx context.Context, q wire.SkillPushRequest) (plan, error) {
	r, err := Parse(q.Reference)
	if err != nil {
		return plan{}, err
	}
	if r.pinned() {
		return plan{}, fault.New(fault.InvalidRequest, "a push goes to a tag").WithHint("write it as registry.example.com/team/skill:1.2")
	}
	k, err := s.o.Skills.Shareable(ctx, q.AbilityID)
	if err != nil {
		return plan{}, err
	}
	p := plan{r: r, from: sameRegistry(k.From.Reference, r), was: k.From}
	var left []wire.SkillLeftOut
	p.bundle, left = k.Bundle, []wire.SkillLeftOut{}
	if !q.WithExamples {
		p.bundle, left = public(k.Bundle)
	}
	version := cmp.Or(q.Version, r.tag())
	doc, err := skill.Parse(p.bundle)
	if err != nil {
		return plan{}, err
	}
	facts := Facts{Name: k.Bundle.Name, Version: version, Description: oneLine(doc.Description, 1024), TrustHash: p.bundle.Hash(),
		Origin: k.Origin, Approved: len(left) == 0} // otherwise it is not what was approved
	if p.manifest, err = pack(p.bundle, facts); err != nil {
		return plan{}, err
	}
	p.preview = wire.SkillPushPreview{AbilityID: k.AbilityID, Title: k.Title, Reference: r.String(), Registry: r.Registry, Version: version,
		Annotations: maps.Clone(p.manifest.Annotations), ContentHash: facts.TrustHash, OwnHash: k.Bundle.Hash(), Revision: k.Revision,
		OtherKeys: []string{}, LeftOut: left, Files: []wire.ImportFileInfo{}, SchemaVersion: 1}
	for i, f := range p.bundle.Files {
		p.preview.Files = append(p.preview.Files, wire.ImportFileInfo{Path: f.Path, Bytes: len(f.Data),
			SHA256: p.manifest.Layers[i].Digest.Encoded(), Executable: f.Mode&0o111 != 0})
		p.preview.Bytes += len(f.Data)
	}
	if err := s.look(ctx, &p, k); err != nil {
		return plan{}, err
	}
	if err := s.whoSigns(ctx, &p, q); err != nil {
		return plan{}, err
	}
	if err := s.whatIsThere(ctx, &p); err != nil {
		return plan{}, err
	}
	p.preview.Seal = seal(p)
	return p, nil
}

// whoSigns says whether the push will be signed, and with which key. A keychain that does not answer is no reason to push
// without a signature.
func (s *Service) whoSigns(ctx context.Context, p *plan, q wire.SkillPushRequest) error {
	if q.Unsigned || s.o.Keychain == nil {
		return nil
	}
	k, err := s.signer(ctx)
	if err != nil {
		return fault.From(err).WithHint("unlock the keychain, or push with --unsigned")
	}
	p.preview.Signed = true
	if k != nil {
		p.preview.Signer = fingerprint(k.cert)
	}
	return nil
}

// look adds what a reader would learn from it: sites, sentences, personal data, and what the scanner found.
func (s *Service) look(ctx context.Context, p *plan, k Shareable) error {
	report, err := s.o.Scan(ctx, p.bundle)
	if err != nil {
		return err
	}
	v := &p.preview
	v.Verdict = string(report.Verdict)
	v.Sites = slices.Concat(k.Sites, report.Permissions.Domains)
	slices.Sort(v.Sites)
	v.Sites = slices.Compact(v.Sites)
	v.Findings = twin.To[[]wire.ScanFinding](report.Findings)
	if t, ok := skill.TriggerTestsOf(p.bundle); ok {
		v.Sentences, v.NotFor = slices.Concat(t.Positives, t.Paraphrases), t.Negatives
	}
	v.Sites, v.Sentences, v.NotFor = orEmpty(v.Sites), orEmpty(v.Sentences), orEmpty(v.NotFor)
	v.Asks = wire.ScanPermissions(report.Permissions)
	v.Personal, v.NotText = s.personal(p.bundle), []string{}
	for _, f := range p.bundle.Files {
		if !isText(f.Data) {
			v.NotText = append(v.NotText, f.Path)
		}
	}
	v.Blocked = slices.ContainsFunc(v.Personal, func(x wire.SkillPersonalData) bool { return x.Secret })
	return nil
}

func orEmpty[T any](xs []T) []T {
	if xs == nil {
		return []T{}
	}
	return xs
}

// homeFolder is a path into somebody's home, which holds their user name: on Linux, macOS and Windows.
var homeFolder = lazyre.New(`(?:/home/|/Users/|\b[A-Za-z]:\\{1,2}Users\\{1,2})[^\s/\\"'` + "`" + `<>|:;,()\[\]{}$*?]+`)

// maxPersonal bounds the list; what blocks comes first.
const maxPersonal = 200

// personal lists the secrets and the personal identifiers in the files. A secret's text is in no answer.
func (s *Service) personal(b skill.Bundle) []wire.SkillPersonalData {
	out := []wire.SkillPersonalData{}
	for _, f := range b.Files {
		for _, text := range readings(f.Data) {
			note := func(start, end int, kind string, secret bool) {
				x := wire.SkillPersonalData{Path: f.Path, Line: 1 + strings.Count(text[:start], "\n"), Kind: kind, Secret: secret}
				if !secret {
					x.Text = plain.Clip(oneLine(text[start:end], 200), 120)
				}
				out = append(out, x)
			}
			for _, sp := range s.o.Find(text) {
				note(sp.Start, sp.End, string(sp.Kind), !sp.Kind.Personal())
			}
			for _, at := range homeFolder.FindAllStringIndex(text, -1) {
				note(at[0], at[1], "home_folder", false)
			}
		}
	}
	slices.SortStableFunc(out, func(x, y wire.SkillPersonalData) int { return -cmp.Compare(rank(x), rank(y)) })
	return out[:min(len(out), maxPersonal)]
}

func rank(x wire.SkillPersonalData) int {
	if x.Secret {
		return 1
	}
	return 0
}

// whatIsThere looks at what the tag leads to now, and at who signed what people have from that repository.
func (s *Service) whatIsThere(ctx context.Context, p *plan) error {
	repo := s.repository(p.r)
	d, m, f, err := s.manifest(ctx, repo, p.r)
	switch {
	case fault.Is(err, fault.RegistryNotFound): // a new tag, or a new repository
		return s.besideNewest(ctx, repo, p)
	case fault.Is(err, fault.RegistryContent) && d.Digest != "": // another artifact
		p.preview.Replaces = &wire.SkillInRegistry{Digest: d.Digest.String()}
		return nil
	case err != nil:
		return err
	}
	p.preview.Replaces = &wire.SkillInRegistry{Digest: d.Digest.String(), Version: f.Version, ContentHash: f.TrustHash}
	p.there = sameButTime(m, p.manifest) // a signature is for all that the manifest says, whoever wrote it
	if p.there {
		p.as, p.at = d, f.Created
	}
	if p.there && !p.preview.Signed {
		p.preview.AlreadyThere = true
		return nil
	}
	byMe, err := s.whoSigned(ctx, repo, d, p)
	if p.there && byMe {
		p.preview.AlreadyThere, p.preview.SignedBy = true, p.preview.Signer
	}
	return err
}

// besideNewest looks at who signed what the repository's newest tag leads to, or notes that it cannot be read.
func (s *Service) besideNewest(ctx context.Context, repo *remote.Repository, p *plan) error {
	tags, err := tagsOf(ctx, repo)
	if err != nil && fault.Is(failed(err, p.r), fault.RegistryNotFound) || err == nil && len(tags) == 0 {
		return nil // a new repository
	}
	if err == nil {
		var d ocispec.Descriptor
		if _, d, _, _, err = s.newestThere(ctx, repo, p.r, tags); err == nil {
			_, err = s.whoSigned(ctx, repo, d, p)
			return err
		}
	}
	p.preview.KeysUnread = true
	return nil
}

// whoSigned reports whether the key that signs the push signed what is there. If not, it notes the keys that did: whoever accepted one
// is refused the push.
func (s *Service) whoSigned(ctx context.Context, repo *remote.Repository, d ocispec.Descriptor, p *plan) (byMe bool, err error) {
	all, err := s.signatures(ctx, repo, d, func(all []signed) bool { return slices.ContainsFunc(all, p.mine) })
	if err != nil && !fault.Is(err, fault.RegistryTooMany) { // among too many it is signed once more
		return false, failed(err, p.r)
	}
	keys := []string{}
	for _, x := range all {
		if x.problem == "" {
			keys = append(keys, x.signer)
		}
	}
	slices.Sort(keys)
	if keys = slices.Compact(keys); !slices.Contains(keys, p.preview.Signer) {
		p.preview.OtherKeys = keys
	}
	return slices.ContainsFunc(all, p.mine), nil
}

// mine reports whether a signature is by the key that signs the push; of what is there already, for this name and tag.
func (p *plan) mine(x signed) bool {
	return p.preview.Signer != "" && x.problem == "" && x.signer == p.preview.Signer && (!p.there || x.mark == p.r.signedFor())
}

// sameButTime reports whether two manifests say the same, but for when they were made.
func sameButTime(a, b ocispec.Manifest) bool {
	said := func(m ocispec.Manifest) []byte {
		m.Annotations = maps.Clone(m.Annotations)
		delete(m.Annotations, ocispec.AnnotationCreated)
		raw, _ := json.Marshal(m) // plain values always encode
		return raw
	}
	return bytes.Equal(said(a), said(b))
}

// seal is a hash over everything that leaves, and where to.
func seal(p plan) string {
	b, _ := json.Marshal([]any{p.r.String(), p.manifest, p.preview.Replaces, p.preview.AlreadyThere, p.preview.Signed,
		p.preview.Signer, p.preview.OtherKeys, p.preview.KeysUnread}) // plain values always encode
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// sameRegistry is the repository of a reference, if it is in r's registry and another than r's.
func sameRegistry(from string, r Reference) string {
	f, err := Parse(from)
	if err != nil || f.Registry != r.Registry || f.Repository == r.Repository {
		return ""
	}
	return f.Repository
}

// MayPush describes a push for the person who confirms it, or says why nobody can.
func (s *Service) MayPush(ctx context.Context, q wire.SkillPushRequest) (wire.SkillPushPreview, error) {
	p, err := s.Preview(ctx, q)
	if err == nil && p.Blocked {
		err = holdsSecret()
	}
	return p, err
}

func holdsSecret() error {
	return fault.New(fault.SkillPushRefused, "the skill holds a secret, which would be readable for everybody there").
		WithHint("take it out of the skill; `showhow credential` keeps it, and the skill declares its name")
}

// Push sends what a person saw, and nothing else. The tag is moved last: a push that is broken off leaves nothing that
// anybody finds.
func (s *Service) Push(ctx context.Context, q wire.SkillPushRequest) (wire.SkillPushed, error) {
	ctx, cancel := context.WithTimeout(ctx, pushTime)
	defer cancel()
	p, err := s.plan(ctx, q)
	if err != nil {
		return wire.SkillPushed{}, err
	}
	switch {
	case q.Seal != p.preview.Seal:
		return wire.SkillPushed{}, fault.New(fault.ContentHashMismatch, "what would be pushed is not what was seen").
			WithHint("look at the preview again, then push")
	case p.preview.Blocked:
		return wire.SkillPushed{}, holdsSecret()
	}
	out := wire.SkillPushed{Reference: p.r.String(), ContentHash: p.preview.ContentHash, AlreadyThere: p.preview.AlreadyThere,
		Signer: p.preview.SignedBy, SchemaVersion: 1}
	if !p.there {
		p.at = s.o.Now().UTC().Truncate(time.Second)
	}
	if d := p.as; out.AlreadyThere {
		out.Digest = d.Digest.String()
	} else {
		if d, out.Signer, err = s.send(ctx, p); err != nil {
			return wire.SkillPushed{}, failed(err, p.r)
		}
		out.Digest = d.Digest.String()
	}
	out.ReceiptID, err = s.o.Skills.Pushed(context.WithoutCancel(ctx), p.preview.AbilityID, p.now(out), !out.AlreadyThere)
	return out, err
}

// now is where the skill is from now on: what is there is compared with it as if it had been pulled from there. The key that was
// accepted for the repository stays accepted.
func (p plan) now(out wire.SkillPushed) wire.ImportProvenance {
	to := wire.ImportProvenance{Kind: "registry", Reference: out.Reference, Digest: out.Digest, Version: p.preview.Version,
		TrustHash: out.ContentHash, HereHash: p.preview.OwnHash, Origin: p.manifest.Annotations[noteOrigin], Signer: out.Signer}
	if !p.at.IsZero() {
		at := clock.At(p.at)
		to.PushedAt = &at
	}
	if pin := p.was.Pin(); to.SamePlace(p.was) && pin != to.Signer {
		to.Pinned = pin
	}
	return to
}

// send sends the files, the manifest, its signature and the tag, in this order.
func (s *Service) send(ctx context.Context, p plan) (d ocispec.Descriptor, signer string, err error) {
	repo := s.repository(p.r)
	var k *key
	if p.preview.Signed {
		if k, err = s.madeSigner(ctx); err != nil {
			return d, "", err
		}
		signer = fingerprint(k.cert)
	}
	if p.there { // all but the signature
		return p.as, signer, s.sign(ctx, repo, p.as, p.r, k)
	}
	if err := s.sendFiles(ctx, repo, p); err != nil {
		return d, "", err
	}
	p.manifest.Annotations[ocispec.AnnotationCreated] = p.at.Format(time.RFC3339)
	raw, err := json.Marshal(p.manifest)
	if err != nil {
		return d, "", fault.Wrap(err, fault.Internal, "the manifest could not be written")
	}
	d = content.NewDescriptorFromBytes(ocispec.MediaTypeImageManifest, raw)
	if k != nil {
		if err := repo.Push(ctx, d, bytes.NewReader(raw)); err != nil {
			return d, "", err
		}
		if err := s.sign(ctx, repo, d, p.r, k); err != nil {
			return d, "", err
		}
	}
	return d, signer, repo.PushReference(ctx, d, bytes.NewReader(raw), p.r.tag())
}

// sendFiles sends every file that the registry does not have, or has it mounted from a repository that has it.
func (s *Service) sendFiles(ctx context.Context, repo *remote.Repository, p plan) error {
	send := func(d ocispec.Descriptor, data []byte) error {
		there, err := repo.Blobs().Exists(ctx, d)
		if err != nil || there {
			return err
		}
		if p.from == "" {
			return repo.Blobs().Push(ctx, d, bytes.NewReader(data))
		}
		return repo.Mount(ctx, d, p.from, func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil })
	}
	sent := map[string]bool{}
	for i, d := range p.manifest.Layers {
		if sent[d.Digest.String()] {
			continue
		}
		sent[d.Digest.String()] = true
		if err := send(d, p.bundle.Files[i].Data); err != nil {
			return err
		}
	}
	return send(p.manifest.Config, ocispec.DescriptorEmptyJSON.Data)
}
