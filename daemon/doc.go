// Package daemon wires everything: it is the one place that knows capabilities, storage, adapters and the API at once.
//
// Run owns the data directory from start to end. Start: lock, open the store (which finishes an interrupted purge), recover
// sagas, runs and sessions, then serve. End: pause capture, close adapters, flush, project, unlock; bounded in time.
package daemon
