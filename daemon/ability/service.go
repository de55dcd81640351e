package ability

import (
	"context"
	"fmt"
	"log/slog"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"

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
	Now    func() clock.Time // default clock.Now
	NewID  func() string     // default clock.NewID
	Log    *slog.Logger      // default: nothing is logged
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
	o      Options
	mu     sync.Mutex // held while disk and database are looked at or changed together
	hashes hashes
	native nativeCache
	counts countCache
	stale  *clock.Time              // since when the snapshot is known to be older than the truth
	probe  func(point string) error // tests only: fails or ends the process's work at a named point
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
		counts: countCache{of: map[string]CheckpointCounts{}}}
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

func checkRevision(a Ability, rev *int) error {
	if rev != nil && *rev != a.Revision {
		return fault.New(fault.RevisionConflict, "the ability was changed meanwhile").
			WithHint("look at it again and repeat").WithDetail("current_revision", a.Revision)
	}
	return nil
}
