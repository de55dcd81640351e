package ability

import (
	"context"

	"showhow/daemon/journal"
	"showhow/internal/fault"
)

// Service is every operation on abilities. Identity and permission are the caller's business; a nil rev means "whatever the
// revision is", another one must be current (REVISION_CONFLICT).
type Service struct{}

var errSoon = fault.New(fault.UnsupportedInBuild, "abilities are not part of this build")

// Install runs the saga. On failure everything it wrote is gone again and the error says at which step (details.step).
// In the saga's last transaction it calls req.Finish, if any, with the same writer.
func (s *Service) Install(ctx context.Context, req InstallRequest) (InstallResult, error) {
	return InstallResult{}, errSoon
}

// Recover finishes or compensates sagas that a crash interrupted, puts projections right and rebuilds what is stale. Call it
// at start, before serving; then reconcile sessions that were installing.
func (s *Service) Recover(ctx context.Context) ([]SagaOutcome, error) { return nil, errSoon }

// Saga says how an installation stands.
func (s *Service) Saga(ctx context.Context, sagaID string) (SagaOutcome, error) {
	return SagaOutcome{}, errSoon
}

// Delete removes an ability: projections, bundle, manifest, sidecar, bridge, catalog and availability entries.
func (s *Service) Delete(ctx context.Context, id string, rev *int) error { return errSoon }

// Activate lets an ability be routed to again.
func (s *Service) Activate(ctx context.Context, id string, rev *int) (AvailabilityEntry, error) {
	return AvailabilityEntry{}, errSoon
}

// Deactivate withdraws it from every target without forgetting it.
func (s *Service) Deactivate(ctx context.Context, id string, rev *int) (AvailabilityEntry, error) {
	return AvailabilityEntry{}, errSoon
}

// Quarantine withdraws it and keeps it out of lookup.
func (s *Service) Quarantine(ctx context.Context, id, reason string, rev *int) (AvailabilityEntry, error) {
	return AvailabilityEntry{}, errSoon
}

// Unquarantine puts it back into the lane it came from.
func (s *Service) Unquarantine(ctx context.Context, id string, rev *int) (AvailabilityEntry, error) {
	return AvailabilityEntry{}, errSoon
}

// PromoteShared moves it to the shared lane.
func (s *Service) PromoteShared(ctx context.Context, id string, rev *int) (AvailabilityEntry, error) {
	return AvailabilityEntry{}, errSoon
}

// Approve sets trust to approved for exactly the content that the person saw (decisions C3), after drift too.
func (s *Service) Approve(ctx context.Context, id, contentHash string, rev *int) (AvailabilityEntry, error) {
	return AvailabilityEntry{}, errSoon
}

// Availability is what is true now; what changed on disk since the last snapshot is found and recorded first.
func (s *Service) Availability(ctx context.Context) (AvailabilitySnapshot, error) {
	return AvailabilitySnapshot{}, errSoon
}

// AvailabilityOf is one ability, by ability id or slug.
func (s *Service) AvailabilityOf(ctx context.Context, id string) (AvailabilityEntry, error) {
	return AvailabilityEntry{}, errSoon
}

// Catalog is every skill, native ones included.
func (s *Service) Catalog(ctx context.Context) (Catalog, error) { return Catalog{}, errSoon }

// BridgeEntries is the bridge as routers read it.
func (s *Service) BridgeEntries(ctx context.Context) (Bridge, error) { return Bridge{}, errSoon }

// Lookup finds the abilities that fit a sentence.
func (s *Service) Lookup(ctx context.Context, q LookupQuery) (LookupResult, error) {
	return LookupResult{}, errSoon
}

// ExplainMatch says what scored for one installed ability. For a proposal use ExplainDraft.
func (s *Service) ExplainMatch(ctx context.Context, r ExplainMatchRequest) (ExplainMatchResponse, error) {
	return ExplainMatchResponse{}, errSoon
}

// ExplainDraft is ExplainMatch for a draft's phrases.
func (s *Service) ExplainDraft(r ExplainMatchRequest, d Phrases) ExplainMatchResponse {
	return ExplainMatchResponse{}
}

// VerifyCheckpoint records what was seen at a checkpoint; the same report for the same session or dispatch leaves one receipt.
func (s *Service) VerifyCheckpoint(ctx context.Context, r VerifyCheckpointRequest, checkedBy string) (journal.CheckpointReceipt, error) {
	return journal.CheckpointReceipt{}, errSoon
}

// ReceiptFilter names the session or the dispatch.
type ReceiptFilter struct {
	LearnSessionID string
	DispatchID     string
	AbilityID      string
}

// CheckpointReceipts pages receipts, oldest first, and says how many there are.
func (s *Service) CheckpointReceipts(ctx context.Context, f ReceiptFilter, page, pageSize int) ([]journal.CheckpointReceipt, int, error) {
	return nil, 0, errSoon
}

// NoteUse records that an agent used the ability (hook receipts).
func (s *Service) NoteUse(ctx context.Context, id string) error { return errSoon }

// ApplyConfigIntent validates an intent and writes its configuration. byUser is false for an agent or a wrapper, which may
// only ask for skill_config (decisions D4). The same intent_id is applied once.
func (s *Service) ApplyConfigIntent(ctx context.Context, in ConfigIntent, byUser bool) (ConfigDocument, error) {
	return ConfigDocument{}, errSoon
}

// Rebuild makes bridge, catalog and availability anew. On failure the last good ones stay and are marked stale or degraded.
func (s *Service) Rebuild(ctx context.Context, t Trigger) (AvailabilitySnapshot, error) {
	return AvailabilitySnapshot{}, errSoon
}

// TakenSlugs are the folder names that are in use in any target or by any ability.
func (s *Service) TakenSlugs(ctx context.Context) ([]string, error) { return nil, errSoon }

// Phrases is what the matcher scores besides an installed ability's standing: a draft's wording.
type Phrases struct {
	ID               string // proposal id, as explain answers it
	Title            string
	TriggerPhrases   []string
	NegativeTriggers []string
	ProjectScopes    []string
}
