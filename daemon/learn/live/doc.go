// Package live holds what is true only while the process runs: the sessions whose adapters run, the counts of their
// captures, and the lease that an indicator must renew for capture to go on (decisions A8). Monitor shows stored
// sessions in their current state, with the fields computed from it.
//
// Guarantees: everything here is safe for concurrent use and never waits for the store. Capture.Off means that nothing
// is kept any more although the store may not have recorded it yet; Monitor shows such a session as paused.
//
// Not guaranteed: nothing survives the process; recovery reads the store (package control).
//
// The packages of learning may import it. Test it with your own clock.
package live

import (
	"time"

	"showhow/daemon/learn/port"
	"showhow/daemon/learn/state"
	"showhow/internal/clock"
)

// Deps holds what a Monitor needs.
type Deps struct {
	Live        *Set
	Lease       *Lease
	Capturer    port.Capturer
	DataClasses func(state.Session) []string // what its adapters and its evidence observe, in words; may be nil
	Now         func() time.Time
}

// Monitor shows stored sessions in their current state.
type Monitor struct {
	d     Deps
	live  *Set
	lease *Lease
}

// New makes a monitor.
func New(d Deps) *Monitor { return &Monitor{d: d, live: d.Live, lease: d.Lease} }

func (s *Monitor) now() clock.Time { return clock.At(s.d.Now()) }
