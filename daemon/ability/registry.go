package ability

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"sync"

	"showhow/daemon/skill"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

// registry makes all changes: it loads the world, observes it, and writes records, canonical files and projections
// together. Its lock serialises them.
type registry struct {
	*base
	*observer
	*projector
	mu    turns       // held while disk and database are looked at or changed together
	stale *clock.Time // since when the snapshot is known to be older than the truth

	finder finder
}

// turns is a mutex that counts its holders, so that a reader can tell whether anybody else held it meanwhile.
type turns struct {
	sync.Mutex
	taken uint64
}

// Lock locks the mutex and counts the holder.
func (t *turns) Lock() {
	t.Mutex.Lock()
	t.taken++
}

func notFound() error {
	return fault.New(fault.AbilityNotFound, "there is no such ability").
		WithHint("`showhow ability list` names them; what waits for a decision is in `showhow inbox`")
}

// find returns the index of an ability by id or slug, -1 when there is none.
func find(list []Ability, id string) int {
	if i := slices.IndexFunc(list, func(a Ability) bool { return a.AbilityID == id }); i >= 0 {
		return i
	}
	return slices.IndexFunc(list, func(a Ability) bool { return a.Slug == id })
}

// toChange returns the world and the ability in it for a change by a caller who saw revision rev. A drift found now is
// recorded before the change. s.mu is held.
func (s *registry) toChange(ctx context.Context, id string, rev *int) (*world, *Ability, error) {
	w, err := s.load(ctx)
	if err != nil {
		return nil, nil, err
	}
	i := find(w.abilities, id)
	if i < 0 {
		return nil, nil, notFound()
	}
	a := &w.abilities[i]
	if err := checkRevision(*a, rev); err != nil {
		return nil, nil, err
	}
	s.observe(w)
	return w, a, nil
}

// asItIs returns the current world and one ability in it, for reading. s.mu is held.
func (s *registry) asItIs(ctx context.Context, id string) (*world, Ability, error) {
	w, err := s.current(ctx)
	if err != nil {
		return nil, Ability{}, err
	}
	i := find(w.abilities, id)
	if i < 0 {
		return nil, Ability{}, notFound()
	}
	return w, w.abilities[i], nil
}

func checkRevision(a Ability, rev *int) error {
	if rev != nil && *rev != a.Revision {
		return fault.New(fault.RevisionConflict, "the ability was changed meanwhile").
			WithHint("look at it again and repeat").WithDetail("current_revision", a.Revision)
	}
	return nil
}

func (s *registry) answer(w *world) AvailabilitySnapshot {
	snap := w.snapshot
	snap.Stale, snap.StaleSince = s.stale != nil, s.stale
	return snap
}

// current loads the world and updates it from the disk and the machine.
func (s *registry) current(ctx context.Context) (*world, error) {
	w, err := s.load(ctx)
	if err != nil {
		return nil, err
	}
	s.observe(w)
	changed := !reflect.DeepEqual(w.entries(), w.snapshot.Abilities) || !reflect.DeepEqual(w.items(), w.catalog.Items)
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

func (s *registry) rebuild(ctx context.Context, t Trigger) (AvailabilitySnapshot, error) {
	w, err := s.load(ctx)
	if err != nil {
		return AvailabilitySnapshot{}, err
	}
	s.observe(w)
	err = s.apply(ctx, w, change{trigger: t})
	return s.answer(w), err
}

// conform changes records of older versions to what the canonical schemas allow, with their manifests and sidecars.
func (s *registry) conform(ctx context.Context, w *world) (changed bool, err error) {
	err = s.o.Store.Update(ctx, func(tx Tx) error {
		for _, a := range w.abilities {
			if a.BuiltIn {
				continue
			}
			b, _ := skill.ReadDir(s.bundlePath(a.Slug)) // a missing bundle brings no script
			scripts, before := bringsScript(b), a
			if a.conform(scripts); reflect.DeepEqual(before, a) {
				continue
			}
			changed = true
			if err := errors.Join(tx.PutAbility(a), tx.PutFile(manifestPath(a.CapabilityID), a.Manifest),
				tx.PutFile(metadataPath(a.CapabilityID), sidecar(a, scripts)), tellManifest(tx, &before, a)); err != nil {
				return err
			}
		}
		return nil
	})
	return changed, err
}
