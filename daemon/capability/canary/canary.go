// Package canary checks by itself whether installed abilities still work: within a consent that a person gave for
// each, it performs the read-only part of an ability in idle time (a look).
//
// Guarantees: no look happens without a consent, which only a person gives; none while somebody works, the screen is
// locked, the connection is metered or the machine sleeps, nor on battery unless the person allowed it, nor beyond the
// day's budget of looks, time and requests. Looks keep a distance (Apart), so that what they cost in an hour is bounded,
// whatever is due. A failed look is repeated twice within minutes, and only three failures count as one of the ability;
// a look that could not be made counts for nothing. A failure reported elsewhere brings the next look forward.
//
// Not guaranteed: that a look finds what only a later, writing step would meet.
//
// WhyNot and Next are functions of records, budget and machine alone and know neither browser nor abilities; package
// daemon wires the performer. To test it, ask Next what is due at a moment.
package canary

import (
	"context"
	"time"

	"showhow/daemon/capability/health"
	"showhow/daemon/journal"
	"showhow/daemon/wire"
	"showhow/internal/clock"
)

// The API's records that this package uses.
type (
	Consent  = wire.CanaryConsent
	Settings = wire.CanarySettings
)

// DefaultSettings are the settings until a person changes them.
func DefaultSettings() Settings {
	return Settings{Enabled: true, LooksPerDay: 250, SecondsPerDay: 1200, RequestsPerDay: 6000}
}

// Apart is the least time between two looks: BenchmarkGrowthLook measures what one costs.
const Apart = 5 * time.Minute

const (
	// everyDefault is how often an ability is looked at when the consent does not say.
	everyDefault = 24 * time.Hour
	confirmAfter = Apart            // a look that failed is repeated so soon
	confirms     = 2                // and so often
	retryAfter   = time.Hour        // what could not be looked at
	suspectAfter = 5 * time.Minute  // after a failure that was reported elsewhere
	soonerEvery  = 4 * time.Hour    // and how often that brings a look forward
	lookTime     = 2 * time.Minute  // that one look may take
	healEvery    = 30 * time.Minute // a quarantined ability, while its looks go well
)

// Record is one consent with the results of its looks.
type Record struct {
	Consent
	NextAt   clock.Time  `json:"next_at"`
	Confirms int         `json:"confirms,omitempty"`  // looks that repeat a failed one, so far
	SoonerAt *clock.Time `json:"sooner_at,omitempty"` // when a look was brought forward last
}

// Day is what was used on one day.
type Day struct {
	Date     string `json:"date"`
	Looks    int    `json:"looks"`
	Seconds  int    `json:"seconds"`
	Requests int    `json:"requests"`
}

// Machine is the state of this computer that decides whether a look may start now.
type Machine struct {
	Busy    bool // somebody works with Showhow, or Showhow works for somebody
	Locked  bool
	Metered bool
	Battery bool
}

// Look is the result of a look.
type Look struct {
	Outcome  health.Outcome
	RunID    string
	Told     string // in words: the finding, or why there was none
	Repairs  int    // controls that were renamed and found all the same
	Requests int
	Took     time.Duration
}

// Performer performs looks and knows abilities' health.
type Performer interface {
	// Look performs the reading part and counts the outcome. An error means that it could not begin.
	Look(ctx context.Context, c Consent) (Look, error)
	// Health is the ability's current health; false when the ability is gone.
	Health(ctx context.Context, abilityID string) (health.State, bool)
}

// Store stores consents.
type Store interface {
	Update(ctx context.Context, fn func(Tx) error) error
	View(ctx context.Context, fn func(Tx) error) error
}

// Tx is one transaction.
type Tx interface {
	journal.Writer
	PutCanary(Record) error
	DeleteCanary(abilityID string) error
	Canaries() ([]Record, error) // oldest consent first
	PutCanaryDay(Day) error
	CanaryDay(date string) (Day, error)
	PutCanarySettings(Settings) error
	CanarySettings() (Settings, bool, error)
}

// Reasons why no look may start now.
const (
	WhyOff     = "off"
	WhyBusy    = "busy"
	WhyLocked  = "locked"
	WhyMetered = "metered"
	WhyBattery = "battery"
	WhyBudget  = "budget"
)

// WhyNot returns why no look may start now, "" when one may.
func WhyNot(s Settings, m Machine, d Day) string {
	switch {
	case !s.Enabled:
		return WhyOff
	case m.Busy:
		return WhyBusy
	case m.Locked:
		return WhyLocked
	case m.Metered:
		return WhyMetered
	case m.Battery && !s.OnBattery:
		return WhyBattery
	case d.Looks >= s.LooksPerDay || d.Seconds >= s.SecondsPerDay || d.Requests >= s.RequestsPerDay:
		return WhyBudget
	}
	return ""
}

// Next returns the due record that comes first, what is suspected before all others; false when none is due, or the last look is
// not long enough ago.
func Next(now clock.Time, all []Record) (Record, bool) {
	var next *Record
	for i := range all {
		r := &all[i]
		switch {
		case r.LastAt != nil && now.Sub(r.LastAt.Time) < Apart:
			return Record{}, false
		case r.NextAt.After(now.Time):
		case next == nil, r.suspected() && !next.suspected(),
			r.suspected() == next.suspected() && r.NextAt.Before(next.NextAt.Time):
			next = r
		}
	}
	if next == nil {
		return Record{}, false
	}
	return *next, true
}

// suspected reports whether the next look repeats a failed one, or was brought forward by a failure.
func (r Record) suspected() bool {
	return r.Confirms > 0 || r.SoonerAt != nil && (r.LastAt == nil || r.LastAt.Before(r.SoonerAt.Time))
}

// Sooner brings a look forward because something failed elsewhere since the ability was last seen to work. Among looks that are due
// already, it comes first.
func (r Record) Sooner(now clock.Time, h health.State) Record {
	if h.Suspect() && r.Confirms == 0 && (r.LastAt == nil || h.FailedAt.After(r.LastAt.Time)) &&
		(r.SoonerAt == nil || now.Sub(r.SoonerAt.Time) >= soonerEvery) {
		r.SoonerAt = now.Ptr()
		if at := now.Plus(suspectAfter); r.NextAt.After(at.Time) {
			r.NextAt = at
		}
	}
	return r
}

// After is the record after a look, given the ability's health by then.
func (r Record) After(now clock.Time, l Look, h health.State) Record {
	if l.Outcome.Result != health.Inconclusive {
		r.Repairs = l.Repairs
	}
	r.LastAt, r.LastResult, r.LastCode, r.LastStep, r.LastRunID, r.LastTold = now.Ptr(), string(l.Outcome.Result), l.Outcome.Code,
		l.Outcome.Step, l.RunID, l.Told
	every := time.Duration(r.EveryHours) * time.Hour
	if every <= 0 {
		every = everyDefault
	}
	switch {
	case l.Outcome.Result == health.Inconclusive:
		r.NextAt = now.Plus(min(every, retryAfter<<min(r.Skipped, 4)))
		r.Skipped++
		return r
	case l.Outcome.Result == health.Failed && r.Confirms < confirms:
		r.Confirms++
		r.NextAt = now.Plus(confirmAfter)
	case l.Outcome.Result == health.Failed:
		r.Confirms = 0
		r.NextAt = now.Plus(every)
	default:
		r.Confirms = 0
		r.NextAt = now.Plus(every)
		if h.Status == health.Quarantined {
			r.NextAt = now.Plus(min(every, healEvery))
		}
	}
	r.Skipped = 0
	return r
}
