// Package observe keeps the run journal: with the person's consent, an agent's last 20 runs, redacted, for 24 hours,
// to learn from (decisions B11). The consent is per agent and off by default.
//
// Its input are observations, made from receipts by whoever wires this package. Each run has its own pipeline, the
// same as a session's: scope (only that agent), redaction, sealing under the run's own key, then the store. Nothing of
// a run is readable anywhere else before that, and it leaves only through Adopt, which copies it into a session.
//
// Guarantees: without consent nothing is kept, and Take drops its input at once. A run that is deleted, beyond the
// 20th, expired or without consent is out of every list at once and purged to the last byte: at once when the person
// asked for it, otherwise within minutes and never later than 24 hours after it began, as long as the daemon runs. A
// starting daemon purges what became due meanwhile before it serves. Receipts and events name agents and runs, never
// what was done.
//
// Not guaranteed: that a run is complete. Take never blocks; what does not fit into its queue is counted.
//
// A run lasts as long as the agent calls it one, but at most 12 hours; then another begins, so that the limit of a day
// never cuts off what happened within the last hours.
//
// To test against it: a real store, Options with your own clock, Tick.
package observe
