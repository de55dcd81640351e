package canary_test

import (
	"context"
	"testing"
	"time"

	"showhow/daemon/capability/canary"
	"showhow/daemon/capability/health"
	"showhow/internal/clock"
	"showhow/store"
)

// site performs looks, and counts how often health is read.
type site struct {
	states map[string]health.State
	reads  map[string]int
	looks  int
}

func (p *site) Look(context.Context, canary.Consent) (canary.Look, error) {
	p.looks++
	return canary.Look{Outcome: health.Outcome{Source: health.Canary, Result: health.Passed}}, nil
}

func (p *site) Health(_ context.Context, id string) (health.State, bool) {
	p.reads[id]++
	s, there := p.states[id]
	return s, there
}

// Health is read when it changed, not at every tick; a suspect is looked at soon, and the consent for what is gone ends.
func TestHealthIsReadOnChange(t *testing.T) {
	db, err := store.Open(t.Context(), store.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	now := clock.At(time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC))
	p := &site{states: map[string]health.State{"a": {}, "b": {}, "c": {}}, reads: map[string]int{}}
	s := canary.New(canary.Options{Store: db.Canaries(), Perform: p, Now: func() clock.Time { return now }})
	for id := range p.states {
		if _, err := s.Allow(t.Context(), canary.Consent{AbilityID: id, EveryHours: 24}); err != nil {
			t.Fatal(err)
		}
	}
	tick := func(n int) {
		for range n {
			for s.Once(t.Context()) {
			}
			now = now.Plus(time.Minute)
		}
	}
	reads := func() (n int) {
		for _, x := range p.reads {
			n += x
		}
		return n
	}
	tick(1)
	if p.looks != 1 {
		t.Fatalf("%d looks at a time", p.looks)
	}
	tick(int(2 * canary.Apart / time.Minute))
	if p.looks != 3 {
		t.Fatalf("%d first looks", p.looks)
	}
	before := reads()
	tick(30)
	if n := reads() - before; n != 0 {
		t.Errorf("health was read %d times though nothing changed", n)
	}
	p.states["b"] = p.states["b"].Fold(health.Outcome{Source: health.Report, Result: health.Failed, Step: "done", Code: "x", At: now})
	s.Fared("b")
	tick(10)
	if p.looks != 4 || p.reads["a"] != p.reads["c"] {
		t.Errorf("%d looks, reads %v", p.looks, p.reads)
	}
	delete(p.states, "c")
	s.Fared("c")
	tick(1)
	all, _, _, _, err := s.List(t.Context())
	if err != nil || len(all) != 2 {
		t.Errorf("%+v %v", all, err)
	}
}
