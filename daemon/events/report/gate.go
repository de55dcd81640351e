package report

import (
	"fmt"
	"strconv"

	"showhow/daemon/wire"
)

// The gate's thresholds. Each appears in the report beside the measured number.
const (
	minSessions = 3   // a skill or a gap is judged by so many sessions at least: the third time
	minScore    = 0.6 // the least score with which a session that reports success counts as good
	maxFailures = 1.0 / 3
)

// verdict is a session's verdict on the skills that it used.
type verdict int

const (
	unclear verdict = iota
	good
	bad
)

func judge(f Feedback) verdict {
	switch {
	case f.Status == "failure", f.Status == "success" && f.Score < minScore:
		return bad
	case f.Status == "success":
		return good
	}
	return unclear
}

// Readiness values.
const (
	Ready   = "ready_for_promotion"
	Review  = "operator_review_required"
	Blocked = "blocked"
)

func requirement(name, required, actual string, met bool) wire.GateRequirement {
	return wire.GateRequirement{Name: name, Required: required, Actual: actual, Met: met}
}

func atLeast(name string, want, have int) wire.GateRequirement {
	return requirement(name, "at least "+strconv.Itoa(want), strconv.Itoa(have), have >= want)
}

func yes(name string, met bool) wire.GateRequirement {
	return requirement(name, "yes", map[bool]string{true: "yes", false: "no"}[met], met)
}

func met(p wire.GatePolicy, names ...string) bool {
	for _, r := range p.Requirements {
		for _, n := range names {
			if r.Name == n && !r.Met {
				return false
			}
		}
	}
	return true
}

func allMet(p wire.GatePolicy) bool {
	for _, r := range p.Requirements {
		if !r.Met {
			return false
		}
	}
	return true
}

func share(f float64) string { return fmt.Sprintf("%.2f", f) }
