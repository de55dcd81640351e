package practice

import "showhow/daemon/wire"

// Records of the API that this package works with.
type (
	Attempt  = wire.PracticeAttempt
	Practice = wire.Practice
	Request  = wire.PracticeRequest
)
