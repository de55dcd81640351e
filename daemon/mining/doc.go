// Package mining notices what a person or an agent did again and again, and offers to learn it (baseline 0.4, decisions I4).
//
// It looks at agents' kept runs, receipts of calls to connectors, and demonstrations that have ended, each only with a consent of
// its own, all of which are off until a person gives them. Of a piece of work it takes marks: where, what kind of act, to which
// control, with which kind of value. Package routine finds what recurs among them; the gates of 0.4F judge it; a person decides:
// learn it, not now, never. Learning makes an ordinary learn session from what is still kept of the occurrences.
//
// Guarantees: without its consent no source is read, and what was derived from it goes when the consent is withdrawn, in the same
// transaction. No mark holds a value or typed text. What happened in fewer sources than the settings ask for is never offered. What
// an agent did is never installed without a review. Marks are kept only with a consent of their own, for 60 days at most; they go
// with a source that the person deletes.
//
// Not guaranteed: that everything that recurs is found; that it can still be learned, since raw records live a day or a week.
//
// To test against it: a real store, and Options.Read with records of your own.
package mining
