package canary

import (
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
		"":         {s, Machine{}, Day{Looks: 19, Seconds: 599, Requests: 1999}},
		WhyOff:     {Settings{LooksPerDay: 5, SecondsPerDay: 5, RequestsPerDay: 5}, Machine{}, Day{}},
		WhyBusy:    {s, Machine{Busy: true}, Day{}},
		WhyLocked:  {s, Machine{Locked: true}, Day{}},
		WhyMetered: {s, Machine{Metered: true}, Day{}},
		WhyBattery: {s, Machine{Battery: true}, Day{}},
		WhyBudget:  {s, Machine{}, Day{Looks: 20}},
	} {
		if got := WhyNot(x.s, x.m, x.d); got != why {
			t.Errorf("%q, want %q", got, why)
		}
	}
	for _, d := range []Day{{Seconds: 600}, {Requests: 2000}} {
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
