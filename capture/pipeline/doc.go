// Package pipeline takes one session's observations to its store: scope, cleaning, sealing, batches, the live stream.
//
// It owns the goroutine that does so, the moments at which capture was paused or its scope changed (timeline), the evidence that
// waits for what caused it (correlator) and the launches that wait for their shell's word (verdicts). Pipeline says what is
// delivered when. The daemon makes one for each session; nothing else needs to. Test against it with a capture.Log of your own.
package pipeline
