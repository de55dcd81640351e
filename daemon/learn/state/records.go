package state

import (
	"showhow/daemon/wire"
)

// Records of the API that are nouns of this package.
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
