package routes

import (
	"context"
	"net/http"

	"showhow/adapters/receipts/report"
	"showhow/daemon/api/caller"
	"showhow/daemon/api/engine"
	"showhow/daemon/api/presence"
	"showhow/daemon/observe"
	"showhow/daemon/wire"
	"showhow/internal/fault"
	"showhow/internal/twin"
)

// Observed is the part of the daemon's receipt intake that the routes need.
type Observed interface {
	// Take passes receipts on to everyone who wants them and may have them. Their agents have been checked.
	Take(ctx context.Context, rs []report.Receipt)
	Agents(ctx context.Context) ([]observe.Agent, error)
	Agent(ctx context.Context, name string) (observe.Agent, error)
	SetJournal(ctx context.Context, m observe.Meta, agent string, on bool) error
	Runs(ctx context.Context, agent string, page, size int) (observe.RunList, error)
	Get(ctx context.Context, runID string, page, size int) (observe.RunDetail, error)
	DeleteRun(ctx context.Context, m observe.Meta, runID string) error
	DeleteRuns(ctx context.Context, m observe.Meta, agent string) (int, error)
	InstallHook(ctx context.Context, m observe.Meta, agent, dir string) error
	RemoveHook(ctx context.Context, m observe.Meta, agent string) error
}

// KeptRunPath is the parameter of the routes of one kept run.
type KeptRunPath struct {
	RunID string `path:"runId" format:"uuid"`
}

type keptRunPage struct {
	KeptRunPath
	wire.Page
}

type runsQuery struct {
	wire.Page
	Agent string `query:"agent" maxLength:"60" pattern:"^[a-z0-9][a-z0-9._-]*$"`
}

type runsOf struct {
	Agent string `query:"agent" maxLength:"60" pattern:"^[a-z0-9][a-z0-9._-]*$" doc:"omitted: every agent's"`
}

// ReceiptRoutes are the routes of agents' reports.
type ReceiptRoutes struct {
	Observed Observed
}

// Register adds the routes.
func (rs ReceiptRoutes) Register(g *engine.Engine) {
	take := engine.Post("take-receipts", "/api/observe/receipts", TagObservation,
		"Hand in what an agent or a wrapped command did; what nobody wants is forgotten at once", engine.AnybodyActs)
	engine.Register(g, take, func(ctx context.Context, _ *engine.None, b *wire.ReceiptsRequest) (*engine.Reply[wire.ReceiptsTaken], error) {
		c := caller.Of(ctx)
		receipts := twin.To[[]report.Receipt](b.Receipts)
		for i := range receipts {
			if err := c.SpeaksFor(&receipts[i]); err != nil {
				return nil, err
			}
		}
		rs.Observed.Take(ctx, receipts)
		return engine.Answer(wire.ReceiptsTaken{Received: len(b.Receipts)}), nil
	})
	rs.agentRoutes(g)
	rs.runRoutes(g)
}

// agentRoutes: the person decides whose runs are kept and whose hook is installed.
func (rs ReceiptRoutes) agentRoutes(g *engine.Engine) {
	engine.Register(g, engine.Get("list-observed-agents", "/api/observe/agents", TagObservation,
		"Agents that report: their hooks, whether their runs are kept, when they were last heard", engine.UserReads),
		func(ctx context.Context, _ *engine.None, _ *engine.None) (*engine.Reply[observe.Agents], error) {
			as, err := rs.Observed.Agents(ctx)
			return engine.Answered(observe.Agents{Agents: as, SchemaVersion: 1}, err)
		})
	o := engine.Op{ID: "set-journal", Method: http.MethodPut, Path: "/api/observe/agents/{name}/journal", Tag: TagObservation,
		Summary: "Let an agent's last 20 runs be kept, redacted, for 24 hours, or not", Access: engine.UserWrites.Confirmed("keep-runs")}
	o.Access.When = "they are to be kept"
	engine.RegisterConfirmed(g, o,
		func(_ context.Context, p *AgentPath, b *wire.JournalRequest) (presence.Subject, bool, error) {
			return presence.Subject{ID: p.Name}.Say("The last 20 runs of “%s”", p.Name), b.Enabled, nil
		},
		func(ctx context.Context, p *AgentPath, b *wire.JournalRequest) (*engine.Reply[observe.Agent], error) {
			if err := rs.Observed.SetJournal(ctx, observed(ctx), p.Name, b.Enabled); err != nil {
				return nil, err
			}
			return engine.Answered(rs.Observed.Agent(ctx, p.Name))
		})
	engine.Register(g, engine.Post("install-hook", "/api/observe/agents/{name}/hook", TagObservation,
		"Write our hook into an agent's own settings; nothing is kept by it alone", engine.UserWrites,
		fault.NotFound, fault.SlugTaken),
		func(ctx context.Context, p *AgentPath, b *wire.HookRequest) (*engine.Reply[observe.Agent], error) {
			if err := rs.Observed.InstallHook(ctx, observed(ctx), p.Name, b.Dir); err != nil {
				return nil, err
			}
			return engine.Answered(rs.Observed.Agent(ctx, p.Name))
		})
	engine.Register(g, engine.Op{ID: "remove-hook", Method: http.MethodDelete, Path: "/api/observe/agents/{name}/hook", Tag: TagObservation,
		Summary: "Take exactly that out again", Access: engine.UserWrites, Errors: []fault.Code{fault.NotFound}},
		func(ctx context.Context, p *AgentPath, _ *engine.None) (*engine.Reply[observe.Agent], error) {
			if err := rs.Observed.RemoveHook(ctx, observed(ctx), p.Name); err != nil {
				return nil, err
			}
			return engine.Answered(rs.Observed.Agent(ctx, p.Name))
		})
}

func (rs ReceiptRoutes) runRoutes(g *engine.Engine) {
	engine.Register(g, engine.Get("list-runs", "/api/observe/runs", TagObservation, "Agents' runs that are kept, by consent, newest first",
		engine.UserReads),
		func(ctx context.Context, p *runsQuery, _ *engine.None) (*engine.Reply[observe.RunList], error) {
			return engine.Answered(rs.Observed.Runs(ctx, p.Agent, p.Page.Page, p.PageSize))
		})
	engine.Register(g, engine.Get("get-run", "/api/observe/runs/{runId}", TagObservation, "One kept run with what was kept of it, in order",
		engine.UserReads,
		fault.NotFound),
		func(ctx context.Context, p *keptRunPage, _ *engine.None) (*engine.Reply[observe.RunDetail], error) {
			return engine.Answered(rs.Observed.Get(ctx, p.RunID, p.Page.Page, p.PageSize))
		})
	engine.Register(g, engine.Op{ID: "delete-run", Method: http.MethodDelete, Path: "/api/observe/runs/{runId}", Tag: TagObservation,
		Summary: "Delete a kept run, to the last byte", Access: engine.UserWrites, Errors: []fault.Code{fault.NotFound}},
		func(ctx context.Context, p *KeptRunPath, _ *engine.None) (*engine.Reply[wire.RunsDeleted], error) {
			err := rs.Observed.DeleteRun(ctx, observed(ctx), p.RunID)
			return engine.Answered(wire.RunsDeleted{Deleted: 1}, err)
		})
	engine.Register(g, engine.Op{ID: "delete-runs", Method: http.MethodDelete, Path: "/api/observe/runs", Tag: TagObservation,
		Summary: "Delete every kept run, or every one of an agent, to the last byte", Access: engine.UserWrites},
		func(ctx context.Context, p *runsOf, _ *engine.None) (*engine.Reply[wire.RunsDeleted], error) {
			n, err := rs.Observed.DeleteRuns(ctx, observed(ctx), p.Agent)
			return engine.Answered(wire.RunsDeleted{Deleted: n}, err)
		})
}

func observed(ctx context.Context) observe.Meta {
	return observe.Meta{CorrelationID: caller.Of(ctx).CorrelationID}
}

// AgentPath is the parameter of the routes of one agent.
type AgentPath struct {
	Name string `path:"name" minLength:"1" maxLength:"60" pattern:"^[a-z0-9][a-z0-9._-]*$"`
}
