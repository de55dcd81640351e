package api

import (
	"context"

	"showhow/daemon/agentrun"
	"showhow/daemon/learn/state"
	"showhow/daemon/practice"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// Practices is what the routes need of *practice.Service.
type Practices interface {
	Run(r practice.Request) agentrun.StartRequest
	Start(ctx context.Context, m state.Meta, r practice.Request) (practice.Practice, error)
	Get(ctx context.Context, id string) (practice.Practice, error)
	List(ctx context.Context) ([]practice.Practice, error)
}

var _ Practices = (*practice.Service)(nil)

// PracticePath is the parameter of the route of one practice.
type PracticePath struct {
	PracticeID string `path:"practiceId" format:"uuid"`
}

// practiceRoutes: an agent practises at a person's wish; each attempt is a run, with a run's routes.
func (s *Server) practiceRoutes() {
	p := s.deps.Practices
	start := post("start-practice", "/api/learn/practice", tagSessions,
		"Have an agent practise a task in the sandbox, and draft a skill from what worked", userWrites.confirmed("start-run"),
		append(startRunCodes, fault.LearnSessionAlreadyActive, fault.InvalidLearnStateTransition, fault.TestPolicyViolation, fault.NoScope)...)
	start.access.When = "credentials are delivered to it; subject_id is agent-run and content_hash the plan's hash"
	registerConfirmed(s, start,
		func(ctx context.Context, _ *none, b *practice.Request) (Subject, bool, error) {
			plan, err := s.deps.AgentRuns.Plan(ctx, p.Run(*b))
			return Subject{ID: "agent-run", ContentHash: plan.Hash}, len(plan.Credentials) > 0, err
		},
		func(ctx context.Context, _ *none, b *practice.Request) (*reply[practice.Practice], error) {
			return answered(p.Start(ctx, meta(ctx, IfMatch{}, b.ClientRequestID), *b))
		})
	register(s, get("list-practices", "/api/learn/practice", tagSessions, "The newest 50 practices, newest first", userReads),
		func(ctx context.Context, _ *none, _ *none) (*reply[wire.Practices], error) {
			l, err := p.List(ctx)
			return answered(wire.Practices{Practices: l, SchemaVersion: 1}, err)
		})
	register(s, get("get-practice", "/api/learn/practice/{practiceId}", tagSessions, "How a practice stands", userReads, fault.NotFound),
		func(ctx context.Context, x *PracticePath, _ *none) (*reply[practice.Practice], error) {
			return answered(p.Get(ctx, x.PracticeID))
		})
}
