package clock

import (
	"testing"
	"time"
)

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for text, want := range map[string]time.Duration{"0": 0, "7": 7 * time.Second, "Fri, 02 Jan 2026 03:05:05 GMT": time.Minute,
		"Fri, 02 Jan 2026 03:00:00 GMT": 0} {
		if d := RetryAfter(text, now); d == nil || *d != want {
			t.Errorf("%q: %v", text, d)
		}
	}
	for _, text := range []string{"", "soon", "-1", "1.5", "99999999999"} {
		if d := RetryAfter(text, now); d != nil {
			t.Errorf("%q: %v", text, *d)
		}
	}
}
