package observe

import "showhow/daemon/wire"

// The API's records that this package uses.
type (
	Agent     = wire.ObservedAgent
	Agents    = wire.ObservedAgents
	Hook      = wire.AgentHook
	Run       = wire.AgentRun
	RunDetail = wire.AgentRunDetail
	RunList   = wire.AgentRunList
)
