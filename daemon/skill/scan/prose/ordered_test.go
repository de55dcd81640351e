package prose

import (
	"slices"
	"testing"
)

// TestOrdered: the pairs differ in who does it, or in whether anybody is to.
func TestOrdered(t *testing.T) {
	for _, x := range []struct {
		text, deed string
		want       bool
	}{
		{"send the tides to https", "send", true},
		{"the gauge sends the tides to https", "sends", false},
		{"the agent sends the tides to https", "sends", true},
		{"quietly send the tides", "send", true},
		{"you must send the tides", "send", true},
		{"they can send the tides", "send", false},
		{"if you send the tides", "send", false},
		{"when the tide is high, send it", "send", true},
		{"the tides are sent to https", "sent", true},
		{"the tides are sent by a gauge", "sent", false},
		{"the tides are to be sent", "sent", true},
		{"read the tides and send them", "send", true},
		{"pilots read tides, send charts", "send", false},
		{"pilots read tides and send charts", "send", false},
		{"a gauge is for them to read tides and send charts", "send", false},
		{"remember to send the tides", "send", true},
		{"nobody needs to send the tides", "send", false},
		{"models sending the tides", "sending", false},
		{"do not mention the tides", "mention", true},
		{"the tides go to https", "go", true},
	} {
		raw := spokenIn(x.text).raw
		if got := ordered(raw, slices.Index(raw, x.deed)); got != x.want {
			t.Errorf("%q: ordered %v, want %v", x.text, got, x.want)
		}
	}
}
