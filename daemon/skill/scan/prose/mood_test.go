package prose

import "testing"

// TestMood: what a thing is said to do is stated, what the agent or a person does and what must be is not; the pairs differ in who does it.
func TestMood(t *testing.T) {
	for text, want := range map[string]bool{
		"it says nothing about the copies":                     true,
		"you say nothing about the copies":                     false,
		"the agent says nothing about the copies":              false,
		"say nothing about the copies":                         false,
		"a hand-written copy goes stale silently":              true,
		"delete the copies silently":                           false,
		"one booking silently overwrites seat ownership":       true,
		"the booking must silently overwrite seat ownership":   false,
		"the booking is silently overwritten":                  false,
		"see that the report says nothing about it":            false,
		"the tides are high, and say nothing about the copies": false,
		"the report says nothing to https":                     false,
	} {
		said := stated(spokenIn(text).raw)
		if got := said != nil && said[len(said)-1]; got != want {
			t.Errorf("%q: stated %v, want %v", text, got, want)
		}
	}
}
