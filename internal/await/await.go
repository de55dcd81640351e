// Package await lets tests wait for conditions that nothing announces. Only tests and their helpers import it.
//
// Where something can be notified of, wait for that instead: a channel, an event, an adaptertest.Sink. That nothing
// happens cannot be awaited; wait for something that comes after it in order.
package await

import (
	"testing"
	"time"
)

// patience is how long a condition may take on the busiest machine; only a failing test waits that long.
const patience = 3 * time.Minute

// Until waits until ok returns true and otherwise fails the test, naming what it waited for.
func Until(t testing.TB, what string, ok func() bool) {
	t.Helper()
	if !Within(patience, ok) {
		t.Fatalf("%s: not within %s", what, patience)
	}
}

// Within waits until ok returns true and reports whether it did before d had passed. ok is called once more at the
// end.
func Within(d time.Duration, ok func() bool) bool {
	const first, last = 500 * time.Microsecond, 20 * time.Millisecond
	end := time.Now().Add(d)
	for pause := first; !ok(); pause = min(2*pause, last) {
		if time.Now().After(end) {
			return false
		}
		time.Sleep(pause)
	}
	return true
}
