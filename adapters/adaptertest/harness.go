package adaptertest

import (
	"testing"
	"time"

	"showhow/adapters"
	"showhow/capture"
)

// Harness is what the suite needs to know of an adapter.
type Harness struct {
	// Start makes a fresh world. Everything it makes ends through t.Cleanup (or World.Stop).
	Start func(t *testing.T) World

	// Quiet is how long the suite looks on where nothing may happen; 300 ms when zero.
	Quiet time.Duration
	// Patience is how long an observation may take to arrive; 10 s when zero.
	Patience time.Duration
	// Shared names processes that belong to the harness and outlive a world, as those of a browser that all worlds share;
	// nil when there are none.
	Shared func(process string) bool
	// ClockSkew widens an act's window on both sides; 20 ms when zero.
	ClockSkew time.Duration
}

// World is an adapter that does not run yet and something to act in.
type World struct {
	Adapter adapters.Adapter

	// Scope admits what In does and nothing of what Off does; OffScope the other way round.
	Scope    capture.Scope
	OffScope capture.Scope

	// Join, optional, makes the world ready to act in; it is called once, when the adapter observes (ready was called).
	// What it causes to be observed is not judged.
	Join func(t testing.TB)

	// In does the i-th act (i = 0, 1, ...) inside Scope, one that yields exactly one observation by the adapter's own
	// promise, and returns when a person would say "done". Acts differ from each other when their numbers do.
	In func(t testing.TB, i int)
	// Off does something observable outside Scope (inside OffScope), with canary in everything that could be captured:
	// names, values, titles, paths, lines.
	Off func(t testing.TB, canary string)

	// Is says whether o is the observation of the i-th act; nil accepts any. An adapter that also reports effects
	// (a navigation, a download) tells them apart here.
	Is func(o capture.Observation, i int) bool

	// Told, optional, returns when what the adapter observes knows of the last Pause, Resume or Rescope: where that is another
	// program, which on a busy machine learns of it later than a person would act.
	Told func()

	// Stop, optional, ends the world before the suite looks for leaked goroutines and processes. t.Cleanup works as well.
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
