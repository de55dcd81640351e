package canary

import (
	"slices"
	"testing"
	"time"

	"showhow/daemon/capability/health"
	"showhow/internal/clock"
)

var start = clock.At(time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC))

func TestNoLookAtTheWrongTime(t *testing.T) {
	s := DefaultSettings()
	for why, x := range map[string]struct {
		s Settings
		m Machine
		d Day
	}{
		"":         {s, Machine{}, Day{Looks: s.LooksPerDay - 1, Seconds: s.SecondsPerDay - 1, Requests: s.RequestsPerDay - 1}},
		WhyOff:     {Settings{LooksPerDay: 5, SecondsPerDay: 5, RequestsPerDay: 5}, Machine{}, Day{}},
		WhyBusy:    {s, Machine{Busy: true}, Day{}},
		WhyLocked:  {s, Machine{Locked: true}, Day{}},
		WhyMetered: {s, Machine{Metered: true}, Day{}},
		WhyBattery: {s, Machine{Battery: true}, Day{}},
		WhyBudget:  {s, Machine{}, Day{Looks: s.LooksPerDay}},
	} {
		if got := WhyNot(x.s, x.m, x.d); got != why {
			t.Errorf("%q, want %q", got, why)
		}
	}
	for _, d := range []Day{{Seconds: s.SecondsPerDay}, {Requests: s.RequestsPerDay}} {
		if got := WhyNot(s, Machine{}, d); got != WhyBudget {
			t.Errorf("%+v: %q", d, got)
		}
	}
	s.OnBattery = true
	if got := WhyNot(s, Machine{Battery: true}, Day{}); got != "" {
		t.Errorf("on battery, which was allowed: %q", got)
	}
}

// A failed look is repeated twice within minutes: three equal failures are what degrades an ability.
func TestAFailureIsConfirmedWithinMinutes(t *testing.T) {
	now, h := start, health.State{}
	r := Record{Consent: Consent{EveryHours: 24}, NextAt: now}
	failed := health.Outcome{Source: health.Canary, Result: health.Failed, Step: "s1", Code: "target_missing"}
	for i := 1; i <= 3; i++ {
		failed.At = now
		h = h.Fold(failed)
		r = r.After(now, Look{Outcome: failed}, h)
		if wait := r.NextAt.Sub(now.Time); i < 3 && wait > 10*time.Minute || i == 3 && wait < 12*time.Hour {
			t.Fatalf("after look %d it waits %v", i, wait)
		}
		now = r.NextAt
	}
	if h.Status != health.Degraded {
		t.Fatal(h.Status)
	}
}

func TestInconclusiveLooksBackOff(t *testing.T) {
	now, last := start, time.Duration(0)
	r := Record{Consent: Consent{EveryHours: 24}, NextAt: now}
	for range 6 {
		r = r.After(now, Look{Outcome: health.Outcome{Result: health.Inconclusive}}, health.State{})
		wait := r.NextAt.Sub(now.Time)
		if wait < last || wait > 24*time.Hour {
			t.Fatalf("it waits %v after %v", wait, last)
		}
		last, now = wait, r.NextAt
	}
	if last < 12*time.Hour {
		t.Fatal(last)
	}
}

// A failure that an agent reports brings the next look forward, once.
func TestAReportedFailureBringsTheLookForward(t *testing.T) {
	h := health.State{}.Fold(health.Outcome{Source: health.Report, Result: health.Failed, Step: "done", Code: "checkpoint_failed", At: start})
	r := Record{Consent: Consent{EveryHours: 24}, NextAt: start.Plus(20 * time.Hour)}
	if r = r.Sooner(start, h); r.NextAt.Sub(start.Time) != suspectAfter {
		t.Fatal(r.NextAt)
	}
	good := health.Outcome{Source: health.Canary, Result: health.Passed, At: r.NextAt}
	h = h.Fold(good)
	r = r.After(r.NextAt, Look{Outcome: good}, h)
	if next := r.Sooner(start.Plus(time.Hour), h); !next.NextAt.Equal(r.NextAt.Time) {
		t.Fatal("brought forward again, though nothing has failed since")
	}
}

// Of the looks that are due already, one at what was reported to fail comes first.
func TestAReportedFailureComesFirstAmongTheDue(t *testing.T) {
	h := health.State{}.Fold(health.Outcome{Source: health.Report, Result: health.Failed, Step: "done", Code: "checkpoint_failed", At: start})
	overdue := Record{Consent: Consent{AbilityID: "overdue"}, NextAt: start.Plus(-2 * time.Hour)}
	failed := Record{Consent: Consent{AbilityID: "failed"}, NextAt: start.Plus(-time.Hour)}.Sooner(start, h)
	if !failed.NextAt.Equal(start.Plus(-time.Hour).Time) {
		t.Errorf("it was put off to %v", failed.NextAt)
	}
	if r, due := Next(start, []Record{overdue, failed}); !due || r.AbilityID != "failed" {
		t.Errorf("%q comes first", r.AbilityID)
	}
}

func TestQuarantinedHealWithinTheDay(t *testing.T) {
	h := health.State{}
	for range health.QuarantineAt {
		h = h.Fold(health.Outcome{Source: health.Canary, Result: health.Failed, Step: "s1", Code: "x", At: start})
	}
	now := start
	r := Record{Consent: Consent{EveryHours: 24}, NextAt: now}
	for h.Status == health.Quarantined {
		good := health.Outcome{Source: health.Canary, Result: health.Passed, Covered: []string{"s1"}, At: now}
		h = h.Fold(good)
		r = r.After(now, Look{Outcome: good}, h)
		now = r.NextAt
		if now.Sub(start.Time) > 48*time.Hour {
			t.Fatal("stuck")
		}
	}
	if now.Sub(start.Time) < 24*time.Hour {
		t.Fatal("a healthy ability is looked at once a day")
	}
}

// What looks cost in an hour is bounded, whatever is due: they keep a distance.
func TestLooksKeepADistance(t *testing.T) {
	now, looked := start, []clock.Time{}
	all := make([]Record, 50)
	for i := range all {
		all[i] = Record{Consent: Consent{AbilityID: string(rune('A' + i)), EveryHours: 1}, NextAt: now}
	}
	for range 3 * 60 {
		if r, due := Next(now, all); due {
			looked = append(looked, now)
			for i := range all {
				if all[i].AbilityID == r.AbilityID {
					all[i] = r.After(now, Look{Outcome: health.Outcome{Result: health.Failed}}, health.State{})
				}
			}
		}
		now = now.Plus(time.Minute)
	}
	if len(looked) != 3*int(time.Hour/Apart) {
		t.Errorf("%d looks in three hours", len(looked))
	}
	for i := 1; i < len(looked); i++ {
		if d := looked[i].Sub(looked[i-1].Time); d < Apart {
			t.Errorf("two looks within %v", d)
		}
	}
}

// Where more is due than may be looked at, what is suspected comes first.
func TestWhatIsSuspectedComesFirst(t *testing.T) {
	due, earlier := start.Plus(-time.Minute), start.Plus(-2*time.Hour).Ptr()
	all := []Record{{Consent: Consent{AbilityID: "overdue", LastAt: earlier}, NextAt: start.Plus(-time.Hour)},
		{Consent: Consent{AbilityID: "failed", LastAt: earlier}, NextAt: due, Confirms: 1},
		{Consent: Consent{AbilityID: "once brought forward", LastAt: earlier}, NextAt: start.Plus(-3 * time.Hour),
			SoonerAt: start.Plus(-5 * time.Hour).Ptr()},
		{Consent: Consent{AbilityID: "brought forward", LastAt: earlier}, NextAt: due.Plus(time.Second),
			SoonerAt: start.Plus(-6 * time.Minute).Ptr()}}
	var got []string
	for len(all) > 0 {
		r, ok := Next(start, all)
		if !ok {
			t.Fatal("nothing is due")
		}
		got = append(got, r.AbilityID)
		all = slices.DeleteFunc(all, func(x Record) bool { return x.AbilityID == r.AbilityID })
	}
	if want := []string{"failed", "brought forward", "once brought forward", "overdue"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
