package adaptertest

import (
	"testing"
	"time"

	"showhow/adapters"
	"showhow/capture"
)

// Harness is what the suite needs to know about an adapter.
type Harness struct {
	// Start creates a fresh world. Everything it creates ends through t.Cleanup (or World.Stop).
	Start func(t *testing.T) World

	// Quiet is how long the suite watches where nothing may happen; 300 ms if zero.
	Quiet time.Duration
	// Patience is how long an observation may take to arrive; 10 s when zero.
	Patience time.Duration
	// Shared reports processes that belong to the harness and outlive a world, such as those of a browser shared by
	// all worlds; nil if there are none.
	Shared func(process string) bool
	// ClockSkew widens an act's window on both sides; 20 ms when zero.
	ClockSkew time.Duration
}

// World is an adapter that does not run yet and something to act in.
type World struct {
	Adapter adapters.Adapter

	// Scope admits what In does and nothing that Off does; OffScope is the opposite.
	Scope    capture.Scope
	OffScope capture.Scope

	// Join, optional, makes the world ready to act in; it is called once, when the adapter observes (ready was
	// called). Observations that it causes are ignored.
	Join func(t testing.TB)

	// In performs the i-th act (i = 0, 1, ...) inside Scope, one that yields exactly one observation according to the
	// adapter, and returns when a person would say "done". Acts with different numbers differ.
	In func(t testing.TB, i int)
	// Off does something observable outside Scope (inside OffScope), with canary in everything that could be
	// captured: names, values, titles, paths, lines.
	Off func(t testing.TB, canary string)

	// Is reports whether o is the observation of the i-th act; nil accepts any. An adapter that also reports effects
	// (a navigation, a download) distinguishes them here.
	Is func(o capture.Observation, i int) bool

	// Told, optional, returns once the observed program knows of the last Pause, Resume or Rescope: on a busy machine
	// another program may learn of it later than a person would act.
	Told func()

	// Stop, optional, ends the world before the suite looks for leaked goroutines and processes. t.Cleanup works as
	// well.
	Stop func()
}

func (h Harness) quiet() time.Duration    { return or(h.Quiet, 300*time.Millisecond) }
func (h Harness) patience() time.Duration { return or(h.Patience, time.Minute) }
func (h Harness) skew() time.Duration     { return or(h.ClockSkew, 20*time.Millisecond) }

func or(d, def time.Duration) time.Duration {
	if d == 0 {
		return def
	}
	return d
}
