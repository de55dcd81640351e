package daemon

import (
	"testing"
	"time"

	"showhow/internal/lazyre"
)

func TestQuietIsReportedOncePerPeriod(t *testing.T) {
	begin := time.Date(2026, time.March, 2, 9, 0, 0, 0, time.UTC)
	at := func(d time.Duration) time.Time { return begin.Add(d) }
	q := quiet{since: begin}
	for _, step := range []struct {
		now, call time.Duration
		working   bool
		want      bool
	}{
		{now: restAfter, want: false},
		{now: restAfter + 1, want: true},
		{now: 5 * restAfter, want: false}, // told already
		{now: 6 * restAfter, call: 6*restAfter - 1, want: false},
		{now: 7 * restAfter, call: 6*restAfter - 1, want: false},
		{now: 7*restAfter + 1, call: 6*restAfter - 1, want: true},
		{now: 9 * restAfter, working: true, want: false}, // a capture
		{now: 10*restAfter + 1, want: true},
	} {
		if got := q.begins(at(step.now), at(step.call), step.working); got != step.want {
			t.Errorf("after %v (last call %v, working %v): %v", step.now, step.call, step.working, got)
		}
	}
}

func TestLetGo(t *testing.T) {
	re := lazyre.New(`^a$`)
	if !re.MatchString("a") || lazyre.Held() == 0 {
		t.Fatal("nothing is held")
	}
	letGo()
	if n := lazyre.Held(); n != 0 {
		t.Errorf("%d expressions are held", n)
	}
	if !re.MatchString("a") {
		t.Error("it matches no longer")
	}
}

func TestAPauseIsMuchShorter(t *testing.T) {
	begin := time.Date(2026, time.March, 2, 9, 0, 0, 0, time.UTC)
	q := quiet{since: begin}
	for _, step := range []struct {
		now, shrunk time.Duration
		want        bool
	}{
		{now: pauseAfter - 1, want: false}, // somebody called a moment ago
		{now: pauseAfter, want: true},
		{now: 3 * pauseAfter, shrunk: 2*pauseAfter + 1, want: false}, // not twice in a row
		{now: 3 * pauseAfter, shrunk: 2 * pauseAfter, want: true},
	} {
		if got := q.pauses(begin.Add(step.now), begin.Add(step.shrunk)); got != step.want {
			t.Errorf("after %v, freed at %v: %v", step.now, step.shrunk, got)
		}
	}
}
