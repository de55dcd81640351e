package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"showhow/bench/corpus/mutate"
	"showhow/daemon/capability/canary"
	"showhow/daemon/capability/health"
	"showhow/internal/clock"
)

// The rates of the year. They are assumptions about the world, not measurements, and are listed here to be
// questioned.
const (
	abilities    = 200
	days         = 365
	breaksEvery  = 90.0 // days between two changes of a site that break an ability
	changesEvery = 30.0 // days between two that only change its page
	heals        = .2   // of the first are taken back by the site, within a week
	usesADay     = .8   // per ability
	liesFailed   = .02  // of uses that worked, the agent says they failed
	liesReached  = .05  // of uses that failed, the agent says they worked
	silent       = .2   // share of uses without any report, not even that the skill was opened
	offline      = .05  // of looks the site does not answer
	consented    = .9   // share of abilities that may be checked
)

// tree is a page as looks saw it, recorded in Chromium: as it was, after changes that leave its controls, and with each gone.
type tree struct {
	asWas    []mutate.Sight
	changed  [][]mutate.Sight
	without  [][]mutate.Sight // by control
	controls int
}

// trees reads the recorded looks at pages that are held out.
func trees() (out []*tree, err error) {
	looks, err := mutate.Recorded()
	by := map[string]*tree{}
	for _, l := range looks {
		t := by[l.Page]
		if t == nil {
			t = &tree{}
			by[l.Page], out = t, append(out, t)
		}
		switch l.Kind {
		case mutate.None:
			t.asWas, t.controls = l.Sights, len(l.Sights)
		case mutate.Gone:
			t.without = append(t.without, l.Sights)
		default:
			t.changed = append(t.changed, l.Sights)
		}
	}
	if err == nil && len(out) == 0 {
		err = errors.New("no looks are recorded")
	}
	return out, err
}

// subject is an ability in the world, and what Showhow knows about it.
type subject struct {
	id      string
	page    *tree          // where a look ends
	sights  []mutate.Sight // what a look sees there now
	steps   int            // the page's controls first, then those that looks only glimpse, then those that no look reaches
	glimpse int            // how many looks glimpse
	hidden  bool           // they stand on another page, which changed so that looks miss them
	broken  int            // step that does not work, 0 none
	since   clock.Time
	until   clock.Time // when the site takes it back by itself; zero: never
	fixedAt clock.Time // when a person demonstrates it again; zero: nobody knows yet

	state  health.State
	record canary.Record
	looked bool // there is a consent

	wronged    bool // it was withdrawn while nothing was wrong
	alarms     int  // times it became degraded or withdrawn while nothing was wrong
	failedUses int  // since it broke
	hinted     int  // hours in which agents were told of failures while nothing was wrong
}

// year is the result of a simulated year.
type year struct {
	broken, told, confirmed int
	missed                  map[string]int // breaks whose second failed use was not told of, by what was in the way
	abilities, wronged      int            // of them, withdrawn while nothing was wrong
	alarms, hinted          int
	stuck, looks            int

	records []canary.Record // of the look at hand
}

// What kept Showhow from knowing before the second failed use. Of each the first failed use was not told of, or told of wrongly.
const (
	missUnseen  = "no_look"   // ... and nobody allows looks
	missBeyond  = "beyond"    // ... and looks do not reach the step
	missMistook = "mistaken"  // ... and a look took something else for the control
	missLate    = "late"      // ... and both uses came before a look
	missForgot  = "forgotten" // it was told of, and taken back
)

var missWords = map[string]string{
	missUnseen:  "the first failed use was not told of, or wrongly, and no look is allowed",
	missBeyond:  "the same, and no look reaches the step",
	missMistook: "the same, and a look took something else for the control",
	missLate:    "the same, and the second came before a look",
	missForgot:  "it was told of, and taken back",
}

// add adds a year to others.
func (y *year) add(o year) {
	y.broken, y.told, y.confirmed = y.broken+o.broken, y.told+o.told, y.confirmed+o.confirmed
	y.abilities, y.wronged, y.stuck = y.abilities+o.abilities, y.wronged+o.wronged, y.stuck+o.stuck
	y.hinted += o.hinted
	if y.missed == nil {
		y.missed = map[string]int{}
	}
	for why, n := range o.missed {
		y.missed[why] += n
	}
}

// sight is how far looks see: the shares of steps on pages that they perform or have in sight, and that they only glimpse.
type sight struct{ reach, glimpse float64 }

// beyond is how many of n steps that looks do not reach they glimpse.
func (x sight) beyond(rnd *rand.Rand, n int) (glimpsed int) {
	for range n {
		if rnd.Float64() < x.glimpse/(1-x.reach) {
			glimpsed++
		}
	}
	return glimpsed
}

// simulate runs a year, hour by hour. How far a look sees, on average, is measured on the corpus's skills (BenchmarkGrowthLook), and spread
// evenly around that.
func simulate(seed uint64, far sight, pages []*tree) year {
	rnd := rand.New(rand.NewPCG(seed, 1))
	now := clock.At(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	all := make([]*subject, abilities)
	for i := range all {
		p := pages[i%len(pages)]
		s := &subject{id: fmt.Sprint("a", i), page: p, sights: p.asWas, looked: rnd.Float64() < consented}
		s.steps = int(float64(p.controls)/(1-2*(1-far.reach)*rnd.Float64()) + .5)
		s.glimpse = far.beyond(rnd, s.steps-p.controls)
		s.record = canary.Record{Consent: canary.Consent{AbilityID: s.id},
			NextAt: now.Plus(time.Duration(rnd.IntN(24)) * time.Hour)}
		all[i] = s
	}
	y := year{abilities: abilities, missed: map[string]int{}}
	settings := canary.DefaultSettings()
	for range days {
		day := canary.Day{}
		for hour := range 24 {
			// Somebody works in the daytime, most of the time; looks fit into five-minute slots.
			for range 12 {
				m := canary.Machine{Busy: hour >= 9 && hour < 18 && rnd.Float64() < .6, Locked: false, Metered: rnd.Float64() < .03}
				y.look(rnd, all, now, settings, m, &day)
				now = now.Plus(5 * time.Minute)
			}
			for _, s := range all {
				s.world(rnd, now, &y)
				s.use(rnd, now, hour, &y)
				s.react(rnd, now)
				if s.broken == 0 && (s.unwell() || s.state.Suspect()) {
					s.hinted++
				}
			}
		}
	}
	for _, s := range all {
		y.alarms += s.alarms
		y.hinted += s.hinted
		if s.wronged {
			y.wronged++
		}
		// Stuck: withdrawn for a month although it works, with consent to look at it.
		if s.broken == 0 && s.state.Status == health.Quarantined && s.looked && now.Sub(s.state.Since.Time) > 30*24*time.Hour {
			y.stuck++
		}
	}
	return y
}

// look performs the look that is due, if one may begin.
func (y *year) look(rnd *rand.Rand, all []*subject, now clock.Time, set canary.Settings, m canary.Machine, day *canary.Day) {
	if canary.WhyNot(set, m, *day) != "" {
		return
	}
	y.records = y.records[:0]
	for _, s := range all {
		if s.looked {
			s.record = s.record.Sooner(now, s.state)
			y.records = append(y.records, s.record)
		}
	}
	r, due := canary.Next(now, y.records)
	if !due {
		return
	}
	s := all[slices.IndexFunc(all, func(s *subject) bool { return s.id == r.AbilityID })]
	o := health.Outcome{Source: health.Canary, Result: health.Inconclusive, At: now}
	if rnd.Float64() >= offline {
		o = s.seen(now)
	}
	s.fold(o)
	s.record = r.After(now, canary.Look{Outcome: o, Took: 4 * time.Second, Requests: 20}, s.state)
	day.Looks, day.Seconds, day.Requests = day.Looks+1, day.Seconds+4, day.Requests+20
	y.looks++
}

// seen is what a look that the site answers comes to. What it glimpses it only comes to where it misses nothing before.
func (s *subject) seen(now clock.Time) health.Outcome {
	o := mutate.OutcomeOf(s.sights, now)
	if o.Result == health.Passed {
		for i := range s.glimpse {
			at := s.page.controls + 1 + i
			o.Glimpsed = append(o.Glimpsed, health.Glimpse{Step: step(at), There: !s.hidden && s.broken != at})
		}
	}
	return o
}

// fold counts an outcome.
func (s *subject) fold(o health.Outcome) {
	was := s.state.Status
	s.state = s.state.Fold(o)
	if s.broken > 0 || was == s.state.Status {
		return
	}
	switch s.state.Status {
	case health.Quarantined:
		s.wronged = true
		s.alarms++
	case health.Degraded:
		s.alarms++
	}
}

// unwell reports whether agents are warned, or do not see it.
func (s *subject) unwell() bool {
	return s.state.Status == health.Degraded || s.state.Status == health.Quarantined
}

// told reports whether agents are told now of what has failed since it broke. A doubt counts at the step that is broken alone.
func (s *subject) told() bool {
	doubts := func(f health.Failing) bool { return f.Doubt() && f.Step != step(s.broken) }
	return s.state.FailedAt != nil && !s.state.FailedAt.Before(s.since.Time) && (s.unwell() || s.state.Suspect()) &&
		(s.unwell() || slices.ContainsFunc(s.state.Failing, func(f health.Failing) bool { return !doubts(f) }))
}

// world changes, breaks and repairs the page.
func (s *subject) world(rnd *rand.Rand, now clock.Time, y *year) {
	switch {
	case s.broken == 0 && rnd.Float64() < 1/(breaksEvery*24):
		s.broken, s.since, s.failedUses, s.until = 1+rnd.IntN(s.steps), now, 0, clock.Time{}
		if s.broken <= s.page.controls {
			s.sights = s.page.without[s.broken-1]
		}
		if rnd.Float64() < heals {
			s.until = now.Plus(time.Duration(1+rnd.IntN(7*24)) * time.Hour)
		}
	case s.broken == 0 && rnd.Float64() < 1/(changesEvery*24):
		s.sights = s.page.changed[rnd.IntN(len(s.page.changed))]
	case s.broken == 0 && rnd.Float64() < 1/(changesEvery*24): // the page of what looks glimpse
		other := s.page.changed[rnd.IntN(len(s.page.changed))]
		s.hidden = other[len(other)-1].Seen == mutate.Missing
	case s.broken > 0 && !s.until.IsZero() && now.After(s.until.Time):
		s.settle(y)
	}
	if !s.fixedAt.IsZero() && now.After(s.fixedAt.Time) { // demonstrated again, or repaired: it knows the page as it is now
		s.settle(y)
		s.state = s.state.Reset()
	}
}

// settle ends a break, if there is one. One that was withdrawn or mended before a second failed use was told of, if anybody knew.
func (s *subject) settle(y *year) {
	if s.broken > 0 && s.failedUses < 2 && s.told() {
		y.count(true, s.unwell(), "")
	}
	s.broken, s.sights, s.since, s.fixedAt, s.until, s.hidden = 0, s.page.asWas, clock.Time{}, clock.Time{}, clock.Time{}, false
}

func (y *year) count(told, confirmed bool, miss string) {
	y.broken++
	switch {
	case confirmed:
		y.told++
		y.confirmed++
	case told:
		y.told++
	default:
		y.missed[miss]++
	}
}

// use lets agents use the ability in the hour, if it is not withdrawn.
func (s *subject) use(rnd *rand.Rand, now clock.Time, hour int, y *year) {
	if hour < 8 || hour > 20 || s.state.Status == health.Quarantined || rnd.Float64() >= usesADay/12 {
		return
	}
	if s.broken > 0 {
		if s.failedUses++; s.failedUses == 2 {
			y.count(s.told(), s.told() && s.unwell(), s.miss())
		}
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
		s.fold(health.Outcome{Source: health.Report, Result: health.Passed, Step: step(i), At: now})
	}
	o := health.Outcome{Source: health.Report, Result: health.Passed, Step: step(at), At: now}
	if failed {
		o.Result, o.Code = health.Failed, "checkpoint_failed"
	}
	s.fold(o)
}

// miss is why agents are not told of a break.
func (s *subject) miss() string {
	switch {
	case s.state.FailedAt != nil && !s.state.FailedAt.Before(s.since.Time):
		return missForgot
	case !s.looked:
		return missUnseen
	case s.broken > s.page.controls+s.glimpse:
		return missBeyond
	case s.broken > s.page.controls:
		return missLate
	case s.sights[len(s.sights)-1].Seen != mutate.Missing:
		return missMistook
	}
	return missLate
}

// react simulates a person who reads the inbox: what is said to fail is demonstrated again, or repaired, within three days.
func (s *subject) react(rnd *rand.Rand, now clock.Time) {
	if s.unwell() && s.fixedAt.IsZero() {
		s.fixedAt = now.Plus(time.Duration(12+rnd.IntN(60)) * time.Hour)
	}
}

func step(n int) string { return fmt.Sprint("s", n) }
