package report

import (
	"fmt"
	"strconv"

	"showhow/daemon/wire"
)

// draftProposal proposes deciding on an undecided draft or revision.
func draftProposal(d Draft, abilities []Ability) Proposal {
	gate := wire.GatePolicy{Name: "draft_installation", Requirements: []wire.GateRequirement{
		yes("lint_passed", d.LintPassed),
		requirement("validation", "passed", d.Validation, d.Validation == "passed" || d.Validation == "partial" && d.ConfirmedPartial),
		requirement("open_questions", "0", strconv.Itoa(d.OpenQuestions), d.OpenQuestions == 0),
		requirement("state", "ready_for_review", d.ProposalState, d.ProposalState == "ready_for_review"),
		requirement("a_person_confirms", "at the installation", "not yet", true),
	}}
	p := Proposal{ProposalID: "draft:" + d.ProposalID, Kind: "draft", Title: d.Title, Subject: d.ProposedSkillSlug, Revision: d.Revision,
		ContentHash: d.ContentHash, Evidence: wire.EvolutionEvidence{Reporters: []string{}, SessionIDs: []string{}}, Gate: gate,
		Risk: wire.RuntimeRisk{Level: "low", Notes: []string{}}}
	switch {
	case allMet(gate):
		p.Readiness = Ready
		p.OperatorActions = []string{"showhow proposal install " + d.ProposalID}
	case !met(gate, "lint_passed") && d.Revision > 0, d.Validation == "failed":
		p.Readiness = Blocked
		p.OperatorActions = []string{"showhow proposal show " + d.ProposalID, "showhow proposal validate " + d.ProposalID}
	default:
		p.Readiness = Review
		p.OperatorActions = []string{"showhow proposal show " + d.ProposalID, "showhow proposal validate " + d.ProposalID}
	}
	note := func(level, text string) {
		p.Risk.Level = higher(p.Risk.Level, level)
		p.Risk.Notes = append(p.Risk.Notes, text)
	}
	switch d.Validation {
	case "failed":
		note("high", "Its validation failed.")
	case "partial":
		note("medium", "Its validation passed in part.")
	case "none", "running":
		note("medium", "It has not been validated in this revision.")
	}
	p.Rollback = wire.RollbackContext{How: "Nothing is installed yet.", Command: "showhow proposal reject " + d.ProposalID}
	if d.ImprovesSkill == "" {
		return p
	}
	note("medium", "It replaces a skill that agents use.")
	p.Rollback.How = "The skill in use stays as it is until this is installed; its approved content is known by its hash."
	if a, ok := Resolve(d.ImprovesSkill, abilities); ok {
		p.AbilityID = a.AbilityID
		p.Rollback.Available, p.Rollback.ContentHash = a.ApprovedHash != "", a.ApprovedHash
	}
	return p
}

// skillProposal proposes improving a skill that sessions failed with.
func skillProposal(c *count, byName map[string]Ability) Proposal {
	e := c.evidence()
	rate := float64(c.failures) / float64(len(c.sessions))
	a, installed := byName[key(c.name)]
	gate := wire.GatePolicy{Name: "skill_review", Requirements: []wire.GateRequirement{
		yes("installed", installed),
		atLeast("sessions", minSessions, e.Sessions),
		requirement("failure_rate", "more than "+share(maxFailures), share(rate), rate > maxFailures),
	}}
	p := Proposal{ProposalID: "skill:" + key(c.name), Kind: "skill_review", Title: fmt.Sprintf("Look after the skill %s", c.name),
		Subject: c.name, Evidence: e, Gate: gate, Readiness: Blocked, Risk: wire.RuntimeRisk{Level: "low", Notes: []string{}}}
	if allMet(gate) {
		p.Readiness = Review
	}
	switch {
	case rate > 2*maxFailures && e.Sessions >= minSessions:
		p.Risk.Level = "high"
	case rate > maxFailures:
		p.Risk.Level = "medium"
	}
	p.Risk.Notes = append(p.Risk.Notes, fmt.Sprintf("%d of %d sessions failed with it.", c.failures, e.Sessions))
	if len(c.by) == 1 && e.Sessions >= minSessions {
		p.Risk.Notes = append(p.Risk.Notes, "All of it was reported by one agent.")
	}
	p.OperatorActions = []string{"showhow events inspect --session " + c.sessions[0]}
	p.Rollback = wire.RollbackContext{How: "No installed ability has this name: nothing here can be taken back."}
	if installed {
		p.AbilityID, p.ContentHash = a.AbilityID, a.ContentHash
		p.OperatorActions = []string{"showhow ability show " + a.AbilityID, "showhow ability disable " + a.AbilityID}
		p.Rollback = wire.RollbackContext{Available: true, How: "Disabling keeps its files and approval; enabling puts it back.",
			Command: "showhow ability enable " + a.AbilityID, ContentHash: a.ApprovedHash}
	}
	return p
}

// gapProposal proposes a skill for something that sessions could not do.
func gapProposal(c *count, byName map[string]Ability) Proposal {
	e := c.evidence()
	a, covered := byName[key(c.name)]
	gate := wire.GatePolicy{Name: "learn_candidate", Requirements: []wire.GateRequirement{
		atLeast("sessions", minSessions, e.Sessions),
		yes("no_ability_covers_it", !covered),
	}}
	p := Proposal{ProposalID: "capability:" + key(c.name), Kind: "learn_candidate", Title: fmt.Sprintf("Learn %s", c.name), Subject: c.name,
		Evidence: e, Gate: gate, Readiness: Blocked, Risk: wire.RuntimeRisk{Level: "low", Notes: []string{}},
		OperatorActions: []string{"showhow learn start " + quoted(c.name)}, Rollback: wire.RollbackContext{How: "Nothing is learnt yet."}}
	if allMet(gate) {
		p.Readiness = Review
	}
	p.Risk.Notes = append(p.Risk.Notes, fmt.Sprintf("Missed in %d of %d sessions that are needed.", e.Sessions, minSessions))
	if covered {
		p.AbilityID = a.AbilityID
		p.OperatorActions = []string{"showhow ability show " + a.AbilityID}
		p.Risk.Notes = append(p.Risk.Notes, "An installed ability has this name, and the agent did not use it.")
	}
	return p
}
