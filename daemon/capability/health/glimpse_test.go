package health_test

import (
	"testing"
	"time"

	"showhow/daemon/capability/health"
	"showhow/internal/clock"
)

// What looks have glimpsed and do not see any more is a doubt: agents are told, and the ability is neither degraded nor withdrawn.
func TestWhatIsOutOfSightIsADoubt(t *testing.T) {
	at := clock.At(time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC))
	look := func(s health.State, there bool) health.State {
		at = at.Plus(time.Hour)
		return s.Fold(health.Outcome{Source: health.Canary, Result: health.Passed, Covered: []string{"s1"}, At: at,
			Glimpsed: []health.Glimpse{{Step: "s8", There: there}}})
	}
	s := look(health.State{}, false)
	if s.Suspect() {
		t.Error("nobody has seen it before")
	}
	passed := health.Outcome{Source: health.Report, Result: health.Passed, Step: "s8", At: at}
	s = look(s, true)
	for range 3 { // before the doubt
		s = s.Fold(passed)
	}
	for range 2 * health.QuarantineAt {
		s = look(s, false)
	}
	if !s.Suspect() || s.Status != health.Healthy || s.FailedAt == nil || !s.FailedAt.Equal(at.Time) || s.Failures(at) != 0 {
		t.Errorf("%+v", s)
	}
	failed := health.Outcome{Source: health.Report, Result: health.Failed, Step: "s8", Code: "checkpoint_failed", At: at}
	if back := look(s, true); back.Suspect() {
		t.Errorf("it is there again: %+v", back.Failing)
	}
	if back := look(s.Fold(failed), true); !back.Suspect() {
		t.Error("a glimpse cleared what an agent reported")
	}
	for range 3 {
		s = s.Fold(passed)
	}
	if s.Suspect() {
		t.Error("three reports in a row say that it works")
	}
}
