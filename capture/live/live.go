package live

import (
	"context"
	"errors"
	"sync"

	"showhow/capture"
)

// Stream delivers stored records to the watchers of a session. Publish never blocks: a subscriber that falls behind
// loses records and is told where, so that it can read them from the store.
type Stream struct {
	buffer int
	mu     sync.Mutex
	subs   map[*Subscription]struct{}
	closed bool
}

// New returns a Stream that keeps up to buffer records per subscriber.
func New(buffer int) *Stream {
	return &Stream{buffer: max(buffer, 1), subs: map[*Subscription]struct{}{}}
}

// Item is a record, or a gap: Lost records are missing after the last one delivered.
type Item struct {
	Record *capture.Record
	Lost   int64
}

// ErrClosed ends a subscription.
var ErrClosed = errors.New("capture: the live stream is closed")

// Subscription is one watcher of one session.
type Subscription struct {
	live    *Stream
	session string

	mu     sync.Mutex
	queue  []Item
	lost   int64
	wake   chan struct{} // capacity 1
	closed bool
}

// Subscribe watches a session's records from now on; "" watches every session. The caller must Close it.
func (l *Stream) Subscribe(session string) *Subscription {
	s := &Subscription{live: l, session: session, wake: make(chan struct{}, 1)}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		s.closed = true
	} else {
		l.subs[s] = struct{}{}
	}
	return s
}

// Publish delivers stored records. Its signature is that of Config.OnStored.
func (l *Stream) Publish(records []capture.Record) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for s := range l.subs {
		s.push(records, l.buffer)
	}
}

// Close ends every subscription after its queued items.
func (l *Stream) Close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	for s := range l.subs {
		s.end()
	}
	clear(l.subs)
}

func (s *Subscription) push(records []capture.Record, limit int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range records {
		r := &records[i]
		if s.session != "" && r.Event.LearnSessionID != s.session {
			continue
		}
		if len(s.queue) >= limit {
			s.lost++
			continue
		}
		if s.lost > 0 {
			s.queue = append(s.queue, Item{Lost: s.lost})
			s.lost = 0
		}
		s.queue = append(s.queue, Item{Record: r})
	}
	s.signal()
}

func (s *Subscription) signal() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// Next waits for the next item and returns it.
func (s *Subscription) Next(ctx context.Context) (Item, error) {
	for {
		if it, ok, err := s.pop(); ok || err != nil {
			return it, err
		}
		select {
		case <-s.wake:
		case <-ctx.Done():
			return Item{}, ctx.Err()
		}
	}
}

func (s *Subscription) pop() (Item, bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.queue) > 0 {
		it := s.queue[0]
		s.queue[0] = Item{}
		s.queue = s.queue[1:]
		return it, true, nil
	}
	if s.lost > 0 {
		it := Item{Lost: s.lost}
		s.lost = 0
		return it, true, nil
	}
	if s.closed {
		return Item{}, false, ErrClosed
	}
	return Item{}, false, nil
}

func (s *Subscription) end() {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.signal()
}

// Close ends the subscription; a waiting Next returns.
func (s *Subscription) Close() {
	s.live.mu.Lock()
	delete(s.live.subs, s)
	s.live.mu.Unlock()
	s.end()
}
