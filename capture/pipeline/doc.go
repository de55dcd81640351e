// Package pipeline takes one session's observations to its store: scope, cleaning, sealing, batches, the live stream.
//
// It owns the goroutine that does so, the times at which capture was paused or its scope changed (timeline), the
// evidence that waits for its cause (correlator) and the launches that wait for their shell's verdict (verdicts).
// Pipeline documents what is delivered when. The daemon creates one for each session; nothing else needs to. Test
// against it with your own capture.Log.
package pipeline
