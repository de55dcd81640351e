package link

import "sync"

// traffic counts the calls of tools under way in one conversation.
type traffic struct {
	mu   sync.Mutex
	n    int
	over bool
}

// enter begins a call; false when none begins any more.
func (t *traffic) enter() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.over {
		t.n++
	}
	return !t.over
}

func (t *traffic) leave() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.n--
}

// end lets no call begin any more; false, and nothing changes, while one is under way.
func (t *traffic) end() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.over = t.over || t.n == 0
	return t.over
}
