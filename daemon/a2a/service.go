package a2a

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/a2aproject/a2a-go/a2a"

	"showhow/daemon/ability"
	"showhow/daemon/agentrun"
	"showhow/daemon/journal"
	"showhow/daemon/wire"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

// Bounds of what callers can cause.
const (
	maxOpenOf  = 3  // tasks of one caller that are not over
	maxOpen    = 10 // of all
	maxAsksOf  = 20 // runs that one caller asks for in an hour, those that it cancelled included
	maxKeptOf  = 30 // of one caller, those that are over included
	maxText    = 4000
	maxGoal    = 400
	maxMessage = 256 << 10
	maxHops    = 4
	maxOutput  = 32 << 10
	keptFor    = time.Hour
)

// Wait is how long a task waits for a person.
const Wait = time.Hour

// Abilities is the part of *ability.Service that callers use.
type Abilities interface {
	Listed(ctx context.Context) ([]ability.AvailabilityEntry, error)
	AvailabilityOf(ctx context.Context, id string) (ability.AvailabilityEntry, error)
	Lookup(ctx context.Context, q ability.LookupQuery) (ability.LookupResult, error)
}

// Runs is the part of *agentrun.Service that performs tasks.
type Runs interface {
	Plan(ctx context.Context, r agentrun.StartRequest) (agentrun.Plan, error)
	StartFor(ctx context.Context, r agentrun.StartRequest, why agentrun.Assignment) (agentrun.Run, error)
	Done(id string) <-chan struct{}
	Get(ctx context.Context, id string) (agentrun.Run, error)
	Cancel(ctx context.Context, id string) (agentrun.Run, error)
	Output(ctx context.Context, id string, after int64) (agentrun.Output, error)
}

// Guest is a caller with a valid token.
type Guest struct {
	CallerID string
	Agent    string // its name in policies
	Runs     bool   // it may ask for runs
}

// Options configures a Service.
type Options struct {
	Abilities Abilities
	Runs      Runs
	// Command is what performs tasks, as the person named it; empty: skills can be looked up only.
	Command func() []string
	// Note writes a receipt and an event; it must be there.
	Note func(ctx context.Context, kind journal.EventKind, summary, reason string, payload map[string]any) error
	// Live returns an error if a caller is not let in any more; nil: all are.
	Live  func(ctx context.Context, callerID string) error
	Wait  time.Duration // for a person; 0: Wait
	Beat  time.Duration // between looks at a run; 0: half a second
	Now   func() clock.Time
	NewID func() string
	Log   *slog.Logger
}

// Service holds the tasks of all callers.
type Service struct {
	o Options

	mu    sync.Mutex
	tasks map[a2a.TaskID]*task
	asked map[string][]clock.Time // by caller: when it asked for runs, in the last hour
}

// New makes a service; nothing goes on before the first task.
func New(o Options) *Service {
	if o.Wait == 0 {
		o.Wait = Wait
	}
	if o.Beat == 0 {
		o.Beat = 500 * time.Millisecond
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
	return &Service{o: o, tasks: map[a2a.TaskID]*task{}, asked: map[string][]clock.Time{}}
}

// of returns a caller's task. Another's is not there.
func (s *Service) of(g Guest, id a2a.TaskID) (*task, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if t := s.tasks[id]; t != nil && t.guest.CallerID == g.CallerID {
		return t, nil
	}
	return nil, a2a.ErrTaskNotFound
}

// full reports whether a caller has as many tasks going on as it can have.
func (s *Service) full(g Guest) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.isFull(g)
}

func (s *Service) isFull(g Guest) bool {
	own, all := 0, 0
	for _, t := range s.tasks {
		if !t.over() {
			if all++; t.guest.CallerID == g.CallerID {
				own++
			}
		}
	}
	return own >= maxOpenOf || all >= maxOpen
}

// mayAsk counts a caller's question to the person, and reports whether it may ask one more.
func (s *Service) mayAsk(g Guest) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.o.Now()
	recent := slices.DeleteFunc(s.asked[g.CallerID], func(at clock.Time) bool { return now.Sub(at.Time) > time.Hour })
	ok := len(recent) < maxAsksOf
	if ok {
		recent = append(recent, now)
	}
	s.asked[g.CallerID] = recent
	return ok
}

// keep stores a task; the caller's oldest that are over make place. It reports whether there was place.
func (s *Service) keep(t *task) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !t.over() && s.isFull(t.guest) {
		return false
	}
	var own []*task
	now := s.o.Now()
	for id, x := range s.tasks {
		switch {
		case x.over() && now.Sub(x.began.Time) > keptFor:
			delete(s.tasks, id)
		case x.guest.CallerID == t.guest.CallerID && x.over():
			own = append(own, x)
		}
	}
	slices.SortFunc(own, func(a, b *task) int { return a.began.Compare(b.began.Time) })
	for i := 0; i <= len(own)-maxKeptOf; i++ {
		delete(s.tasks, own[i].id)
	}
	s.tasks[t.id] = t
	return true
}

// Evict ends what a caller does here.
func (s *Service) Evict(callerID string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.asked, callerID)
	for id, t := range s.tasks {
		if t.guest.CallerID == callerID {
			t.end()
			delete(s.tasks, id)
		}
	}
}

// Close ends all tasks.
func (s *Service) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, t := range s.tasks {
		t.end()
		delete(s.tasks, id)
	}
}

// Waiting lists the tasks that wait for a person, oldest first.
func (s *Service) Waiting() []wire.RemoteTask {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := []wire.RemoteTask{}
	for _, t := range s.tasks {
		if w, ok := t.waits(); ok {
			out = append(out, w)
		}
	}
	slices.SortFunc(out, func(a, b wire.RemoteTask) int { return a.AskedAt.Compare(b.AskedAt.Time) })
	return out
}

// Asked is a task that waits for a person, with what its run would be given.
func (s *Service) Asked(ctx context.Context, id string) (wire.RemoteTask, agentrun.Plan, error) {
	s.mu.Lock()
	t := s.tasks[a2a.TaskID(id)]
	s.mu.Unlock()
	if t != nil {
		if w, ok := t.waits(); ok {
			p, err := s.o.Runs.Plan(ctx, t.request)
			return w, p, err
		}
	}
	return wire.RemoteTask{}, agentrun.Plan{}, fault.New(fault.NotFound, "no such task waits for you").
		WithHint("`showhow remote list` shows those that do; each waits for an hour")
}

// Decide is a person's answer. What is allowed is the plan with this hash and no other.
func (s *Service) Decide(ctx context.Context, id string, allow bool) error {
	w, p, err := s.Asked(ctx, id)
	if err != nil && (allow || w.TaskID == "") {
		return err
	}
	kind, said := journal.RemoteTaskDenied, "A caller from elsewhere may not have a skill run."
	if allow {
		kind, said = journal.RemoteTaskAllowed, "A caller from elsewhere may have a skill run, once."
	}
	if err := s.o.Note(ctx, kind, said, w.Caller, map[string]any{"task_id": w.TaskID, "skill": w.Skill}); err != nil {
		return err
	}
	s.mu.Lock()
	t := s.tasks[a2a.TaskID(id)]
	s.mu.Unlock()
	if t == nil || !t.decide(decision{allow, p.Hash}) {
		return fault.New(fault.NotFound, "the task does not wait any more").WithHint("`showhow remote list` shows those that do")
	}
	return nil
}
