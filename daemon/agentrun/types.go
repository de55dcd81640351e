package agentrun

import "showhow/daemon/wire"

// The states of a run.
const (
	Running    = wire.SandboxRunning
	Waiting    = wire.SandboxWaiting
	Extracting = wire.SandboxExtracting
	Succeeded  = wire.SandboxSucceeded
	Failed     = wire.SandboxFailed
	Cancelled  = wire.SandboxCancelled
)

// Kinds of questions.
const (
	AskDomain = "domain"
	AskInput  = "input"
)
