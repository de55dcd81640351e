// Package canary looks by itself whether installed abilities still work: within a consent that a person gave for each, it performs
// the part of an ability that only reads, in idle time.
//
// Guarantees: nothing is looked at without a consent, none of which is given by anybody but a person; nothing is looked at while
// somebody works, the screen is locked, the connection is metered or the machine sleeps, nor on battery unless the person allowed
// it, nor beyond the day's budget of looks, time and requests. A look that fails is repeated twice within minutes before anybody
// speaks of a failure of the ability three times over; what could not be looked at counts for nothing. A failure that somebody else
// reported brings the next look forward.
//
// Not guaranteed: that a look finds what only a later, writing step would meet.
//
// Plan is a function of records, budget and machine alone. It knows neither browser nor abilities; Package daemon wires what
// performs and who is told. To test it, ask Plan what is next at a moment.
package canary

import (
	"context"
	"time"

	"showhow/daemon/capability/health"
	"showhow/daemon/journal"
	"showhow/daemon/wire"
	"showhow/internal/clock"
)

// Records of the API that this package works with.
type (
	Consent  = wire.CanaryConsent
	Settings = wire.CanarySettings
)

// DefaultSettings is what holds until a person says otherwise.
func DefaultSettings() Settings {
	return Settings{Enabled: true, LooksPerDay: 20, SecondsPerDay: 600, RequestsPerDay: 2000}
}

const (
	// everyDefault is how often an ability is looked at when the consent does not say.
	everyDefault = 24 * time.Hour
	confirmAfter = 3 * time.Minute  // a look that failed is repeated so soon
	confirms     = 2                // and so often
	retryAfter   = time.Hour        // what could not be looked at
	suspectAfter = 5 * time.Minute  // somebody else reported a failure
	soonerEvery  = 4 * time.Hour    // and how often that brings a look forward
	lookTime     = 2 * time.Minute  // that one look may take
	healEvery    = 30 * time.Minute // a quarantined ability, while its looks go well
)

// Record is one consent with what came of it.
type Record struct {
	Consent
	NextAt   clock.Time `json:"next_at"`
	Confirms int        `json:"confirms,omitempty"` // looks that repeat a failed one, so far

	Found     []wire.RehearsalRepair `json:"found,omitempty"` // by the last look that came to something
	FoundHash string                 `json:"found_hash,omitempty"`
	SoonerAt  *clock.Time            `json:"sooner_at,omitempty"` // when a look was brought forward last
}

// Day is what was spent in one day.
type Day struct {
	Date     string `json:"date"`
	Looks    int    `json:"looks"`
	Seconds  int    `json:"seconds"`
	Requests int    `json:"requests"`
}

// Machine is what of this computer decides whether it may be looked now.
type Machine struct {
	Busy    bool // somebody works with Showhow, or it works for somebody
	Locked  bool
	Metered bool
	Battery bool
}

// Look is what a look came to.
type Look struct {
	Outcome  health.Outcome
	RunID    string
	Hash     string                 // of the content that was looked at
	Told     string                 // in words: what was found, or why nothing was
	Repairs  []wire.RehearsalRepair // what is called otherwise now, and was found all the same
	Requests int
	Took     time.Duration
}

// Performer performs looks and tells how abilities fare.
type Performer interface {
	// Look performs the reading part; the outcome is counted by whoever performs it. An error means that it could not begin.
	Look(ctx context.Context, c Consent) (Look, error)
	// Health is how the ability fares now; false when it is gone.
	Health(ctx context.Context, abilityID string) (health.State, bool)
}

// Store is where consents are kept.
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

// Why nothing may be looked at now.
const (
	WhyOff     = "off"
	WhyBusy    = "busy"
	WhyLocked  = "locked"
	WhyMetered = "metered"
	WhyBattery = "battery"
	WhyBudget  = "budget"
)

// May says why nothing may be looked at now, "" when something may.
func May(s Settings, m Machine, d Day) string {
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

// Next is the record that is to be looked at first of those that are due; false when none is.
func Next(now clock.Time, all []Record) (Record, bool) {
	var next Record
	found := false
	for _, r := range all {
		if r.NextAt.After(now.Time) || found && !r.NextAt.Before(next.NextAt.Time) {
			continue
		}
		next, found = r, true
	}
	return next, found
}

// Sooner brings a look forward because something failed elsewhere since the ability was last seen to work.
func (r Record) Sooner(now clock.Time, h health.State) Record {
	if at := now.Plus(suspectAfter); h.Suspect() && r.Confirms == 0 && r.NextAt.After(at.Time) &&
		(r.LastAt == nil || h.FailedAt.After(r.LastAt.Time)) && (r.SoonerAt == nil || now.Sub(r.SoonerAt.Time) >= soonerEvery) {
		r.NextAt, r.SoonerAt = at, now.Ptr()
	}
	return r
}

// After is the record after a look, with how the ability fares by now.
func (r Record) After(now clock.Time, l Look, h health.State) Record {
	if l.Outcome.Result != health.Inconclusive {
		r.Repairs, r.Found, r.FoundHash = len(l.Repairs), l.Repairs, l.Hash
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
