// Package session creates learn sessions and changes them: creation from a request, from agents' runs, from kept
// traces or from a recording; scope and adapters, marks and trims.
//
// Guarantees: at most one learning target (a session, its examples and the parts split from it) is open (DOC3 0C.1B).
// A session that is made of kept data passes through every state of a capture in one transaction.
//
// Not guaranteed: creating a session observes nothing; package control starts captures.
//
// Packages learn and drafting, which creates sessions for the parts of a split draft, may import it.
package session

import (
	"showhow/daemon/learn/change"
	"showhow/daemon/learn/live"
	"showhow/daemon/learn/port"
	"showhow/daemon/learn/proposal"
	"showhow/daemon/learn/state"
)

// Deps holds what a Service needs.
type Deps struct {
	Store        state.Store
	Capturer     port.Capturer
	Observations port.Observations
	Runs         port.Runs           // may be nil: nothing is learned from runs
	Recordings   port.Recordings     // may be nil: nothing is imported
	Redact       func(string) string // for text of strangers; needed with Recordings
	Installer    port.Installer
	Changes      *change.Store
	Monitor      *live.Monitor
	Live         *live.Set
	Proposals    *proposal.Reader
	NewID        func() string
}

// Service creates and changes sessions. Its methods are safe for concurrent use.
type Service struct{ d Deps }

// New makes a service.
func New(d Deps) *Service { return &Service{d: d} }
