// Package install carries out a person's decision on a draft: installation, approval, rejection.
//
// Guarantees: nothing is installed without a passed validation, or a partial one that the person accepts, of exactly
// the revision and content that the person saw (decisions C1, C13). The outcome of an installation is recorded in the
// saga's own transaction; one that failed leaves the draft quarantined. Recover settles an installation that a crash
// interrupted.
//
// Not guaranteed: that a person is behind a call; the API's guard fills state.Meta.
//
// Packages housekeeping and learn may import it.
package install

import (
	"context"
	"log/slog"

	"showhow/daemon/learn/change"
	"showhow/daemon/learn/control"
	"showhow/daemon/learn/port"
	"showhow/daemon/learn/proposal"
	"showhow/daemon/learn/query"
	"showhow/daemon/learn/state"
	"showhow/daemon/learn/validation"
)

// Deps holds what a Service needs.
type Deps struct {
	Store      state.Store
	Validator  port.Validator
	Installer  port.Installer
	Changes    *change.Store
	Control    *control.Service
	Query      *query.Reader
	Proposals  *proposal.Reader
	Validation *validation.Service
	Background func(func(ctx context.Context)) // runs what outlives the call; its owner waits for it
	NewID      func() string
	Log        *slog.Logger
}

// Service decides on drafts. Its methods are safe for concurrent use.
type Service struct{ d Deps }

// New makes a service.
func New(d Deps) *Service { return &Service{d: d} }
