package ability

import (
	"context"
	"slices"
)

// Views reads the current state of abilities: availability, catalog, bridge and lookup.
type Views struct{ *registry }

// Availability is the current state. What changed on disk or on the machine since the last snapshot is detected,
// recorded and acted on first; when that cannot be written, the last snapshot is returned as stale.
func (s *Views) Availability(ctx context.Context) (AvailabilitySnapshot, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	w, err := s.current(ctx)
	if err != nil {
		return AvailabilitySnapshot{}, err
	}
	return s.answer(w), nil
}

// AvailabilityOf is one ability, by ability id or slug.
func (s *Views) AvailabilityOf(ctx context.Context, id string) (AvailabilityEntry, error) {
	snap, err := s.Availability(ctx)
	if err != nil {
		return AvailabilityEntry{}, err
	}
	for _, byID := range []bool{true, false} {
		for _, e := range snap.Abilities {
			if byID && e.AbilityID == id || !byID && e.SkillSlug == id {
				return e, nil
			}
		}
	}
	return AvailabilityEntry{}, notFound()
}

// Catalog lists every skill, native ones included.
func (s *Views) Catalog(ctx context.Context) (Catalog, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	w, err := s.current(ctx)
	if err != nil {
		return Catalog{}, err
	}
	return w.catalog, nil
}

// BridgeEntries is the bridge as routers read it.
func (s *Views) BridgeEntries(ctx context.Context) (Bridge, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	w, err := s.current(ctx)
	if err != nil {
		return Bridge{}, err
	}
	return w.bridge, nil
}

// Rebuild rebuilds bridge, catalog and availability. On failure the last good ones stay; availability is then stale.
func (s *Views) Rebuild(ctx context.Context, t Trigger) (AvailabilitySnapshot, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.rebuild(ctx, t)
}

// ConnectorsChanged re-evaluates availability if an ability needs a connector (DOC3 0C.11B): a connector's health,
// sign-in or tools changed.
func (s *Views) ConnectorsChanged(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	w, err := s.load(ctx)
	if err != nil || !slices.ContainsFunc(w.abilities, func(a Ability) bool {
		return len(a.RequiredConnectors)+len(a.RequiredProviders) > 0
	}) {
		return err
	}
	_, err = s.rebuild(ctx, TriggerConnectorHealth)
	return err
}

// UsersOf returns the abilities that need a connector, by connector id.
func (s *Views) UsersOf(ctx context.Context) (map[string][]Ability, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	w, err := s.load(ctx)
	if err != nil {
		return nil, err
	}
	out := map[string][]Ability{}
	for _, a := range w.abilities {
		for _, id := range a.RequiredConnectors {
			out[id] = append(out[id], a)
		}
	}
	return out, nil
}

// TakenSlugs lists the folder names that are in use in any target or by any ability. It decodes and observes no ability.
func (s *Views) TakenSlugs(ctx context.Context) (slugs []string, err error) {
	s.mu.Mutex.Lock() // it changes nothing, so what others have seen stays valid
	defer s.mu.Unlock()
	ledger := map[string]LedgerEntry{}
	err = s.o.Store.View(ctx, func(tx Tx) error {
		paths, err := tx.Ledger()
		for _, p := range paths {
			ledger[p.Path] = p
		}
		if err != nil {
			return err
		}
		slugs, err = tx.Slugs()
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, n := range s.natives.find(ledger) {
		slugs = append(slugs, n.name)
	}
	return slugs, nil
}
