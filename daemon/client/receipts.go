package client

import (
	"context"
	"net/http"

	"showhow/adapters/receipts/report"
	"showhow/daemon/observe"
	"showhow/daemon/wire"
)

// What agents do, as they report it.
type (
	AgentReceipt   = report.Receipt
	ReceiptFile    = report.File
	ReceiptsTaken  = wire.ReceiptsTaken
	ObservedAgent  = observe.Agent
	ObservedAgents = observe.Agents
	AgentRun       = observe.Run
	AgentRunList   = observe.RunList
	AgentRunDetail = observe.RunDetail
	RunsDeleted    = wire.RunsDeleted
)

const receiptsPath = "/api/observe/receipts"

// SendReceipts hands receipts in, once: a hook has no time to try again.
func (c *Client) SendReceipts(ctx context.Context, rs []AgentReceipt) (ReceiptsTaken, error) {
	return post[ReceiptsTaken](ctx, c, receiptsPath, wire.ReceiptsRequest{Receipts: rs})
}

// ObservedAgents lists agents that report, with hooks and consents.
func (c *Client) ObservedAgents(ctx context.Context) (ObservedAgents, error) {
	return get[ObservedAgents](ctx, c, "/api/observe/agents", nil)
}

// SetJournal lets an agent's runs be kept, which a person confirms, or not.
func (c *Client) SetJournal(ctx context.Context, agent string, on bool, calls ...Call) (ObservedAgent, error) {
	return do[ObservedAgent](ctx, c, http.MethodPut, at("/api/observe/agents/", agent, "/journal"), wire.JournalRequest{Enabled: on}, calls...)
}

// InstallHook writes the hook into the agent's settings; dir is the agent's own folder, "" the usual one.
func (c *Client) InstallHook(ctx context.Context, agent, dir string) (ObservedAgent, error) {
	return post[ObservedAgent](ctx, c, at("/api/observe/agents/", agent, "/hook"), wire.HookRequest{Dir: dir})
}

// RemoveHook takes it out again.
func (c *Client) RemoveHook(ctx context.Context, agent string) (ObservedAgent, error) {
	return do[ObservedAgent](ctx, c, http.MethodDelete, at("/api/observe/agents/", agent, "/hook"), nil)
}

// Runs lists kept runs, newest first; agent "" means everybody's.
func (c *Client) Runs(ctx context.Context, agent string, q PageQuery) (AgentRunList, error) {
	return get[AgentRunList](ctx, c, "/api/observe/runs", page(q, "agent", agent))
}

// Run is one kept run with a page of what was kept.
func (c *Client) Run(ctx context.Context, id string, q PageQuery) (AgentRunDetail, error) {
	return get[AgentRunDetail](ctx, c, at("/api/observe/runs/", id), page(q))
}

// DeleteRun deletes a kept run to the last byte.
func (c *Client) DeleteRun(ctx context.Context, id string) (RunsDeleted, error) {
	return do[RunsDeleted](ctx, c, http.MethodDelete, at("/api/observe/runs/", id), nil)
}

// DeleteRuns deletes every kept run, or every one of an agent.
func (c *Client) DeleteRuns(ctx context.Context, agent string) (RunsDeleted, error) {
	path := "/api/observe/runs"
	if agent != "" {
		path += "?" + page(PageQuery{}, "agent", agent).Encode()
	}
	return do[RunsDeleted](ctx, c, http.MethodDelete, path, nil)
}
