// Package capture holds the types of observing: what an adapter emits (Observation), what may be kept of it (Record),
// what a session may observe (Scope, the observation modes) and how values are kept (Value, Mask, ValuePolicy).
//
// It is a leaf; any package may import it. The stages that process an observation are packages of their own:
//
//	scope -> clean -> seal -> the store (Log) -> live
//
// capture/pipeline joins them for one session. clean uses redact (secrets by their form), recall (values that the
// person supplied and that occur again), cmdline (grammar of shells) and label (what was done, in a person's words).
//
// Guarantees of the whole: nothing outside the scope is stored, only counted (Withheld). No text that the redactor or
// a value policy withholds leaves these packages in readable form. After Pause returns, no observation that occurred
// later is kept.
//
// Not guaranteed: that a text nobody typed and no rule knows is recognised as private. Headings and control names of
// an allowed page stay readable.
//
// None of these packages knows an adapter, a database or a network. Test against them with your own Log and Keyring.
package capture
