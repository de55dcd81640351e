package adaptertest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"showhow/adapters"
	"showhow/capture"
)

// Sink records what an adapter reports. Adapters' own tests may use it too.
type Sink struct {
	mu        sync.Mutex
	changed   chan struct{} // closed and replaced at each change
	seen      []Seen
	withheld  map[capture.WithheldReason]int64
	indicated map[string]int
	health    []adapters.Health
	blots     []capture.Blot
}

// Seen is an observation with the time it was emitted.
type Seen struct {
	capture.Observation
	At time.Time
}

// NewSink returns an empty sink.
func NewSink() *Sink {
	return &Sink{changed: make(chan struct{}), withheld: map[capture.WithheldReason]int64{}, indicated: map[string]int{}}
}

var (
	_ adapters.Sink    = (*Sink)(nil)
	_ adapters.Blotter = (*Sink)(nil)
	_ adapters.Standby = (*Sink)(nil)
)

func (s *Sink) change(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f()
	close(s.changed)
	s.changed = make(chan struct{})
}

// Emit implements adapters.Sink.
func (s *Sink) Emit(o capture.Observation) {
	s.change(func() { s.seen = append(s.seen, Seen{o, time.Now()}) })
}

// Withhold implements adapters.Sink.
func (s *Sink) Withhold(_ capture.Kind, reason capture.WithheldReason, n int64) {
	s.change(func() { s.withheld[reason] += n })
}

// Indicate implements adapters.Sink.
func (s *Sink) Indicate(indicator string) { s.change(func() { s.indicated[indicator]++ }) }

// CouldIndicate implements adapters.Standby.
func (s *Sink) CouldIndicate(indicator string) {
	s.change(func() { s.indicated["paused "+indicator]++ })
}

// Health implements adapters.Sink.
func (s *Sink) Health(h adapters.Health) { s.change(func() { s.health = append(s.health, h) }) }

// Blot implements adapters.Blotter.
func (s *Sink) Blot(known []capture.Blot) { s.change(func() { s.blots = append(s.blots, known...) }) }

// Blots returns the blots received so far.
func (s *Sink) Blots() []capture.Blot {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.blots)
}

// Seen returns what was emitted so far.
func (s *Sink) Seen() []Seen {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.seen)
}

// Withheld returns how many observations were dropped for a reason.
func (s *Sink) Withheld(r capture.WithheldReason) int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.withheld[r]
}

// Indicated returns how often an indicator has reported itself.
func (s *Sink) Indicated(name string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.indicated[name]
}

// LastHealth returns the last health reported; zero when none was.
func (s *Sink) LastHealth() adapters.Health {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.health) == 0 {
		return adapters.Health{}
	}
	return s.health[len(s.health)-1]
}

// Wait waits until cond holds for what was seen.
func (s *Sink) Wait(t testing.TB, what string, d time.Duration, cond func([]Seen) bool) []Seen {
	t.Helper()
	deadline := time.NewTimer(d)
	defer deadline.Stop()
	for {
		s.mu.Lock()
		seen, changed := slices.Clone(s.seen), s.changed
		s.mu.Unlock()
		if cond(seen) {
			return seen
		}
		select {
		case <-changed:
		case <-deadline.C:
			t.Fatalf("waited %v for %s; seen:\n%s", d, what, Describe(seen))
		}
	}
}

// Describe prints observations briefly, for a failing test.
func Describe(seen []Seen) string {
	var b strings.Builder
	for i, o := range seen {
		name := ""
		if o.Target != nil {
			name = o.Target.Role + " " + o.Target.Name
		}
		fmt.Fprintf(&b, "  %d %s %s %q site=%s key=%s cause=%s\n", i, o.OccurredAt.Format("05.000000"), o.Verb, name, o.Origin.Site, o.Key,
			o.CauseKey)
	}
	return b.String()
}

// Everything returns all text of the observations, memory-only parts included: where a canary would show.
func Everything(seen []Seen) string {
	var b strings.Builder
	for _, o := range seen {
		j, err := json.Marshal(o)
		if err != nil {
			fmt.Fprintf(&b, "unmarshallable: %v", err)
		}
		b.Write(j)
		for _, st := range []*capture.State{o.Before, o.After} {
			if st == nil {
				continue
			}
			for _, f := range append(slices.Clone(st.Fields), st.Details...) {
				fmt.Fprintf(&b, "%+v", f.Raw)
			}
		}
	}
	return b.String()
}
