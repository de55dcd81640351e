package observe

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"showhow/capture"
	"showhow/capture/redact"
	"showhow/daemon/journal"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

// Options holds what a Journal needs.
type Options struct {
	Store Store
	Keys  capture.Keyring
	Home  string // shown as ~
	Now   func() time.Time
	NewID func() string
	Every time.Duration // how often due work is done; 0 means every 30 s
	Log   *slog.Logger
	// Changed is called after a consent was given or withdrawn; may be nil.
	Changed func()
}

// Journal keeps agents' runs. Its methods are safe for concurrent use.
type Journal struct {
	o       Options
	entries chan entry
	asks    chan func(context.Context) // what must happen between entries; only while Run runs
	ended   chan struct{}              // closed when Run has returned

	mu     sync.Mutex
	agents map[string]StoredAgent
	heard  map[string]bool // LastHeardAt is newer than what is stored
	missed map[string]int64

	// The rest belongs to Run's goroutine.
	open      map[runKey]*openRun
	redactor  *redact.Redactor
	restSince time.Time
	lastPurge time.Time
}

type runKey struct{ agent, id string }

// entry is one report of an agent.
type entry struct {
	key runKey
	o   capture.Observation
	end bool // the run is over
}

// queue is how many reports may wait. Agents make a few calls a second.
const queue = 1024

// New makes a journal; call Recover, then Run.
func New(o Options) *Journal {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Journal{o: o, entries: make(chan entry, queue), asks: make(chan func(context.Context)), ended: make(chan struct{}),
		agents: map[string]StoredAgent{}, heard: map[string]bool{}, missed: map[string]int64{}, open: map[runKey]*openRun{}}
}

func (j *Journal) now() clock.Time { return clock.At(j.o.Now()) }

// Recover reads the consents and purges what became due while no daemon ran. Call it once, before anything is served.
func (j *Journal) Recover(ctx context.Context) error {
	err := j.o.Store.View(ctx, func(tx Tx) error {
		all, err := tx.Agents()
		for _, a := range all {
			j.agents[a.Agent] = a
		}
		return err
	})
	if err != nil {
		return err
	}
	if err := j.markDue(ctx); err != nil {
		return err
	}
	return j.purgeGone(ctx)
}

// Run stores what is taken until ctx ends; then it stores what was taken before and returns.
func (j *Journal) Run(ctx context.Context) error {
	defer close(j.ended)
	every := j.o.Every
	if every <= 0 {
		every = 30 * time.Second
	}
	tick := time.NewTicker(every)
	defer tick.Stop()
	work := context.WithoutCancel(ctx) // what was begun is finished
	for {
		select {
		case e := <-j.entries:
			j.keep(work, e)
		case f := <-j.asks:
			j.drain(work)
			f(work)
		case <-tick.C:
			j.Tick(ctx)
		case <-ctx.Done():
			j.drain(work)
			j.closeAll(work)
			j.storeHeard(work)
			return nil
		}
	}
}

// drain stores what waits.
func (j *Journal) drain(ctx context.Context) {
	for {
		select {
		case e := <-j.entries:
			j.keep(ctx, e)
		default:
			return
		}
	}
}

// ask runs f in Run's goroutine, after everything that was taken before.
func (j *Journal) ask(ctx context.Context, f func(context.Context)) error {
	done := make(chan struct{})
	select {
	case j.asks <- func(ctx context.Context) { defer close(done); f(ctx) }:
	case <-j.ended:
		return fault.New(fault.Cancelled, "the daemon is ending")
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Take keeps an agent's report if the person allows its runs to be kept. It never blocks. agentRun is the agent's own
// id of its run; without one the report belongs to the open run.
func (j *Journal) Take(agent, agentRun string, o capture.Observation) bool {
	return j.put(entry{key: runKey{agent, agentRun}, o: o})
}

// End notes that an agent ended its run.
func (j *Journal) End(agent, agentRun string) { j.put(entry{key: runKey{agent, agentRun}, end: true}) }

func (j *Journal) put(e entry) bool {
	if e.key.agent == "" || !j.Consented(e.key.agent) {
		return false
	}
	select {
	case j.entries <- e:
		return true
	default:
		j.miss(e.key.agent)
		return false
	}
}

func (j *Journal) miss(agent string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.missed[agent]++
}

// Consented reports whether an agent's runs are kept.
func (j *Journal) Consented(agent string) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.agents[agent].Journal
}

// Kept lists the agents whose runs are kept.
func (j *Journal) Kept() []string {
	j.mu.Lock()
	defer j.mu.Unlock()
	var out []string
	for _, a := range j.agents {
		if a.Journal {
			out = append(out, a.Agent)
		}
	}
	return out
}

// Heard notes that a receipt of an agent was accepted, by a session or by the journal.
func (j *Journal) Heard(agent string) {
	if agent == "" {
		return
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	a := j.agents[agent]
	a.Agent, a.LastHeardAt = agent, j.now().Ptr()
	j.agents[agent], j.heard[agent] = a, true
}

// SetJournal gives or withdraws the consent for an agent. Withdrawing it purges everything that was kept.
func (j *Journal) SetJournal(ctx context.Context, m Meta, agent string, on bool) error {
	now := j.now()
	j.mu.Lock()
	a := j.agents[agent]
	was := a.Journal
	a.Agent, a.Journal, a.JournalSince = agent, on, nil
	if on {
		a.JournalSince = now.Ptr()
		if was {
			a.JournalSince = j.agents[agent].JournalSince
		}
	}
	if !on {
		j.agents[agent] = a // from here on nothing is accepted, even if the store fails
	}
	j.mu.Unlock()
	kind, summary := journal.JournalOn, "an agent's runs are kept for a day"
	if !on {
		kind, summary = journal.JournalOff, "an agent's runs are kept no longer"
	}
	err := j.o.Store.Update(ctx, func(tx Tx) error {
		if err := tx.PutAgent(a); err != nil || was == on {
			return err
		}
		return tell(tx, kind, agent, summary, m, now, nil)
	})
	if err != nil {
		return err
	}
	j.mu.Lock()
	a.LastHeardAt = j.agents[agent].LastHeardAt
	j.agents[agent] = a
	j.mu.Unlock()
	if j.o.Changed != nil {
		j.o.Changed()
	}
	if on {
		return nil
	}
	_, err = j.delete(ctx, m, agent, func(r StoredRun) bool { return r.Agent == agent })
	return err
}

// tell writes receipt and event; reason is the agent's name.
func tell(tx Tx, kind journal.EventKind, agent, summary string, m Meta, at clock.Time, payload map[string]any) error {
	if payload == nil {
		payload = map[string]any{}
	}
	if agent != "" {
		payload["agent"] = agent
	}
	if err := tx.AddReceipt(journal.Receipt{Kind: kind, Reason: agent, Summary: summary, CorrelationID: m.CorrelationID,
		CreatedAt: at}); err != nil {
		return err
	}
	return tx.Emit(journal.Event{Kind: kind, Timestamp: at, Payload: payload})
}
