package client

import (
	"context"

	"showhow/daemon/wire"
)

// The requests and responses of the routes of registries.
type (
	SkillPush        = wire.SkillPushRequest
	SkillPushPreview = wire.SkillPushPreview
	SkillPushed      = wire.SkillPushed
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
