// Package adaptertest is the conformance suite that every adapter passes.
//
// An adapter's tests give it a Harness: how to make a world (an adapter and something to act in), how a person acts in it
// inside and outside the scope. Run then holds the adapter to the contract of package adapters:
//
//   - Info is complete and Probe changes nothing and is quick.
//   - Nothing is emitted before Run, none of what happens while paused is, and nothing after the context has ended.
//   - What happens inside the scope yields exactly one observation, with an OccurredAt inside the act's window, in order.
//   - Nothing of what happens outside the scope is described: a canary string in it is looked for in every observation.
//   - Pause and Resume take effect within 100 ms; Rescope replaces the scope, both ways.
//   - Run returns within 5 s of its context's end and leaves no goroutine and no child process behind.
//
// It waits for conditions, never for a fixed time, except where it must show that nothing happens (Quiet).
// The adapter is real and so is its world; only the sink is the suite's own.
package adaptertest
