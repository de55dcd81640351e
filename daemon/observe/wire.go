package observe

import "showhow/daemon/wire"

// Records of the API that this package works with.
type (
	Agent     = wire.ObservedAgent
	Agents    = wire.ObservedAgents
	Hook      = wire.AgentHook
	Run       = wire.AgentRun
	RunDetail = wire.AgentRunDetail
	RunList   = wire.AgentRunList
)
