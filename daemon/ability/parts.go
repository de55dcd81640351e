package ability

import (
	"hash/maphash"
	"maps"
	"slices"
	"sync"

	"showhow/daemon/ability/relevance"
	"showhow/daemon/wire"
)

// parts keeps the indexes of what callers from elsewhere have, by the words of all of it.
type parts struct {
	mu   sync.Mutex
	seed maphash.Seed
	of   map[uint64]*relevance.Index
}

// mostParts is how many are kept; callers with the same skills share one.
const mostParts = 16

// For is the matcher for an agent. A caller from elsewhere gets one of the abilities alone that it has: how rare a word is,
// how many abilities there are and which are best would tell it about the others.
func (m *Matcher) For(agent []string) *Matcher {
	if !wire.FromElsewhere(agent) {
		return m
	}
	out := &Matcher{of: map[string]AvailabilityEntry{}, said: map[string]relevance.Text{}, parts: m.parts}
	for id, e := range m.of {
		if _, there := e.For(agent); there {
			out.of[id], out.said[id] = e, m.said[id]
		}
	}
	out.index = m.parts.index(out.said)
	return out
}

func (p *parts) index(said map[string]relevance.Text) *relevance.Index {
	ids := slices.Sorted(maps.Keys(said))
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.of == nil {
		p.of, p.seed = map[uint64]*relevance.Index{}, maphash.MakeSeed()
	}
	var h maphash.Hash
	h.SetSeed(p.seed)
	for _, id := range ids {
		h.WriteString(id)
		h.WriteByte(0)
		add(&h, said[id])
	}
	k := h.Sum64()
	x := p.of[k]
	if x == nil {
		if len(p.of) >= mostParts {
			clear(p.of)
		}
		x = &relevance.Index{}
		for _, id := range ids {
			x.Put(id, said[id])
		}
		p.of[k] = x
	}
	return x
}
