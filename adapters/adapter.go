// Package adapters is the contract between sources of observation and the daemon, and the registry of all kinds.
//
// An adapter declares what it is (Info), says whether it can work here and how to fix it (Probe), and observes from
// the call of Run until its context is cancelled. It never emits before Run, never writes what it saw to disk or a
// log, and keeps an observation no longer than it takes to hand it to the Sink. Its panic or error degrades the
// adapter, not the daemon. adaptertest has the suite that every adapter passes.
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

// HealthState is the state of an adapter.
type HealthState = wire.AdapterHealthState

const (
	Ready       HealthState = "ready"
	Degraded    HealthState = "degraded"
	Unavailable HealthState = "unavailable"
)

// NotInBuild is the Code of an adapter that this build does not include.
const NotInBuild = "not_in_build"

// Health is an adapter's state with a remedy.
type Health = wire.AdapterHealth

// Session is what an adapter may know about the learn session it observes.
type Session struct {
	ID    string
	Scope capture.Scope // replaced by Rescope when the person changes it
	Salt  capture.Salt  // for Blotter; memory only
}

// Sink receives what an adapter saw. All methods are safe for concurrent use and never block for long.
type Sink interface {
	// Emit hands one observation to the pipeline. It returns at once; the pipeline decides what to keep.
	Emit(capture.Observation)
	// Withhold counts an observation that the adapter itself dropped without describing it.
	Withhold(kind capture.Kind, reason capture.WithheldReason, n int64)
	// Indicate reports that a person can see right now, by this indicator ("browser_badge", "shell_mark"), that
	// capture is on. Call it at least every 2 s while that is so (decisions A8).
	Indicate(indicator string)
	// Health reports a change of health while running.
	Health(Health)
}

// Blotter is implemented by a Sink that can black out texts which an adapter must not reveal. It recognises them in
// everything emitted afterwards by hashes under the session's salt (capture.BlotsOf).
type Blotter interface {
	Blot([]capture.Blot)
}

// Standby is implemented by a Sink that wants to know, while paused, that this indicator would show that capture is
// on if it resumed. It is called as often as Indicate.
type Standby interface {
	CouldIndicate(indicator string)
}

// PrivacyListener is implemented by a Sink that must know about commands which a person keeps out of the shell's
// history: whatever such a command started is equally private, whoever reports it.
type PrivacyListener interface {
	Private(shell string, ended time.Time)
}

// Control reaches a running adapter.
type Control interface {
	// Pause and Resume switch emission within 100 ms; the adapter also updates what the person sees (badge, prompt
	// mark).
	Pause()
	Resume()
	// Rescope replaces the scope.
	Rescope(capture.Scope)
}

// Evidence is an adapter without a kind of its own (decisions B12): it observes the effects of what others did. Its
// observations have the kind process_launch and its own id. Users never name it: it runs for every session whose
// scope needs it. The pipeline attaches what it saw to the event that caused it, or keeps it as a separate event.
type Evidence interface {
	Adapter
	// Wanted reports whether a scope names anything to watch.
	Wanted(capture.Scope) bool
}

// Adapter is one source of observation.
type Adapter interface {
	Info() Info
	// Probe reports whether Run would work here now; it changes nothing.
	Probe(context.Context) Health
	// Run observes until ctx ends and returns after everything it started has ended. Once it observes, it calls ready
	// with its Control; an observation that happens after ready is not missed.
	Run(ctx context.Context, s Session, sink Sink, ready func(Control)) error
}
