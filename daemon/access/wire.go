package access

import "showhow/daemon/wire"

// The API's records that this package uses.
type (
	AgentRow = wire.Agent
)
