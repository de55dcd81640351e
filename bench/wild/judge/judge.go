// Package judge classifies a run by what the site's ledger holds, never by what a page or the run itself says.
//
// A run is right if exactly the expected effects happened and it ended as it should: passed, or partial if the page
// shows nothing of what it stores, so that nobody could know. An unexpected effect makes it wrong whatever it
// reports.
//
// bench/wild imports it. Its functions are pure.
package judge

import (
	"math"

	"showhow/bench/corpus/ledger"
)

// Outcome is the classification of a run.
type Outcome string

// The outcomes.
const (
	Right   Outcome = "right"   // done and said so
	Partial Outcome = "partial" // done, and said that it could not be seen, though it could
	Alarm   Outcome = "alarm"   // done and called failed
	Refused Outcome = "refused" // nothing was done, and it did not say so either
	Wrong   Outcome = "wrong"   // something else was done
	Claimed Outcome = "claimed" // nothing was done, and it was called passed
)

// Outcomes in the order of tables.
var Outcomes = []Outcome{Right, Partial, Alarm, Refused, Wrong, Claimed}

// Passed, PartialResult and Failed are the results of runs; "" is one that never began.
const (
	Passed        = "passed"
	PartialResult = "partial"
	Failed        = "failed"
)

// Run is what is known about a run.
type Run struct {
	Result   string // how it ended by its own account
	Expected []ledger.Effect
	Happened []ledger.Effect
	Shows    bool // whether the page shows what was kept
}

// Done reports whether exactly the expected effects happened.
func (r Run) Done() bool { return ledger.Same(r.Expected, r.Happened) }

// Of classifies a run on an honest site.
func Of(r Run) Outcome {
	switch done := r.Done(); {
	case done && r.Result == Passed, done && r.Result == PartialResult && !r.Shows:
		return Right
	case done && r.Result == PartialResult:
		return Partial
	case done:
		return Alarm
	case len(r.Happened) > 0:
		return Wrong
	case r.Result == Passed:
		return Claimed
	}
	return Refused
}

// PassedNotDone reports whether a run passed without the expected effects, on an honest site or on one that lies.
func PassedNotDone(r Run) bool { return r.Result == Passed && !r.Done() }

// FailedDone reports whether a run failed although the expected effects had happened.
func FailedDone(r Run) bool { return r.Result == Failed && r.Done() }

// Tally counts outcomes.
type Tally map[Outcome]int

// N is the total.
func (t Tally) N() (n int) {
	for _, k := range t {
		n += k
	}
	return n
}

// Interval is the 95 % Wilson interval of k among n.
func Interval(k, n int) (low, high float64) {
	if n == 0 {
		return 0, 1
	}
	p, z, m := float64(k)/float64(n), 1.96, float64(n)
	mid := (p + z*z/(2*m)) / (1 + z*z/m)
	half := z * math.Sqrt(p*(1-p)/m+z*z/(4*m*m)) / (1 + z*z/m)
	return max(0, mid-half), min(1, mid+half)
}
