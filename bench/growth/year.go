package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"showhow/daemon/capability/canary"
	"showhow/daemon/capability/health"
	"showhow/internal/clock"
)

// The rates of the year. They are assumptions about the world, not measurements, and are listed here to be
// questioned.
const (
	abilities   = 200
	days        = 365
	breaksEvery = 90.0 // days between two changes of a site that break an ability
	heals       = .2   // of those are taken back by the site, within a week
	usesADay    = .8   // per ability
	liesFailed  = .02  // of uses that worked, the agent says they failed
	liesReached = .05  // of uses that failed, the agent says they worked
	silent      = .2   // share of uses without any report, not even that the skill was opened
	offline     = .05  // of looks the site does not answer
	consented   = .9   // share of abilities that may be checked
)

// subject is an ability in the world, and what Showhow knows about it.
type subject struct {
	id      string
	steps   int
	covered int // steps that a look reaches, including the next one
	broken  int // step that does not work, 0 none
	since   clock.Time
	until   clock.Time // when the site takes it back by itself; zero: never
	fixedAt clock.Time // when a person demonstrates it again; zero: nobody knows yet

	state  health.State
	record canary.Record
	looked bool // there is a consent

	wronged    bool // it was withdrawn while nothing was wrong
	failedUses int  // since it broke
	found      bool // before the second of them
	told       bool
}

// year is the result of a simulated year.
type year struct {
	broken, foundEarly, confirmedEarly int
	abilities, wronglyQuarantined      int // of them, withdrawn while nothing was wrong
	stuck                              int
	looks                              int
}

// simulate runs a year, hour by hour. reach is the share of an ability's steps that a look can see, on average: it is
// measured on the corpus's skills (BenchmarkGrowthCoverage), and spread evenly around that.
func simulate(seed uint64, reach float64) year {
	rnd := rand.New(rand.NewPCG(seed, 1))
	now := clock.At(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	all := make([]*subject, abilities)
	for i := range all {
		s := &subject{id: fmt.Sprint("a", i), steps: 3 + rnd.IntN(10), looked: rnd.Float64() < consented}
		s.covered = max(1, int(float64(s.steps)*(1-2*(1-reach)*rnd.Float64())+.5))
		s.record = canary.Record{Consent: canary.Consent{AbilityID: s.id, EveryHours: 24},
			NextAt: now.Plus(time.Duration(rnd.IntN(24)) * time.Hour)}
		all[i] = s
	}
	var y year
	settings := canary.DefaultSettings()
	settings.LooksPerDay, settings.SecondsPerDay, settings.RequestsPerDay = 400, 86400, 100000
	for range days {
		day := canary.Day{}
		for hour := range 24 {
			// Somebody works in the daytime, most of the time; looks fit into five-minute slots.
			for range 12 {
				m := canary.Machine{Busy: hour >= 9 && hour < 18 && rnd.Float64() < .6, Locked: false, Metered: rnd.Float64() < .03}
				if canary.WhyNot(settings, m, day) == "" {
					y.looks += look(rnd, all, now, &day)
				}
				now = now.Plus(5 * time.Minute)
			}
			for _, s := range all {
				s.world(rnd, now, &y)
				s.use(rnd, now, hour, &y)
				s.react(rnd, now)
			}
		}
	}
	for _, s := range all {
		if s.wronged {
			y.wronglyQuarantined++
		}
	}
	y.abilities = abilities
	for _, s := range all {
		// Stuck: withdrawn for a month although it works, with consent to look at it.
		if s.broken == 0 && s.state.Status == health.Quarantined && s.looked && now.Sub(s.state.Since.Time) > 30*24*time.Hour {
			y.stuck++
		}
	}
	return y
}

// look performs the looks that are due in a slot, one or two.
func look(rnd *rand.Rand, all []*subject, now clock.Time, day *canary.Day) int {
	var records []canary.Record
	of := map[string]*subject{}
	for _, s := range all {
		if s.looked {
			s.record = s.record.Sooner(now, s.state)
			records = append(records, s.record)
			of[s.id] = s
		}
	}
	n := 0
	for range 2 {
		r, due := canary.Next(now, records)
		if !due {
			break
		}
		s := of[r.AbilityID]
		o := health.Outcome{Source: health.Canary, Result: health.Passed, At: now}
		switch {
		case rnd.Float64() < offline:
			o.Result = health.Inconclusive
		case s.broken > 0 && s.broken <= s.covered:
			o.Result, o.Step, o.Code, o.Covered = health.Failed, step(s.broken), "target_missing", steps(s.broken-1)
		default:
			o.Covered = steps(s.covered)
		}
		was := s.state.Status
		s.state = s.state.Fold(o)
		s.wronged = s.wronged || s.broken == 0 && was != health.Quarantined && s.state.Status == health.Quarantined
		s.record = r.After(now, canary.Look{Outcome: o, Took: 4 * time.Second, Requests: 20}, s.state)
		records[slices.IndexFunc(records, func(x canary.Record) bool { return x.AbilityID == s.id })] = s.record
		day.Looks, day.Seconds, day.Requests = day.Looks+1, day.Seconds+4, day.Requests+20
		n++
		s.note()
	}
	return n
}

// note records whether a break was found in time.
func (s *subject) note() {
	if s.broken > 0 && s.failedUses < 2 {
		s.found = s.found || s.state.Status == health.Degraded || s.state.Status == health.Quarantined
		s.told = s.told || s.found || s.state.Suspect()
	}
}

// world breaks and repairs the subject.
func (s *subject) world(rnd *rand.Rand, now clock.Time, y *year) {
	switch {
	case s.broken == 0 && rnd.Float64() < 1/(breaksEvery*24):
		s.broken, s.since, s.failedUses, s.found, s.told = 1+rnd.IntN(s.steps), now, 0, false, false
		s.until = clock.Time{}
		if rnd.Float64() < heals {
			s.until = now.Plus(time.Duration(1+rnd.IntN(7*24)) * time.Hour)
		}
	case s.broken > 0 && !s.until.IsZero() && now.After(s.until.Time):
		s.settle(y)
	case s.broken > 0 && !s.fixedAt.IsZero() && now.After(s.fixedAt.Time):
		s.settle(y)
		s.state = s.state.Reset() // shown again: other content
	}
}

// settle counts a break that is over, if anybody encountered it at all.
func (s *subject) settle(y *year) {
	if s.failedUses >= 2 || s.found || s.told {
		y.broken++
		if s.told {
			y.foundEarly++
		}
		if s.found {
			y.confirmedEarly++
		}
	}
	s.broken, s.since, s.fixedAt, s.until = 0, clock.Time{}, clock.Time{}, clock.Time{}
}

// use lets agents use the ability in the hour, if it is not withdrawn.
func (s *subject) use(rnd *rand.Rand, now clock.Time, hour int, y *year) {
	if hour < 8 || hour > 20 || s.state.Status == health.Quarantined || rnd.Float64() >= usesADay/12 {
		return
	}
	if s.broken > 0 {
		s.failedUses++
	}
	if rnd.Float64() < silent {
		return
	}
	at, failed := s.steps, s.broken > 0
	if failed {
		at = s.broken
		failed = rnd.Float64() >= liesReached
	} else if rnd.Float64() < liesFailed {
		at, failed = 1+rnd.IntN(s.steps), true
	}
	for i := 1; i < at; i += 3 { // checkpoints on the way
		s.state = s.state.Fold(health.Outcome{Source: health.Report, Result: health.Passed, Step: step(i), At: now})
	}
	o := health.Outcome{Source: health.Report, Result: health.Passed, Step: step(at), At: now}
	if failed {
		o.Result, o.Code = health.Failed, "checkpoint_failed"
	}
	was := s.state.Status
	s.state = s.state.Fold(o)
	s.wronged = s.wronged || s.broken == 0 && was != health.Quarantined && s.state.Status == health.Quarantined
	s.note()
}

// react simulates a person who reads the inbox: what fails is demonstrated again within three days.
func (s *subject) react(rnd *rand.Rand, now clock.Time) {
	unwell := s.state.Status == health.Degraded || s.state.Status == health.Quarantined
	if unwell && s.broken > 0 && s.fixedAt.IsZero() {
		s.fixedAt = now.Plus(time.Duration(12+rnd.IntN(60)) * time.Hour)
	}
}

func step(n int) string { return fmt.Sprint("s", n) }

func steps(n int) (out []string) {
	for i := 1; i <= n; i++ {
		out = append(out, step(i))
	}
	return out
}
