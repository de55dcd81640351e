// Package proposal reads proposals: their list, and what a reviewer needs of each: draft, questions, revisions, files,
// values, what blocks its installation, and which installed skill it improves.
//
// Guarantees: it changes nothing. Sealed values are opened only in Values, for the person, in memory.
//
// Not guaranteed: a detail is a snapshot; commands check the revision again in their own transaction.
//
// The packages of learning may import it.
package proposal

import (
	"showhow/daemon/learn/change"
	"showhow/daemon/learn/live"
	"showhow/daemon/learn/port"
	"showhow/daemon/learn/query"
	"showhow/daemon/learn/state"
)

// Deps holds what a Reader needs.
type Deps struct {
	Store        state.Store
	Observations port.Observations
	Validator    port.Validator
	Installer    port.Installer
	Changes      *change.Store
	Monitor      *live.Monitor
	Query        *query.Reader
}

// Reader reads proposals. It is safe for concurrent use.
type Reader struct{ d Deps }

// New makes a reader.
func New(d Deps) *Reader { return &Reader{d: d} }
