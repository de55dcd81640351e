package daemon

import (
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
