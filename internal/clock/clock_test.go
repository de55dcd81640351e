package clock_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"showhow/internal/clock"
)

// It calls after each interval, and never after its end.
func TestEvery(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 35*time.Second)
		defer cancel()
		began := time.Now()
		var at []time.Duration
		clock.Every(ctx, 10*time.Second, func() {
			at = append(at, time.Since(began))
			if len(at) > 1 {
				cancel()
			}
		})
		if len(at) != 2 || at[0] != 10*time.Second || at[1] != 20*time.Second || time.Since(began) != 20*time.Second {
			t.Errorf("called after %v, over after %v", at, time.Since(began))
		}
	})
}
