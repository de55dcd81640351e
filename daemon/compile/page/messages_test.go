package page

import (
	"testing"
)

// A calendar that announces the month it was turned to does not report an action.
func TestAMonthIsNoMessage(t *testing.T) {
	for message, want := range map[string]bool{"December 2026": true, "Dec 2026": true, "The booking for December 2026 is made": false,
		"Saved": false} {
		if got := IsNoise(message); got != want {
			t.Errorf("%s: %v", message, got)
		}
	}
}
