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
	RouteAsk            = wire.RouteAsk
	RouteExplained      = wire.RouteExplained
	UIAnchors           = wire.UIAnchors
)

// CapabilityService is the part of the API about abilities' health, and the inbox.
type CapabilityService struct{ t *transport }

// CapabilityHealth returns every capability's health.
func (c CapabilityService) CapabilityHealth(ctx context.Context) (CapabilityHealth, error) {
	return get[CapabilityHealth](ctx, c.t, "/api/capabilities/health", nil)
}

// CapabilityStats counts the outcomes of every capability's uses and trials.
func (c CapabilityService) CapabilityStats(ctx context.Context) (CapabilityStats, error) {
	return get[CapabilityStats](ctx, c.t, "/api/capabilities/stats", nil)
}

// AbilityHealth returns an ability's health with reasons and sources.
func (c CapabilityService) AbilityHealth(ctx context.Context, id string) (AbilityHealthDetail, error) {
	return get[AbilityHealthDetail](ctx, c.t, at(abilities, id, "/health"), nil)
}

// UIAnchors lists the controls that abilities act on.
func (c CapabilityService) UIAnchors(ctx context.Context) (UIAnchors, error) {
	return get[UIAnchors](ctx, c.t, "/api/capabilities/anchors", nil)
}

// ExplainCapability is the same by capability.
func (c CapabilityService) ExplainCapability(ctx context.Context, r wire.CapabilityRequest) (AbilityHealthDetail, error) {
	return post[AbilityHealthDetail](ctx, c.t, "/api/capabilities/explain", r)
}

// ClearQuarantine makes an ability usable again and resets its failures; a person confirms.
func (c CapabilityService) ClearQuarantine(ctx context.Context, id string, calls ...Call) (Ability, error) {
	return post[Ability](ctx, c.t, "/api/capabilities/quarantine/clear", wire.CapabilityRequest{AbilityID: id}, calls...)
}

// Reprobe checks now whether an ability works, within its canary's consent.
func (c CapabilityService) Reprobe(ctx context.Context, id string, calls ...Call) (Reprobe, error) {
	return post[Reprobe](ctx, c.t, "/api/capabilities/reprobe", wire.CapabilityRequest{AbilityID: id}, calls...)
}

// RepairAbility opens a draft with the renamed controls that the last look found.
func (c CapabilityService) RepairAbility(ctx context.Context, id string, calls ...Call) (ProposalDetail, error) {
	return post[ProposalDetail](ctx, c.t, at(abilities, id, "/repair"), nil, calls...)
}

// Canaries lists the abilities that Showhow may check by itself, with results.
func (c CapabilityService) Canaries(ctx context.Context) (Canaries, error) {
	return get[Canaries](ctx, c.t, "/api/canaries", nil)
}

// AllowCanary lets Showhow check an ability by itself; a person confirms.
func (c CapabilityService) AllowCanary(ctx context.Context, id string, r wire.CanaryAllow, calls ...Call) (CanaryConsent, error) {
	return do[CanaryConsent](ctx, c.t, http.MethodPut, at(abilities, id, "/canary"), r, calls...)
}

// WithdrawCanary withdraws that consent.
func (c CapabilityService) WithdrawCanary(ctx context.Context, id string, calls ...Call) (wire.CanaryWithdrawn, error) {
	return do[wire.CanaryWithdrawn](ctx, c.t, http.MethodDelete, at(abilities, id, "/canary"), nil, calls...)
}

// ChangeCanarySettings sets the bounds of all looks; a person confirms wider ones.
func (c CapabilityService) ChangeCanarySettings(ctx context.Context, s CanarySettings, calls ...Call) (CanarySettings, error) {
	return do[CanarySettings](ctx, c.t, http.MethodPut, "/api/canaries/settings", s, calls...)
}

// ExplainRoute returns the best route to an ability now, with reasons.
func (c CapabilityService) ExplainRoute(ctx context.Context, q RouteAsk) (RouteExplained, error) {
	return post[RouteExplained](ctx, c.t, "/api/mcp/route/explain", q)
}

// Inbox lists everything that waits for a person.
func (c CapabilityService) Inbox(ctx context.Context) (Inbox, error) {
	return get[Inbox](ctx, c.t, "/api/inbox", nil)
}

// AgentQuestions lists what agents ask and wait for, oldest first.
func (c CapabilityService) AgentQuestions(ctx context.Context) (AgentQuestions, error) {
	return get[AgentQuestions](ctx, c.t, "/api/questions", nil)
}

// AnswerQuestion answers an agent's question, or refuses it.
func (c CapabilityService) AnswerQuestion(ctx context.Context, id string, a QuestionAnswer, calls ...Call) (QuestionAnswered, error) {
	return post[QuestionAnswered](ctx, c.t, at("/api/questions/", id, "/answer"), a, calls...)
}
