// Package mining notices work that a person or an agent did repeatedly, and offers to learn it (baseline 0.4,
// decisions I4).
//
// It reads agents' kept runs, receipts of calls to connectors, and demonstrations that have ended, each only with a
// consent of its own, all of which are off until a person gives them. It reduces a piece of work to marks: where, what
// kind of action, on which control, with which kind of value. Package routine finds what recurs among them; the gates
// of 0.4F judge it; a person decides: learn it, not now, never. Learning makes an ordinary learn session from what is
// still kept of the occurrences.
//
// Guarantees: no source is read without its consent, and what was derived from it is deleted in the transaction that
// withdraws the consent. No mark holds a value or typed text. What happened in fewer sources than the settings require
// is never offered. What an agent did is never installed without a review. Marks are kept only with a consent of their
// own, for 60 days at most; they are deleted with a source that the person deletes.
//
// Not guaranteed: that everything that recurs is found; that it can still be learned, because raw records are kept for
// a day or a week only.
//
// To test against it: a real store, and Options.Read with your own records.
package mining
