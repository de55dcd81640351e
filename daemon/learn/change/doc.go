// Package change is the only way in which sessions and proposals change. A Set collects the changes of one
// transaction: Enter moves a session along the state table, Record writes receipt and event, Mark a boundary, and Save
// stores what was touched together with the canonical files that mirror it (DOC3 0C.1A, decisions A1).
//
// Guarantees: record, receipt, event and projection are committed together or not at all. A transition that the table
// does not allow is refused. Commands on one learning target run one after the other as long as callers hold its lock.
//
// Not guaranteed: Set does not check who calls or whether a command makes sense; its caller does that first.
//
// The packages of learning may import it. Test it with a real store.
package change

import (
	"time"

	"showhow/daemon/learn/live"
	"showhow/daemon/learn/state"
)

// Deps holds what a Store needs.
type Deps struct {
	Store   state.Store
	Monitor *live.Monitor
	Now     func() time.Time // wall clock
	NewID   func() string
}

// Store begins changes and serialises them by learning target. It is safe for concurrent use.
type Store struct {
	d     Deps
	locks locks
}

// New makes a store of changes.
func New(d Deps) *Store { return &Store{d: d} }
