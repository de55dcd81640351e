//go:build race

package store

// Under the race detector SQLite, which is Go here, is twenty times slower: tests that repeat themselves do so less often.
const raceDetector = true
