package routes

import (
	"cmp"
	"context"
	"fmt"
	"net/http"

	"showhow/daemon/ability"
	"showhow/daemon/api/engine"
	"showhow/daemon/api/presence"
	"showhow/daemon/learn/state"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

const tagCapabilities = "capabilities"

// Health reads abilities' health; package daemon combines *ability.Service and the canaries.
type Health interface {
	HealthIndex(ctx context.Context) (wire.CapabilityHealthIndex, error)
	StatsIndex(ctx context.Context) (wire.CapabilityStatsIndex, error)
	HealthOf(ctx context.Context, id string) (wire.AbilityHealthDetail, error)
	Anchors(ctx context.Context) (wire.UIAnchors, error)
	ClearQuarantine(ctx context.Context, id string, rev *int) (ability.AvailabilityEntry, error)
	Route(ctx context.Context, id string, q wire.RouteAsk) (wire.RouteExplained, error)
}

// Canaries manages automatic checks of abilities.
type Canaries interface {
	Canaries(ctx context.Context) (wire.Canaries, error)
	LookSites(ctx context.Context, abilityID string) (sites []string, err error)
	Allow(ctx context.Context, abilityID string, q wire.CanaryAllow) (wire.CanaryConsent, error)
	Withdraw(ctx context.Context, abilityID string) (bool, error)
	Settings(ctx context.Context, q wire.CanarySettings) (wire.CanarySettings, error)
	Reprobe(ctx context.Context, abilityID string) (wire.Reprobe, error)
	Repairable(ctx context.Context, id string) (abilityID, proposalID string, renamed []wire.RenamedControl, sites []string, err error)
}

// Repairs opens drafts; *learn.Service implements it.
type Repairs interface {
	Repair(ctx context.Context, m state.Meta, r state.Repairable) (state.ProposalDetail, error)
}

// CapabilityRoutes are the routes of abilities' health (baseline 0.3, 1.1C, 1.1I).
type CapabilityRoutes struct {
	Abilities Abilities
	Health    Health
	Canaries  Canaries
	Learn     Repairs
}

// Register adds the routes.
func (rs CapabilityRoutes) Register(g *engine.Engine) {
	engine.Register(g, engine.Get("get-capability-health", "/api/capabilities/health", tagCapabilities, "How every capability fares",
		engine.UserReads),
		func(ctx context.Context, _ *engine.None, _ *engine.None) (*engine.Reply[wire.CapabilityHealthIndex], error) {
			return engine.Answered(rs.Health.HealthIndex(ctx))
		})
	engine.Register(g, engine.Get("get-capability-stats", "/api/capabilities/stats", tagCapabilities,
		"What became of every capability's uses and trials", engine.UserReads),
		func(ctx context.Context, _ *engine.None, _ *engine.None) (*engine.Reply[wire.CapabilityStatsIndex], error) {
			return engine.Answered(rs.Health.StatsIndex(ctx))
		})
	engine.Register(g, engine.Get("get-ui-anchors", "/api/capabilities/anchors", tagCapabilities,
		"The controls that abilities act on, how sure they are, and how often they were missed", engine.UserReads),
		func(ctx context.Context, _ *engine.None, _ *engine.None) (*engine.Reply[wire.UIAnchors], error) {
			return engine.Answered(rs.Health.Anchors(ctx))
		})
	engine.Register(g, engine.Get("get-ability-health", "/api/abilities/{abilityId}/health", tagCapabilities,
		"How an ability fares, why, and what it comes from", engine.UserReads, fault.AbilityNotFound),
		func(ctx context.Context, p *AbilityPath, _ *engine.None) (*engine.Reply[wire.AbilityHealthDetail], error) {
			return engine.Answered(rs.Health.HealthOf(ctx, p.AbilityID))
		})
	engine.Register(g, engine.Post("explain-capability", "/api/capabilities/explain", tagCapabilities,
		"How a capability fares and why, in words", engine.UserReads, fault.AbilityNotFound),
		func(ctx context.Context, _ *engine.None, b *wire.CapabilityRequest) (*engine.Reply[wire.AbilityHealthDetail], error) {
			id, err := rs.named(ctx, b)
			if err != nil {
				return nil, err
			}
			return engine.Answered(rs.Health.HealthOf(ctx, id))
		})
	engine.Register(g, engine.Post("reprobe-capability", "/api/capabilities/reprobe", tagCapabilities,
		"Look now whether it works, within its canary's consent", engine.UserWrites, fault.AbilityNotFound),
		func(ctx context.Context, _ *engine.None, b *wire.CapabilityRequest) (*engine.Reply[wire.Reprobe], error) {
			id, err := rs.named(ctx, b)
			if err != nil {
				return nil, err
			}
			return engine.Answered(rs.Canaries.Reprobe(ctx, id))
		})
	engine.RegisterConfirmed(g, engine.Post("clear-quarantine", "/api/capabilities/quarantine/clear", tagCapabilities,
		"Let agents use it again; its failures count anew", engine.UserWrites.Confirmed("clear-quarantine"), abilityCodes...),
		func(ctx context.Context, _ *engine.None, b *wire.CapabilityRequest) (presence.Subject, bool, error) {
			id, err := rs.named(ctx, b)
			if err != nil {
				return presence.Subject{}, true, err
			}
			x, err := AbilityRoutes{Abilities: rs.Abilities}.abilityNow(ctx, id)
			return x, true, err
		},
		func(ctx context.Context, _ *engine.None, b *wire.CapabilityRequest) (*engine.Reply[ability.AvailabilityEntry], error) {
			id, err := rs.named(ctx, b)
			if err != nil {
				return nil, err
			}
			return engine.Answered(rs.Health.ClearQuarantine(ctx, id, nil))
		})
	engine.Register(g, engine.Post("explain-route", "/api/mcp/route/explain", tagCapabilities,
		"Which way a capability is best gone now: surfaces, connectors by seven criteria, the plan", engine.UserReads, fault.AbilityNotFound),
		func(ctx context.Context, _ *engine.None, b *wire.RouteAsk) (*engine.Reply[wire.RouteExplained], error) {
			id, err := rs.named(ctx, &wire.CapabilityRequest{AbilityID: b.AbilityID, CapabilityID: b.CapabilityID})
			if err != nil {
				return nil, err
			}
			return engine.Answered(rs.Health.Route(ctx, id, *b))
		})
	engine.Register(g, engine.Post("repair-ability", "/api/abilities/{abilityId}/repair", tagCapabilities,
		"Open a draft that takes over the new names that looks, test runs and reports found, and test it; the installed skill does not change",
		engine.UserWrites, fault.AbilityNotFound, fault.NotFound, fault.InsufficientTraces, fault.LearnSessionAlreadyActive),
		func(ctx context.Context, p *AbilityPath, b *wire.Nothing) (*engine.Reply[state.ProposalDetail], error) {
			var r state.Repairable
			var err error
			r.AbilityID, r.ProposalID, r.Renamed, r.Sites, err = rs.Canaries.Repairable(ctx, p.AbilityID)
			if err != nil {
				return nil, err
			}
			return engine.Answered(rs.Learn.Repair(ctx, engine.Meta(ctx, engine.IfMatch{}, b.ClientRequestID), r))
		})
	rs.canaryRoutes(g)
}

// named is the id of the ability that a request names.
func (rs CapabilityRoutes) named(ctx context.Context, b *wire.CapabilityRequest) (string, error) {
	if b.AbilityID == "" && b.CapabilityID == "" {
		return "", fault.New(fault.InvalidRequest, "name an ability").WithHint("`showhow ability list` names them")
	}
	snap, err := rs.Abilities.Availability(ctx)
	if err != nil {
		return "", err
	}
	for _, e := range snap.Abilities {
		if b.AbilityID != "" && (e.AbilityID == b.AbilityID || e.SkillSlug == b.AbilityID) ||
			b.AbilityID == "" && e.PrimaryCapabilityID == b.CapabilityID {
			return e.AbilityID, nil
		}
	}
	return "", fault.New(fault.AbilityNotFound, "there is no such ability").WithHint("`showhow ability list` names them").
		WithDetail("asked", cmp.Or(b.AbilityID, b.CapabilityID))
}

type canarySettingsBody struct {
	wire.CanarySettings
	wire.Post
}

// canaryRoutes: a person confirms that Showhow may visit a site by itself; ending that needs no confirmation.
func (rs CapabilityRoutes) canaryRoutes(g *engine.Engine) {
	const all, one = "/api/canaries", "/api/abilities/{abilityId}/canary"
	engine.Register(g, engine.Get("list-canaries", all, tagCapabilities,
		"What Showhow may look at by itself, what came of it, and what it cost today", engine.UserReads),
		func(ctx context.Context, _ *engine.None, _ *engine.None) (*engine.Reply[wire.Canaries], error) {
			return engine.Answered(rs.Canaries.Canaries(ctx))
		})
	bounding := engine.UserWrites.Confirmed("change-canary-settings")
	bounding.When = "Showhow would look more than before, or on battery"
	engine.RegisterConfirmed(g, engine.Op{ID: "change-canary-settings", Method: http.MethodPut, Path: all + "/settings", Tag: tagCapabilities,
		Summary: "Bound all looks together, or end them", Access: bounding},
		func(ctx context.Context, _ *engine.None, b *canarySettingsBody) (presence.Subject, bool, error) {
			now, err := rs.Canaries.Canaries(ctx)
			bound := presence.Bind("canaries", []string{fmt.Sprintf("%+v", b.CanarySettings)})
			s := presence.Subject{ID: "canaries", ContentHash: bound}.Say("Up to %d looks, %d seconds and %d requests a day",
				b.LooksPerDay, b.SecondsPerDay, b.RequestsPerDay)
			if b.OnBattery {
				s = s.Say("On battery, too")
			}
			return s, wider(now.Settings, b.CanarySettings), err
		},
		func(ctx context.Context, _ *engine.None, b *canarySettingsBody) (*engine.Reply[wire.CanarySettings], error) {
			return engine.Answered(rs.Canaries.Settings(ctx, b.CanarySettings))
		})
	engine.RegisterConfirmed(g, engine.Op{ID: "allow-canary", Method: http.MethodPut, Path: one, Tag: tagCapabilities,
		Summary: "Allow automatic read-only checks of it",
		Access:  engine.UserWrites.Confirmed("allow-canary"), Errors: abilityCodes},
		func(ctx context.Context, p *AbilityPath, b *wire.CanaryAllow) (presence.Subject, bool, error) {
			x, err := AbilityRoutes{Abilities: rs.Abilities}.abilityNow(ctx, p.AbilityID)
			if err != nil {
				return x, true, err
			}
			sites, err := rs.Canaries.LookSites(ctx, p.AbilityID)
			for _, s := range sites {
				x = x.Say("It may look at %s, only reading", s)
			}
			if hours := cmp.Or(b.EveryHours, 24); hours == 24 {
				x = x.Say("Once a day")
			} else {
				x = x.Say("Every %d hours", hours)
			}
			if b.Managed {
				x = x.Say("In the browser profile in which you are signed in")
			}
			x.ContentHash = presence.Bind(x.ContentHash, sites, []string{fmt.Sprint(b.EveryHours, b.Managed)})
			return x, true, err
		},
		func(ctx context.Context, p *AbilityPath, b *wire.CanaryAllow) (*engine.Reply[wire.CanaryConsent], error) {
			return engine.Answered(rs.Canaries.Allow(ctx, p.AbilityID, *b))
		})
	engine.Register(g, engine.Op{ID: "withdraw-canary", Method: http.MethodDelete, Path: one, Tag: tagCapabilities,
		Summary: "End the automatic checks of it", Access: engine.UserWrites, Errors: []fault.Code{fault.AbilityNotFound}},
		func(ctx context.Context, p *AbilityPath, _ *engine.None) (*engine.Reply[wire.CanaryWithdrawn], error) {
			e, err := rs.Abilities.AvailabilityOf(ctx, p.AbilityID)
			if err != nil {
				return nil, err
			}
			there, err := rs.Canaries.Withdraw(ctx, e.AbilityID)
			return engine.Answered(wire.CanaryWithdrawn{AbilityID: e.AbilityID, Withdrawn: there}, err)
		})
}

// wider reports whether new settings let Showhow do more.
func wider(was, now wire.CanarySettings) bool {
	return now.Enabled && (!was.Enabled || now.LooksPerDay > was.LooksPerDay || now.SecondsPerDay > was.SecondsPerDay ||
		now.RequestsPerDay > was.RequestsPerDay || now.OnBattery && !was.OnBattery)
}
