package routes

import (
	"context"
	"net/http"

	"showhow/daemon/ability"
	"showhow/daemon/access"
	"showhow/daemon/api/caller"
	"showhow/daemon/api/engine"
	"showhow/daemon/api/presence"
	"showhow/daemon/journal"
	"showhow/daemon/learn/state"
	"showhow/daemon/skill"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// Abilities reads, switches and approves abilities, and records agents' reports; *ability.Service implements it.
type Abilities interface {
	Delete(ctx context.Context, id string, rev *int) error
	Activate(ctx context.Context, id string, rev *int) (ability.AvailabilityEntry, error)
	Deactivate(ctx context.Context, id string, rev *int) (ability.AvailabilityEntry, error)
	Quarantine(ctx context.Context, id, reason string, rev *int) (ability.AvailabilityEntry, error)
	Unquarantine(ctx context.Context, id string, rev *int) (ability.AvailabilityEntry, error)
	PromoteShared(ctx context.Context, id string, rev *int) (ability.AvailabilityEntry, error)
	Approve(ctx context.Context, id string, ap ability.Approval, rev *int) (ability.AvailabilityEntry, error)
	Reject(ctx context.Context, id, reason string, rev *int) (ability.AvailabilityEntry, error)
	Restore(ctx context.Context, id string, rev *int) (ability.AvailabilityEntry, error)
	SetPermissions(ctx context.Context, id string, p ability.Permissions, rev *int) (ability.AvailabilityEntry, error)
	Difference(ctx context.Context, id string) (ability.Difference, error)
	MayApprove(ctx context.Context, id string, ap ability.Approval) error
	Reading(ctx context.Context, id string) (skill.Bundle, error)
	Export(ctx context.Context, id, target string) (skill.Bundle, []skill.Finding, error)
	Adopt(ctx context.Context, name, target string) (ability.AvailabilityEntry, error)
	Availability(ctx context.Context) (ability.AvailabilitySnapshot, error)
	AvailabilityOf(ctx context.Context, id string) (ability.AvailabilityEntry, error)
	Catalog(ctx context.Context) (ability.Catalog, error)
	BridgeEntries(ctx context.Context) (ability.Bridge, error)
	Lookup(ctx context.Context, q ability.LookupQuery) (ability.LookupResult, error)
	ExplainMatch(ctx context.Context, r ability.ExplainMatchRequest) (ability.ExplainMatchResponse, error)
	ExplainDraft(ctx context.Context, r ability.ExplainMatchRequest, d ability.Phrases) (ability.ExplainMatchResponse, error)
	VerifyCheckpoint(ctx context.Context, r ability.VerifyCheckpointRequest, by ability.Reporter) (journal.CheckpointReceipt, error)
	NoteLookup(by ability.Reporter, found []ability.LookupMatch)
	Progress(ctx context.Context, reporter string, r wire.ProgressRequest) (wire.DispatchProgress, error)
	CheckpointReceipts(ctx context.Context, f ability.ReceiptFilter, page, pageSize int) ([]journal.CheckpointReceipt, int, error)
	ApplyConfigIntent(ctx context.Context, in ability.ConfigIntent, byUser bool) (ability.ConfigDocument, error)
	Configuration(ctx context.Context, id string) (ability.Configuration, error)
}

// Origins finds the session that a receipt names and the draft that a sentence is matched against.
type Origins interface {
	Session(ctx context.Context, id string) (state.Session, error)
	Proposal(ctx context.Context, id string) (state.ProposalDetail, error)
}

// ObtainedCredentials decides about credentials that an ability's run obtained: none is saved before the ability is
// approved with it.
type ObtainedCredentials interface {
	Pending(ctx context.Context, abilityID string) ([]string, error)
	Accept(ctx context.Context, abilityID string, granted []string) error
	Drop(ctx context.Context, abilityID string) error
}

const tagAbilities = "abilities"

type AbilityPath struct {
	AbilityID string `path:"abilityId" maxLength:"160" doc:"ability id or slug"`
}

type abilityChange struct {
	AbilityPath
	engine.IfMatch
}

// lookupBody and explainBody accept a client_request_id like every POST, though they change nothing.
type lookupBody struct {
	ability.LookupQuery
	wire.Post
}

type explainBody struct {
	ability.ExplainMatchRequest
	wire.Post
}

// AbilityRoutes are the routes of abilities.
type AbilityRoutes struct {
	Abilities   Abilities
	Learn       Origins
	Credentials ObtainedCredentials
}

// Register adds the routes.
func (rs AbilityRoutes) Register(g *engine.Engine) {
	a := rs.Abilities
	rs.readingRoutes(g)
	engine.Register(g, engine.Get("get-availability", "/api/abilities/availability", tagAbilities,
		"Every ability, and whether it is usable now",
		engine.AnybodyReads),
		func(ctx context.Context, _ *engine.None, _ *engine.None) (*engine.Reply[ability.AvailabilitySnapshot], error) {
			snap, err := a.Availability(ctx)
			for i, e := range snap.Abilities {
				snap.Abilities[i] = forCaller(ctx, e)
			}
			return engine.Answered(snap, err)
		})
	engine.Register(g, engine.Get("get-ability", "/api/abilities/{abilityId}/availability", tagAbilities,
		"One ability, and whether it is usable now",
		engine.AnybodyReads, fault.AbilityNotFound).Tagged(),
		func(ctx context.Context, p *AbilityPath, _ *engine.None) (*engine.Reply[ability.AvailabilityEntry], error) {
			e, err := a.AvailabilityOf(ctx, p.AbilityID)
			return entry(forCaller(ctx, e), err)
		})
	engine.Register(g, engine.Get("get-catalog", "/api/abilities/catalog", tagAbilities, "Every skill there is, native ones too",
		engine.AnybodyReads),
		func(ctx context.Context, _ *engine.None, _ *engine.None) (*engine.Reply[ability.Catalog], error) {
			return engine.Answered(a.Catalog(ctx))
		})
	engine.Register(g, engine.Get("get-bridge", "/api/capabilities/bridge", tagAbilities, "The capabilities as routers read them",
		engine.AnybodyReads),
		func(ctx context.Context, _ *engine.None, _ *engine.None) (*engine.Reply[ability.Bridge], error) {
			return engine.Answered(a.BridgeEntries(ctx))
		})
	engine.Register(g, engine.Post("lookup-abilities", "/api/abilities/lookup", tagAbilities, "Which abilities fit a sentence",
		engine.AnybodyReads),
		func(ctx context.Context, _ *engine.None, b *lookupBody) (*engine.Reply[ability.LookupResult], error) {
			b.LookupQuery.Agent = caller.Of(ctx).Agents()
			found, err := a.Lookup(ctx, b.LookupQuery)
			a.NoteLookup(reporter(ctx), found.Matches)
			return engine.Answered(found, err)
		})
	engine.Register(g, engine.Post("explain-match", "/api/abilities/explain-match", tagAbilities,
		"Why an ability or a draft fits a sentence, or not",
		engine.AnybodyReads, fault.AbilityNotFound, fault.ProposalNotFound, fault.TrustRequired),
		func(ctx context.Context, _ *engine.None, b *explainBody) (*engine.Reply[ability.ExplainMatchResponse], error) {
			return engine.Answered(rs.explain(ctx, b.ExplainMatchRequest))
		})
	rs.abilitySwitches(g)
	rs.trustRoutes(g)
	rs.checkpointRoutes(g)
}

// explain: until it is installed, a draft is visible to persons only.
func (rs AbilityRoutes) explain(ctx context.Context, r ability.ExplainMatchRequest) (ability.ExplainMatchResponse, error) {
	if r.ProposalID == "" {
		r.Agent = caller.Of(ctx).Agents()
		return rs.Abilities.ExplainMatch(ctx, r)
	}
	if err := engine.Permit(caller.Of(ctx), engine.UserReads); err != nil {
		return ability.ExplainMatchResponse{}, err
	}
	d, err := rs.Learn.Proposal(ctx, r.ProposalID)
	if err != nil {
		return ability.ExplainMatchResponse{}, err
	}
	return rs.Abilities.ExplainDraft(ctx, r, ability.Phrases{ID: r.ProposalID, Title: d.Proposal.Title,
		TriggerPhrases: d.Proposal.TriggerPhrases, NegativeTriggers: d.Proposal.NegativeTriggers})
}

// abilitySwitches: the user may narrow freely; a person confirms what lets agents do more or deletes for good.
func (rs AbilityRoutes) abilitySwitches(g *engine.Engine) {
	a, one := rs.Abilities, "/api/abilities/{abilityId}"
	engine.Register(g, engine.Post("activate-ability", one+"/activate", tagAbilities, "Switch it on again for agents", engine.UserWrites,
		abilityCodes...).Rev(),
		func(ctx context.Context, p *abilityChange, _ *wire.Nothing) (*engine.Reply[wire.AbilityEnabled], error) {
			e, err := a.Activate(ctx, p.AbilityID, p.Seen())
			return engine.Versioned(wire.AbilityEnabled{AbilityID: e.AbilityID, Enabled: e.Enabled, Ability: e}, e.Revision, err)
		})
	engine.Register(g, engine.Post("deactivate-ability", one+"/deactivate", tagAbilities, "Switch it off for every agent", engine.UserWrites,
		abilityCodes...).Rev(),
		func(ctx context.Context, p *abilityChange, _ *wire.Nothing) (*engine.Reply[wire.AbilityEnabled], error) {
			e, err := a.Deactivate(ctx, p.AbilityID, p.Seen())
			return engine.Versioned(wire.AbilityEnabled{AbilityID: e.AbilityID, Enabled: e.Enabled, Ability: e}, e.Revision, err)
		})
	engine.Register(g, engine.Post("quarantine-ability", one+"/quarantine", tagAbilities, "Withdraw it and keep it out of lookup",
		engine.UserWrites,
		abilityCodes...).Rev(),
		func(ctx context.Context, p *abilityChange, b *wire.Quarantine) (*engine.Reply[wire.AbilityQuarantined], error) {
			e, err := a.Quarantine(ctx, p.AbilityID, b.Reason, p.Seen())
			return engine.Versioned(wire.AbilityQuarantined{AbilityID: e.AbilityID, Quarantined: true, Reason: b.Reason, Ability: e}, e.Revision,
				err)
		})
	engine.RegisterConfirmed(g, engine.Post("unquarantine-ability", one+"/unquarantine", tagAbilities,
		"Put it back into the lane it came from",
		engine.UserWrites.Confirmed("unquarantine-ability"), abilityCodes...).Rev(),
		abilitySubject[wire.Nothing](rs),
		func(ctx context.Context, p *abilityChange, _ *wire.Nothing) (*engine.Reply[wire.AbilityQuarantined], error) {
			e, err := a.Unquarantine(ctx, p.AbilityID, p.Seen())
			return engine.Versioned(wire.AbilityQuarantined{AbilityID: e.AbilityID, Ability: e}, e.Revision, err)
		})
	engine.RegisterConfirmed(g, engine.Post("promote-ability", one+"/promote-shared", tagAbilities, "Promote it to the shared lane",
		engine.UserWrites.Confirmed("promote-ability"), abilityCodes...).Rev(),
		decidedSubject[wire.Nothing](rs),
		func(ctx context.Context, p *abilityChange, _ *wire.Nothing) (*engine.Reply[wire.AbilityPromoted], error) {
			e, err := a.PromoteShared(ctx, p.AbilityID, p.Seen())
			return engine.Versioned(wire.AbilityPromoted{AbilityID: e.AbilityID, InstallLane: e.InstallLane, Ability: e}, e.Revision, err)
		})
	engine.RegisterConfirmed(g, engine.Op{ID: "delete-ability", Method: http.MethodDelete, Path: one, Tag: tagAbilities,
		Summary: "Remove it from every agent and from here", Revisioned: true,
		Access: engine.UserWrites.Confirmed("delete-ability"), Errors: abilityCodes},
		decidedSubject[engine.None](rs),
		func(ctx context.Context, p *abilityChange, _ *engine.None) (*engine.Reply[wire.AbilityDeleted], error) {
			e, err := a.AvailabilityOf(ctx, p.AbilityID)
			if err == nil {
				err = a.Delete(ctx, p.AbilityID, p.Seen())
			}
			if err == nil {
				err = rs.Credentials.Drop(ctx, e.AbilityID)
			}
			return engine.Answered(wire.AbilityDeleted{AbilityID: p.AbilityID, Deleted: true}, err)
		})
}

func abilitySubject[B any](rs AbilityRoutes) engine.SubjectOf[abilityChange, B] {
	return func(ctx context.Context, p *abilityChange, _ *B) (presence.Subject, bool, error) {
		x, err := rs.abilityNow(ctx, p.AbilityID)
		return x, true, err
	}
}

// decidedSubject is the subject of a decision that nobody has to take about a skill that comes with Showhow.
func decidedSubject[B any](rs AbilityRoutes) engine.SubjectOf[abilityChange, B] {
	return func(ctx context.Context, p *abilityChange, _ *B) (presence.Subject, bool, error) {
		x, err := rs.decided(ctx, p.AbilityID)
		return x, true, err
	}
}

// forCaller is an ability as the caller may use it: an agent needs an approval of its own.
func forCaller(ctx context.Context, e ability.AvailabilityEntry) ability.AvailabilityEntry {
	if agents := caller.Of(ctx).Agents(); agents != nil {
		e, _ = e.For(agents) // callers of the API are on this computer
	}
	return e
}

func entry(e ability.AvailabilityEntry, err error) (*engine.Reply[ability.AvailabilityEntry], error) {
	return engine.Versioned(e, e.Revision, err)
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

// reporter is the caller as a follower of abilities.
func reporter(ctx context.Context) ability.Reporter {
	c := caller.Of(ctx)
	return ability.Reporter{Kind: "agent", Key: c.Reporter(), Name: c.Agent(), Names: c.Agents()}
}

func (rs AbilityRoutes) checkpointRoutes(g *engine.Engine) {
	a := rs.Abilities
	engine.Register(g, engine.Post("verify-checkpoint", "/api/bridge/verify-checkpoint", "bridge",
		"Report what was seen at a checkpoint; voluntary",
		engine.AnybodyActs,
		fault.AbilityNotFound, fault.NotFound, fault.LearnSessionNotFound, fault.TrustRequired),
		func(ctx context.Context, _ *engine.None, b *ability.VerifyCheckpointRequest) (*engine.Reply[wire.CheckpointVerified], error) {
			r, err := a.VerifyCheckpoint(ctx, *b, reporter(ctx))
			return engine.Answered(wire.CheckpointVerified{Receipt: r}, err)
		})
	engine.Register(g, engine.Get("list-session-checkpoint-receipts", "/api/learn/sessions/{sessionId}/checkpoint-receipts", "bridge",
		"What was reported for this session", engine.UserReads, fault.LearnSessionNotFound),
		func(ctx context.Context, p *sessionReceiptsPage, _ *engine.None) (*engine.Reply[wire.CheckpointReceipts], error) {
			if _, err := rs.Learn.Session(ctx, p.SessionID); err != nil {
				return nil, err
			}
			return rs.checkpointReceipts(ctx, ability.ReceiptFilter{LearnSessionID: p.SessionID}, p.Page)
		})
	engine.Register(g, engine.Get("list-ability-checkpoint-receipts", "/api/abilities/{abilityId}/checkpoint-receipts", "bridge",
		"What was reported of its runs, newest first", engine.UserReads, fault.AbilityNotFound),
		func(ctx context.Context, p *abilityReceiptsPage, _ *engine.None) (*engine.Reply[wire.CheckpointReceipts], error) {
			e, err := a.AvailabilityOf(ctx, p.AbilityID)
			if err != nil {
				return nil, err
			}
			return rs.checkpointReceipts(ctx, ability.ReceiptFilter{AbilityID: e.AbilityID}, p.Page)
		})
	engine.Register(g, engine.Get("list-dispatch-checkpoint-receipts", "/api/dispatches/{dispatchId}/checkpoint-receipts", "bridge",
		"What was reported for this dispatch", engine.UserReads),
		func(ctx context.Context, p *dispatchPage, _ *engine.None) (*engine.Reply[wire.CheckpointReceipts], error) {
			return rs.checkpointReceipts(ctx, ability.ReceiptFilter{DispatchID: p.DispatchID}, p.Page)
		})
	engine.Register(g, engine.Post("submit-config-intent", "/api/config/intents", "bridge",
		"Ask for a change of configuration instead of writing a file",
		engine.AnybodyActs,
		fault.AbilityNotFound, fault.NotFound),
		func(ctx context.Context, _ *engine.None, b *intentBody) (*engine.Reply[ability.ConfigDocument], error) {
			return engine.Answered(a.ApplyConfigIntent(ctx, b.ConfigIntent, caller.Of(ctx).Kind == access.User))
		})
	engine.Register(g, engine.Get("get-configuration", "/api/config", "bridge", "What is configured for all abilities", engine.UserReads),
		func(ctx context.Context, _ *engine.None, _ *engine.None) (*engine.Reply[ability.Configuration], error) {
			return engine.Answered(a.Configuration(ctx, ""))
		})
	engine.Register(g, engine.Get("get-ability-configuration", "/api/abilities/{abilityId}/configuration", "bridge",
		"What is configured for an ability, and where it comes from", engine.AnybodyReads, fault.AbilityNotFound),
		func(ctx context.Context, p *AbilityPath, _ *engine.None) (*engine.Reply[ability.Configuration], error) {
			return engine.Answered(a.Configuration(ctx, p.AbilityID))
		})
}

type intentBody struct {
	ability.ConfigIntent
	wire.Post
}

func (rs AbilityRoutes) checkpointReceipts(ctx context.Context, f ability.ReceiptFilter,
	p wire.Page) (*engine.Reply[wire.CheckpointReceipts], error) {
	found, total, err := rs.Abilities.CheckpointReceipts(ctx, f, p.Page, p.PageSize)
	return engine.Answered(wire.CheckpointReceipts{Receipts: found, Total: total, Page: p.Page, PageSize: p.PageSize, SchemaVersion: 1}, err)
}
