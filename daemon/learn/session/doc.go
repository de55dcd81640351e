// Package session makes learn sessions and changes what they are about: creation from a request, from agents' runs, from kept
// traces or from a recording, their scope and adapters, marks and trims.
//
// Guarantees: at most one learning target (a session, its examples and the parts split from it) has not ended (DOC3 0C.1B).
// A session that is made of what was kept goes through every state of a capture in one transaction.
//
// Not guaranteed: nothing observes because a session was made; package control starts captures.
//
// Package learn and drafting, which makes sessions for the parts of a split draft, may import it.
package session

import (
	"showhow/daemon/learn/change"
	"showhow/daemon/learn/live"
	"showhow/daemon/learn/port"
	"showhow/daemon/learn/proposal"
	"showhow/daemon/learn/state"
)

// Deps is everything a Service stands on.
type Deps struct {
	Store        state.Store
	Capturer     port.Capturer
	Observations port.Observations
	Runs         port.Runs           // may be nil: nothing is learned from runs
	Recordings   port.Recordings     // may be nil: nothing is ed
	Redact       func(string) string // for text of strangers; needed with Recordings
	Installer    port.Installer
	Changes      *change.Store
	Monitor      *live.Monitor
	Live         *live.Set
	Proposals    *proposal.Reader
	NewID        func() string
}

// Service makes and shapes sessions. Its methods are safe for concurrent use.
type Service struct{ d Deps }

// New makes a service.
func New(d Deps) *Service { return &Service{d: d} }
