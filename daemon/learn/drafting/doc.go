// Package drafting compiles demonstrations into drafts: the first one, and new revisions after answers, edits, more
// examples or a split. It may ask a model for better wording.
//
// Guarantees: a draft's files are written before its revision is stored, so a stored draft can be read; files of a
// draft that was not stored are swept at the next start. Every revision is kept, and a new one voids earlier
// validations (decisions C1). A model's wording is offered only where the task stays the same.
//
// Not guaranteed: sealed values are opened in memory for one compilation; package compile promises what it keeps of
// them.
//
// Packages validation, housekeeping and learn may import it.
package drafting

import (
	"log/slog"

	"showhow/daemon/learn/change"
	"showhow/daemon/learn/control"
	"showhow/daemon/learn/port"
	"showhow/daemon/learn/proposal"
	"showhow/daemon/learn/query"
	"showhow/daemon/learn/state"
)

// Deps holds what a Service needs.
type Deps struct {
	Store        state.Store
	Observations port.Observations
	Compile      port.Compiler
	Installer    port.Installer
	Writer       port.Writer // may be nil: no model is configured
	MemoryRoot   string      // where drafts are written, absolute
	Drafted      func(sessionID string)
	Changes      *change.Store
	Control      *control.Service
	Query        *query.Reader
	Proposals    *proposal.Reader
	NewID        func() string
	Log          *slog.Logger
}

// Service makes drafts. Its methods are safe for concurrent use.
type Service struct{ d Deps }

// New makes a service.
func New(d Deps) *Service { return &Service{d: d} }
