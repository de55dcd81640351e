package api

import (
	"context"
	"net/http"

	"showhow/daemon/ability"
	"showhow/daemon/access"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

const tagAbilities = "abilities"

type AbilityPath struct {
	AbilityID string `path:"abilityId" maxLength:"160" doc:"ability id or slug"`
}

type abilityChange struct {
	AbilityPath
	IfMatch
}

// lookupBody and explainBody take a client_request_id like every POST, though they change nothing.
type lookupBody struct {
	ability.LookupQuery
	wire.Post
}

type explainBody struct {
	ability.ExplainMatchRequest
	wire.Post
}

var abilityCodes = []fault.Code{fault.AbilityNotFound, fault.BridgeRebuildFailed, fault.TrustRequired, fault.InvalidLearnStateTransition,
	fault.SlugTaken,
	fault.ContentHashMismatch, fault.NotFound}

func (s *Server) abilityRoutes() {
	a := s.deps.Abilities
	s.readingRoutes()
	register(s, get("get-availability", "/api/abilities/availability", tagAbilities, "Every ability, and whether it is usable now",
		anybodyReads),
		func(ctx context.Context, _ *none, _ *none) (*reply[ability.AvailabilitySnapshot], error) {
			return answered(a.Availability(ctx))
		})
	register(s, get("get-ability", "/api/abilities/{abilityId}/availability", tagAbilities, "One ability, and whether it is usable now",
		anybodyReads, fault.AbilityNotFound).tagged(),
		func(ctx context.Context, p *AbilityPath, _ *none) (*reply[ability.AvailabilityEntry], error) {
			return entry(a.AvailabilityOf(ctx, p.AbilityID))
		})
	register(s, get("get-catalog", "/api/abilities/catalog", tagAbilities, "Every skill there is, native ones too", anybodyReads),
		func(ctx context.Context, _ *none, _ *none) (*reply[ability.Catalog], error) {
			return answered(a.Catalog(ctx))
		})
	register(s, get("get-bridge", "/api/capabilities/bridge", tagAbilities, "The capabilities as routers read them", anybodyReads),
		func(ctx context.Context, _ *none, _ *none) (*reply[ability.Bridge], error) {
			return answered(a.BridgeEntries(ctx))
		})
	register(s, post("lookup-abilities", "/api/abilities/lookup", tagAbilities, "Which abilities fit a sentence", anybodyReads),
		func(ctx context.Context, _ *none, b *lookupBody) (*reply[ability.LookupResult], error) {
			found, err := a.Lookup(ctx, b.LookupQuery)
			a.Sought(CallerOf(ctx).reporter(), found.Matches)
			return answered(found, err)
		})
	register(s, post("explain-match", "/api/abilities/explain-match", tagAbilities, "Why an ability or a draft fits a sentence, or not",
		anybodyReads, fault.AbilityNotFound, fault.ProposalNotFound),
		func(ctx context.Context, _ *none, b *explainBody) (*reply[ability.ExplainMatchResponse], error) {
			return answered(s.explain(ctx, b.ExplainMatchRequest))
		})
	s.abilitySwitches()
	s.trustRoutes()
	s.checkpointRoutes()
}

// explain: a draft is a person's until it is installed.
func (s *Server) explain(ctx context.Context, r ability.ExplainMatchRequest) (ability.ExplainMatchResponse, error) {
	if r.ProposalID == "" {
		return s.deps.Abilities.ExplainMatch(ctx, r)
	}
	if err := permit(CallerOf(ctx), userReads); err != nil {
		return ability.ExplainMatchResponse{}, err
	}
	d, err := s.deps.Learn.Proposal(ctx, r.ProposalID)
	if err != nil {
		return ability.ExplainMatchResponse{}, err
	}
	return s.deps.Abilities.ExplainDraft(r, ability.Phrases{ID: r.ProposalID, Title: d.Proposal.Title,
		TriggerPhrases: d.Proposal.TriggerPhrases, NegativeTriggers: d.Proposal.NegativeTriggers}), nil
}

// abilitySwitches: what narrows is the user's; what lets agents do more, or is gone for good, is confirmed by a person.
func (s *Server) abilitySwitches() {
	a, one := s.deps.Abilities, "/api/abilities/{abilityId}"
	register(s, post("activate-ability", one+"/activate", tagAbilities, "Let agents find it again", userWrites, abilityCodes...).rev(),
		func(ctx context.Context, p *abilityChange, _ *wire.Nothing) (*reply[wire.AbilityEnabled], error) {
			e, err := a.Activate(ctx, p.AbilityID, p.seen())
			return at(wire.AbilityEnabled{AbilityID: e.AbilityID, Enabled: e.Enabled, Ability: e}, e.Revision, err)
		})
	register(s, post("deactivate-ability", one+"/deactivate", tagAbilities, "Withdraw it from every agent", userWrites, abilityCodes...).rev(),
		func(ctx context.Context, p *abilityChange, _ *wire.Nothing) (*reply[wire.AbilityEnabled], error) {
			e, err := a.Deactivate(ctx, p.AbilityID, p.seen())
			return at(wire.AbilityEnabled{AbilityID: e.AbilityID, Enabled: e.Enabled, Ability: e}, e.Revision, err)
		})
	register(s, post("quarantine-ability", one+"/quarantine", tagAbilities, "Withdraw it and keep it out of lookup", userWrites,
		abilityCodes...).rev(),
		func(ctx context.Context, p *abilityChange, b *wire.Quarantine) (*reply[wire.AbilityQuarantined], error) {
			e, err := a.Quarantine(ctx, p.AbilityID, b.Reason, p.seen())
			return at(wire.AbilityQuarantined{AbilityID: e.AbilityID, Quarantined: true, Reason: b.Reason, Ability: e}, e.Revision, err)
		})
	registerConfirmed(s, post("unquarantine-ability", one+"/unquarantine", tagAbilities, "Put it back into the lane it came from",
		userWrites.confirmed("unquarantine-ability"), abilityCodes...).rev(),
		abilitySubject[wire.Nothing](s),
		func(ctx context.Context, p *abilityChange, _ *wire.Nothing) (*reply[wire.AbilityQuarantined], error) {
			e, err := a.Unquarantine(ctx, p.AbilityID, p.seen())
			return at(wire.AbilityQuarantined{AbilityID: e.AbilityID, Ability: e}, e.Revision, err)
		})
	registerConfirmed(s, post("promote-ability", one+"/promote-shared", tagAbilities, "Promote it to the shared lane",
		userWrites.confirmed("promote-ability"), abilityCodes...).rev(),
		abilitySubject[wire.Nothing](s),
		func(ctx context.Context, p *abilityChange, _ *wire.Nothing) (*reply[wire.AbilityPromoted], error) {
			e, err := a.PromoteShared(ctx, p.AbilityID, p.seen())
			return at(wire.AbilityPromoted{AbilityID: e.AbilityID, InstallLane: e.InstallLane, Ability: e}, e.Revision, err)
		})
	registerConfirmed(s, op{id: "delete-ability", method: http.MethodDelete, path: one, tag: tagAbilities,
		summary: "Remove it from every agent and from here", revisioned: true,
		access: userWrites.confirmed("delete-ability"), errors: abilityCodes},
		abilitySubject[none](s),
		func(ctx context.Context, p *abilityChange, _ *none) (*reply[wire.AbilityDeleted], error) {
			err := a.Delete(ctx, p.AbilityID, p.seen())
			return answered(wire.AbilityDeleted{AbilityID: p.AbilityID, Deleted: true}, err)
		})
}

func abilitySubject[B any](s *Server) subjectOf[abilityChange, B] {
	return func(ctx context.Context, p *abilityChange, _ *B) (Subject, bool, error) {
		x, err := s.abilityNow(ctx, p.AbilityID)
		return x, true, err
	}
}

func entry(e ability.AvailabilityEntry, err error) (*reply[ability.AvailabilityEntry], error) {
	return at(e, e.Revision, err)
}

type dispatchPage struct {
	DispatchID string `path:"dispatchId" maxLength:"160"`
	wire.Page
}

type abilityReceiptsPage struct {
	AbilityPath
	wire.Page
}

type sessionReceiptsPage struct {
	SessionPath
	wire.Page
}

func (s *Server) checkpointRoutes() {
	a := s.deps.Abilities
	register(s, post("verify-checkpoint", "/api/bridge/verify-checkpoint", "bridge", "Report what was seen at a checkpoint; voluntary",
		anybodyActs,
		fault.AbilityNotFound, fault.NotFound, fault.LearnSessionNotFound),
		func(ctx context.Context, _ *none, b *ability.VerifyCheckpointRequest) (*reply[wire.CheckpointVerified], error) {
			r, err := a.VerifyCheckpoint(ctx, *b, ability.Reporter{Kind: "agent", Key: CallerOf(ctx).reporter()})
			return answered(wire.CheckpointVerified{Receipt: r}, err)
		})
	register(s, get("list-session-checkpoint-receipts", "/api/learn/sessions/{sessionId}/checkpoint-receipts", "bridge",
		"What was reported for this session", userReads, fault.LearnSessionNotFound),
		func(ctx context.Context, p *sessionReceiptsPage, _ *none) (*reply[wire.CheckpointReceipts], error) {
			if _, err := s.deps.Learn.Session(ctx, p.SessionID); err != nil {
				return nil, err
			}
			return s.checkpointReceipts(ctx, ability.ReceiptFilter{LearnSessionID: p.SessionID}, p.Page)
		})
	register(s, get("list-ability-checkpoint-receipts", "/api/abilities/{abilityId}/checkpoint-receipts", "bridge",
		"What was reported of its runs, newest first", userReads, fault.AbilityNotFound),
		func(ctx context.Context, p *abilityReceiptsPage, _ *none) (*reply[wire.CheckpointReceipts], error) {
			e, err := a.AvailabilityOf(ctx, p.AbilityID)
			if err != nil {
				return nil, err
			}
			return s.checkpointReceipts(ctx, ability.ReceiptFilter{AbilityID: e.AbilityID}, p.Page)
		})
	register(s, get("list-dispatch-checkpoint-receipts", "/api/dispatches/{dispatchId}/checkpoint-receipts", "bridge",
		"What was reported for this dispatch", userReads),
		func(ctx context.Context, p *dispatchPage, _ *none) (*reply[wire.CheckpointReceipts], error) {
			return s.checkpointReceipts(ctx, ability.ReceiptFilter{DispatchID: p.DispatchID}, p.Page)
		})
	register(s, post("submit-config-intent", "/api/config/intents", "bridge", "Ask for a change of configuration instead of writing a file",
		anybodyActs,
		fault.AbilityNotFound, fault.NotFound),
		func(ctx context.Context, _ *none, b *intentBody) (*reply[ability.ConfigDocument], error) {
			return answered(a.ApplyConfigIntent(ctx, b.ConfigIntent, CallerOf(ctx).Kind == access.User))
		})
}

type intentBody struct {
	ability.ConfigIntent
	wire.Post
}

func (s *Server) checkpointReceipts(ctx context.Context, f ability.ReceiptFilter, p wire.Page) (*reply[wire.CheckpointReceipts], error) {
	rs, total, err := s.deps.Abilities.CheckpointReceipts(ctx, f, p.Page, p.PageSize)
	return answered(wire.CheckpointReceipts{Receipts: rs, Total: total, Page: p.Page, PageSize: p.PageSize, SchemaVersion: 1}, err)
}
