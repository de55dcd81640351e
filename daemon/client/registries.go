package client

import (
	"context"
	"net/url"
	"strconv"

	"showhow/daemon/wire"
)

// The requests and responses of the routes of registries.
type (
	SkillPush        = wire.SkillPushRequest
	SkillPushPreview = wire.SkillPushPreview
	SkillPushed      = wire.SkillPushed
	SkillSearch      = wire.SkillSearchQuery
	SkillSearched    = wire.SkillSearchResult
	SkillOutdated    = wire.SkillOutdated
	SkillOutdatedAll = wire.SkillOutdatedList
	SkillVerified    = wire.SkillVerified
	SkillSigner      = wire.SkillSigner
)

// RegistryService is the part of the API about registries of skills.
type RegistryService struct{ t *transport }

// PreviewSkillPush returns everything that a push would send.
func (c RegistryService) PreviewSkillPush(ctx context.Context, r SkillPush) (SkillPushPreview, error) {
	r.SchemaVersion = 1
	return post[SkillPushPreview](ctx, c.t, "/api/skills/push/preview", r)
}

// PushSkill pushes what the preview with r.Seal showed.
func (c RegistryService) PushSkill(ctx context.Context, r SkillPush) (SkillPushed, error) {
	r.SchemaVersion = 1
	return post[SkillPushed](ctx, c.t, "/api/skills/push", r)
}

// SearchSkillRegistry lists skills of a registry.
func (c RegistryService) SearchSkillRegistry(ctx context.Context, q SkillSearch) (SkillSearched, error) {
	return get[SkillSearched](ctx, c.t, "/api/skills/registry",
		url.Values{"in": {q.In}, "words": {q.Words}, "limit": {strconv.Itoa(max(q.Limit, 1))}})
}

// OutdatedSkills compares installed skills with their registries; name selects one.
func (c RegistryService) OutdatedSkills(ctx context.Context, name string) (SkillOutdatedAll, error) {
	return get[SkillOutdatedAll](ctx, c.t, "/api/skills/outdated", url.Values{"name": {name}})
}

// InstalledFromRegistries lists installed skills that came from a registry; no registry is asked.
func (c RegistryService) InstalledFromRegistries(ctx context.Context) ([]SkillOutdated, error) {
	l, err := get[SkillOutdatedAll](ctx, c.t, "/api/skills/outdated", url.Values{"offline": {"true"}})
	return l.Items, err
}

// VerifySkill checks everything that a pull checks; signer, if it is not empty, must have signed it.
func (c RegistryService) VerifySkill(ctx context.Context, reference, signer string) (SkillVerified, error) {
	return get[SkillVerified](ctx, c.t, "/api/skills/registry/verify", url.Values{"reference": {reference}, "signer": {signer}})
}

// SkillSigner returns this computer's signing key, by its fingerprint.
func (c RegistryService) SkillSigner(ctx context.Context) (SkillSigner, error) {
	return get[SkillSigner](ctx, c.t, "/api/skills/registry/signer", nil)
}
