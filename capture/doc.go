// Package capture says what an observation is and what may be kept of it.
//
// An adapter hands over an Observation, in memory only. The Pipeline judges its Scope, redacts it, seals its values and
// only then gives the resulting Record to the store and to live subscribers: scope -> redaction -> sequence -> store -> stream.
//
// Guarantees: nothing outside the scope is stored, only counted (Withheld). No text that the redactor or a value policy
// withholds leaves this package in readable form. After Pause returns no observation that occurred later is kept.
//
// A value that the person supplied becomes a mask, [[KIND LENGTH LINK]] (Mask, ParseMasks), in every text where it comes
// back: whole, as a whole word of four characters or more, inside other words from eight on, and three words in a row of a
// longer one; of what looks like a person's name also each word, unless a page used it before. What went into a secret field
// becomes [[secret KIND]] there and is never sealed; an adapter that must not hand it over tells its keyed hashes instead
// (Pipeline.Blot). Memory holds all this while the pipeline lives.
//
// Not guaranteed: that a text nobody typed and no rule knows is recognised as private; headings and control names of an
// allowed page stay readable.
//
// The package is pure: it knows no adapter, no database and no network. Test against it with a Log and a Keyring of your own.
package capture
