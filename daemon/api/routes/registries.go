package routes

import (
	"context"

	"showhow/daemon/api/engine"
	"showhow/daemon/api/presence"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

const tagRegistries = "skill registries"

// Registries is the part of *oci.Service that the routes need.
type Registries interface {
	Preview(ctx context.Context, q wire.SkillPushRequest) (wire.SkillPushPreview, error)
	MayPush(ctx context.Context, q wire.SkillPushRequest) (wire.SkillPushPreview, error)
	Push(ctx context.Context, q wire.SkillPushRequest) (wire.SkillPushed, error)
	Search(ctx context.Context, q wire.SkillSearchQuery) (wire.SkillSearchResult, error)
	Outdated(ctx context.Context, name string, offline bool) (wire.SkillOutdatedList, error)
	Verify(ctx context.Context, q wire.SkillVerifyQuery) (wire.SkillVerified, error)
	Signer(ctx context.Context) (wire.SkillSigner, error)
}

var (
	registryCodes = []fault.Code{fault.RegistryUnreachable, fault.RegistrySignIn, fault.RegistryNotFound, fault.RegistryAddress,
		fault.RegistryContent, fault.RegistryOlder, fault.RegistryUnsigned, fault.RegistryOtherSigner, fault.RegistrySignature,
		fault.RegistryTooMany, fault.UpdateConflict}
	pushCodes = append([]fault.Code{fault.AbilityNotFound, fault.TrustRequired, fault.ContentHashMismatch, fault.SkillImportFileTooLarge,
		fault.SkillPushRefused}, registryCodes...)
)

// RegistryRoutes are the routes of registries that skills are pushed to. A pull is an import (ImportRoutes).
type RegistryRoutes struct {
	Registries Registries
}

type outdatedQuery struct {
	Name    string `query:"name" maxLength:"160" doc:"only this skill, by id or name"`
	Offline bool   `query:"offline" doc:"ask no registry: every state is unknown"`
}

// Register adds the routes. They are for persons; a push needs a confirmation of exactly what leaves.
func (rs RegistryRoutes) Register(g *engine.Engine) {
	r := rs.Registries
	engine.Register(g, engine.Post("preview-skill-push", "/api/skills/push/preview", tagRegistries,
		"Everything that a push would send, and where; nothing is sent", engine.UserReads, pushCodes...),
		func(ctx context.Context, _ *engine.None, b *wire.SkillPushRequest) (*engine.Reply[wire.SkillPushPreview], error) {
			return engine.Answered(r.Preview(ctx, *b))
		})
	engine.RegisterConfirmed(g, engine.Post("push-skill", "/api/skills/push", tagRegistries,
		"Push an approved skill to a registry, exactly as it was seen; what is there already needs no confirmation",
		engine.UserWrites.Confirmed("push-skill"), pushCodes...),
		func(ctx context.Context, _ *engine.None, b *wire.SkillPushRequest) (presence.Subject, bool, error) {
			p, err := r.MayPush(ctx, *b)
			return presence.Subject{ID: p.AbilityID, Revision: p.Revision, ContentHash: p.Seal}.SayPush(p), !p.AlreadyThere, err
		},
		func(ctx context.Context, _ *engine.None, b *wire.SkillPushRequest) (*engine.Reply[wire.SkillPushed], error) {
			return engine.Answered(r.Push(ctx, *b))
		})
	engine.Register(g, engine.Get("search-skill-registry", "/api/skills/registry", tagRegistries,
		"Skills of a registry by their names", engine.UserReads, append([]fault.Code{fault.RegistryNoList}, registryCodes...)...),
		func(ctx context.Context, q *wire.SkillSearchQuery, _ *engine.None) (*engine.Reply[wire.SkillSearchResult], error) {
			return engine.Answered(r.Search(ctx, *q))
		})
	engine.Register(g, engine.Get("list-outdated-skills", "/api/skills/outdated", tagRegistries,
		"Installed skills that came from a registry or were pushed to one, and what that has now", engine.UserReads, fault.NotFound),
		func(ctx context.Context, q *outdatedQuery, _ *engine.None) (*engine.Reply[wire.SkillOutdatedList], error) {
			return engine.Answered(r.Outdated(ctx, q.Name, q.Offline))
		})
	engine.Register(g, engine.Get("verify-skill", "/api/skills/registry/verify", tagRegistries,
		"Check a skill in a registry as a pull does: files, trust hash, signature", engine.UserReads,
		append([]fault.Code{fault.SkillImportFileTooLarge, fault.SkillArchiveRefused}, registryCodes...)...),
		func(ctx context.Context, q *wire.SkillVerifyQuery, _ *engine.None) (*engine.Reply[wire.SkillVerified], error) {
			return engine.Answered(r.Verify(ctx, *q))
		})
	engine.Register(g, engine.Get("get-skill-signer", "/api/skills/registry/signer", tagRegistries,
		"This computer's signing key, by its fingerprint", engine.UserReads, fault.AdapterUnavailable),
		func(ctx context.Context, _ *engine.None, _ *engine.None) (*engine.Reply[wire.SkillSigner], error) {
			return engine.Answered(r.Signer(ctx))
		})
}
