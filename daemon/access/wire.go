package access

import "showhow/daemon/wire"

// Records of the API that this package works with.
type (
	AgentRow = wire.Agent
)
