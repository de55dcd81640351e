// Package query answers what sessions there are, what was kept of them and how they stand: lists, history, receipts, the runtime
// snapshot, observations and demonstrations.
//
// Guarantees: it changes no session; RefreshRuntime alone writes, and only the projections of the session that changed last.
// Sessions are shown as they are at this moment (package live), not only as they were last stored.
//
// Not guaranteed: whoever shows observations to somebody must ask first whether that is the person; the API does.
//
// The rooms of learning may import it.
package query

import (
	"showhow/daemon/learn/change"
	"showhow/daemon/learn/live"
	"showhow/daemon/learn/port"
	"showhow/daemon/learn/state"
)

// Deps is everything a Reader stands on.
type Deps struct {
	Store        state.Store
	Observations port.Observations
	Installer    port.Installer // may be nil: no ability's availability is known
	Changes      *change.Store
	Monitor      *live.Monitor
}

// Reader answers questions about sessions. It is safe for concurrent use.
type Reader struct{ d Deps }

// New makes a reader.
func New(d Deps) *Reader { return &Reader{d: d} }
