package record

import (
	"showhow/daemon/wire"
)

// The API's records that this package uses.
type (
	KindResult           = wire.RunKindResult
	Overall              = wire.RunResult
	PolicyMode           = wire.PolicyMode
	Repair               = wire.RehearsalRepair
	RunKind              = wire.RunKind
	SafeTarget           = wire.SafeTarget
	TestPolicy           = wire.TestPolicy
	ValidateRequest      = wire.StartValidationRunRequest
	ValidationRun        = wire.ValidationRun
	ValidationStepResult = wire.ValidationStepResult
)
