package ability

import (
	"context"
	"reflect"

	"showhow/internal/fault"
)

// Availability is what is true now. What changed on disk or on the machine since the last snapshot is found, recorded and
// acted on first; when that cannot be written, the last snapshot is answered as stale.
func (s *Service) Availability(ctx context.Context) (AvailabilitySnapshot, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	w, err := s.current(ctx)
	if err != nil {
		return AvailabilitySnapshot{}, err
	}
	return s.answer(w), nil
}

func (s *Service) answer(w *world) AvailabilitySnapshot {
	snap := w.snapshot
	snap.Stale, snap.StaleSince = s.stale != nil, s.stale
	return snap
}

// current loads the world and brings it up to date with what is seen.
func (s *Service) current(ctx context.Context) (*world, error) {
	w, err := s.load(ctx)
	if err != nil {
		return nil, err
	}
	s.observe(w)
	changed := !reflect.DeepEqual(s.entries(w), w.snapshot.Abilities) || !reflect.DeepEqual(s.items(w), w.catalog.Items)
	if !changed && len(s.unwanted(w)) == 0 {
		if s.stale != nil { // what could not be written then needs no writing any more
			s.stale = nil
		}
		return w, nil
	}
	if err := s.apply(ctx, w, change{trigger: TriggerObserved, quiet: true}); err != nil {
		s.o.Log.Warn("availability could not be brought up to date", "code", fault.CodeOf(err))
	}
	return w, nil
}

// AvailabilityOf is one ability, by ability id or slug.
func (s *Service) AvailabilityOf(ctx context.Context, id string) (AvailabilityEntry, error) {
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

// Catalog is every skill, native ones included.
func (s *Service) Catalog(ctx context.Context) (Catalog, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	w, err := s.current(ctx)
	if err != nil {
		return Catalog{}, err
	}
	return w.catalog, nil
}

// BridgeEntries is the bridge as routers read it.
func (s *Service) BridgeEntries(ctx context.Context) (Bridge, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	w, err := s.current(ctx)
	if err != nil {
		return Bridge{}, err
	}
	return w.bridge, nil
}

// Rebuild makes bridge, catalog and availability anew. On failure the last good ones stay; availability is then stale.
func (s *Service) Rebuild(ctx context.Context, t Trigger) (AvailabilitySnapshot, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.rebuild(ctx, t)
}

func (s *Service) rebuild(ctx context.Context, t Trigger) (AvailabilitySnapshot, error) {
	w, err := s.load(ctx)
	if err != nil {
		return AvailabilitySnapshot{}, err
	}
	s.observe(w)
	err = s.apply(ctx, w, change{trigger: t})
	return s.answer(w), err
}

// TakenSlugs are the folder names that are in use in any target or by any ability.
func (s *Service) TakenSlugs(ctx context.Context) ([]string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	w, err := s.load(ctx)
	if err != nil {
		return nil, err
	}
	s.observe(w)
	out := []string{}
	for _, a := range w.abilities {
		out = append(out, a.Slug)
	}
	for _, n := range w.native {
		out = append(out, n.name)
	}
	return out, nil
}
