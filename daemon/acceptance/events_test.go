package acceptance_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"

	"showhow/daemon/client"
)

// heard is what a subscriber of a lifecycle stream was told.
type heard struct {
	w      *world
	cancel context.CancelFunc
	done   chan struct{}

	mu     sync.Mutex
	events []client.Event
	err    error
}

// listen subscribes to a session's stream, or with "" to everything's, from now on or after an event. It returns once
// the stream is open.
func (w *world) listen(sessionID string, after int64) *heard {
	w.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	h := &heard{w: w, cancel: cancel, done: make(chan struct{})}
	take := func(e client.Event) error {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.events = append(h.events, e)
		return nil
	}
	go func() {
		defer close(h.done)
		var err error
		if sessionID == "" {
			err = w.c.Events(ctx, after, take)
		} else {
			err = w.c.SessionEvents(ctx, sessionID, after, take)
		}
		h.mu.Lock()
		h.err = err
		h.mu.Unlock()
	}()
	w.t.Cleanup(h.stop)
	if after == 0 {
		h.await("snapshot")
	}
	return h
}

func (h *heard) stop() {
	h.cancel()
	<-h.done
}

// over waits until the stream has ended by itself.
func (h *heard) over() {
	h.w.t.Helper()
	h.w.until("the stream's end", func() bool {
		select {
		case <-h.done:
			return true
		default:
			return false
		}
	})
	if h.err != nil && !errors.Is(h.err, context.Canceled) {
		h.w.t.Errorf("the stream ended with %v", h.err)
	}
}

func (h *heard) all() []client.Event {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.events)
}

// await waits for an event of a kind and returns the first.
func (h *heard) await(kind string) client.Event {
	h.w.t.Helper()
	var found client.Event
	h.w.until("an event "+kind, func() bool {
		for _, e := range h.all() {
			if e.Kind == kind {
				found = e
				return true
			}
		}
		return false
	})
	return found
}

// kinds are the events' kinds in order.
func (h *heard) kinds() (out []string) {
	for _, e := range h.all() {
		out = append(out, e.Kind)
	}
	return out
}

// payload reads one field of an event's payload.
func payload(e client.Event, field string) string {
	var p map[string]any
	_ = json.Unmarshal(e.Payload, &p)
	s, _ := p[field].(string)
	return s
}

// states are those that a session went through, as its events told: the first one it left, then each that it entered.
func (h *heard) states(sessionID string) (out []string) {
	for _, e := range h.all() {
		from, to := payload(e, "from"), payload(e, "to")
		if e.SessionID != sessionID || to == "" {
			continue
		}
		if len(out) == 0 {
			out = append(out, from)
		}
		if out[len(out)-1] != to { // capture tells of the same hop
			out = append(out, to)
		}
	}
	return out
}
