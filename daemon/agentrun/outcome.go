package agentrun

import (
	"showhow/daemon/capability/health"
	"showhow/internal/clock"
)

// Outcome is the health outcome of a finished run for its skill; false for none. A missing program, a person who ended
// the run or did not answer, more actions than the test policy allows, and a box that could not be made say nothing
// about the skill. Nor does a run for a caller from elsewhere: what it asks for is its choice.
func Outcome(r Run) (health.Outcome, bool) {
	o := health.Outcome{OutcomeID: r.RunID, Source: health.Run, At: clock.Time{}}
	if r.EndedAt != nil {
		o.At = *r.EndedAt
	}
	switch {
	case r.For != "":
		return o, false
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
