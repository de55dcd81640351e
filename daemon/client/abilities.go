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

// Availability lists every ability, and whether it is usable now.
func (c AbilityService) Availability(ctx context.Context) (AvailabilitySnapshot, error) {
	return get[AvailabilitySnapshot](ctx, c.t, "/api/abilities/availability", nil)
}

// Ability returns one ability, by id or slug.
func (c AbilityService) Ability(ctx context.Context, id string) (Ability, error) {
	return get[Ability](ctx, c.t, at(abilities, id, "/availability"), nil)
}

// Catalog lists every skill, native ones too.
func (c AbilityService) Catalog(ctx context.Context) (Catalog, error) {
	return get[Catalog](ctx, c.t, "/api/abilities/catalog", nil)
}

// Bridge lists the capabilities as routers read them.
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

// Activate makes an ability available to agents again.
func (c AbilityService) Activate(ctx context.Context, id string, calls ...Call) (AbilityEnabled, error) {
	return post[AbilityEnabled](ctx, c.t, at(abilities, id, "/activate"), nil, calls...)
}

// Deactivate withdraws an ability from every agent.
func (c AbilityService) Deactivate(ctx context.Context, id string, calls ...Call) (AbilityEnabled, error) {
	return post[AbilityEnabled](ctx, c.t, at(abilities, id, "/deactivate"), nil, calls...)
}

// Quarantine withdraws an ability and hides it from lookup.
func (c AbilityService) Quarantine(ctx context.Context, id, reason string, calls ...Call) (AbilityQuarantined, error) {
	return post[AbilityQuarantined](ctx, c.t, at(abilities, id, "/quarantine"), wire.Quarantine{Reason: reason}, calls...)
}

// Unquarantine returns an ability to its previous lane; a person confirms.
func (c AbilityService) Unquarantine(ctx context.Context, id string, calls ...Call) (AbilityQuarantined, error) {
	return post[AbilityQuarantined](ctx, c.t, at(abilities, id, "/unquarantine"), nil, calls...)
}

// PromoteShared moves an ability to the shared lane; a person confirms.
func (c AbilityService) PromoteShared(ctx context.Context, id string, calls ...Call) (AbilityPromoted, error) {
	return post[AbilityPromoted](ctx, c.t, at(abilities, id, "/promote-shared"), nil, calls...)
}

// ApproveAbility trusts exactly the content that was seen, with the given permissions or, if nil, those that it
// requests; a person confirms.
func (c AbilityService) ApproveAbility(ctx context.Context, id string, x AbilityApproval, calls ...Call) (Ability, error) {
	return post[Ability](ctx, c.t, at(abilities, id, "/approve"), x, calls...)
}

// RejectAbility rejects unapproved content; a person confirms.
func (c AbilityService) RejectAbility(ctx context.Context, id, reason string, calls ...Call) (Ability, error) {
	return post[Ability](ctx, c.t, at(abilities, id, "/reject"), wire.AbilityReject{Reason: reason}, calls...)
}

// RestoreAbility restores the approved content.
func (c AbilityService) RestoreAbility(ctx context.Context, id string, calls ...Call) (Ability, error) {
	return post[Ability](ctx, c.t, at(abilities, id, "/restore"), nil, calls...)
}

// SetPermissions changes what an ability may use; a person confirms anything wider.
func (c AbilityService) SetPermissions(ctx context.Context, id string, p Permissions, calls ...Call) (Ability, error) {
	return do[Ability](ctx, c.t, http.MethodPut, at(abilities, id, "/permissions"), wire.AbilityPermissionsUpdate{AbilityPermissions: p},
		calls...)
}

// Difference returns how an ability differs from what a person approved.
func (c AbilityService) Difference(ctx context.Context, id string) (Difference, error) {
	return get[Difference](ctx, c.t, at(abilities, id, "/diff"), nil)
}

// Adopt copies a skill from an agent's folder into Showhow, for review.
func (c AbilityService) Adopt(ctx context.Context, name, target string, calls ...Call) (Ability, error) {
	return post[Ability](ctx, c.t, at("/api/abilities/native/", name, "/adopt"), wire.AdoptRequest{Target: target}, calls...)
}

// DeleteAbility removes an ability from every agent and from Showhow; a person confirms.
func (c AbilityService) DeleteAbility(ctx context.Context, id string, calls ...Call) (AbilityDeleted, error) {
	return do[AbilityDeleted](ctx, c.t, http.MethodDelete, at(abilities, id), nil, calls...)
}

// VerifyCheckpoint reports what was seen at a checkpoint.
func (c AbilityService) VerifyCheckpoint(ctx context.Context, r VerifyCheckpointRequest) (CheckpointReceipt, error) {
	out, err := post[CheckpointVerified](ctx, c.t, "/api/bridge/verify-checkpoint", r)
	return out.Receipt, err
}

// Progress returns how far the caller's own run is: the one with the dispatch's id, or the current one of an ability.
func (c AbilityService) Progress(ctx context.Context, dispatchID, abilityID string) (DispatchProgress, error) {
	q := url.Values{}
	for name, v := range map[string]string{"dispatch_id": dispatchID, "ability_id": abilityID} {
		if v != "" {
			q.Set(name, v)
		}
	}
	return get[DispatchProgress](ctx, c.t, "/api/dispatches/progress", q)
}

// DispatchCheckpointReceipts lists the checkpoint reports of a dispatch.
func (c AbilityService) DispatchCheckpointReceipts(ctx context.Context, dispatchID string, q PageQuery) (CheckpointReceipts, error) {
	return get[CheckpointReceipts](ctx, c.t, at("/api/dispatches/", dispatchID, "/checkpoint-receipts"), page(q))
}

// AbilityCheckpointReceipts lists the checkpoint reports of an ability's runs, newest first.
func (c AbilityService) AbilityCheckpointReceipts(ctx context.Context, id string, q PageQuery) (CheckpointReceipts, error) {
	return get[CheckpointReceipts](ctx, c.t, at("/api/abilities/", id, "/checkpoint-receipts"), page(q))
}

// SubmitConfigIntent asks for a change of configuration.
func (c AbilityService) SubmitConfigIntent(ctx context.Context, in ConfigIntent) (ConfigDocument, error) {
	in.SchemaVersion = 1
	return post[ConfigDocument](ctx, c.t, "/api/config/intents", in)
}

// Configuration is an ability's effective configuration; "" asks for the general part.
func (c AbilityService) Configuration(ctx context.Context, id string) (Configuration, error) {
	if id == "" {
		return get[Configuration](ctx, c.t, "/api/config", nil)
	}
	return get[Configuration](ctx, c.t, at(abilities, id, "/configuration"), nil)
}

// ExportSkill returns an approved skill in the format of one kind of agent.
func (c AbilityService) ExportSkill(ctx context.Context, id, target string) (SkillExport, error) {
	return get[SkillExport](ctx, c.t, at(abilities, id, "/export"), url.Values{"target": {target}})
}
