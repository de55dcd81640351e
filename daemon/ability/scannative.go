package ability

import (
	"context"
	"sync"

	"showhow/internal/fault"
)

// verdicts caches the scanner's verdicts by content. Scanning takes longer than listing: the catalog says "pending"
// until Run has scanned a skill.
type verdicts struct {
	mu sync.Mutex
	of map[string]ScanVerdict // by content hash
}

func (v *verdicts) get(hash string) (ScanVerdict, bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	got, ok := v.of[hash]
	return got, ok
}

func (v *verdicts) put(hash string, got ScanVerdict) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.of[hash] = got
}

// scanNatives scans new native skills one after the other.
func (s *natives) scanNatives(ctx context.Context) {
	if s.o.Scan == nil {
		return
	}
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.unscanned:
		}
		if s.scanPending(ctx) && ctx.Err() == nil {
			wake(s.rescan) // the catalog has something new to say
		}
	}
}

// scanPending scans the native skills of the last observation that have no verdict yet.
func (s *natives) scanPending(ctx context.Context) (done bool) {
	for _, n := range s.cache.all() {
		if _, known := s.verdicts.get(n.hash); known || n.hash == "" || ctx.Err() != nil {
			continue
		}
		b, err := readNative(n.path)
		if err != nil || b.Hash() != n.hash {
			continue // it is changing: the next look finds it again
		}
		r, err := s.o.Scan(ctx, b)
		if err != nil {
			s.o.Log.Warn("a skill could not be scanned", "code", fault.CodeOf(err))
			continue
		}
		s.verdicts.put(n.hash, r.Verdict)
		done = true
	}
	return done
}

// wake sends to a channel of capacity one, unless it is full.
func wake(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
