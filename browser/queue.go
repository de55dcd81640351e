package browser

import "sync"

// queue runs functions in order, on the goroutine that calls run. It is unbounded, so that the
// goroutine that reads from the browser never blocks: a full pipe would stop the browser itself.
type queue struct {
	mu     sync.Mutex
	ready  *sync.Cond
	items  []func()
	closed bool
}

func newQueue() *queue {
	q := &queue{}
	q.ready = sync.NewCond(&q.mu)
	return q
}

// put adds f; after close f is dropped.
func (q *queue) put(f func()) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.closed {
		q.items = append(q.items, f)
		q.ready.Signal()
	}
}

// close makes run return once it has run what is queued.
func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.ready.Signal()
}

func (q *queue) run() {
	for {
		q.mu.Lock()
		for len(q.items) == 0 && !q.closed {
			q.ready.Wait()
		}
		items := q.items
		q.items = nil
		q.mu.Unlock()
		if len(items) == 0 {
			return
		}
		for _, f := range items {
			f()
		}
	}
}
