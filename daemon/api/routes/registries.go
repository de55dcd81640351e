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
	Push(ctx context.Context, q wire.SkillPushRequest) (wire.SkillPushed, error)
}

var (
	registryCodes = []fault.Code{fault.RegistryUnreachable, fault.RegistrySignIn, fault.RegistryNotFound, fault.RegistryAddress,
		fault.RegistryContent}
	pushCodes = append([]fault.Code{fault.AbilityNotFound, fault.TrustRequired, fault.ContentHashMismatch, fault.SkillImportFileTooLarge,
		fault.SkillPushRefused}, registryCodes...)
)

// RegistryRoutes are the routes of registries that skills are pushed to. A pull is an import (ImportRoutes).
type RegistryRoutes struct {
	Registries Registries
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
		"Push an approved skill to a registry, exactly as it was seen", engine.UserWrites.Confirmed("push-skill"), pushCodes...),
		func(ctx context.Context, _ *engine.None, b *wire.SkillPushRequest) (presence.Subject, bool, error) {
			p, err := r.Preview(ctx, *b)
			return presence.Subject{ID: p.AbilityID, Revision: p.Revision, ContentHash: p.Seal}.SayPush(p), true, err
		},
		func(ctx context.Context, _ *engine.None, b *wire.SkillPushRequest) (*engine.Reply[wire.SkillPushed], error) {
			return engine.Answered(r.Push(ctx, *b))
		})
}
