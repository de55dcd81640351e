// Package report says what runtime events mean to an operator: what became of a session, what the next operator needs, which proposals
// there are and what the gate says of each. No model is asked.
//
// Guaranteed: a report is a function of its input and of nothing else, but for generated_at, which the caller gives; a session's report
// depends on that session alone, so it is the same on every machine. Counts are of sessions: however often one session reports, its
// newest feedback counts once. Only a person promotes: nothing here is ready that a person has not yet to confirm.
//
// Not guaranteed: that agents tell the truth; a report names who said what.
//
// Only daemon/events imports it. Test it with records.
package report

import (
	"showhow/daemon/events/contract"
	"showhow/daemon/wire"
)

// Records of the API that this package works with.
type (
	Ability  = wire.AbilityAvailabilityEntry
	Draft    = wire.SkillBundleProposal
	Feedback = contract.Feedback
	Proposal = wire.EvolutionProposal
)

// Folder is where reports are, relative to the memory root.
const Folder = "system/events/reports/"

// schema is the version of every report's shape.
const schema = "1.0"
