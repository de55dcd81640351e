// Package housekeeping removes what is no longer needed: it deletes sessions, purges raw data and archives what ended
// (DOC3 0C.16D, decisions A2, A10).
//
// Guarantees: data that an unfinished session still needs is purged only after a month without activity and a warning.
// Records are removed before raw data, and an interrupted deletion is finished later, so no raw data outlives the note
// that it must go. Receipts stay; they hold ids only.
//
// Package learn may import it. Test it with a real store and your own clock.
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

// Deps holds what a Service needs.
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

// Service runs the housekeeping. Its methods are safe for concurrent use.
type Service struct{ d Deps }

// New makes a service.
func New(d Deps) *Service { return &Service{d: d} }
