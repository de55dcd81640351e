package ability

import "context"

// Service provides every operation on abilities, one part for each kind. Identity and permission are the caller's
// business; a nil rev means "whatever the revision is", another one must be current (REVISION_CONFLICT). An ability is
// named by its id or its slug.
//
// Methods are safe for concurrent use; changes happen one after the other.
type Service struct {
	*Views
	*Installer
	*Reviews
	*Lifecycle
	*Checkpoints
	*Outcomes
	*Settings
	*Watch

	reg *registry
}

// New makes a service; call Recover once before serving.
func New(o Options) *Service {
	b := &base{o: o.withDefaults(), hashes: hashes{of: map[string]hashed{}}}
	rescan := make(chan struct{}, 1)
	n := newNatives(b, rescan)
	r := &registry{base: b, observer: newObserver(b, n), projector: &projector{base: b}}
	views := &Views{registry: r}
	install := &Installer{registry: r}
	f := &followers{}
	return &Service{Views: views, Installer: install, Reviews: &Reviews{registry: r, views: views, install: install},
		Lifecycle:   &Lifecycle{registry: r},
		Checkpoints: &Checkpoints{registry: r, runs: dispatches{open: map[runKey]openRun{}}, following: f},
		Outcomes:    &Outcomes{registry: r, following: f}, Settings: &Settings{registry: r},
		Watch: &Watch{registry: r, natives: n, rescan: rescan}, reg: r}
}

// Recover finishes or compensates sagas that a crash interrupted, repairs copies and rebuilds what agents see. Call it
// at start, before serving; then reconcile sessions that were installing. It returns the sagas that it ended.
func (s *Service) Recover(ctx context.Context) ([]SagaOutcome, error) {
	s.reg.mu.Lock()
	defer s.reg.mu.Unlock()
	ended, err := s.Installer.recover(ctx)
	if err != nil {
		return ended, err
	}
	s.reg.sweep()
	w, err := s.reg.load(ctx)
	if err != nil {
		return ended, err
	}
	// Each step says whether it changed records, which is rare: what was read holds for the next one then.
	for _, step := range []func(context.Context, *world) (bool, error){s.reg.settleBuiltIns, s.reg.conform, s.Reviews.keepApproved,
		s.Reviews.finishTakeOvers} {
		changed, err := step(ctx, w)
		if err == nil && changed {
			w, err = s.reg.load(ctx)
		}
		if err != nil {
			return ended, err
		}
	}
	s.reg.observe(w)
	return ended, s.reg.apply(ctx, w, change{trigger: TriggerStart})
}
