package ability

import (
	"hash/maphash"
	"slices"

	"showhow/daemon/ability/relevance"
	"showhow/internal/clock"
)

// finder keeps the index of what installed abilities say of themselves. It is made by the first lookup, not at start, and changed in
// place: what an ability says is put in again only when it is not what it was. registry.mu is held.
type finder struct {
	index relevance.Index
	seed  maphash.Seed
	said  map[string]uint64 // by ability id: the hash of its words

	seen *Matcher   // what was seen last, where there are many; nil otherwise
	at   clock.Time // when
	turn uint64     // of registry.mu
}

// bring makes the index agree with the world and returns a matcher of it.
func (f *finder) bring(w *world) *Matcher {
	if f.said == nil {
		f.said, f.seed = map[string]uint64{}, maphash.MakeSeed()
	}
	m := &Matcher{index: &f.index, of: make(map[string]AvailabilityEntry, len(w.snapshot.Abilities))}
	for _, e := range w.snapshot.Abilities {
		m.of[e.AbilityID] = e
	}
	there := make(map[string]bool, len(w.abilities))
	for _, a := range w.abilities {
		there[a.AbilityID] = true
		t := a.spoken()
		if h := f.hash(t); f.said[a.AbilityID] != h {
			f.said[a.AbilityID] = h
			f.index.Put(a.AbilityID, t)
		}
	}
	for id := range f.said {
		if !there[id] {
			delete(f.said, id)
			f.index.Remove(id)
		}
	}
	return m
}

// spoken is what an ability says of itself.
func (a Ability) spoken() relevance.Text {
	t := relevance.Text{Phrases: slices.Concat(a.TriggerPhrases, a.Aliases), Title: a.Title, Description: a.Description, Inputs: a.Inputs}
	if goal, ok := a.Metadata["summary"].(string); ok && goal != a.Description {
		t.Goal = goal
	}
	return t
}

func (f *finder) hash(t relevance.Text) uint64 {
	var h maphash.Hash
	h.SetSeed(f.seed)
	for _, list := range [][]string{t.Phrases, {t.Title, t.Goal, t.Description}, t.Inputs} {
		for _, s := range list {
			h.WriteString(s)
			h.WriteByte(0)
		}
		h.WriteByte(1)
	}
	return h.Sum64()
}
