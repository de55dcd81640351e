package capture

import (
	"testing"
	"time"
)

// A policy holds from the moment the person set it: what occurred before keeps the old one, however late it is worked on.
func TestSetValuesHoldsByOccurrence(t *testing.T) {
	now := time.Date(2026, 5, 1, 10, 0, 0, 0, time.UTC)
	p := &Pipeline{cfg: Config{Now: func() time.Time { return now }}}
	p.time.values = []valuesAt{{values: ValuePolicy{Default: Masked}}}
	p.SetValues(ValuePolicy{Default: Literal, LiteralApps: []string{"bash"}})
	if got := p.time.policy(now.Add(-time.Second)).Default; got != Masked {
		t.Errorf("before: %s", got)
	}
	if got := p.time.policy(now.Add(time.Second)).Default; got != Literal {
		t.Errorf("after: %s", got)
	}
}
