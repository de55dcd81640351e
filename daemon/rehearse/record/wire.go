package record

import (
	"showhow/daemon/wire"
)

// Records of the API that this package works with.
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
