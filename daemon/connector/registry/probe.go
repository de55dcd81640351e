package registry

import (
	"context"
	"math/rand/v2"
	"sync"
	"time"

	"showhow/daemon/connector"
	"showhow/daemon/connector/health"
	"showhow/daemon/connector/link"
	"showhow/internal/clock"
)

const (
	lookEvery = 15 * time.Second // for what is due
	probeTime = 10 * time.Second // that a service has to answer a probe
)

// Run probes connected services until ctx ends.
func (r *Registry) Run(ctx context.Context) error {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	last := r.o.Now()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		now := r.o.Now()
		r.Probe(ctx, now.Sub(last.Time) > 4*lookEvery)
		last = now
	}
}

// Probe asks the services that are due whether they still answer, by listing their tools; it calls none of them. It
// asks only services that are connected, or whose recovery somebody waits for. slept means that the machine was
// asleep: probes that became due meanwhile are spread out.
func (r *Registry) Probe(ctx context.Context, slept bool) {
	all, err := r.Servers(ctx)
	if err != nil {
		return
	}
	now := r.o.Now()
	var asked sync.WaitGroup
	for _, s := range all {
		h := r.HealthOf(s)
		wait, ok := health.NextProbe(h, now, rand.Float64())
		if !ok || h.HealthStatus != "degraded" && !r.Link(s).Connected() {
			r.forgetDue(s.ID())
			continue
		}
		if !r.isDue(s.ID(), now, wait, slept) {
			continue
		}
		asked.Go(func() { r.probe(ctx, s) })
	}
	asked.Wait()
}

func (r *Registry) probe(ctx context.Context, s *connector.Server) {
	ctx, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	watched, seen := link.Watching(ctx)
	_, err := r.Link(s).List(watched)
	r.listed(ctx, s, err, seen)
}

// isDue reports whether a service is due for a probe, and schedules the next.
func (r *shelf) isDue(id string, now clock.Time, wait time.Duration, slept bool) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	at, known := r.due[id]
	if r.due == nil {
		r.due = map[string]clock.Time{}
	}
	if known && now.Before(at.Time) && now.Plus(wait).After(at.Time) && !slept {
		return false
	}
	r.due[id] = now.Plus(wait)
	return known && !slept && !now.Before(at.Time)
}

func (r *shelf) forgetDue(id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.due, id)
}
