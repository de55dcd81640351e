// Package adaptertest is the conformance suite that every adapter passes.
//
// An adapter's tests provide a Harness: how to create a world (an adapter and something to act in), and how a person
// acts in it inside and outside the scope. Run then holds the adapter to the contract of package adapters:
//
//   - Info is complete; Probe changes nothing and is quick.
//   - Nothing is emitted before Run, for what happens while paused, or after the context has ended.
//   - What happens inside the scope yields exactly one observation each, in order, with an OccurredAt inside the act's window.
//   - Nothing that happens outside the scope is described: every observation is searched for a canary string.
//   - Pause and Resume take effect within 100 ms; Rescope replaces the scope, both ways.
//   - Run returns within 5 s of the end of its context and leaves no goroutine and no child process behind.
//
// It waits for conditions, never for a fixed time, except to show that nothing happens (Quiet). The adapter and its
// world are real; only the sink belongs to the suite.
package adaptertest
