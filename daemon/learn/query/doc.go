// Package query reads sessions and what was kept of them: lists, history, receipts, the runtime snapshot, observations
// and demonstrations.
//
// Guarantees: it changes no session; only RefreshRuntime writes, and only the projections of the session that changed
// last. Sessions are shown in their current state (package live), not only as last stored.
//
// Not guaranteed: it does not check who reads observations; the API makes sure that it is the person.
//
// The packages of learning may import it.
package query

import (
	"showhow/daemon/learn/change"
	"showhow/daemon/learn/live"
	"showhow/daemon/learn/port"
	"showhow/daemon/learn/state"
)

// Deps holds what a Reader needs.
type Deps struct {
	Store        state.Store
	Observations port.Observations
	Installer    port.Installer // may be nil: no ability's availability is known
	Changes      *change.Store
	Monitor      *live.Monitor
}

// Reader reads sessions. It is safe for concurrent use.
type Reader struct{ d Deps }

// New makes a reader.
func New(d Deps) *Reader { return &Reader{d: d} }
