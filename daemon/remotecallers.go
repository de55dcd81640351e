package daemon

import (
	"net/http"

	"showhow/daemon/connector/door"
	"showhow/daemon/contract"
	"showhow/daemon/remote"
	"showhow/internal/clock"
)

// newRemote makes what lets callers from elsewhere in. speak serves the contract. A remote caller is an agent under a
// name that no local one can have.
func newRemote(d *Daemon, speak *contract.Service) *remote.Service {
	return remote.New(remote.Options{Store: d.store.Remote(), Keys: d.keys, Now: d.now, NewID: clock.NewID, Log: d.log,
		MCP: func(g remote.Guest) http.Handler {
			return d.door.Handler(door.Guest{Agent: g.Agent, Names: []string{g.Agent}, Reporter: "remote/" + g.CallerID, OwnOnly: !g.Connectors}, "")
		},
		Contract: func(g remote.Guest) http.Handler {
			return speak.Handler(contract.Remote(g.Agent, "remote/"+g.CallerID, g.Writes))
		}})
}
