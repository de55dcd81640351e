package client

import (
	"context"
	"net/http"

	"showhow/daemon/wire"
)

const abilities = "/api/abilities/"

// Availability is every ability, and whether it is usable now.
func (c *Client) Availability(ctx context.Context) (AvailabilitySnapshot, error) {
	return get[AvailabilitySnapshot](ctx, c, "/api/abilities/availability", nil)
}

// Ability is one of them, by ability id or slug.
func (c *Client) Ability(ctx context.Context, id string) (Ability, error) {
	return get[Ability](ctx, c, at(abilities, id, "/availability"), nil)
}

// Catalog is every skill there is, native ones too.
func (c *Client) Catalog(ctx context.Context) (Catalog, error) {
	return get[Catalog](ctx, c, "/api/abilities/catalog", nil)
}

// Bridge is the capabilities as routers read them.
func (c *Client) Bridge(ctx context.Context) (Bridge, error) {
	return get[Bridge](ctx, c, "/api/capabilities/bridge", nil)
}

// Lookup finds the abilities that fit a sentence.
func (c *Client) Lookup(ctx context.Context, q LookupQuery) (LookupResult, error) {
	q.SchemaVersion = 1
	return post[LookupResult](ctx, c, "/api/abilities/lookup", q)
}

// ExplainMatch says why an ability or a draft fits a sentence, or not.
func (c *Client) ExplainMatch(ctx context.Context, r ExplainMatchRequest) (ExplainMatchResponse, error) {
	return post[ExplainMatchResponse](ctx, c, "/api/abilities/explain-match", r)
}

// Activate lets agents find it again.
func (c *Client) Activate(ctx context.Context, id string, calls ...Call) (AbilityEnabled, error) {
	return post[AbilityEnabled](ctx, c, at(abilities, id, "/activate"), nil, calls...)
}

// Deactivate withdraws it from every agent.
func (c *Client) Deactivate(ctx context.Context, id string, calls ...Call) (AbilityEnabled, error) {
	return post[AbilityEnabled](ctx, c, at(abilities, id, "/deactivate"), nil, calls...)
}

// Quarantine withdraws it and keeps it out of lookup.
func (c *Client) Quarantine(ctx context.Context, id, reason string, calls ...Call) (AbilityQuarantined, error) {
	return post[AbilityQuarantined](ctx, c, at(abilities, id, "/quarantine"), wire.Quarantine{Reason: reason}, calls...)
}

// Unquarantine puts it back into the lane it came from; a person confirms.
func (c *Client) Unquarantine(ctx context.Context, id string, calls ...Call) (AbilityQuarantined, error) {
	return post[AbilityQuarantined](ctx, c, at(abilities, id, "/unquarantine"), nil, calls...)
}

// PromoteShared promotes it to the shared lane; a person confirms.
func (c *Client) PromoteShared(ctx context.Context, id string, calls ...Call) (AbilityPromoted, error) {
	return post[AbilityPromoted](ctx, c, at(abilities, id, "/promote-shared"), nil, calls...)
}

// ApproveAbility trusts exactly the content that was seen; a person confirms.
func (c *Client) ApproveAbility(ctx context.Context, id, contentHash string, calls ...Call) (Ability, error) {
	return post[Ability](ctx, c, at(abilities, id, "/approve"), wire.AbilityApprove{ContentHash: contentHash}, calls...)
}

// DeleteAbility removes it from every agent and from here; a person confirms.
func (c *Client) DeleteAbility(ctx context.Context, id string, calls ...Call) (AbilityDeleted, error) {
	return do[AbilityDeleted](ctx, c, http.MethodDelete, at(abilities, id), nil, calls...)
}

// VerifyCheckpoint reports what was seen at a checkpoint.
func (c *Client) VerifyCheckpoint(ctx context.Context, r VerifyCheckpointRequest) (CheckpointReceipt, error) {
	out, err := post[CheckpointVerified](ctx, c, "/api/bridge/verify-checkpoint", r)
	return out.Receipt, err
}

// DispatchCheckpointReceipts are the reports on checkpoints for a dispatch.
func (c *Client) DispatchCheckpointReceipts(ctx context.Context, dispatchID string, q PageQuery) (CheckpointReceipts, error) {
	return get[CheckpointReceipts](ctx, c, at("/api/dispatches/", dispatchID, "/checkpoint-receipts"), page(q))
}

// SubmitConfigIntent asks for a change of configuration.
func (c *Client) SubmitConfigIntent(ctx context.Context, in ConfigIntent) (ConfigDocument, error) {
	in.SchemaVersion = 1
	return post[ConfigDocument](ctx, c, "/api/config/intents", in)
}
