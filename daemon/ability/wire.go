package ability

import "showhow/daemon/wire"

// The API's records that this package uses.
type (
	AvailabilityEntry       = wire.AbilityAvailabilityEntry
	AvailabilitySnapshot    = wire.AbilityAvailabilitySnapshot
	Bridge                  = wire.CapabilityBridge
	BridgeEntry             = wire.CapabilityBridgeEntry
	Catalog                 = wire.SkillCatalogCurrent
	CatalogEntry            = wire.SkillCatalogEntry
	CapabilityHealth        = wire.CapabilityHealth
	CapabilityStats         = wire.CapabilityStats
	HealthIndex             = wire.CapabilityHealthIndex
	StatsIndex              = wire.CapabilityStatsIndex
	Configuration           = wire.AbilityConfiguration
	ConfigDocument          = wire.ConfigDocument
	ConfigIntent            = wire.ConfigIntent
	Difference              = wire.AbilityDifference
	ExplainMatchRequest     = wire.ExplainMatchRequest
	ExplainMatchResponse    = wire.AbilityExplainMatchResponse
	FileChange              = wire.AbilityFileChange
	InstallResult           = wire.InstallResult
	LookupMatch             = wire.AbilityLookupMatch
	LookupQuery             = wire.AbilityLookup
	LookupResult            = wire.AbilityLookupResult
	Permissions             = wire.AbilityPermissions
	SagaOutcome             = wire.SagaOutcome
	ScanVerdict             = wire.AbilityScanVerdict
	VerifyCheckpointRequest = wire.VerifyCheckpointRequest
)
