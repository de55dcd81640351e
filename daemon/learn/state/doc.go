// Package state defines the records of learning: sessions, boundaries, proposals, revisions and questions as they are
// stored, the states of a session with the one table of transitions (DOC3 0C.1A), the actions allowed in each state,
// and the errors that commands share.
//
// Guarantees: functions here are pure; Words, Outcome, AllowedActions and Notices depend on the record alone.
//
// Not guaranteed: nothing is stored here, and nothing is checked on the way into the store; package change does both.
//
// Every package of learning, the store and the API may import it; it knows none of them. Test it as plain functions.
package state
