package page

import (
	"testing"
)

// A calendar that reads out the month to which it was turned says nothing of a deed.
func TestAMonthIsNoMessage(t *testing.T) {
	for message, want := range map[string]bool{"December 2026": true, "Dec 2026": true, "The booking for December 2026 is made": false,
		"Saved": false} {
		if got := SaysNothingOf(message); got != want {
			t.Errorf("%s: %v", message, got)
		}
	}
}
