package await

import (
	"testing"
	"testing/synctest"
	"time"
)

func TestWithin(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		if !Within(time.Minute, func() bool { return time.Since(begun) > 10*time.Second }) {
			t.Error("what holds after 10 s did not hold within a minute")
		}
		if d := time.Since(begun); d > 11*time.Second {
			t.Errorf("it noticed after %v", d)
		}
		begun = time.Now()
		if Within(time.Minute, func() bool { return false }) {
			t.Error("what never holds held")
		}
		if d := time.Since(begun); d < time.Minute || d > 2*time.Minute {
			t.Errorf("it gave up after %v", d)
		}
	})
}
