// Package adapters is the contract between a source of observation and the daemon, and the registry of every kind.
//
// An adapter declares what it is (Info), says whether it can work here and what would fix it (Probe), and observes between
// Run's call and the cancellation of its context. It never emits before Run, never writes to a disk or a log what it saw,
// never keeps an observation longer than it takes to hand it to the Sink, and its panic or error degrades it, not the daemon.
// adaptertest holds the suite that every adapter passes.
package adapters

import (
	"context"
	"time"

	"showhow/capture"
	"showhow/daemon/wire"
)

// Info is an adapter's declaration. `showhow doctor`, the docs and the UI print exactly this.
type Info struct {
	Kind         capture.Kind   `json:"kind"`
	ID           string         `json:"adapter_id" maxLength:"80"`
	Title        string         `json:"title"`
	Sees         []string       `json:"sees"`         // in words a person understands
	NeverSees    []string       `json:"never_sees"`   //
	DataClasses  []string       `json:"data_classes"` // page_actions, typed_values, commands, ...
	Platforms    []string       `json:"platforms"`    // GOOS values
	Permissions  []string       `json:"permissions"`  // what the person must grant, in words
	Phase        string         `json:"phase" enum:"phase_1,phase_2,phase_3"`
	Alternatives []capture.Kind `json:"alternatives"` // what to use when it is not available
}

// HealthState is how an adapter is.
type HealthState = wire.AdapterHealthState

const (
	Ready       HealthState = "ready"
	Degraded    HealthState = "degraded"
	Unavailable HealthState = "unavailable"
)

// NotInBuild is the Code of an adapter that this build does not have.
const NotInBuild = "not_in_build"

// Health is an adapter's state with the way out.
type Health = wire.AdapterHealth

// Session is what an adapter may know of the learn session it observes for.
type Session struct {
	ID    string
	Scope capture.Scope // replaced by Rescope when the person changes it
	Salt  capture.Salt  // for Blotter; memory only
}

// Sink takes what an adapter saw. All methods are safe for concurrent use and never block for long.
type Sink interface {
	// Emit hands one observation to the pipeline. It returns at once; the pipeline decides what becomes of it.
	Emit(capture.Observation)
	// Withhold counts an observation that the adapter itself dropped without describing it.
	Withhold(kind capture.Kind, reason capture.WithheldReason, n int64)
	// Indicate says that a person can see right now, through this indicator ("browser_badge", "shell_mark"), that capture is on.
	// Call it at least every 2 s while that is so (decisions A8).
	Indicate(indicator string)
	// Health reports a change while running.
	Health(Health)
}

// Blotter is implemented by a Sink that can black out texts which an adapter must not hand over. It recognises them by hashes under
// the session's salt (capture.BlotsOf), in everything that is emitted afterwards.
type Blotter interface {
	Blot([]capture.Blot)
}

// Standby is what a Sink is, too, when it wants to know while it is paused that this indicator would show the person that capture is
// on, were it to go on. It is called as often as Indicate.
type Standby interface {
	CouldIndicate(indicator string)
}

// PrivacyListener is implemented by a Sink that must know of commands which a person keeps out of the shell's history: whatever such a
// command started is as private, whoever reports it.
type PrivacyListener interface {
	Private(shell string, ended time.Time)
}

// Control reaches a running adapter.
type Control interface {
	// Pause and Resume switch emission within 100 ms; the adapter also updates what the person sees (badge, prompt mark).
	Pause()
	Resume()
	// Rescope replaces the scope.
	Rescope(capture.Scope)
}

// Evidence is a source without a kind of its own (decisions B12): what it sees is the effect of what others did. It carries the
// kind process_launch and its own id, nobody names it, and it runs for every session whose scope wants it; the pipeline hangs
// what it saw on the event that caused it, or keeps it as an event when none did.
type Evidence interface {
	Adapter
	// Wanted reports whether a scope names anything for it to watch.
	Wanted(capture.Scope) bool
}

// Adapter is one source of observation.
type Adapter interface {
	Info() Info
	// Probe says whether Run would work here now; it changes nothing.
	Probe(context.Context) Health
	// Run observes until ctx ends and returns after everything it started has ended. It calls ready with its Control once
	// it observes; an observation happening after ready is not missed.
	Run(ctx context.Context, s Session, sink Sink, ready func(Control)) error
}
