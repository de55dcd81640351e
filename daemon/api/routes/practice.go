package routes

import (
	"context"

	"showhow/daemon/agentrun"
	"showhow/daemon/api/engine"
	"showhow/daemon/api/presence"
	"showhow/daemon/learn/state"
	"showhow/daemon/practice"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// Practices is the part of *practice.Service that the routes need.
type Practices interface {
	Run(r practice.Request) agentrun.StartRequest
	Start(ctx context.Context, m state.Meta, r practice.Request) (practice.Practice, error)
	Get(ctx context.Context, id string) (practice.Practice, error)
	List(ctx context.Context) ([]practice.Practice, error)
}

// Planner says what a run would be given, which a person confirms; *agentrun.Service implements it.
type Planner interface {
	Plan(ctx context.Context, r agentrun.StartRequest) (agentrun.Plan, error)
}

var _ Practices = (*practice.Service)(nil)

// PracticePath is the parameter of the route of one practice.
type PracticePath struct {
	PracticeID string `path:"practiceId" format:"uuid"`
}

// PracticeRoutes are the routes of practice.
type PracticeRoutes struct {
	Practices Practices
	Runs      Planner
}

// Register adds the routes. An agent practises because a person asked for it; each attempt is a run, with a run's
// routes.
func (rs PracticeRoutes) Register(g *engine.Engine) {
	p := rs.Practices
	start := engine.Post("start-practice", "/api/learn/practice", tagSessions,
		"Have an agent practise a task in the sandbox, and draft a skill from what worked", engine.UserWrites.Confirmed("start-run"),
		append(startRunCodes, fault.LearnSessionAlreadyActive, fault.InvalidLearnStateTransition, fault.TestPolicyViolation, fault.NoScope)...)
	start.Access.When = "credentials are delivered to it; subject_id is agent-run and content_hash the plan's hash"
	engine.RegisterConfirmed(g, start,
		func(ctx context.Context, _ *engine.None, b *practice.Request) (presence.Subject, bool, error) {
			plan, err := rs.Runs.Plan(ctx, p.Run(*b))
			return presence.Subject{ID: "agent-run", ContentHash: plan.Hash}, len(plan.Credentials) > 0, err
		},
		func(ctx context.Context, _ *engine.None, b *practice.Request) (*engine.Reply[practice.Practice], error) {
			return engine.Answered(p.Start(ctx, engine.Meta(ctx, engine.IfMatch{}, b.ClientRequestID), *b))
		})
	engine.Register(g, engine.Get("list-practices", "/api/learn/practice", tagSessions, "The newest 50 practices, newest first",
		engine.UserReads),
		func(ctx context.Context, _ *engine.None, _ *engine.None) (*engine.Reply[wire.Practices], error) {
			l, err := p.List(ctx)
			return engine.Answered(wire.Practices{Practices: l, SchemaVersion: 1}, err)
		})
	engine.Register(g, engine.Get("get-practice", "/api/learn/practice/{practiceId}", tagSessions, "How a practice stands", engine.UserReads,
		fault.NotFound),
		func(ctx context.Context, x *PracticePath, _ *engine.None) (*engine.Reply[practice.Practice], error) {
			return engine.Answered(p.Get(ctx, x.PracticeID))
		})
}
