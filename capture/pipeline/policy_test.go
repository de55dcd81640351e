package pipeline

import (
	"testing"
	"time"

	"showhow/capture"
)

// A policy holds from the moment the person set it: what occurred before keeps the old one, however late it is
// processed.
func TestSetValuesHoldsByOccurrence(t *testing.T) {
	now := time.Date(2026, 5, 1, 10, 0, 0, 0, time.UTC)
	p := &Pipeline{cfg: Config{Now: func() time.Time { return now }}}
	p.time.values = []valuesAt{{values: capture.ValuePolicy{Default: capture.Masked}}}
	p.SetValues(capture.ValuePolicy{Default: capture.Literal, LiteralApps: []string{"bash"}})
	if got := p.time.policy(now.Add(-time.Second)).Default; got != capture.Masked {
		t.Errorf("before: %s", got)
	}
	if got := p.time.policy(now.Add(time.Second)).Default; got != capture.Literal {
		t.Errorf("after: %s", got)
	}
}
