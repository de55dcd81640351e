package player

import (
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"

	"showhow/browser"
)

// A script that has its answer and never reads it holds nothing up; one that still waits for it, or is being told it, does.
func TestUnreadAnswers(t *testing.T) {
	now := time.Now()
	for name, c := range map[string]struct {
		f    flight
		idle bool
	}{
		"no answer yet":     {flight{since: now}, false},
		"it is coming":      {flight{since: now, heard: now.Add(time.Minute)}, false},
		"nobody reads it":   {flight{since: now, heard: now.Add(-2 * unreadTime)}, true},
		"from before":       {flight{since: now.Add(-time.Minute)}, true},
		"older, and unread": {flight{since: now.Add(-time.Minute), heard: now.Add(-time.Minute)}, true},
	} {
		tab := &tab{}
		p := &tracker{views: map[*browser.Session]*view{nil: {tab: tab, flights: map[network.RequestID]*flight{"1": &c.f}}},
			lingers: map[string]bool{}}
		if got := tab.idle(p, now.Add(-time.Second)); got != c.idle {
			t.Errorf("%s: %v", name, got)
		}
	}
}
