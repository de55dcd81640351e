package client

import (
	"context"
	"net/http"

	"showhow/daemon/wire"
)

// Agents' reports of their work.
type (
	AgentReceipt   = wire.AgentReceipt
	ReceiptFile    = wire.AgentReceiptFile
	ReceiptsTaken  = wire.ReceiptsTaken
	ObservedAgent  = wire.ObservedAgent
	ObservedAgents = wire.ObservedAgents
	AgentRun       = wire.AgentRun
	AgentRunList   = wire.AgentRunList
	AgentRunDetail = wire.AgentRunDetail
	RunsDeleted    = wire.RunsDeleted
)

const receiptsPath = "/api/observe/receipts"

// ReceiptService is the part of the API about agents' reports.
type ReceiptService struct{ t *transport }

// SendReceipts sends receipts, once: a hook has no time to retry.
func (c ReceiptService) SendReceipts(ctx context.Context, rs []AgentReceipt) (ReceiptsTaken, error) {
	return post[ReceiptsTaken](ctx, c.t, receiptsPath, wire.ReceiptsRequest{Receipts: rs})
}

// ObservedAgents lists the agents that report, with hooks and consents.
func (c ReceiptService) ObservedAgents(ctx context.Context) (ObservedAgents, error) {
	return get[ObservedAgents](ctx, c.t, "/api/observe/agents", nil)
}

// SetJournal turns the keeping of an agent's runs on, which a person confirms, or off.
func (c ReceiptService) SetJournal(ctx context.Context, agent string, on bool, calls ...Call) (ObservedAgent, error) {
	return do[ObservedAgent](ctx, c.t, http.MethodPut, at("/api/observe/agents/", agent, "/journal"), wire.JournalRequest{Enabled: on},
		calls...)
}

// InstallHook writes the hook into the agent's settings; dir is the agent's own folder, "" the usual one.
func (c ReceiptService) InstallHook(ctx context.Context, agent, dir string) (ObservedAgent, error) {
	return post[ObservedAgent](ctx, c.t, at("/api/observe/agents/", agent, "/hook"), wire.HookRequest{Dir: dir})
}

// RemoveHook removes an agent's hook.
func (c ReceiptService) RemoveHook(ctx context.Context, agent string) (ObservedAgent, error) {
	return do[ObservedAgent](ctx, c.t, http.MethodDelete, at("/api/observe/agents/", agent, "/hook"), nil)
}

// Runs lists kept runs, newest first; agent "" means all agents.
func (c ReceiptService) Runs(ctx context.Context, agent string, q PageQuery) (AgentRunList, error) {
	return get[AgentRunList](ctx, c.t, "/api/observe/runs", page(q, "agent", agent))
}

// Run returns one kept run with a page of its records.
func (c ReceiptService) Run(ctx context.Context, id string, q PageQuery) (AgentRunDetail, error) {
	return get[AgentRunDetail](ctx, c.t, at("/api/observe/runs/", id), page(q))
}

// DeleteRun deletes a kept run to the last byte.
func (c ReceiptService) DeleteRun(ctx context.Context, id string) (RunsDeleted, error) {
	return do[RunsDeleted](ctx, c.t, http.MethodDelete, at("/api/observe/runs/", id), nil)
}

// DeleteRuns deletes every kept run, or every one of an agent.
func (c ReceiptService) DeleteRuns(ctx context.Context, agent string) (RunsDeleted, error) {
	path := "/api/observe/runs"
	if agent != "" {
		path += "?" + page(PageQuery{}, "agent", agent).Encode()
	}
	return do[RunsDeleted](ctx, c.t, http.MethodDelete, path, nil)
}
