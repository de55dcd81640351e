package daemon

import (
	"context"
	"net/http"

	"showhow/daemon/connector/door"
	"showhow/daemon/contract"
	"showhow/daemon/remote"
	"showhow/daemon/wire"
	"showhow/internal/clock"
)

// newRemote makes what lets callers from elsewhere in, to a door and to the contract. A remote caller is an agent under
// a name that no local one can have. What is missing in o is added.
func newRemote(o remote.Options, at *door.Door, speak *contract.Service) *remote.Service {
	o.NewID = clock.NewID
	o.MCP = func(g remote.Guest) http.Handler {
		return at.Handler(door.Guest{Agent: g.Agent, Names: []string{g.Agent}, Reporter: wire.Elsewhere + g.CallerID, Remote: true,
			OwnOnly: !g.Connectors}, "")
	}
	o.Evict = func(ctx context.Context, g remote.Guest) error {
		return at.Evict(ctx, g.Agent, wire.Elsewhere+g.CallerID)
	}
	o.Contract = func(g remote.Guest) http.Handler {
		return speak.Handler(contract.Remote(g.Agent, wire.Elsewhere+g.CallerID, g.Writes))
	}
	return remote.New(o)
}
