package state

import "showhow/daemon/wire"

// Repairable is what a repair of an installed skill starts from.
type Repairable struct {
	AbilityID  string
	ProposalID string // that it was learned from
	Renamed    []wire.RenamedControl
	Sites      []string // that Showhow may look at by itself; empty without a consent
}
