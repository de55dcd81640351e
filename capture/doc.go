// Package capture says what an observation is and what may be kept of it.
//
// An adapter hands over an Observation, in memory only. The Pipeline judges its Scope, redacts it, seals its values and
// only then gives the resulting Record to the store and to live subscribers: scope -> redaction -> sequence -> store -> stream.
//
// Guarantees: nothing outside the scope is stored, only counted (Withheld). No text that the redactor or a value policy
// withholds leaves this package in readable form. After Pause returns no observation that occurred later is kept.
//
// The package is pure: it knows no adapter, no database and no network. Test against it with a Log and a Keyring of your own.
package capture
