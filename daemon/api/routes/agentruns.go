package routes

import (
	"context"
	"strconv"

	"showhow/daemon/agentrun"
	"showhow/daemon/api/engine"
	"showhow/daemon/api/presence"
	"showhow/daemon/wire"
	"showhow/internal/fault"
	"showhow/internal/twin"
)

const tagAgentRuns = "agent runs"

// AgentRuns is the part of *agentrun.Service that the routes need.
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
	engine.IfMatch
}

type agentRunOutput struct {
	AgentRunPath
	After string `query:"after" pattern:"^[0-9]{1,15}$" doc:"where an earlier answer said to go on"`
}

type agentRunList struct{ wire.Page }

// AgentRunRoutes are the routes of agents' runs.
type AgentRunRoutes struct {
	Runs AgentRuns
}

// Register adds the routes. Only a person starts, reads and answers an agent's run. The stream /api/events has its
// states.
func (rs AgentRunRoutes) Register(g *engine.Engine) {
	a, one := rs.Runs, "/api/agent-runs/{runId}"
	engine.Register(g, engine.Post("plan-agent-run", "/api/agent-runs/plan", tagAgentRuns,
		"What a run would be given: hosts, credentials' names, readable paths", engine.UserWrites, startRunCodes...),
		func(ctx context.Context, _ *engine.None, b *agentrun.StartRequest) (*engine.Reply[wire.SandboxPlan], error) {
			p, err := a.Plan(ctx, *b)
			return engine.Answered(twin.To[wire.SandboxPlan](p), err)
		})
	start := engine.Post("start-agent-run", "/api/agent-runs", tagAgentRuns, "Let an agent work in the sandbox",
		engine.UserWrites.Confirmed("start-run"),
		startRunCodes...)
	start.Access.When = "credentials are delivered to it; subject_id is agent-run and content_hash the plan's hash"
	engine.RegisterConfirmed(g, start,
		func(ctx context.Context, _ *engine.None, b *agentrun.StartRequest) (presence.Subject, bool, error) {
			p, err := a.Plan(ctx, *b)
			return sayRun(presence.Subject{ID: "agent-run", ContentHash: p.Hash}, p), len(p.Credentials) > 0, err
		},
		func(ctx context.Context, _ *engine.None, b *agentrun.StartRequest) (*engine.Reply[agentrun.Run], error) {
			return engine.Answered(a.Start(ctx, *b))
		})
	engine.RegisterConfirmed(g, engine.Post("prepare-agent-run", "/api/agent-runs/prepare", tagAgentRuns,
		"Fetch the packages that an approved skill declares, in the sandbox, for its runs", engine.UserWrites.Confirmed("prepare-run"),
		startRunCodes...),
		func(ctx context.Context, _ *engine.None, b *agentrun.PrepareRequest) (presence.Subject, bool, error) {
			k, err := a.ToPrepare(ctx, b.Skill)
			// The person confirms these hosts and this list.
			x := presence.Subject{ID: k.AbilityID, ContentHash: presence.Bind(k.Bundle.Hash(), b.Registries, []string{b.Lock})}
			return x.Say("For the skill “%s”", b.Skill).SayList("From", b.Registries), true, err
		},
		func(ctx context.Context, _ *engine.None, b *agentrun.PrepareRequest) (*engine.Reply[agentrun.Prepared], error) {
			return engine.Answered(a.Prepare(ctx, *b))
		})
	engine.Register(g, engine.Get("list-agent-runs", "/api/agent-runs", tagAgentRuns, "Agents' runs, newest first", engine.UserReads),
		func(ctx context.Context, p *agentRunList, _ *engine.None) (*engine.Reply[agentrun.List], error) {
			return engine.Answered(a.Runs(ctx, p.Page.Page, p.PageSize))
		})
	engine.Register(g, engine.Get("get-agent-run", one, tagAgentRuns, "One run", engine.UserReads, fault.NotFound).Tagged(),
		func(ctx context.Context, p *AgentRunPath, _ *engine.None) (*engine.Reply[agentrun.Run], error) {
			r, err := a.Get(ctx, p.RunID)
			return engine.Versioned(r, r.Revision, err)
		})
	engine.Register(g, engine.Get("get-agent-run-evidence", one+"/evidence", tagAgentRuns, "What was observed of a run", engine.UserReads,
		fault.NotFound),
		func(ctx context.Context, p *AgentRunPath, _ *engine.None) (*engine.Reply[agentrun.Evidence], error) {
			return engine.Answered(a.Evidence(ctx, p.RunID))
		})
	engine.Register(g, engine.Get("get-agent-run-output", one+"/output", tagAgentRuns,
		"What the newest run printed, without secrets; waits a moment for more", engine.UserReads, fault.NotFound),
		func(ctx context.Context, p *agentRunOutput, _ *engine.None) (*engine.Reply[agentrun.Output], error) {
			after, _ := strconv.ParseInt(p.After, 10, 64)
			return engine.Answered(a.Output(ctx, p.RunID, after))
		})
	engine.Register(g, engine.Post("cancel-agent-run", one+"/cancel", tagAgentRuns, "End a run", engine.UserWrites, fault.NotFound,
		fault.InvalidLearnStateTransition),
		func(ctx context.Context, p *AgentRunPath, _ *wire.Post) (*engine.Reply[agentrun.Run], error) {
			r, err := a.Cancel(ctx, p.RunID)
			return engine.Versioned(r, r.Revision, err)
		})
	engine.RegisterConfirmed(g, engine.Post("answer-agent-run", one+"/answer", tagAgentRuns,
		"Answer what a run asks; nothing moves in it until then",
		engine.UserWrites.Confirmed("answer-run"), fault.NotFound, fault.InvalidLearnStateTransition, fault.RevisionConflict).Rev(),
		func(ctx context.Context, p *agentRunChange, b *agentrun.AnswerRequest) (presence.Subject, bool, error) {
			r, err := a.Get(ctx, p.RunID)
			return presence.Subject{ID: b.QuestionID, Revision: r.Revision}.SayAnswer(r, b), b.Allow, err // refusing needs no confirmation
		},
		func(ctx context.Context, p *agentRunChange, b *agentrun.AnswerRequest) (*engine.Reply[agentrun.Run], error) {
			r, err := a.Answer(ctx, p.RunID, *b, p.Seen())
			return engine.Versioned(r, r.Revision, err)
		})
}
