// Package proposal answers what proposals there are and what a reviewer needs of each: draft, questions, revisions, files, values,
// what hinders its installation, and which installed skill it improves.
//
// Guarantees: it changes nothing. Sealed values are opened for Values alone, for the person, in memory.
//
// Not guaranteed: a detail is a picture of one moment; commands judge the revision again in their own transaction.
//
// The rooms of learning may import it.
package proposal

import (
	"showhow/daemon/learn/change"
	"showhow/daemon/learn/live"
	"showhow/daemon/learn/port"
	"showhow/daemon/learn/query"
	"showhow/daemon/learn/state"
)

// Deps is everything a Reader stands on.
type Deps struct {
	Store        state.Store
	Observations port.Observations
	Validator    port.Validator
	Installer    port.Installer
	Changes      *change.Store
	Monitor      *live.Monitor
	Query        *query.Reader
}

// Reader answers questions about proposals. It is safe for concurrent use.
type Reader struct{ d Deps }

// New makes a reader.
func New(d Deps) *Reader { return &Reader{d: d} }
