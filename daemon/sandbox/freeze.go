//go:build linux || darwin

package sandbox

import "time"

// Freeze stops everything in the box, and its clock with it, until Thaw. It reports whether everything is stopped; a
// program that forks meanwhile is searched for again.
func (b *Box) Freeze() bool {
	r := b.runs()
	if r == nil {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.pid == 0 || r.why != "" {
		return false
	}
	if !r.frozen {
		r.frozen, r.since = true, time.Now()
	}
	return r.halt()
}

// Thaw continues a frozen box.
func (b *Box) Thaw() {
	r := b.runs()
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.frozen {
		return
	}
	r.frozen, r.idle = false, r.idle+time.Since(r.since)
	r.goOn()
}

func (b *Box) runs() *running {
	b.now.Lock()
	defer b.now.Unlock()
	return b.current
}

// frozenFor is the total time frozen so far.
func (r *running) frozenFor() time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.frozen {
		return r.idle + time.Since(r.since)
	}
	return r.idle
}
