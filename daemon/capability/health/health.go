// Package health computes an ability's health: outcomes of its uses and trials go in, one lasting state comes out
// (baseline 1.1D, 1.1I). It is a function of the outcomes alone, in the order in which they come.
//
// Guarantees: failures count by fingerprint (step and code). Three equal ones within seven days degrade an ability;
// five, or one critical failure, quarantine it; five good canaries in a row heal it. What Showhow saw itself (canary,
// rehearsal) outweighs what agents report: it cancels the failures of the steps that it covered, and a step that most
// reports reach is not quarantined because of the others. Looks alone quarantine nothing where something new stands in
// a control's place, or several things may be it: the ability stays degraded until a person, or reports, decide. One
// reporter alone quarantines nothing, and cancels nothing that another reported. A look that came to a step only by a
// control which is called otherwise, or stands elsewhere, since agents failed there cancels none of their reports: they
// may not find it. A canary heals the steps that it reached, and no critical failure. A call to a connector that
// succeeds cancels failed calls of that tool and says no more: it is no use of the ability. What a look no longer sees
// on a page that it opened without doing what leads there is a doubt: agents are told, and nothing else follows. What
// could not be tried (signed out, offline, a server's own fault) is no failure. A success that only a text of another
// runtime claims is evidence and proves nothing.
//
// Not guaranteed: that an ability which nobody uses and no canary covers works.
//
// It knows neither storage nor abilities; daemon/ability stores the state and acts on it. To test it, fold outcomes
// into a State.
package health

import (
	"slices"
	"time"

	"showhow/internal/clock"
)

// Thresholds of baseline 1.1I.
const (
	Window       = 7 * 24 * time.Hour
	DegradeAt    = 3 // equal failures within the window
	QuarantineAt = 5
	HealAfter    = 5 // good canaries in a row
	agreedAt     = 3 // reports in a row that a step was reached: its failures are over
)

// Source is who observed an outcome.
type Source string

const (
	Report    Source = "checkpoint_report" // an agent, of one checkpoint
	Run       Source = "agent_run"         // a run in the sandbox
	Rehearsal Source = "rehearsal"
	Canary    Source = "canary"
	Connector Source = "connector" // a call through the door
	Event     Source = "event"     // feedback that another runtime sent
)

// Seen reports whether Showhow observed the outcome itself. Of a call to a connector it saw the result, but the agent
// chose what was sent: that is the agent's word.
func (s Source) Seen() bool { return s == Rehearsal || s == Canary }

// Result is the result of a use or trial.
type Result string

const (
	Passed       Result = "passed"
	Failed       Result = "failed"
	Inconclusive Result = "inconclusive" // nothing was learnt: signed out, offline, a server's own fault, a value missing
)

// Outcome is one use or trial of an ability, or one step of it.
type Outcome struct {
	OutcomeID string     `json:"outcome_id"`
	AbilityID string     `json:"ability_id"`
	Source    Source     `json:"source"`
	Result    Result     `json:"result"`
	Step      string     `json:"step,omitempty"`     // step or checkpoint that failed or was reached
	Code      string     `json:"code,omitempty"`     // of a failure, stable
	By        string     `json:"by,omitempty"`       // who reported it; "" means Showhow itself
	Critical  bool       `json:"critical,omitempty"` // it did what its policy forbids
	Claimed   bool       `json:"claimed,omitempty"`  // a text of another runtime says so, and nothing was looked at
	Covered   []string   `json:"covered,omitempty"`  // steps and checkpoints that went well
	Renamed   []Renamed  `json:"renamed,omitempty"`  // controls that were found under another name
	Beside    []Beside   `json:"-"`                  // what stands beside the controls that were looked for: never stored
	Glimpsed  []Glimpse  `json:"-"`                  // likewise; what a look could see without doing what leads to it
	TraceID   string     `json:"trace_id,omitempty"`
	At        clock.Time `json:"at"`
}

// Change reports whether the outcome is a change of the files, which earlier versions counted as a failure.
func (o Outcome) Change() bool { return o.Code == drifted }

// Fingerprint is what makes two failures of an ability the same.
func (o Outcome) Fingerprint() string { return o.Step + "/" + o.Code }

// call reports whether the outcome is that of a call to a connector.
func (o Outcome) call() bool { return o.Source == Connector }

// Status is an ability's health, as the bridge names it.
type Status string

const (
	Unknown     Status = "unknown" // nothing was seen yet
	Healthy     Status = "healthy"
	Degraded    Status = "degraded"
	Quarantined Status = "quarantined"
)

// Reasons of a status.
const (
	MatchingFailures = "matching_failures"
	CriticalFailure  = "critical_safety_failure"
)

// State is the sum of the outcomes so far. The zero value is an ability of which nothing is known.
type State struct {
	Status       Status      `json:"status,omitempty"`
	Reason       string      `json:"reason,omitempty"`
	Step         string      `json:"step,omitempty"` // where the failures are that made it so
	Code         string      `json:"code,omitempty"`
	Since        *clock.Time `json:"since,omitempty"`
	GoodCanaries int         `json:"good_canaries,omitempty"` // in a row, since it was quarantined
	VerifiedAt   *clock.Time `json:"verified_at,omitempty"`   // when Showhow last saw it work
	FailedAt     *clock.Time `json:"failed_at,omitempty"`     // the latest failure or doubt, whoever saw it
	Latest       *clock.Time `json:"latest,omitempty"`        // of all outcomes
	Failing      []Failing   `json:"failing,omitempty"`
	Reached      []Reached   `json:"reached,omitempty"`
	Renamed      []Renamed   `json:"renamed,omitempty"`  // controls that are called otherwise than the ability says
	Beside       []Known     `json:"beside,omitempty"`   // what stood beside its controls when they were last seen
	Glimpsed     []string    `json:"glimpsed,omitempty"` // steps whose controls looks have seen without doing what leads to them
	Totals       Totals      `json:"totals"`
}

// Failing is one fingerprint with its failures of the last seven days.
type Failing struct {
	Step string       `json:"step,omitempty"`
	Code string       `json:"code,omitempty"`
	At   []clock.Time `json:"at"`
	Seen bool         `json:"seen,omitempty"` // Showhow saw one of them itself
	Call bool         `json:"call,omitempty"` // they are failed calls to a connector, Step is the tool
	By   []string     `json:"by,omitempty"`   // who reported them, two at most
}

// Reached counts agents' reports of a step that succeeded.
type Reached struct {
	Step  string       `json:"step,omitempty"`
	Call  bool         `json:"call,omitempty"` // they are calls to a connector, Step is the tool
	At    []clock.Time `json:"at"`
	InRow int          `json:"in_row,omitempty"`
}

// Totals counts outcomes of all time.
type Totals struct {
	Passed       int `json:"passed"`
	Failed       int `json:"failed"`
	Inconclusive int `json:"inconclusive"`
	Claimed      int `json:"claimed,omitempty"` // successes that only a text claims
}

// Codes of failures that count in a way of their own.
const (
	MissingCode   = "target_missing"   // a control is not there
	ReplacedCode  = "target_replaced"  // ... and something new is that may be it
	AmbiguousCode = "target_ambiguous" // several may be it
)

// unsure reports whether a look that failed so may have had the control before it: an agent might tell.
func unsure(code string) bool { return code == ReplacedCode || code == AmbiguousCode }

const (
	kept      = 50  // moments that are remembered of one step: more change nothing
	stepsKept = 100 // steps and fingerprints that are remembered; an agent may name any
)

// Suspect reports whether something failed of which nobody has seen since that it works: neither a look that reached that
// step, nor three reports in a row. What a look does not reach, it does not clear.
func (s State) Suspect() bool {
	return slices.ContainsFunc(s.Failing, func(f Failing) bool {
		return !slices.ContainsFunc(s.Reached, func(r Reached) bool { return r.Step == f.Step && r.Call == f.Call && r.InRow >= agreedAt })
	})
}

// drifted is the code by which earlier versions counted a change of the files as a failure.
const drifted = "drifted"

// Restored is the state without what earlier versions counted as failures when the files were changed.
func (s State) Restored() State {
	s.Failing = slices.Clone(s.Failing)
	s.forget(func(f Failing) bool { return f.Code == drifted })
	if s.Status == Degraded && s.Code == drifted && len(s.Failing) == 0 {
		s.Status, s.Reason, s.Step, s.Code = Healthy, "", "", ""
	}
	return s
}

// Reset is the state without its failures: a person looked at it, or it has new content. The counts stay.
func (s State) Reset() State { return State{Totals: s.Totals, VerifiedAt: s.VerifiedAt} }

// Failures is how many equal failures within the window before now led to the state.
func (s State) Failures(now clock.Time) (n int) {
	for _, f := range s.Failing {
		if !f.Doubt() {
			n = max(n, len(recent(f.At, now)))
		}
	}
	return n
}

// Fold adds an outcome.
func (s State) Fold(o Outcome) State {
	s.Failing, s.Reached = slices.Clone(s.Failing), slices.Clone(s.Reached)
	if s.Latest != nil && o.At.Before(s.Latest.Time) {
		o.At = *s.Latest // a late report counts when it arrives: the window has one direction
	}
	s.Latest = o.At.Ptr()
	if s.Status == "" {
		s.Status = Unknown
	}
	o = s.Read(o)
	s.rename(o)
	s.know(o)
	if o.Claimed && o.Result == Passed { // kept as evidence: it proves nothing, heals nothing and cancels nothing
		s.Totals.Claimed++
		return s
	}
	switch o.Result {
	case Passed:
		if !o.call() { // it worked, whatever it was for: that is no use of the ability
			s.Totals.Passed++
		}
		s.pass(o)
	case Failed:
		s.Totals.Failed++
		s.fail(o)
	default:
		s.Totals.Inconclusive++
		return s
	}
	s.glimpse(o)
	s.judge(o)
	return s
}

func (s *State) pass(o Outcome) {
	if !o.Source.Seen() {
		r := s.reached(o.Step, o.call())
		r.At, r.InRow = remember(r.At, o.At), r.InRow+1
		if r.InRow >= agreedAt { // a reporter cannot cancel what others reported
			s.forget(func(f Failing) bool {
				return f.Step == o.Step && f.Call == o.call() && !f.Seen && !slices.ContainsFunc(f.By, func(by string) bool { return by != o.By })
			})
		}
		return
	}
	s.VerifiedAt = o.At.Ptr()
	if o.Source == Canary && s.Status == Quarantined && s.Reason != CriticalFailure && (s.Step == "" || slices.Contains(o.Covered, s.Step)) {
		s.GoodCanaries++
	}
	s.forget(func(f Failing) bool {
		return (f.Step == "" || f.Step == o.Step || slices.Contains(o.Covered, f.Step)) && !s.explains(f, o)
	})
}

func (s *State) fail(o Outcome) {
	s.FailedAt = o.At.Ptr()
	if o.Source.Seen() {
		s.GoodCanaries = 0
		s.forget(func(f Failing) bool {
			return slices.Contains(o.Covered, f.Step) && f.Step != o.Step && !s.explains(f, o)
		})
	}
	s.reached(o.Step, o.call()).InRow = 0
	i := slices.IndexFunc(s.Failing, func(f Failing) bool { return f.Step == o.Step && f.Code == o.Code && f.Call == o.call() })
	if i < 0 {
		s.Failing = append(s.Failing[max(0, len(s.Failing)-stepsKept+1):], Failing{Step: o.Step, Code: o.Code, Call: o.call()})
		i = len(s.Failing) - 1
	}
	f := &s.Failing[i]
	f.At, f.Seen = remember(f.At, o.At), f.Seen || o.Source.Seen()
	if !o.Source.Seen() && len(f.By) < 2 && !slices.Contains(f.By, o.By) {
		f.By = append(slices.Clone(f.By), o.By)
	}
}

// judge sets the status. Time alone heals nothing: a degraded ability stays so until it is seen, or often enough
// reported, to work.
func (s *State) judge(o Outcome) {
	if s.Status == Quarantined {
		if s.GoodCanaries >= HealAfter {
			s.Failing, s.GoodCanaries = nil, 0
			s.become(Healthy, "", Failing{}, o.At)
		}
		return
	}
	if o.Critical && o.Result == Failed {
		s.become(Quarantined, CriticalFailure, Failing{Step: o.Step, Code: o.Code}, o.At)
		return
	}
	was := s.Status
	next, why := Healthy, Failing{}
	for _, f := range s.Failing {
		at := f.Step == s.Step && f.Code == s.Code // what degraded it is still there
		switch n := len(recent(f.At, o.At)); {
		case f.Doubt():
		case n >= QuarantineAt && (f.Seen && !unsure(f.Code) || len(f.By) > 1 && !s.outvoted(f, n, o.At)):
			s.become(Quarantined, MatchingFailures, f, o.At)
			return
		case n >= DegradeAt || was == Degraded && at:
			next, why = Degraded, f
		}
	}
	switch {
	case next == Degraded:
		s.become(Degraded, MatchingFailures, why, o.At)
	case was == Unknown && (o.Result == Failed || o.call()): // one failure is not enough for either, a call for none
	case was == Degraded && o.call() && s.Totals.Passed == 0: // nobody has used it yet
		s.become(Unknown, "", Failing{}, o.At)
	default:
		s.become(Healthy, "", Failing{}, o.At)
	}
}

// outvoted reports whether more reports reached a step within the window than failed there.
func (s *State) outvoted(f Failing, failures int, now clock.Time) bool {
	return len(recent(s.reached(f.Step, f.Call).At, now)) > failures
}

func (s *State) become(st Status, reason string, f Failing, at clock.Time) {
	if s.Status != st {
		s.Status, s.Since = st, at.Ptr()
		s.GoodCanaries = 0
	}
	s.Reason, s.Step, s.Code = reason, f.Step, f.Code
}

// reached is the record of a step, or of a tool that was called, made if missing. The pointer is valid until the next
// call.
func (s *State) reached(step string, call bool) *Reached {
	i := slices.IndexFunc(s.Reached, func(r Reached) bool { return r.Step == step && r.Call == call })
	if i < 0 {
		s.Reached = append(s.Reached[max(0, len(s.Reached)-stepsKept+1):], Reached{Step: step, Call: call})
		i = len(s.Reached) - 1
	}
	return &s.Reached[i]
}

func (s *State) forget(which func(Failing) bool) {
	s.Failing = slices.DeleteFunc(s.Failing, which)
	if len(s.Failing) == 0 {
		s.Failing = nil
	}
}

// recent returns the times within the window before now.
func recent(at []clock.Time, now clock.Time) []clock.Time {
	i := slices.IndexFunc(at, func(t clock.Time) bool { return now.Sub(t.Time) <= Window })
	if i < 0 {
		return nil
	}
	return at[i:]
}

// remember adds a time to those of the window.
func remember(at []clock.Time, now clock.Time) []clock.Time {
	at = append(slices.Clone(recent(at, now)), now)
	return at[max(0, len(at)-kept):]
}
