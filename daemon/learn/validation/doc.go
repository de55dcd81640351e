// Package validation runs the validation of a draft and moves proposal and session along.
//
// Guarantees: a run is recorded before it begins, and its end in the transaction that stores its result. A run of an
// earlier revision changes nothing. Recover settles runs that a crash ended.
//
// Not guaranteed: what a run proves; see package rehearse.
//
// Packages install and learn may import it.
package validation

import (
	"log/slog"

	"showhow/daemon/learn/change"
	"showhow/daemon/learn/drafting"
	"showhow/daemon/learn/port"
	"showhow/daemon/learn/proposal"
	"showhow/daemon/learn/state"
)

// Deps holds what a Service needs.
type Deps struct {
	Store     state.Store
	Validator port.Validator
	Changes   *change.Store
	Proposals *proposal.Reader
	Drafts    *drafting.Service
	NewID     func() string
	Log       *slog.Logger
}

// Service validates drafts. Its methods are safe for concurrent use.
type Service struct{ d Deps }

// New makes a service.
func New(d Deps) *Service { return &Service{d: d} }
