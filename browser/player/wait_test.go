package player

import (
	"errors"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"

	"showhow/browser"
	"showhow/browser/find"
	"showhow/capture"
)

// On a page that never rests, a missing element is reported in bounded time, and a late one is
// still found.
func TestARestlessPageIsNotWaitedForForLong(t *testing.T) {
	s := serve(t, map[string]any{"/": `<!doctype html><title>Clock</title><p id=now></p><script>
let n = 0;
setInterval(() => { now.textContent = ++n; if (n === 80) document.body.append(Object.assign(document.createElement("button"), ` +
		`{ textContent: "Late" })) }, 40);
</script>`})
	p := stage(t, Options{})
	open(t, p, s.URL+"/")
	do(t, p, Act{Verb: capture.Click, Target: &capture.Target{Role: "button", Name: "Late"}})
	began := time.Now()
	_, err := p.Do(ctxOf(t), Act{Verb: capture.Click, Target: &capture.Target{Role: "link", Name: "Nowhere"}})
	var missing *find.NotFound
	if took := time.Since(began); !errors.As(err, &missing) || took > 15*time.Second {
		t.Errorf("after %s: %v", took, err)
	}
}

// A script that has its answer and never reads the body does not delay the act; one that still
// waits for its answer, or is receiving it, does.
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
