package agentrun

import (
	"showhow/daemon/capability/health"
	"showhow/internal/clock"
)

// Outcome is what a run that has ended says of its skill; false: nothing. That the program was not there, that the person ended
// the run or did not answer,, that it did more than its test policy allows, or that the box could not be made says nothing of the skill.
func Outcome(r Run) (health.Outcome, bool) {
	o := health.Outcome{OutcomeID: r.RunID, Source: health.Run, At: clock.Time{}}
	if r.EndedAt != nil {
		o.At = *r.EndedAt
	}
	switch {
	case r.State == Succeeded:
		o.Result = health.Passed
	case r.State != Failed:
		return o, false
	case r.ReasonCode == "agent_failed" || r.ReasonCode == "not_verified" || r.ReasonCode == "timeout":
		o.Result, o.Code = health.Failed, r.ReasonCode
	default:
		o.Result, o.Code = health.Inconclusive, r.ReasonCode
	}
	return o, true
}
