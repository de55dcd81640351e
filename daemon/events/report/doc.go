// Package report explains runtime events to an operator: the outcome of a session, what the next operator needs, the
// proposals and the gate's verdict on each. It uses no model.
//
// Guaranteed: a report is a pure function of its input, except generated_at, which the caller gives; a session's
// report depends on that session alone, so it is the same on every machine. Counts are of sessions: however often one
// session reports, only its newest feedback counts. Only a person promotes: nothing here is ready that a person need
// not still confirm.
//
// Not guaranteed: that agents tell the truth; a report names its sources.
//
// Only daemon/events imports it. Test it with records.
package report

import (
	"showhow/daemon/events/contract"
	"showhow/daemon/wire"
)

// The API's records that this package uses.
type (
	Ability  = wire.AbilityAvailabilityEntry
	Draft    = wire.SkillBundleProposal
	Feedback = contract.Feedback
	Proposal = wire.EvolutionProposal
)

// Folder is the folder of reports, relative to the memory root.
const Folder = "system/events/reports/"

// schema is the version of every report's schema.
const schema = "1.0"
