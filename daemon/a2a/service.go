package a2a

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
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
	maxOpen    = 10 // of all; a caller that has none has one place beyond them
	maxAsksOf  = 20 // runs that one caller asks for in an hour, those that it cancelled included
	maxKeptOf  = 30 // of one caller, those that are over included
	maxText    = 4000
	maxGoal    = 280 // with its beginning it fits into a line of the tray
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
	Busy() bool
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
	// Live returns an error if a caller is not let in any more, or not answered in A2A; nil: all are.
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

	performing performers

	mu    sync.Mutex
	tasks map[a2a.TaskID]*task
	turns map[string]uint64       // by caller, and "" for all: how often what goes on was ended
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
	return &Service{o: o, tasks: map[a2a.TaskID]*task{}, turns: map[string]uint64{}, asked: map[string][]clock.Time{}}
}

// of returns a caller's task. Another's is not there.
func (s *Service) of(g Guest, id a2a.TaskID) (*task, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if t := s.tasks[id]; t != nil && t.guest.CallerID == g.CallerID && !t.old(s.o.Now()) {
		return t, nil
	}
	return nil, a2a.ErrTaskNotFound
}

// refused says why a caller can ask for no run now, "" if it can.
func (s *Service) refused(g Guest) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.isRefused(g)
}

func (s *Service) isRefused(g Guest) string {
	own, all := 0, 0
	for _, t := range s.tasks {
		if !t.over() {
			if all++; t.guest.CallerID == g.CallerID {
				own++
			}
		}
	}
	if own >= maxOpenOf || own > 0 && all >= maxOpen {
		return "too many tasks are going on; wait for one, or cancel it"
	}
	now := s.o.Now()
	for id, times := range s.asked {
		if times = slices.DeleteFunc(times, func(at clock.Time) bool { return now.Sub(at.Time) > time.Hour }); len(times) == 0 {
			delete(s.asked, id)
		} else {
			s.asked[id] = times
		}
	}
	if len(s.asked[g.CallerID]) >= maxAsksOf {
		return fmt.Sprintf("the person was asked %d times in an hour; ask later", maxAsksOf)
	}
	return ""
}

// turn changes whenever what a caller does is ended.
func (s *Service) turn(callerID string) uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.turns[""] + s.turns[callerID]
}

// keep stores a task; the caller's oldest that are over make place. A task that asks for a run counts as a question to the
// person. An error says why it cannot be kept.
func (s *Service) keep(ctx context.Context, t *task) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	g := t.guest
	if ctx.Err() != nil || t.turn != s.turns[""]+s.turns[g.CallerID] { // what it does was ended meanwhile
		return fmt.Errorf("the caller is not let in any more: %w", a2a.ErrServerError)
	}
	now := s.o.Now()
	if !t.over() {
		if why := s.isRefused(g); why != "" {
			return fmt.Errorf("%s: %w", why, a2a.ErrServerError)
		}
		s.asked[g.CallerID] = append(s.asked[g.CallerID], now)
	}
	var own []*task
	for id, x := range s.tasks {
		switch {
		case x.old(now):
			delete(s.tasks, id)
		case x.guest.CallerID == g.CallerID && x.over():
			own = append(own, x)
		}
	}
	slices.SortFunc(own, func(a, b *task) int { return a.began.Compare(b.began.Time) })
	for i := 0; i <= len(own)-maxKeptOf; i++ {
		delete(s.tasks, own[i].id)
	}
	s.tasks[t.id] = t
	return nil
}

// drop ends tasks and forgets them. How often a caller has asked is not forgotten: it can end its own tasks.
func (s *Service) drop(callerID string, which func(*task) bool) (gone []*task) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.turns[callerID]++
	for id, t := range s.tasks {
		if which(t) {
			t.end()
			delete(s.tasks, id)
			gone = append(gone, t)
		}
	}
	return gone
}

// Evict ends what a caller does here.
func (s *Service) Evict(callerID string) {
	s.drop(callerID, func(t *task) bool { return t.guest.CallerID == callerID })
}

// Close ends all tasks, and waits until their ends are on record. Tasks can begin again afterwards.
func (s *Service) Close() {
	s.drop("", func(*task) bool { return true })
	s.performing.Wait()
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
			if err == nil && s.o.Runs.Busy() {
				err = busy() // before a confirmation is spent on it
			}
			return w, p, err
		}
	}
	return wire.RemoteTask{}, agentrun.Plan{}, fault.New(fault.NotFound, "no such task waits for you").
		WithHint("`showhow remote list` shows those that do; each waits for an hour")
}

// Decide is a person's answer. What is allowed is the plan with this hash, which the person saw, and no other.
func (s *Service) Decide(ctx context.Context, id string, allow bool, plan string) error {
	s.mu.Lock()
	t := s.tasks[a2a.TaskID(id)]
	s.mu.Unlock()
	gone := fault.New(fault.NotFound, "the task does not wait any more").WithHint("`showhow remote list` shows those that do")
	if t == nil {
		return gone
	}
	if allow && s.o.Runs.Busy() {
		return busy()
	}
	if !t.take(s.o.Now()) {
		return gone
	}
	kind, said := journal.RemoteTaskDenied, "A caller from elsewhere may not have a skill run."
	if allow {
		kind, said = journal.RemoteTaskAllowed, "A caller from elsewhere may have a skill run, once."
	}
	if err := s.o.Note(ctx, kind, said, t.guest.Agent, map[string]any{"task_id": id, "skill": t.entry.SkillSlug}); err != nil {
		t.giveBack()
		return err
	}
	t.decided <- decision{allow, plan}
	return nil
}

func busy() error {
	return fault.New(fault.AgentRunActive, "another run has not ended; the task waits").
		WithHint("`showhow run list` shows it; allow the task when it has ended")
}

// performers counts what performs tasks. Unlike a sync.WaitGroup it may be waited for while more begin.
type performers struct {
	mu  sync.Mutex
	all map[chan struct{}]bool
}

// Go runs f.
func (p *performers) Go(f func()) {
	over := make(chan struct{})
	p.mu.Lock()
	if p.all == nil {
		p.all = map[chan struct{}]bool{}
	}
	p.all[over] = true
	p.mu.Unlock()
	go func() {
		defer func() {
			p.mu.Lock()
			delete(p.all, over)
			p.mu.Unlock()
			close(over)
		}()
		f()
	}()
}

// Wait waits for those that have begun.
func (p *performers) Wait() {
	p.mu.Lock()
	all := slices.Collect(maps.Keys(p.all))
	p.mu.Unlock()
	for _, over := range all {
		<-over
	}
}
