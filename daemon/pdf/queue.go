package pdf

import (
	"context"
	"slices"
	"sync"

	"showhow/internal/fault"
)

// Bounds of those who wait.
const (
	mostWaiting   = 16
	mostWaitingOf = 4 // of one owner
)

// queue lets operations in, in the order in which they came, but one of an owner at a time: nobody keeps others out.
type queue struct {
	mu      sync.Mutex
	free    int
	inside  map[string]bool // owners
	waiting []*waiter
}

type waiter struct {
	owner string
	in    chan struct{} // closed when it is let in
}

func newQueue(places int) *queue { return &queue{free: places, inside: map[string]bool{}} }

// enter waits for a place. Who leaves gives it back.
func (q *queue) enter(ctx context.Context, owner string) (leave func(), err error) {
	w := &waiter{owner, make(chan struct{})}
	q.mu.Lock()
	own := 0
	for _, x := range q.waiting {
		if x.owner == owner {
			own++
		}
	}
	if own >= mostWaitingOf || len(q.waiting) >= mostWaiting {
		q.mu.Unlock()
		return nil, fault.New(fault.TooManyRequests, "too many documents wait to be read").WithHint("try again in a minute")
	}
	q.waiting = append(q.waiting, w)
	q.admit()
	q.mu.Unlock()
	leave = sync.OnceFunc(func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		q.free++
		delete(q.inside, owner)
		q.admit()
	})
	select {
	case <-w.in:
		return leave, nil
	case <-ctx.Done():
	}
	q.mu.Lock()
	i := slices.Index(q.waiting, w)
	if i >= 0 {
		q.waiting = slices.Delete(q.waiting, i, i+1)
	}
	q.mu.Unlock()
	if i < 0 { // it was let in meanwhile
		leave()
	}
	return nil, fault.New(fault.Cancelled, "the caller went away")
}

// admit lets in who may be. The caller holds mu.
func (q *queue) admit() {
	q.waiting = slices.DeleteFunc(q.waiting, func(w *waiter) bool {
		if q.free == 0 || q.inside[w.owner] {
			return false
		}
		q.free--
		q.inside[w.owner] = true
		close(w.in)
		return true
	})
}
