// Package intake receives the receipts of agents' hooks and wrapped commands: those that the capturing session's scope
// admits go to it, those of an agent whose runs are kept go into its run (daemon/observe), everything else is dropped.
// It also installs and removes the hooks, and keeps the marks by which a hook learns, with one stat, whether anybody
// wants its receipts.
//
// Guaranteed: a call that two hooks report is counted once; the ledger knows of a hook before anything is written into
// an agent's settings; no mark is left when a person stops the daemon.
//
// Not guaranteed: that a use of a skill is noted more than once a minute.
//
// Only package daemon imports it. The acceptance tests (daemon/acceptance/receipts_test.go) test it as a whole.
package intake

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"showhow/adapters/receipts"
	"showhow/adapters/receipts/report"
	"showhow/capture"
	"showhow/daemon/observe"
	"showhow/internal/clock"
	"showhow/internal/fault"
	"showhow/internal/paths"
	"showhow/store"
)

// HookStore stores the installed hooks; *store.Store implements it.
type HookStore interface {
	Hooks(ctx context.Context) ([]store.HookRow, error)
	PutHook(ctx context.Context, r store.HookRow, correlationID string) error
	DropHook(ctx context.Context, agent, correlationID string) error
}

// Options is what an intake stands on.
type Options struct {
	Roots   paths.Roots
	Hooks   HookStore
	Runs    observe.Store
	Keys    capture.Keyring
	NoteUse func(ctx context.Context, skill string) error // a skill was used
	Every   time.Duration                                 // see observe.Options
	Now     func() time.Time
	Log     *slog.Logger
}

// Intake implements api.Observed.
type Intake struct {
	*observe.Journal
	*Hooks
	o    Options
	desk *receipts.Desk
	dir  string // of the marks

	mu    sync.Mutex
	calls callMemory
	marks sync.Mutex // held while they are written
	off   bool       // marks: the daemon was stopped, and hooks must not start it again
	uses  chan string
}

// New makes an intake whose desk can be given to a session's adapters; Open opens it.
func New(o Options) *Intake {
	in := &Intake{o: o, dir: report.Dir(o.Roots.State), uses: make(chan string, 64), Hooks: newHooks(o.Roots, o.Hooks, o.Now)}
	in.desk = receipts.NewDesk(receipts.Options{Hooked: in.Hooks.any, Changed: in.mark})
	return in
}

// Desk passes receipts to the session that wants them.
func (in *Intake) Desk() *receipts.Desk { return in.desk }

// Open opens and recovers the journal, and updates the marks.
func (in *Intake) Open(ctx context.Context) error {
	o := in.o
	in.Journal = observe.New(observe.Options{Store: o.Runs, Keys: o.Keys, Home: o.Roots.Home, Now: o.Now, NewID: clock.NewID, Every: o.Every,
		Log:     o.Log,
		Changed: in.mark})
	if err := in.Hooks.load(ctx); err != nil {
		return err
	}
	if err := in.Journal.Recover(ctx); err != nil {
		return err
	}
	in.mark()
	return nil
}

// mark updates the marks to what is wanted now.
func (in *Intake) mark() {
	if in.Journal == nil {
		return // not open yet
	}
	in.marks.Lock()
	defer in.marks.Unlock()
	agents := map[string]string{}
	apps, wrap := in.desk.Wanted()
	for _, a := range apps {
		if report.ValidAgent(a) {
			agents[a] = report.ForSession
		}
	}
	for _, a := range in.Journal.Kept() {
		agents[a] = report.ForJournal
	}
	if in.off {
		agents, wrap = nil, false
	}
	if err := report.Mark(in.dir, agents, wrap); err != nil {
		in.o.Log.Warn("the marks of wanted receipts could not be written: hooks may report in vain, or not", "code", string(fault.CodeOf(err)))
	}
}

// Stopping removes every mark when a person stops the daemon: a hook would start it again.
func (in *Intake) Stopping() {
	in.marks.Lock()
	in.off = true
	in.marks.Unlock()
	in.mark()
}

// Take implements api.Observed.
func (in *Intake) Take(_ context.Context, rs []report.Receipt) {
	for _, r := range rs {
		if r.Event == report.EventRunEnd {
			in.Journal.End(r.Agent, r.RunID)
			continue
		}
		if in.again(r) {
			continue
		}
		now := in.o.Now()
		o := receipts.Observation(r, now)
		wanted := !receipts.AtDoor(r) && in.desk.Hand(o) // a session learns of the door's calls from the door
		if !o.Origin.Own {
			wanted = in.Journal.Take(r.Agent, r.RunID, receipts.Observation(r, now)) || wanted
		}
		if !wanted {
			continue
		}
		in.Journal.Heard(r.Agent)
		if skill := r.Skill(); skill != "" {
			select {
			case in.uses <- skill:
			default: // it will be used again
			}
		}
	}
}

// Called passes a call through the door to the session that observes its agent or its connector.
func (in *Intake) Called(c receipts.Called) { in.desk.Hand(receipts.FromDoor(c)) }

// again reports whether a call was reported before: a hook may be installed twice, for the person and for a project.
func (in *Intake) again(r report.Receipt) bool {
	if r.CallID == "" {
		return false
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	return in.calls.seen(r.Agent + "\x00" + r.RunID + "\x00" + r.CallID)
}

// callMemory remembers recent calls.
type callMemory struct {
	is    map[string]bool
	order []string
}

const rememberedCalls = 1024

func (m *callMemory) seen(key string) bool {
	if m.is[key] {
		return true
	}
	if m.is == nil {
		m.is = map[string]bool{}
	}
	m.is[key] = true
	m.order = append(m.order, key)
	if len(m.order) > rememberedCalls {
		delete(m.is, m.order[0])
		m.order = m.order[1:]
	}
	return false
}

// Agents implements api.Observed: what the journal knows, with hooks and undelivered receipts.
func (in *Intake) Agents(ctx context.Context) ([]observe.Agent, error) {
	as, err := in.Journal.Agents(ctx)
	if err != nil {
		return nil, err
	}
	as = in.Hooks.join(as)
	for i := range as {
		as[i].Missed += report.Missed(in.dir, as[i].Agent)
	}
	return as, nil
}

// Agent implements api.Observed.
func (in *Intake) Agent(ctx context.Context, name string) (observe.Agent, error) {
	as, err := in.Agents(ctx)
	for _, a := range as {
		if a.Agent == name {
			return a, err
		}
	}
	return observe.Agent{Agent: name}, err
}

// SetJournal implements api.Observed. Giving or withdrawing a consent resets the count of missed receipts.
func (in *Intake) SetJournal(ctx context.Context, m observe.Meta, agent string, on bool) error {
	if !report.ValidAgent(agent) {
		return fault.New(fault.InvalidRequest, "this is no agent's name").WithHint(
			"name it as its hook does: claude-code, codex, openclaw, or the name after --agent")
	}
	if err := in.Journal.SetJournal(ctx, m, agent, on); err != nil {
		return err
	}
	return report.Forget(in.dir, agent)
}

// noteUse is the interval at which uses of one skill are noted (decisions C7: last_used_at comes from verify and hook
// receipts).
const noteUse = time.Minute

// FollowUses records uses of skills.
func (in *Intake) FollowUses(ctx context.Context) error {
	last := map[string]time.Time{}
	for {
		select {
		case <-ctx.Done():
			return nil
		case skill := <-in.uses:
			now := time.Now()
			if now.Sub(last[skill]) < noteUse || len(skill) > 160 {
				continue
			}
			if len(last) > 1000 {
				clear(last)
			}
			last[skill] = now
			if err := in.o.NoteUse(ctx, skill); err != nil && !fault.Is(err, fault.AbilityNotFound) && ctx.Err() == nil {
				in.o.Log.Warn("a skill's use could not be noted", "code", string(fault.CodeOf(err)))
			}
		}
	}
}
