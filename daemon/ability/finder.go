package ability

import (
	"hash/maphash"

	"showhow/daemon/ability/relevance"
	"showhow/internal/clock"
)

// finder keeps the index of installed abilities' texts. The first lookup makes it, and it is changed in place: a text
// is indexed again only when it differs. registry.mu is held.
type finder struct {
	index relevance.Index
	seed  maphash.Seed
	said  map[string]uint64 // by ability id: the hash of its words
	parts parts

	seen *Matcher   // the last observation, if there are many abilities; nil otherwise
	at   clock.Time // when
	turn uint64     // of registry.mu
}

// bring updates the index to the abilities' current texts and returns a matcher of them.
func (f *finder) bring(entries []AvailabilityEntry, said map[string]relevance.Text) *Matcher {
	if f.said == nil {
		f.said, f.seed = map[string]uint64{}, maphash.MakeSeed()
	}
	m := &Matcher{index: &f.index, said: said, parts: &f.parts, of: make(map[string]AvailabilityEntry, len(entries))}
	for _, e := range entries {
		m.of[e.AbilityID] = e
	}
	for id, t := range said {
		if h := f.hash(t); f.said[id] != h {
			f.said[id] = h
			f.index.Put(id, t)
		}
	}
	for id := range f.said {
		if _, there := said[id]; !there {
			delete(f.said, id)
			f.index.Remove(id)
		}
	}
	return m
}

func (f *finder) hash(t relevance.Text) uint64 {
	var h maphash.Hash
	h.SetSeed(f.seed)
	add(&h, t)
	return h.Sum64()
}

func add(h *maphash.Hash, t relevance.Text) {
	for _, list := range [][]string{t.Phrases, {t.Title, t.Goal, t.Description}, t.Capabilities, t.Inputs} {
		for _, s := range list {
			h.WriteString(s)
			h.WriteByte(0)
		}
		h.WriteByte(1)
	}
}
