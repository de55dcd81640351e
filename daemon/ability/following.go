package ability

import (
	"sync"
	"time"

	"showhow/internal/clock"
)

// followed is how long an agent follows an ability after it opened it or reported on it.
const followed = time.Hour

// followers remembers which agents follow which abilities. Kept in memory.
type followers struct {
	mu sync.Mutex
	of map[pairing]following
}

// pairing is an agent, by its name in policies, and an ability.
type pairing struct{ agent, ability string }

// following is under which mark the agent reports, and when it last did something with the ability.
type following struct {
	by   string
	last clock.Time
}

// note remembers that an agent follows an ability, and forgets who no longer does.
func (f *followers) note(agent, mark, abilityID string, now clock.Time) {
	if agent == "" {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for k, x := range f.of {
		if now.Sub(x.last.Time) > followed {
			delete(f.of, k)
		}
	}
	if f.of == nil {
		f.of = map[pairing]following{}
	}
	f.of[pairing{agent, abilityID}] = following{mark, now}
}

// mark is the one under which an agent follows an ability now, "" if it does not.
func (f *followers) mark(agent, abilityID string, now clock.Time) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	x := f.of[pairing{agent, abilityID}]
	if now.Sub(x.last.Time) > followed {
		return ""
	}
	return x.by
}

// any reports whether an agent follows anything now.
func (f *followers) any(agent string, now clock.Time) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	for k, x := range f.of {
		if k.agent == agent && now.Sub(x.last.Time) <= followed {
			return true
		}
	}
	return false
}
