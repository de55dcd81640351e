package client

import (
	"context"
	"net/url"
	"strconv"

	"showhow/daemon/wire"
)

// Agents' runs in the sandbox.
type (
	SandboxRun         = wire.SandboxRun
	SandboxRunList     = wire.SandboxRunList
	SandboxRunPlan     = wire.SandboxPlan
	SandboxRunRequest  = wire.SandboxStartRequest
	PrepareRequest     = wire.SandboxPrepareRequest
	Prepared           = wire.SandboxPrepared
	SandboxRunLimits   = wire.SandboxLimits
	SandboxRunAnswer   = wire.SandboxAnswerRequest
	SandboxRunEvidence = wire.SandboxEvidence
	SandboxRunOutput   = wire.SandboxOutput
)

const sandboxRuns = "/api/agent-runs/"

// AgentRunService is the part of the API about runs of an agent in the sandbox.
type AgentRunService struct{ t *transport }

// PlanSandboxRun returns what a run would be given.
func (c AgentRunService) PlanSandboxRun(ctx context.Context, r SandboxRunRequest) (SandboxRunPlan, error) {
	return post[SandboxRunPlan](ctx, c.t, sandboxRuns+"plan", r)
}

// StartSandboxRun starts a run; a person confirms when credentials are delivered.
func (c AgentRunService) StartSandboxRun(ctx context.Context, r SandboxRunRequest, calls ...Call) (SandboxRun, error) {
	return post[SandboxRun](ctx, c.t, "/api/agent-runs", r, calls...)
}

// SandboxRuns lists runs, newest first.
func (c AgentRunService) SandboxRuns(ctx context.Context, q PageQuery) (SandboxRunList, error) {
	return get[SandboxRunList](ctx, c.t, "/api/agent-runs", page(q))
}

// SandboxRun is one run.
func (c AgentRunService) SandboxRun(ctx context.Context, id string) (SandboxRun, error) {
	return get[SandboxRun](ctx, c.t, at(sandboxRuns, id), nil)
}

// SandboxRunEvidence returns what was observed of a run.
func (c AgentRunService) SandboxRunEvidence(ctx context.Context, id string) (SandboxRunEvidence, error) {
	return get[SandboxRunEvidence](ctx, c.t, at(sandboxRuns, id, "/evidence"), nil)
}

// SandboxRunOutput returns the newest run's output from after on; it waits briefly for more.
func (c AgentRunService) SandboxRunOutput(ctx context.Context, id string, after int64) (SandboxRunOutput, error) {
	return get[SandboxRunOutput](ctx, c.t, at(sandboxRuns, id, "/output"), url.Values{"after": {strconv.FormatInt(after, 10)}})
}

// CancelSandboxRun ends a run.
func (c AgentRunService) CancelSandboxRun(ctx context.Context, id string, calls ...Call) (SandboxRun, error) {
	return post[SandboxRun](ctx, c.t, at(sandboxRuns, id, "/cancel"), wire.Post{}, calls...)
}

// AnswerSandboxRun answers a run's question; a person confirms unless it is a no.
func (c AgentRunService) AnswerSandboxRun(ctx context.Context, id string, a SandboxRunAnswer, calls ...Call) (SandboxRun, error) {
	return post[SandboxRun](ctx, c.t, at(sandboxRuns, id, "/answer"), a, calls...)
}

// PrepareSandboxRun fetches the packages that a skill declares; a person confirms. It may take minutes.
func (c AgentRunService) PrepareSandboxRun(ctx context.Context, r PrepareRequest, calls ...Call) (Prepared, error) {
	return post[Prepared](ctx, c.t, "/api/agent-runs/prepare", r, calls...)
}
