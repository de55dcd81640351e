package api

import (
	"context"
	"net/http"
	"slices"

	"showhow/adapters/receipts/report"
	"showhow/daemon/access"
	"showhow/daemon/observe"
	"showhow/daemon/wire"
	"showhow/internal/fault"
	"showhow/internal/twin"
)

// Observed is what the routes need of the daemon's intake of receipts.
type Observed interface {
	// Take hands receipts on to whoever wants them and may have them. Their agents have been judged.
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

func (s *Server) receiptRoutes() {
	take := post("take-receipts", "/api/observe/receipts", tagObservation,
		"Hand in what an agent or a wrapped command did; what nobody wants is forgotten at once", anybodyActs)
	register(s, take, func(ctx context.Context, _ *none, b *wire.ReceiptsRequest) (*reply[wire.ReceiptsTaken], error) {
		c := CallerOf(ctx)
		receipts := twin.To[[]report.Receipt](b.Receipts)
		for i := range receipts {
			if err := c.speaksFor(&receipts[i]); err != nil {
				return nil, err
			}
		}
		s.deps.Observed.Take(ctx, receipts)
		return answer(wire.ReceiptsTaken{Received: len(b.Receipts)}), nil
	})
	s.agentRoutes()
	s.runRoutes()
}

// agentRoutes: whose runs are kept and whose hook is installed is the person's to say.
func (s *Server) agentRoutes() {
	register(s, get("list-observed-agents", "/api/observe/agents", tagObservation,
		"Agents that report: their hooks, whether their runs are kept, when they were last heard", userReads),
		func(ctx context.Context, _ *none, _ *none) (*reply[observe.Agents], error) {
			as, err := s.deps.Observed.Agents(ctx)
			return answered(observe.Agents{Agents: as, SchemaVersion: 1}, err)
		})
	o := op{id: "set-journal", method: http.MethodPut, path: "/api/observe/agents/{name}/journal", tag: tagObservation,
		summary: "Let an agent's last 20 runs be kept, redacted, for 24 hours, or not", access: userWrites.confirmed("keep-runs")}
	o.access.When = "they are to be kept"
	registerConfirmed(s, o,
		func(_ context.Context, p *agentPath, b *wire.JournalRequest) (Subject, bool, error) {
			return Subject{ID: p.Name}.say("The last 20 runs of “%s”", p.Name), b.Enabled, nil
		},
		func(ctx context.Context, p *agentPath, b *wire.JournalRequest) (*reply[observe.Agent], error) {
			if err := s.deps.Observed.SetJournal(ctx, observed(ctx), p.Name, b.Enabled); err != nil {
				return nil, err
			}
			return answered(s.deps.Observed.Agent(ctx, p.Name))
		})
	register(s, post("install-hook", "/api/observe/agents/{name}/hook", tagObservation,
		"Write our hook into an agent's own settings; nothing is kept by it alone", userWrites,
		fault.NotFound, fault.SlugTaken),
		func(ctx context.Context, p *agentPath, b *wire.HookRequest) (*reply[observe.Agent], error) {
			if err := s.deps.Observed.InstallHook(ctx, observed(ctx), p.Name, b.Dir); err != nil {
				return nil, err
			}
			return answered(s.deps.Observed.Agent(ctx, p.Name))
		})
	register(s, op{id: "remove-hook", method: http.MethodDelete, path: "/api/observe/agents/{name}/hook", tag: tagObservation,
		summary: "Take exactly that out again", access: userWrites, errors: []fault.Code{fault.NotFound}},
		func(ctx context.Context, p *agentPath, _ *none) (*reply[observe.Agent], error) {
			if err := s.deps.Observed.RemoveHook(ctx, observed(ctx), p.Name); err != nil {
				return nil, err
			}
			return answered(s.deps.Observed.Agent(ctx, p.Name))
		})
}

func (s *Server) runRoutes() {
	register(s, get("list-runs", "/api/observe/runs", tagObservation, "Agents' runs that are kept, by consent, newest first", userReads),
		func(ctx context.Context, p *runsQuery, _ *none) (*reply[observe.RunList], error) {
			return answered(s.deps.Observed.Runs(ctx, p.Agent, p.Page.Page, p.PageSize))
		})
	register(s, get("get-run", "/api/observe/runs/{runId}", tagObservation, "One kept run with what was kept of it, in order", userReads,
		fault.NotFound),
		func(ctx context.Context, p *keptRunPage, _ *none) (*reply[observe.RunDetail], error) {
			return answered(s.deps.Observed.Get(ctx, p.RunID, p.Page.Page, p.PageSize))
		})
	register(s, op{id: "delete-run", method: http.MethodDelete, path: "/api/observe/runs/{runId}", tag: tagObservation,
		summary: "Delete a kept run, to the last byte", access: userWrites, errors: []fault.Code{fault.NotFound}},
		func(ctx context.Context, p *KeptRunPath, _ *none) (*reply[wire.RunsDeleted], error) {
			err := s.deps.Observed.DeleteRun(ctx, observed(ctx), p.RunID)
			return answered(wire.RunsDeleted{Deleted: 1}, err)
		})
	register(s, op{id: "delete-runs", method: http.MethodDelete, path: "/api/observe/runs", tag: tagObservation,
		summary: "Delete every kept run, or every one of an agent, to the last byte", access: userWrites},
		func(ctx context.Context, p *runsOf, _ *none) (*reply[wire.RunsDeleted], error) {
			n, err := s.deps.Observed.DeleteRuns(ctx, observed(ctx), p.Agent)
			return answered(wire.RunsDeleted{Deleted: n}, err)
		})
}

func observed(ctx context.Context) observe.Meta {
	return observe.Meta{CorrelationID: CallerOf(ctx).CorrelationID}
}

// speaksFor judges whose receipt a caller hands in, and fills in the agent where it is left out. An agent with a token speaks
// for itself; one that is recognised by its ancestry for an agent that is among its ancestors; the person for everybody. A
// caller that could not be examined speaks for nobody: it could be anyone.
func (c *Caller) speaksFor(r *report.Receipt) error {
	switch {
	case c.Kind == access.User:
		return nil
	case c.Name != "":
		if r.Agent != "" && r.Agent != c.Name {
			return c.forbidden("an agent reports its own work only")
		}
		r.Agent = c.Name
		return nil
	case len(c.families) == 0:
		return c.forbidden("it is not known which agent reports")
	case r.Agent == "":
		r.Agent = c.families[0]
		return nil
	case !slices.Contains(c.families, r.Agent):
		return c.forbidden("an agent reports its own work only")
	}
	return nil
}
