package routes

import (
	"context"
	"encoding/json"

	"showhow/daemon/api/engine"
	"showhow/daemon/api/presence"
	"showhow/daemon/learn/state"
	"showhow/daemon/mining"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// Mining is the part of *mining.Service that the routes need.
type Mining interface {
	Settings(ctx context.Context) (mining.Settings, error)
	Change(ctx context.Context, m state.Meta, c mining.Change) (mining.Settings, error)
	Scan(ctx context.Context, m state.Meta) (mining.Scan, error)
	List(ctx context.Context) ([]mining.Routine, error)
	Learn(ctx context.Context, m state.Meta, id string, r wire.LearnMinedRequest) (wire.LearnMinedResponse, error)
	Later(ctx context.Context, m state.Meta, id string, days int) (mining.Routine, error)
	Never(ctx context.Context, m state.Meta, id string) (mining.Routine, error)
}

// MinedPath is the parameter of the routes of one routine.
type MinedPath struct {
	ClusterID string `path:"clusterId" format:"uuid"`
}

// MiningRoutes are the routes of mined routines. R9's other routes below /api/skills/mining are in legacy.go.
type MiningRoutes struct {
	Mining Mining
}

// Register adds the routes.
func (rs MiningRoutes) Register(g *engine.Engine) {
	s := rs.Mining
	engine.Register(g, engine.Get("get-mining-settings", "/api/skills/mining/settings", tagSessions,
		"How work that was done again and again is looked for, and in what", engine.UserReads),
		func(ctx context.Context, _ *engine.None, _ *engine.None) (*engine.Reply[mining.Settings], error) {
			return engine.Answered(s.Settings(ctx))
		})
	change := engine.Post("set-mining-settings", "/api/skills/mining/settings", tagSessions,
		"Change that; what was derived from a source goes with its consent", engine.UserWrites.Confirmed("mine"))
	change.Access.When = "a source may be looked at anew, fingerprints kept, or skills installed without a review"
	engine.RegisterConfirmed(g, change,
		func(ctx context.Context, _ *engine.None, b *mining.Change) (presence.Subject, bool, error) {
			return rs.subject(ctx, b)
		},
		func(ctx context.Context, _ *engine.None, b *mining.Change) (*engine.Reply[mining.Settings], error) {
			return engine.Answered(s.Change(ctx, engine.Meta(ctx, engine.IfMatch{}, b.ClientRequestID), *b))
		})
	engine.Register(g, engine.Post("scan-for-routines", "/api/skills/mining/scan", tagSessions,
		"Look through what may be looked at, now", engine.UserWrites, fault.NoScope),
		func(ctx context.Context, _ *engine.None, b *wire.Nothing) (*engine.Reply[mining.Scan], error) {
			return engine.Answered(s.Scan(ctx, engine.Meta(ctx, engine.IfMatch{}, b.ClientRequestID)))
		})
	engine.Register(g, engine.Get("list-mined", "/api/learn/mined", tagSessions,
		"Work that was done again and again, with what varied and why it is offered or not", engine.UserReads),
		func(ctx context.Context, _ *engine.None, _ *engine.None) (*engine.Reply[wire.MinedRoutines], error) {
			l, err := s.List(ctx)
			return engine.Answered(wire.MinedRoutines{Routines: l, SchemaVersion: 1}, err)
		})
	rs.decisions(g)
}

func (rs MiningRoutes) decisions(g *engine.Engine) {
	s := rs.Mining
	engine.Register(g, engine.Post("learn-mined", "/api/learn/mined/{clusterId}/learn", tagSessions,
		"Draft a skill from what is still kept of it", engine.UserWrites, fault.NotFound, fault.QuestionsOpen, fault.InsufficientTraces,
		fault.LearnSessionAlreadyActive),
		func(ctx context.Context, p *MinedPath, b *wire.LearnMinedRequest) (*engine.Reply[wire.LearnMinedResponse], error) {
			return engine.Answered(s.Learn(ctx, engine.Meta(ctx, engine.IfMatch{}, b.ClientRequestID), p.ClusterID, *b))
		})
	engine.Register(g, engine.Post("later-mined", "/api/learn/mined/{clusterId}/later", tagSessions,
		"Offer it again later", engine.UserWrites, fault.NotFound),
		func(ctx context.Context, p *MinedPath, b *wire.LaterMinedRequest) (*engine.Reply[mining.Routine], error) {
			return engine.Answered(s.Later(ctx, engine.Meta(ctx, engine.IfMatch{}, b.ClientRequestID), p.ClusterID, b.Days))
		})
	engine.Register(g, engine.Post("never-mined", "/api/learn/mined/{clusterId}/never", tagSessions,
		"Never offer it again", engine.UserWrites, fault.NotFound),
		func(ctx context.Context, p *MinedPath, b *wire.Nothing) (*engine.Reply[mining.Routine], error) {
			return engine.Answered(s.Never(ctx, engine.Meta(ctx, engine.IfMatch{}, b.ClientRequestID), p.ClusterID))
		})
}

// subject is what a person confirms: the consents that the change gives.
func (rs MiningRoutes) subject(ctx context.Context, b *mining.Change) (presence.Subject, bool, error) {
	old, err := rs.Mining.Settings(ctx)
	if err != nil {
		return presence.Subject{}, false, err
	}
	given := mining.Grave(old, mining.Changed(old, *b))
	x := presence.Subject{ID: "mining"}
	for _, what := range given {
		switch what {
		case string(mining.Runs):
			x = x.Say("Look for routines in agents' kept runs")
		case string(mining.Receipts):
			x = x.Say("Look for routines in receipts of agents' calls to connectors")
		case string(mining.Sessions):
			x = x.Say("Look for routines in your own demonstrations that have ended")
		case "fingerprints":
			x = x.Say("Keep for 60 days which steps were done, without values")
		default:
			x = x.Say("Install what you did again and again, without a review")
		}
	}
	text, err := json.Marshal(given)
	x.ContentHash = presence.Bind(string(text))
	return x, len(given) > 0, err
}
