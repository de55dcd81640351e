// Package state holds the nouns of learning: sessions, boundaries, proposals, revisions and questions as they are stored, the
// states of a session with the one table that says which follows which (DOC3 0C.1A), what may be asked for in each state, and the
// errors that commands have in common.
//
// Guarantees: functions here are pure; Words, Outcome, AllowedActions and Notices depend on the record alone.
//
// Not guaranteed: nothing is stored here and nothing is checked on the way into the store; package change does both.
//
// Every room of learning, the store and the API may import it; it knows none of them. Test it as plain functions.
package state
