package journal

import "showhow/daemon/wire"

// The API's records that this package uses.
type (
	CheckpointReceipt = wire.CheckpointVerificationReceipt
	EventKind         = wire.EventKind
	Receipt           = wire.LearningReceipt
)
