package client

import (
	"context"
	"net/http"

	"showhow/daemon/wire"
)

type (
	AbilityHealth       = wire.AbilityHealth
	AbilityHealthDetail = wire.AbilityHealthDetail
	CapabilityHealth    = wire.CapabilityHealthIndex
	CapabilityStats     = wire.CapabilityStatsIndex
	Canaries            = wire.Canaries
	CanaryAllow         = wire.CanaryAllow
	CanaryConsent       = wire.CanaryConsent
	CanarySettings      = wire.CanarySettings
	Inbox               = wire.Inbox
	InboxItem           = wire.InboxItem
	Reprobe             = wire.Reprobe
)

// CapabilityService is the part of the API about how abilities fare, and about what waits for a person.
type CapabilityService struct{ t *transport }

// CapabilityHealth is how every capability fares.
func (c CapabilityService) CapabilityHealth(ctx context.Context) (CapabilityHealth, error) {
	return get[CapabilityHealth](ctx, c.t, "/api/capabilities/health", nil)
}

// CapabilityStats is what became of every capability's uses and trials.
func (c CapabilityService) CapabilityStats(ctx context.Context) (CapabilityStats, error) {
	return get[CapabilityStats](ctx, c.t, "/api/capabilities/stats", nil)
}

// AbilityHealth is how an ability fares, why, and what it comes from.
func (c CapabilityService) AbilityHealth(ctx context.Context, id string) (AbilityHealthDetail, error) {
	return get[AbilityHealthDetail](ctx, c.t, at(abilities, id, "/health"), nil)
}

// ExplainCapability is the same for whoever knows only the capability.
func (c CapabilityService) ExplainCapability(ctx context.Context, r wire.CapabilityRequest) (AbilityHealthDetail, error) {
	return post[AbilityHealthDetail](ctx, c.t, "/api/capabilities/explain", r)
}

// ClearQuarantine lets agents use it again, its failures counting anew; a person confirms.
func (c CapabilityService) ClearQuarantine(ctx context.Context, id string, calls ...Call) (Ability, error) {
	return post[Ability](ctx, c.t, "/api/capabilities/quarantine/clear", wire.CapabilityRequest{AbilityID: id}, calls...)
}

// Reprobe looks now whether an ability works, within its canary's consent.
func (c CapabilityService) Reprobe(ctx context.Context, id string, calls ...Call) (Reprobe, error) {
	return post[Reprobe](ctx, c.t, "/api/capabilities/reprobe", wire.CapabilityRequest{AbilityID: id}, calls...)
}

// RepairAbility opens a draft with what the last look found called otherwise.
func (c CapabilityService) RepairAbility(ctx context.Context, id string, calls ...Call) (ProposalDetail, error) {
	return post[ProposalDetail](ctx, c.t, at(abilities, id, "/repair"), nil, calls...)
}

// Canaries is what Showhow may look at by itself, and what came of it.
func (c CapabilityService) Canaries(ctx context.Context) (Canaries, error) {
	return get[Canaries](ctx, c.t, "/api/canaries", nil)
}

// AllowCanary lets Showhow look at an ability by itself; a person confirms.
func (c CapabilityService) AllowCanary(ctx context.Context, id string, r wire.CanaryAllow, calls ...Call) (CanaryConsent, error) {
	return do[CanaryConsent](ctx, c.t, http.MethodPut, at(abilities, id, "/canary"), r, calls...)
}

// WithdrawCanary ends that.
func (c CapabilityService) WithdrawCanary(ctx context.Context, id string, calls ...Call) (wire.CanaryWithdrawn, error) {
	return do[wire.CanaryWithdrawn](ctx, c.t, http.MethodDelete, at(abilities, id, "/canary"), nil, calls...)
}

// ChangeCanarySettings bounds all looks; a person confirms more than before.
func (c CapabilityService) ChangeCanarySettings(ctx context.Context, s CanarySettings, calls ...Call) (CanarySettings, error) {
	return do[CanarySettings](ctx, c.t, http.MethodPut, "/api/canaries/settings", s, calls...)
}

// Inbox is everything that waits for a person.
func (c CapabilityService) Inbox(ctx context.Context) (Inbox, error) {
	return get[Inbox](ctx, c.t, "/api/inbox", nil)
}
