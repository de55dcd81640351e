package agentrun

import "showhow/daemon/wire"

// The API's records that this package uses.
type (
	AnswerRequest  = wire.SandboxAnswerRequest
	Asked          = wire.SandboxAsked
	Evidence       = wire.SandboxEvidence
	FileChange     = wire.SandboxFileChange
	Limits         = wire.SandboxLimits
	List           = wire.SandboxRunList
	Output         = wire.SandboxOutput
	Package        = wire.SandboxPackage
	PrepareRequest = wire.SandboxPrepareRequest
	Prepared       = wire.SandboxPrepared
	Provenance     = wire.SandboxProvenance
	Question       = wire.SandboxQuestion
	Run            = wire.SandboxRun
	SkillResult    = wire.SandboxSkillResult
	StartRequest   = wire.SandboxStartRequest
	State          = wire.SandboxState
	ToolUse        = wire.SandboxToolUse
)
