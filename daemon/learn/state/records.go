package state

import (
	"showhow/daemon/wire"
)

// The API's records that this package uses.
type (
	ProposalDetail  = wire.ProposalDetailResponse
	Action          = wire.SessionAction
	Boundary        = wire.WorkflowBoundary
	BoundaryKind    = wire.BoundaryKind
	BuildPolicy     = wire.BuildPolicy
	EntryMode       = wire.EntryMode
	ExecutionMode   = wire.ExecutionMode
	ObservationMode = wire.ObservationMode
	PauseReason     = wire.PauseReason
	Proposal        = wire.SkillBundleProposal
	Session         = wire.LearnSession
	SplitFrom       = wire.SplitFrom
	State           = wire.SessionState
	TargetKind      = wire.TargetKind
)
