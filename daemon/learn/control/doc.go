// Package control runs the capture of a session: start, pause, resume and stop, the time limits, and cancelling, which
// ends a session from any state before the decision.
//
// Guarantees: emission stops before a pause is acknowledged and starts after the state is committed. A pause that the
// store refuses takes effect at once and is recorded as soon as the store accepts it. A session that cannot observe is
// paused and says why.
//
// Not guaranteed: only the owner's tick (package learn) calls EnforceLimits, RecordPauses and StoreCounts.
//
// The packages of learning that end sessions may import it.
package control

import (
	"context"
	"log/slog"
	"time"

	"showhow/daemon/learn/change"
	"showhow/daemon/learn/live"
	"showhow/daemon/learn/port"
	"showhow/daemon/learn/query"
	"showhow/daemon/learn/state"
	"showhow/daemon/rehearse"
)

// Runs cancels validation runs; port.Validator implements it.
type Runs interface {
	Wait(ctx context.Context, runID string) (rehearse.ValidationRun, error)
	Cancel(ctx context.Context, runID string) (rehearse.ValidationRun, error)
}

// Deps holds what a Service needs.
type Deps struct {
	Store        state.Store
	Capturer     port.Capturer
	Observations port.Observations
	Validator    Runs
	Changes      *change.Store
	Monitor      *live.Monitor
	Live         *live.Set
	Lease        *live.Lease
	Query        *query.Reader
	Now          func() time.Time // wall clock
	Grace        time.Duration    // how long a capture that has just begun may take to be shown
	Log          *slog.Logger
}

// Service controls captures. Its methods are safe for concurrent use.
type Service struct {
	d    Deps
	kick chan struct{}
}

// New makes a service.
func New(d Deps) *Service { return &Service{d: d, kick: make(chan struct{}, 1)} }

// Began receives a value when a capture has begun, so that the owner's loop looks at it at once.
func (s *Service) Began() <-chan struct{} { return s.kick }
