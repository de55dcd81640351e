package a2a

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
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

// task is what a caller asked for.
type task struct {
	id      a2a.TaskID
	guest   Guest
	began   clock.Time
	expires clock.Time
	entry   ability.AvailabilityEntry // the skill as it was when the caller asked
	request agentrun.StartRequest
	turn    uint64
	ctx     context.Context
	end     context.CancelFunc
	decided chan decision // takes one

	mu      sync.Mutex
	asks    bool       // a person has not decided yet
	ended   clock.Time // zero: it is not over
	now     func() clock.Time
	shown   a2a.Task
	events  []a2a.Event
	changed chan struct{} // closed with the next event
}

type decision struct {
	allow bool
	plan  string // hash of what the person saw
}

func (s *Service) newTask(g Guest, m *a2a.Message, text string) *task {
	id, within := a2a.NewTaskID(), m.ContextID
	if within == "" {
		within = a2a.NewContextID()
	}
	own := a2a.Message{ID: m.ID, Role: a2a.MessageRoleUser, TaskID: id, ContextID: within, Parts: a2a.ContentParts{a2a.TextPart{Text: text}}}
	now := s.o.Now()
	t := &task{id: id, guest: g, began: now, now: s.o.Now, turn: s.turn(g.CallerID),
		expires: now.Plus(s.o.Wait), decided: make(chan decision, 1), changed: make(chan struct{}),
		shown: a2a.Task{ID: id, ContextID: within, History: []*a2a.Message{&own},
			Status: a2a.TaskStatus{State: a2a.TaskStateSubmitted, Timestamp: &now.Time}}}
	t.ctx, t.end = context.WithCancel(context.Background())
	return t
}

// snapshot is the task as it is now.
func (t *task) snapshot() *a2a.Task {
	t.mu.Lock()
	defer t.mu.Unlock()
	x := t.shown
	x.History, x.Artifacts = slices.Clone(x.History), slices.Clone(x.Artifacts)
	return &x
}

func (t *task) state() a2a.TaskState {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.shown.Status.State
}

func (t *task) over() bool { return t.state().Terminal() }

// old reports whether a task has been over for so long that it is kept no more.
func (t *task) old(now clock.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return !t.ended.IsZero() && now.Sub(t.ended.Time) > keptFor
}

// waits is the task as the person who decides sees it.
func (t *task) waits() (wire.RemoteTask, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return wire.RemoteTask{TaskID: string(t.id), Caller: t.guest.Agent, Skill: t.entry.SkillSlug, Title: t.entry.Title, Goal: t.request.Goal,
		AskedAt: t.began, ExpiresAt: t.expires}, t.asks
}

// take reports whether the task still waits for a decision; then the caller makes it.
func (t *task) take(now clock.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	took := t.asks && now.Before(t.expires.Time)
	t.asks = t.asks && !took
	return took
}

// giveBack lets the task wait again.
func (t *task) giveBack() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.asks = !t.shown.Status.State.Terminal()
}

// set changes the state, unless the task is over, and tells those who follow.
func (t *task) set(state a2a.TaskState, said string, made ...a2a.Part) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.shown.Status.State.Terminal() {
		return
	}
	within := t.shown.ContextID
	if len(made) > 0 {
		e := &a2a.TaskArtifactUpdateEvent{TaskID: t.id, ContextID: within, LastChunk: true,
			Artifact: &a2a.Artifact{ID: a2a.NewArtifactID(), Name: "result", Parts: made}}
		t.shown.Artifacts = append(t.shown.Artifacts, e.Artifact)
		t.events = append(t.events, e)
	}
	e := a2a.NewStatusUpdateEvent(&t.shown, state, nil)
	if said != "" {
		e.Status.Message = &a2a.Message{ID: a2a.NewMessageID(), Role: a2a.MessageRoleAgent, TaskID: t.id, ContextID: within,
			Parts: a2a.ContentParts{a2a.TextPart{Text: said}}}
	}
	e.Final = state.Terminal()
	if t.asks = t.asks && !e.Final; e.Final {
		t.ended = t.now()
	}
	t.shown.Status = e.Status
	t.events = append(t.events, e)
	close(t.changed)
	t.changed = make(chan struct{})
}

// follow yields the task and what happens to it, until it is over or ctx ends.
func (t *task) follow(ctx context.Context) iter.Seq2[a2a.Event, error] {
	return func(yield func(a2a.Event, error) bool) {
		t.mu.Lock()
		seen := len(t.events)
		t.mu.Unlock()
		now := t.snapshot()
		if !yield(now, nil) || now.Status.State.Terminal() {
			return
		}
		for {
			t.mu.Lock()
			news, changed := slices.Clone(t.events[seen:]), t.changed
			t.mu.Unlock()
			for _, e := range news {
				seen++
				if !yield(e, nil) {
					return
				}
				if u, ok := e.(*a2a.TaskStatusUpdateEvent); ok && u.Final {
					return
				}
			}
			if len(news) > 0 {
				continue
			}
			select {
			case <-changed:
			case <-ctx.Done():
				return
			}
		}
	}
}

// until waits until the state satisfies.
func (t *task) until(ctx context.Context, good func(a2a.TaskState) bool) error {
	for {
		t.mu.Lock()
		ok, changed := good(t.shown.Status.State), t.changed
		t.mu.Unlock()
		if ok {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// end is how a task ended.
type end struct {
	state a2a.TaskState
	said  string
	run   string
	made  []a2a.Part
}

// perform has a person decide, and an agent run the skill. However it ends, that is on record, and then told.
func (s *Service) perform(t *task) {
	defer t.end()
	e := s.outcome(t)
	if err := s.o.Note(context.WithoutCancel(t.ctx), journal.RemoteTaskEnded, "What a caller from elsewhere asked for ended.", t.guest.Agent,
		map[string]any{"task_id": string(t.id), "skill": t.entry.SkillSlug, "run_id": e.run, "state": string(e.state)}); err != nil {
		s.o.Log.Warn("the end of a task could not be written down", "code", string(fault.CodeOf(err)))
	}
	t.set(e.state, e.said, e.made...)
}

func (s *Service) outcome(t *task) end {
	late := time.NewTimer(s.o.Wait)
	defer late.Stop()
	var d decision
	select {
	case d = <-t.decided:
	case <-late.C:
		return end{state: a2a.TaskStateRejected, said: "Nobody decided in time."}
	case <-t.ctx.Done():
		return end{state: a2a.TaskStateCanceled}
	}
	if !d.allow {
		return end{state: a2a.TaskStateRejected, said: "The person said no. Do not repeat it."}
	}
	if why := s.changed(t); why != "" {
		return end{state: a2a.TaskStateRejected, said: why}
	}
	t.set(a2a.TaskStateWorking, "")
	r, err := s.o.Runs.StartFor(t.ctx, t.request, agentrun.Assignment{Purpose: "task", For: t.guest.Agent, Plan: d.plan})
	switch {
	case fault.Is(err, fault.RevisionConflict):
		return end{state: a2a.TaskStateRejected, said: "The run would not be given what the person saw."}
	case err != nil:
		return end{state: a2a.TaskStateFailed, said: "It could not begin: " + string(fault.CodeOf(err))}
	}
	e := s.watch(t, r.RunID)
	e.run = r.RunID
	return e
}

// changed says why what a person allowed cannot be done any more, "" if it can. Whether the plan is the one that was seen, is
// compared where the run starts.
func (s *Service) changed(t *task) string {
	if s.o.Live != nil && s.o.Live(t.ctx, t.guest.CallerID) != nil {
		return "The caller is not let in any more."
	}
	if !slices.Equal(t.request.Command, s.o.Command()) {
		return "Another program performs tasks now."
	}
	e, err := s.open(t.ctx, t.guest, t.entry.AbilityID)
	if err != nil || e.ApprovedHash != t.entry.ApprovedHash {
		return "The skill is not what it was when it was asked for."
	}
	return ""
}

// closed reports whether the skill of a task is not open to its caller any more.
func (s *Service) closed(ctx context.Context, t *task) bool {
	if t.entry.AbilityID == "" {
		return false
	}
	e, err := s.o.Abilities.AvailabilityOf(ctx, t.entry.AbilityID)
	if err == nil {
		_, there := e.For([]string{t.guest.Agent})
		return !there
	}
	return fault.Is(err, fault.AbilityNotFound)
}

// looks is how many beats pass between looks at whether the skill is still open to the caller.
const looks = 10

// watch follows a run to its end, and ends it with the task.
func (s *Service) watch(t *task, run string) end {
	ctx := context.WithoutCancel(t.ctx)
	stop := func() {
		if _, err := s.o.Runs.Cancel(ctx, run); err != nil && !fault.Is(err, fault.InvalidLearnStateTransition) {
			s.o.Log.Warn("a run of a caller from elsewhere could not be ended", "code", string(fault.CodeOf(err)))
		}
	}
	shut := end{state: a2a.TaskStateRejected, said: "The skill is not open to the caller any more."}
	done := s.o.Runs.Done(run)
	beat := time.NewTicker(s.o.Beat)
	defer beat.Stop()
	for n, over := 0, false; !over; n++ {
		select {
		case <-done:
			over = true
		case <-t.ctx.Done():
			stop()
			return end{state: a2a.TaskStateCanceled}
		case <-beat.C:
			if n%looks == looks-1 && s.closed(ctx, t) {
				stop()
				return shut
			}
			r, err := s.o.Runs.Get(ctx, run)
			switch was := t.state(); {
			case err != nil:
			case r.State == agentrun.Waiting && was == a2a.TaskStateWorking:
				t.set(a2a.TaskStateInputRequired, "The run has asked the person something.")
			case r.State != agentrun.Waiting && was == a2a.TaskStateInputRequired:
				t.set(a2a.TaskStateWorking, "")
			}
		}
	}
	if s.closed(ctx, t) {
		return shut
	}
	r, err := s.o.Runs.Get(ctx, run)
	e := end{state: a2a.TaskStateFailed}
	switch {
	case err != nil:
		e.said = "What became of it is not known."
	case r.State == agentrun.Succeeded:
		e.state = a2a.TaskStateCompleted
	case r.State == agentrun.Cancelled:
		e.state = a2a.TaskStateCanceled
	default:
		e.said = "The run failed: " + r.ReasonCode
	}
	e.made = s.result(ctx, run, r)
	return e
}

// result is what a caller gets of a run.
func (s *Service) result(ctx context.Context, run string, r agentrun.Run) []a2a.Part {
	if r.RunID == "" {
		return nil
	}
	o, err := s.o.Runs.Output(ctx, run, 0)
	text := o.Text
	if err != nil {
		text = ""
	}
	if n := len(text) - maxOutput; n > 0 { // its end says most
		text = fmt.Sprintf("(%d bytes before this are left out)\n", n) + strings.ToValidUTF8(text[n:], "")
	}
	out := []a2a.Part{a2a.DataPart{Data: map[string]any{"state": string(r.State), "reason_code": r.ReasonCode}}}
	if text != "" {
		out = append(out, a2a.TextPart{Text: text})
	}
	return out
}
