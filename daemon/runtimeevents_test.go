package daemon

import (
	"fmt"
	"testing"
	"time"

	"showhow/daemon/capability/health"
	"showhow/daemon/events"
	"showhow/internal/clock"
)

func TestFeedbackOutcome(t *testing.T) {
	now := clock.At(time.Date(2026, 11, 25, 20, 0, 0, 0, time.UTC))
	for status, want := range map[string]health.Result{"success": health.Passed, "failure": health.Failed, "partial": health.Inconclusive,
		"cancelled": health.Inconclusive, "unknown": health.Inconclusive} {
		o := feedbackOutcome(events.Signal{FeedbackID: "f", AbilityID: "a", Status: status, OccurredAt: now.Plus(-time.Hour)}, now)
		if o.Result != want || (o.Code != "") != (want == health.Failed) || o.Source != health.Event || o.At != now.Plus(-time.Hour) {
			t.Errorf("%s: %+v", status, o)
		}
	}
	one := feedbackOutcome(events.Signal{FeedbackID: "f", AbilityID: "a", OccurredAt: now.Plus(time.Hour)}, now)
	if one.At != now {
		t.Errorf("what is of the future counts as of %s", one.At)
	}
	if other := feedbackOutcome(events.Signal{FeedbackID: "f", AbilityID: "b"}, now); other.OutcomeID == one.OutcomeID {
		t.Error("one feedback on two abilities is one outcome")
	}
	if again := feedbackOutcome(events.Signal{FeedbackID: "f", AbilityID: "a"}, now); again.OutcomeID != one.OutcomeID {
		t.Error("a signal that comes again is another outcome")
	}
}

// A success that only an imported text claims is on record with its feedback, and proves, heals and cancels nothing; a
// failure that it reports counts (runtime event contract, 3 Projection Rules: conservative).
func TestREC3_AClaimProvesNothing(t *testing.T) {
	now := clock.At(time.Date(2026, 11, 25, 20, 0, 0, 0, time.UTC))
	claim := func(n int, status string, direct bool) health.Outcome {
		return feedbackOutcome(events.Signal{FeedbackID: fmt.Sprint("f", n), SessionID: fmt.Sprint("s", n), AbilityID: "a", Status: status,
			OccurredAt: now, ReportedBy: events.User, Direct: direct}, now)
	}
	s := health.State{}
	for i := range 12 {
		s = s.Fold(claim(i, "success", false))
	}
	if s.Status != health.Unknown || s.Totals.Passed != 0 || s.Totals.Claimed != 12 || s.VerifiedAt != nil {
		t.Errorf("%+v", s)
	}
	for i := range 3 {
		s = s.Fold(claim(20+i, "failure", false))
	}
	if s.Status != health.Degraded || s.Failing[0].By[0] == events.User {
		t.Errorf("%+v", s)
	}
	for i := range 5 {
		s = s.Fold(claim(30+i, "success", false))
	}
	if s.Status != health.Degraded {
		t.Errorf("texts healed it: %+v", s)
	}
	if o := claim(40, "success", true); o.Claimed || o.By != events.User || o.TraceID != "f40" {
		t.Errorf("a person's own word: %+v", o)
	}
}
