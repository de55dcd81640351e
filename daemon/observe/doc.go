// Package observe keeps the run journal: by the person's consent, an agent's last 20 runs, redacted, for 24 hours, to learn
// from (decisions B11). The consent is per agent and off by default.
//
// What comes in are observations, made of receipts by whoever wires this package. Each run has a pipeline of its own, the one
// that sessions have: scope (that agent and nobody else), redaction, sealing under the run's own key, then the store. Nothing
// of a run is readable anywhere else before that, and nothing of it leaves but through Adopt, which copies it into a session.
//
// Guarantees: without consent nothing is kept, and Take forgets at once. A run that is deleted, that is older than the 20th,
// whose day is over or whose consent was withdrawn is out of every list at once and purged to the last byte: at once when the
// person asked for it, else within minutes and never later than 24 hours after it began, as long as the daemon runs. A daemon
// that starts purges what became due meanwhile before it serves. Receipts and events name agents and runs, never what was done.
//
// Not guaranteed: that a run is complete. Take never blocks; what its queue cannot take is counted.
//
// A run lasts as long as the agent calls it one, but at most 12 hours; then another begins, so that a day's limit never cuts
// off what happened within the last hours.
//
// To test against it: a real store, Options with a clock of your own, Tick.
package observe
