package policy

import (
	"fmt"
	"testing"

	"showhow/daemon/rehearse/port"
	"showhow/daemon/rehearse/record"
)

// A page that retries a socket for ever pushes the deed that did not leave out of no record.
func TestADeedIsKeptAmongManyBlockedRequests(t *testing.T) {
	g := NewGuard(record.TestPolicy{Mode: ReadOnly}, []string{"desk.example"})
	noise := func() {
		for i := range 3 * maxBlocked {
			if g.Judge(port.Outgoing{Method: "GET", URL: fmt.Sprintf("https://elsewhere.example/%d", i), Aside: true}) == "" {
				t.Fatal("another site was let through")
			}
		}
	}
	noise()
	from := g.BlockedCount()
	if g.Judge(port.Outgoing{Method: "POST", URL: "https://desk.example/order", Type: "Fetch"}) == "" {
		t.Fatal("a write was let through")
	}
	noise()
	if got := g.BlockedCount(); got != 6*maxBlocked+1 {
		t.Errorf("%d requests were counted", got)
	}
	since := g.BlockedSince(from)
	if len(since) != maxBlocked || since[0].Method != "POST" || since[0].Host != "desk.example" {
		t.Errorf("%d kept, of which the first %+v", len(since), since[0])
	}
	if rest := g.BlockedSince(g.BlockedCount()); len(rest) != 0 {
		t.Errorf("%d more", len(rest))
	}
}
