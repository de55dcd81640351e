// Package housekeeping removes what has outlived its purpose: deletion of sessions, purge of raw data, archiving of what ended
// (DOC3 0C.16D, decisions A2, A10).
//
// Guarantees: data that an unfinished session still needs is touched only after a month without anybody's touch and a warning.
// Records go before raw data, and a deletion that was cut off is finished later, so no byte is left without a record that says so.
// Receipts stay; they carry ids only.
//
// Package learn may import it. Test it with a real store and a clock of your own.
package housekeeping

import (
	"showhow/daemon/learn/change"
	"showhow/daemon/learn/control"
	"showhow/daemon/learn/drafting"
	"showhow/daemon/learn/install"
	"showhow/daemon/learn/live"
	"showhow/daemon/learn/port"
	"showhow/daemon/learn/query"
	"showhow/daemon/learn/state"
)

// Deps is everything a Service stands on.
type Deps struct {
	Store   state.Store
	Purger  port.Purger
	Changes *change.Store
	Monitor *live.Monitor
	Control *control.Service
	Query   *query.Reader
	Drafts  *drafting.Service
	Install *install.Service
	NewID   func() string
}

// Service keeps house. Its methods are safe for concurrent use.
type Service struct{ d Deps }

// New makes a service.
func New(d Deps) *Service { return &Service{d: d} }
