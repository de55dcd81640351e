package journal

import "showhow/daemon/wire"

// Records of the API that this package works with.
type (
	CheckpointReceipt = wire.CheckpointVerificationReceipt
	EventKind         = wire.EventKind
	Receipt           = wire.LearningReceipt
)
