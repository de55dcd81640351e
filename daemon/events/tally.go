package events

import "sync"

// tally knows how much is kept without counting it for each event: what the store says once, and what was added since.
// It may be a few events late, which the bounds allow.
type tally struct {
	mu     sync.Mutex
	events map[string]int // by reporter
	bytes  int64
	known  bool // bytes
}

// read returns how many events of a reporter are kept, and the bytes of all originals.
func (t *tally) read(tx Tx, reporter string) (n int, bytes int64, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.known {
		if _, t.bytes, err = tx.Originals(); err != nil {
			return 0, 0, err
		}
		t.known = true
	}
	n, ok := t.events[reporter]
	if !ok {
		if n, err = tx.CountOf(reporter); err != nil {
			return 0, 0, err
		}
		if t.events == nil || len(t.events) > 100 {
			t.events = map[string]int{}
		}
		t.events[reporter] = n
	}
	return n, t.bytes, nil
}

// add counts what was kept.
func (t *tally) add(reporter string, events, bytes int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, ok := t.events[reporter]; ok {
		t.events[reporter] += events
	}
	t.bytes += int64(bytes)
}

// forget makes the next read count anew: something was removed.
func (t *tally) forget() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.events, t.known = nil, false
}
