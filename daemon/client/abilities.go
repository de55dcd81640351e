package client

import (
	"context"
	"net/http"
	"net/url"

	"showhow/daemon/wire"
)

const abilities = "/api/abilities/"

// AbilityService is the part of the API about installed skills: looking them up, trust, availability.
type AbilityService struct{ t *transport }

// Availability is every ability, and whether it is usable now.
func (c AbilityService) Availability(ctx context.Context) (AvailabilitySnapshot, error) {
	return get[AvailabilitySnapshot](ctx, c.t, "/api/abilities/availability", nil)
}

// Ability is one of them, by ability id or slug.
func (c AbilityService) Ability(ctx context.Context, id string) (Ability, error) {
	return get[Ability](ctx, c.t, at(abilities, id, "/availability"), nil)
}

// Catalog is every skill there is, native ones too.
func (c AbilityService) Catalog(ctx context.Context) (Catalog, error) {
	return get[Catalog](ctx, c.t, "/api/abilities/catalog", nil)
}

// Bridge is the capabilities as routers read them.
func (c AbilityService) Bridge(ctx context.Context) (Bridge, error) {
	return get[Bridge](ctx, c.t, "/api/capabilities/bridge", nil)
}

// Lookup finds the abilities that fit a sentence.
func (c AbilityService) Lookup(ctx context.Context, q LookupQuery) (LookupResult, error) {
	q.SchemaVersion = 1
	return post[LookupResult](ctx, c.t, "/api/abilities/lookup", q)
}

// ExplainMatch says why an ability or a draft fits a sentence, or not.
func (c AbilityService) ExplainMatch(ctx context.Context, r ExplainMatchRequest) (ExplainMatchResponse, error) {
	return post[ExplainMatchResponse](ctx, c.t, "/api/abilities/explain-match", r)
}

// Activate lets agents find it again.
func (c AbilityService) Activate(ctx context.Context, id string, calls ...Call) (AbilityEnabled, error) {
	return post[AbilityEnabled](ctx, c.t, at(abilities, id, "/activate"), nil, calls...)
}

// Deactivate withdraws it from every agent.
func (c AbilityService) Deactivate(ctx context.Context, id string, calls ...Call) (AbilityEnabled, error) {
	return post[AbilityEnabled](ctx, c.t, at(abilities, id, "/deactivate"), nil, calls...)
}

// Quarantine withdraws it and keeps it out of lookup.
func (c AbilityService) Quarantine(ctx context.Context, id, reason string, calls ...Call) (AbilityQuarantined, error) {
	return post[AbilityQuarantined](ctx, c.t, at(abilities, id, "/quarantine"), wire.Quarantine{Reason: reason}, calls...)
}

// Unquarantine puts it back into the lane it came from; a person confirms.
func (c AbilityService) Unquarantine(ctx context.Context, id string, calls ...Call) (AbilityQuarantined, error) {
	return post[AbilityQuarantined](ctx, c.t, at(abilities, id, "/unquarantine"), nil, calls...)
}

// PromoteShared promotes it to the shared lane; a person confirms.
func (c AbilityService) PromoteShared(ctx context.Context, id string, calls ...Call) (AbilityPromoted, error) {
	return post[AbilityPromoted](ctx, c.t, at(abilities, id, "/promote-shared"), nil, calls...)
}

// ApproveAbility trusts exactly the content that was seen, with the given permissions or, nil, those that it asks for; a
// person confirms.
func (c AbilityService) ApproveAbility(ctx context.Context, id, contentHash string, p *Permissions, calls ...Call) (Ability, error) {
	return post[Ability](ctx, c.t, at(abilities, id, "/approve"), wire.AbilityApprove{ContentHash: contentHash, Permissions: p}, calls...)
}

// RejectAbility says no to content that nobody approved; a person confirms.
func (c AbilityService) RejectAbility(ctx context.Context, id, reason string, calls ...Call) (Ability, error) {
	return post[Ability](ctx, c.t, at(abilities, id, "/reject"), wire.AbilityReject{Reason: reason}, calls...)
}

// RestoreAbility puts the approved content back.
func (c AbilityService) RestoreAbility(ctx context.Context, id string, calls ...Call) (Ability, error) {
	return post[Ability](ctx, c.t, at(abilities, id, "/restore"), nil, calls...)
}

// SetPermissions changes what it may use; a person confirms what is wider.
func (c AbilityService) SetPermissions(ctx context.Context, id string, p Permissions, calls ...Call) (Ability, error) {
	return do[Ability](ctx, c.t, http.MethodPut, at(abilities, id, "/permissions"), wire.AbilityPermissionsUpdate{AbilityPermissions: p},
		calls...)
}

// Difference is how it differs from what a person approved.
func (c AbilityService) Difference(ctx context.Context, id string) (Difference, error) {
	return get[Difference](ctx, c.t, at(abilities, id, "/diff"), nil)
}

// Adopt copies a skill from an agent's folder here, for review.
func (c AbilityService) Adopt(ctx context.Context, name, target string, calls ...Call) (Ability, error) {
	return post[Ability](ctx, c.t, at("/api/abilities/native/", name, "/adopt"), wire.AdoptRequest{Target: target}, calls...)
}

// DeleteAbility removes it from every agent and from here; a person confirms.
func (c AbilityService) DeleteAbility(ctx context.Context, id string, calls ...Call) (AbilityDeleted, error) {
	return do[AbilityDeleted](ctx, c.t, http.MethodDelete, at(abilities, id), nil, calls...)
}

// VerifyCheckpoint reports what was seen at a checkpoint.
func (c AbilityService) VerifyCheckpoint(ctx context.Context, r VerifyCheckpointRequest) (CheckpointReceipt, error) {
	out, err := post[CheckpointVerified](ctx, c.t, "/api/bridge/verify-checkpoint", r)
	return out.Receipt, err
}

// DispatchCheckpointReceipts are the reports on checkpoints for a dispatch.
func (c AbilityService) DispatchCheckpointReceipts(ctx context.Context, dispatchID string, q PageQuery) (CheckpointReceipts, error) {
	return get[CheckpointReceipts](ctx, c.t, at("/api/dispatches/", dispatchID, "/checkpoint-receipts"), page(q))
}

// AbilityCheckpointReceipts are the reports on checkpoints of an ability's runs, newest first.
func (c AbilityService) AbilityCheckpointReceipts(ctx context.Context, id string, q PageQuery) (CheckpointReceipts, error) {
	return get[CheckpointReceipts](ctx, c.t, at("/api/abilities/", id, "/checkpoint-receipts"), page(q))
}

// SubmitConfigIntent asks for a change of configuration.
func (c AbilityService) SubmitConfigIntent(ctx context.Context, in ConfigIntent) (ConfigDocument, error) {
	in.SchemaVersion = 1
	return post[ConfigDocument](ctx, c.t, "/api/config/intents", in)
}

// Configuration is what is configured for an ability; "" asks for what holds for all.
func (c AbilityService) Configuration(ctx context.Context, id string) (Configuration, error) {
	if id == "" {
		return get[Configuration](ctx, c.t, "/api/config", nil)
	}
	return get[Configuration](ctx, c.t, at(abilities, id, "/configuration"), nil)
}

// ExportSkill is an approved skill as a kind of agent takes it.
func (c AbilityService) ExportSkill(ctx context.Context, id, target string) (SkillExport, error) {
	return get[SkillExport](ctx, c.t, at(abilities, id, "/export"), url.Values{"target": {target}})
}
