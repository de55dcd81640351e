package daemon

import (
	"context"
	"net/http"

	"showhow/daemon/a2a"
	"showhow/daemon/connector/door"
	"showhow/daemon/contract"
	"showhow/daemon/journal"
	"showhow/daemon/remote"
	"showhow/daemon/wire"
	"showhow/internal/clock"
)

// newRemote makes what lets callers from elsewhere in: to a door, to the contract and, in A2A, to skills. A remote caller is
// an agent under a name that no local one can have. What is missing in the options is added.
func newRemote(o remote.Options, at *door.Door, speak *contract.Service, t a2a.Options) (*remote.Service, *a2a.Service) {
	var callers *remote.Service
	t.Command = func() []string { return callers.Command() }
	t.Note = func(ctx context.Context, kind journal.EventKind, summary, reason string, payload map[string]any) error {
		return callers.Note(ctx, kind, summary, reason, payload)
	}
	t.Live = func(ctx context.Context, id string) error { return remote.LiveInA2A(ctx, callers, id) }
	t.Now, t.NewID, t.Log = o.Now, clock.NewID, o.Log
	tasks := a2a.New(t)
	o.NewID = clock.NewID
	o.MCP = func(g remote.Guest) http.Handler {
		return at.Handler(door.Guest{Agent: g.Agent, Names: []string{g.Agent}, Reporter: wire.Elsewhere + g.CallerID, Remote: true,
			OwnOnly: !g.Connectors}, "")
	}
	o.Evict = func(ctx context.Context, g remote.Guest) error {
		tasks.Evict(g.CallerID)
		return at.Evict(ctx, g.Agent, wire.Elsewhere+g.CallerID)
	}
	o.Contract = func(g remote.Guest) http.Handler {
		return speak.Handler(contract.Remote(g.Agent, wire.Elsewhere+g.CallerID, g.Writes))
	}
	o.A2A = remote.A2A{
		Handler: func(g remote.Guest, p remote.Place) http.Handler {
			return tasks.Handler(a2a.Guest{CallerID: g.CallerID, Agent: g.Agent, Runs: g.Runs}, a2a.Place(p))
		},
		Card:   func(ctx context.Context, p remote.Place) (any, error) { return tasks.Public(ctx, a2a.Place(p)) },
		Refuse: a2a.Refuse, Waiting: tasks.Waiting, Close: tasks.Close}
	callers = remote.New(o)
	return callers, tasks
}
