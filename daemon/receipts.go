package daemon

import (
	"context"
	"sync"
	"time"

	"showhow/adapters/receipts"
	"showhow/adapters/receipts/report"
	"showhow/daemon/api"
	"showhow/daemon/observe"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

var _ api.Observed = (*intake)(nil)

// intake takes receipts in: those that the session's scope admits go to it, those of an agent whose runs are kept into its
// run. It also keeps the marks by which hooks learn, with one stat, whether anybody wants their receipts.
type intake struct {
	*observe.Journal
	hooks
	d    *Daemon
	desk *receipts.Desk
	dir  string // of the marks

	mu    sync.Mutex
	calls callMemory
	marks sync.Mutex // held while they are written
	off   bool       // marks: the daemon was told to stop, hooks must not start it again
	uses  chan string
}

func (d *Daemon) newIntake() *intake {
	in := &intake{d: d, dir: report.Dir(d.o.Roots.State), uses: make(chan string, 64)}
	in.desk = receipts.NewDesk(receipts.Options{Hooked: in.hooked, Changed: in.mark})
	return in
}

// open makes the journal and recovers it; then the marks are true again.
func (in *intake) open(ctx context.Context) error {
	d := in.d
	in.Journal = observe.New(observe.Options{Store: d.store.Observed(), Keys: d.keys, Home: d.o.Roots.Home, Now: d.o.Test.Now,
		NewID: clock.NewID, Every: d.o.Test.Every, Log: d.log, Changed: in.mark})
	in.hooks = hooks{d: d}
	if err := in.hooks.load(ctx); err != nil {
		return err
	}
	if err := in.Journal.Recover(ctx); err != nil {
		return err
	}
	in.mark()
	return nil
}

// mark makes the marks say what is wanted now.
func (in *intake) mark() {
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
		in.d.log.Warn("the marks of wanted receipts could not be written: hooks may report in vain, or not", "code", string(fault.CodeOf(err)))
	}
}

// stopping takes every mark away when a person stops the daemon: a hook would start it again.
func (in *intake) stopping() {
	in.marks.Lock()
	in.off = true
	in.marks.Unlock()
	in.mark()
}

// Take implements api.Observed.
func (in *intake) Take(_ context.Context, rs []report.Receipt) {
	for _, r := range rs {
		if r.Event == report.EventRunEnd {
			in.Journal.End(r.Agent, r.RunID)
			continue
		}
		if in.again(r) {
			continue
		}
		now := in.d.o.Test.Now()
		o := receipts.Observation(r, now)
		wanted := in.desk.Hand(o)
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

// again reports whether a call was reported before: a hook may be installed twice, for the person and for a project.
func (in *intake) again(r report.Receipt) bool {
	if r.CallID == "" {
		return false
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	return in.calls.seen(r.Agent + "\x00" + r.RunID + "\x00" + r.CallID)
}

// callMemory remembers the last calls.
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

// Agents implements api.Observed: what the journal knows, with hooks and with what could not be delivered.
func (in *intake) Agents(ctx context.Context) ([]observe.Agent, error) {
	as, err := in.Journal.Agents(ctx)
	if err != nil {
		return nil, err
	}
	as = in.hooks.join(as)
	for i := range as {
		as[i].Missed += report.Missed(in.dir, as[i].Agent)
	}
	return as, nil
}

// Agent implements api.Observed.
func (in *intake) Agent(ctx context.Context, name string) (observe.Agent, error) {
	as, err := in.Agents(ctx)
	for _, a := range as {
		if a.Agent == name {
			return a, err
		}
	}
	return observe.Agent{Agent: name}, err
}

// SetJournal implements api.Observed. A consent that is given or withdrawn starts the count of what was missed anew.
func (in *intake) SetJournal(ctx context.Context, m observe.Meta, agent string, on bool) error {
	if !report.ValidAgent(agent) {
		return fault.New(fault.InvalidRequest, "this is no agent's name").WithHint("name it as its hook does: claude-code, codex, openclaw, or the name after --agent")
	}
	if err := in.Journal.SetJournal(ctx, m, agent, on); err != nil {
		return err
	}
	return report.Forget(in.dir, agent)
}

// noteUse is how often a use of one skill is noted (decisions C7: last_used_at comes from verify and hook receipts).
const noteUse = time.Minute

// followUses notes that skills were used.
func (in *intake) followUses(ctx context.Context) error {
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
			if err := in.d.abilities.NoteUse(ctx, skill); err != nil && !fault.Is(err, fault.AbilityNotFound) && ctx.Err() == nil {
				in.d.log.Warn("a skill's use could not be noted", "code", string(fault.CodeOf(err)))
			}
		}
	}
}
