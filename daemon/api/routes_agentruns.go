package api

import (
	"context"
	"strconv"

	"showhow/daemon/agentrun"
	"showhow/daemon/wire"
	"showhow/internal/fault"
	"showhow/internal/twin"
)

const tagAgentRuns = "agent runs"

// AgentRuns is what the routes need of *agentrun.Service.
type AgentRuns interface {
	Plan(ctx context.Context, r agentrun.StartRequest) (agentrun.Plan, error)
	Start(ctx context.Context, r agentrun.StartRequest) (agentrun.Run, error)
	ToPrepare(ctx context.Context, name string) (agentrun.Skill, error)
	Prepare(ctx context.Context, r agentrun.PrepareRequest) (agentrun.Prepared, error)
	Runs(ctx context.Context, page, size int) (agentrun.List, error)
	Get(ctx context.Context, id string) (agentrun.Run, error)
	Cancel(ctx context.Context, id string) (agentrun.Run, error)
	Answer(ctx context.Context, id string, a agentrun.AnswerRequest, rev *int) (agentrun.Run, error)
	Evidence(ctx context.Context, id string) (agentrun.Evidence, error)
	Output(ctx context.Context, id string, after int64) (agentrun.Output, error)
}

var _ AgentRuns = (*agentrun.Service)(nil)

// AgentRunPath is the parameter of the routes of one run.
type AgentRunPath struct {
	RunID string `path:"runId" format:"uuid"`
}

type agentRunChange struct {
	AgentRunPath
	IfMatch
}

type agentRunOutput struct {
	AgentRunPath
	After string `query:"after" pattern:"^[0-9]{1,15}$" doc:"where an earlier answer said to go on"`
}

type agentRunList struct{ wire.Page }

var startRunCodes = []fault.Code{fault.AgentRunActive, fault.SandboxUnavailable, fault.UnsupportedInBuild, fault.TrustRequired,
	fault.AbilityNotFound, fault.NotFound, fault.AdapterUnavailable, fault.DependenciesMissing}

// agentRunRoutes: an agent's run is a person's to start, to look at and to answer. Its states are in the stream /api/events.
func (s *Server) agentRunRoutes() {
	a, one := s.deps.AgentRuns, "/api/agent-runs/{runId}"
	register(s, post("plan-agent-run", "/api/agent-runs/plan", tagAgentRuns,
		"What a run would be given: hosts, credentials' names, readable paths", userWrites, startRunCodes...),
		func(ctx context.Context, _ *none, b *agentrun.StartRequest) (*reply[wire.SandboxPlan], error) {
			p, err := a.Plan(ctx, *b)
			return answered(twin.To[wire.SandboxPlan](p), err)
		})
	start := post("start-agent-run", "/api/agent-runs", tagAgentRuns, "Let an agent work in the sandbox", userWrites.confirmed("start-run"),
		startRunCodes...)
	start.access.When = "credentials are delivered to it; subject_id is agent-run and content_hash the plan's hash"
	registerConfirmed(s, start,
		func(ctx context.Context, _ *none, b *agentrun.StartRequest) (Subject, bool, error) {
			p, err := a.Plan(ctx, *b)
			x := Subject{ID: "agent-run", ContentHash: p.Hash}.say("The agent “%s”", p.Agent)
			return x.sayList("It gets the credentials", p.Credentials).sayList("It may reach", p.Hosts).sayList("It may read",
				p.ReadOnly), len(p.Credentials) > 0, err
		},
		func(ctx context.Context, _ *none, b *agentrun.StartRequest) (*reply[agentrun.Run], error) {
			return answered(a.Start(ctx, *b))
		})
	registerConfirmed(s, post("prepare-agent-run", "/api/agent-runs/prepare", tagAgentRuns,
		"Fetch the packages that an approved skill declares, in the sandbox, for its runs", userWrites.confirmed("prepare-run"),
		startRunCodes...),
		func(ctx context.Context, _ *none, b *agentrun.PrepareRequest) (Subject, bool, error) {
			k, err := a.ToPrepare(ctx, b.Skill)
			// Which hosts and which list is what the person says yes to.
			x := Subject{ID: k.AbilityID, ContentHash: bind(k.Bundle.Hash(), b.Registries, []string{b.Lock})}
			return x.say("For the skill “%s”", b.Skill).sayList("From", b.Registries), true, err
		},
		func(ctx context.Context, _ *none, b *agentrun.PrepareRequest) (*reply[agentrun.Prepared], error) {
			return answered(a.Prepare(ctx, *b))
		})
	register(s, get("list-agent-runs", "/api/agent-runs", tagAgentRuns, "Agents' runs, newest first", userReads),
		func(ctx context.Context, p *agentRunList, _ *none) (*reply[agentrun.List], error) {
			return answered(a.Runs(ctx, p.Page.Page, p.PageSize))
		})
	register(s, get("get-agent-run", one, tagAgentRuns, "One run", userReads, fault.NotFound).tagged(),
		func(ctx context.Context, p *AgentRunPath, _ *none) (*reply[agentrun.Run], error) {
			r, err := a.Get(ctx, p.RunID)
			return at(r, r.Revision, err)
		})
	register(s, get("get-agent-run-evidence", one+"/evidence", tagAgentRuns, "What was observed of a run", userReads, fault.NotFound),
		func(ctx context.Context, p *AgentRunPath, _ *none) (*reply[agentrun.Evidence], error) {
			return answered(a.Evidence(ctx, p.RunID))
		})
	register(s, get("get-agent-run-output", one+"/output", tagAgentRuns,
		"What the newest run printed, without secrets; waits a moment for more", userReads, fault.NotFound),
		func(ctx context.Context, p *agentRunOutput, _ *none) (*reply[agentrun.Output], error) {
			after, _ := strconv.ParseInt(p.After, 10, 64)
			return answered(a.Output(ctx, p.RunID, after))
		})
	register(s, post("cancel-agent-run", one+"/cancel", tagAgentRuns, "End a run", userWrites, fault.NotFound,
		fault.InvalidLearnStateTransition),
		func(ctx context.Context, p *AgentRunPath, _ *wire.Post) (*reply[agentrun.Run], error) {
			r, err := a.Cancel(ctx, p.RunID)
			return at(r, r.Revision, err)
		})
	registerConfirmed(s, post("answer-agent-run", one+"/answer", tagAgentRuns, "Answer what a run asks; nothing moves in it until then",
		userWrites.confirmed("answer-run"), fault.NotFound, fault.InvalidLearnStateTransition, fault.RevisionConflict).rev(),
		func(ctx context.Context, p *agentRunChange, b *agentrun.AnswerRequest) (Subject, bool, error) {
			r, err := a.Get(ctx, p.RunID)
			return Subject{ID: b.QuestionID, Revision: r.Revision}.sayAnswer(r, b), b.Allow, err // to refuse needs nobody's word
		},
		func(ctx context.Context, p *agentRunChange, b *agentrun.AnswerRequest) (*reply[agentrun.Run], error) {
			r, err := a.Answer(ctx, p.RunID, *b, p.seen())
			return at(r, r.Revision, err)
		})
}

// sayAnswer says what a run asks, in the agent's words, and what it is told.
func (x Subject) sayAnswer(r agentrun.Run, b *agentrun.AnswerRequest) Subject {
	x = x.say("The agent “%s”", r.Agent)
	if q := r.Question; q != nil {
		if q.Host != "" {
			x = x.say("It asks to reach %s", q.Host)
		}
		if q.Text != "" {
			x = x.say("It says: “%s”", q.Text)
		}
	}
	if b.Text != "" {
		x = x.say("It is told what you typed: %d characters", len([]rune(b.Text)))
	}
	return x
}
