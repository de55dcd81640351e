//go:build !race

package daemon

// RaceDetector says that the race detector is on, under which some tests take minutes.
const RaceDetector = false
