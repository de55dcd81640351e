package practice

import "showhow/daemon/wire"

// The API's records that this package uses.
type (
	Attempt  = wire.PracticeAttempt
	Practice = wire.Practice
	Request  = wire.PracticeRequest
)
