package ability

import (
	"context"
	"fmt"
	"log/slog"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"

	"showhow/daemon/skill"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

// Options are what a Service stands on. Store and MemoryRoot are required.
type Options struct {
	Store      Store
	MemoryRoot string   // of the canonical files, absolute
	Targets    []Target // folders that agents read skills from
	Env        Environment
	// KnownSession says whether a learn session exists, for checkpoint receipts; nil means every id is believed.
	KnownSession func(ctx context.Context, id string) (bool, error)
	// Redact removes secrets from what an agent writes as evidence or reason; nil leaves it as it is.
	Redact func(string) string
	// Scan looks at a skill that was not made here; nil: such skills are listed unscanned.
	Scan func(ctx context.Context, b skill.Bundle) (Scanned, error)
	// Categories is what is in which category, by the item's id; nil: nothing is.
	Categories func(ctx context.Context) (map[string][]string, error)
	// MaxWatches bounds how many folders Run watches; 0: 4096.
	MaxWatches int
	Now        func() clock.Time // default clock.Now
	NewID      func() string     // default clock.NewID
	Log        *slog.Logger      // default: nothing is logged
}

// Environment is what of this machine an ability may need.
type Environment struct {
	LookPath func(command string) (string, error)           // default exec.LookPath
	Adapter  func(kind string) (available bool, why string) // browser or an observation kind; nil means all are there
}

// Service is every operation on abilities. Identity and permission are the caller's business; a nil rev means "whatever the
// revision is", another one must be current (REVISION_CONFLICT). An ability is named by its id or its slug.
//
// Methods are safe for concurrent use; changes happen one after the other.
type Service struct {
	o         Options
	mu        sync.Mutex // held while disk and database are looked at or changed together
	hashes    hashes
	native    nativeCache
	counts    countCache
	stale     *clock.Time // since when the snapshot is known to be older than the truth
	verdicts  verdicts
	runs      dispatches
	reach     reach
	watching  watchState
	rescan    chan struct{}            // wakes Run
	unscanned chan struct{}            // wakes the scanner
	probe     func(point string) error // tests only: fails or ends the process's work at a named point
}

// New makes a service; call Recover once before serving.
func New(o Options) *Service {
	if o.Env.LookPath == nil {
		o.Env.LookPath = exec.LookPath
	}
	if o.Now == nil {
		o.Now = clock.Now
	}
	if o.NewID == nil {
		o.NewID = clock.NewID
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Service{o: o, hashes: hashes{of: map[string]hashed{}}, native: nativeCache{of: map[string]nativeSkill{}},
		counts: countCache{of: map[string]CheckpointCounts{}}, verdicts: verdicts{of: map[string]ScanVerdict{}}, runs: dispatches{open: map[runKey]openRun{}}, reach: reach{of: map[string]reached{}},
		rescan: make(chan struct{}, 1), unscanned: make(chan struct{}, 1)}
}

func (s *Service) now() clock.Time { return s.o.Now() }

func (s *Service) at(point string) error {
	if s.probe == nil {
		return nil
	}
	return s.probe(point)
}

// bundlePath is the canonical folder of a slug.
func (s *Service) bundlePath(slug string) string {
	return filepath.Join(s.o.MemoryRoot, "system", "learning", "installed", slug)
}

// asidePath is where a changed folder is kept when its place is needed.
func (s *Service) asidePath(slug, where string) string {
	return filepath.Join(s.o.MemoryRoot, "system", "learning", "set-aside", fmt.Sprintf("%s.%s.%s", slug, where, s.now().Format("20060102-150405")))
}

func notFound() error {
	return fault.New(fault.AbilityNotFound, "there is no such ability").WithHint("`showhow ability list` names them")
}

// find returns the place of an ability by id or slug in the list, -1 when there is none.
func find(list []Ability, id string) int {
	if i := slices.IndexFunc(list, func(a Ability) bool { return a.AbilityID == id }); i >= 0 {
		return i
	}
	return slices.IndexFunc(list, func(a Ability) bool { return a.Slug == id })
}

// toChange is the world and the ability in it that somebody wants to change, who saw revision rev. A drift found now counts
// before the change. s.mu is held.
func (s *Service) toChange(ctx context.Context, id string, rev *int) (*world, *Ability, error) {
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

// asItIs is the current world and one ability in it, to be read. s.mu is held.
func (s *Service) asItIs(ctx context.Context, id string) (*world, Ability, error) {
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
