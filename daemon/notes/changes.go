package notes

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"showhow/daemon/journal"
	"showhow/daemon/notes/folder"
	"showhow/daemon/wire"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

// What an agent may have waiting, and how long a proposal waits.
const (
	maxProposed = 50
	maxDaily    = 200 // proposals in 24 hours, also those that were decided or taken back
	maxCaptured = 500
	proposalAge = 30 * 24 * time.Hour
	changeAge   = 90 * 24 * time.Hour // how long the database knows a change set; git knows it for good
)

// Capture keeps something that was said.
func (s *Service) Capture(ctx context.Context, by Actor, c wire.NoteCapture) (wire.NoteCaptured, error) {
	d, err := direct(ctx, s, by, c, func(p *plan) (Doc, error) {
		if by.Agent != "" {
			rows, err := p.tx.NoteRows(KindCaptured)
			if err != nil {
				return Doc{}, err
			}
			n := 0
			for _, r := range rows {
				if r.Doc.By == by.Agent && r.Doc.Status == "open" {
					n++
				}
			}
			if n >= maxCaptured {
				return Doc{}, tooMany(n, "captured items")
			}
		}
		p.Headline = "Capture"
		return p.capture(c)
	})
	return wire.NoteCaptured{ID: d.ID, Status: d.Status, CapturedAt: d.Created}, err
}

func tooMany(n int, what string) error {
	return fault.Newf(fault.NotesTooMany, "%d %s of this agent wait for the person", n, what).
		WithHint("ask the person to look at them: `showhow notes pending` and `showhow notes captured`")
}

// CreateTask makes a task.
func (s *Service) CreateTask(ctx context.Context, by Actor, t wire.TaskCreate) (wire.Task, error) {
	if err := by.onlyPerson("an agent makes no task by itself"); err != nil {
		return wire.Task{}, err
	}
	d, err := direct(ctx, s, by, t, func(p *plan) (Doc, error) {
		p.Headline = "Create task: " + t.Title
		return p.createTask(t)
	})
	return wire.Task{ID: d.ID, Title: d.Title, Status: d.Status, Priority: d.Priority, Due: d.Due, Project: d.Project, Source: d.Source,
		CycleID: d.Cycle, NextReviewAt: d.Review, BlockedByTaskID: d.Blocker, CreatedAt: d.Created, UpdatedAt: d.Updated}, err
}

// AppendNote adds a note.
func (s *Service) AppendNote(ctx context.Context, by Actor, n wire.NoteAppend) (wire.NoteAppended, error) {
	if err := by.onlyPerson("an agent adds no note by itself"); err != nil {
		return wire.NoteAppended{}, err
	}
	d, err := direct(ctx, s, by, n, func(p *plan) (Doc, error) {
		p.Headline = "Add note: " + n.Title
		return p.appendNote(n)
	})
	return wire.NoteAppended{ID: d.ID, Title: d.Title, CreatedAt: d.Created, UpdatedAt: d.Updated}, err
}

// direct does one action as a change set of its own that is committed at once.
func direct[T any](ctx context.Context, s *Service, by Actor, request T, act func(*plan) (Doc, error)) (d Doc, err error) {
	if err := checkAll(request); err != nil {
		return d, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.ready(ctx); err != nil {
		return d, err
	}
	var p *plan
	err = s.o.Store.View(ctx, func(tx Tx) (err error) {
		p = s.newPlan(tx, by)
		if d, err = act(p); err == nil {
			err = p.fits()
		}
		return err
	})
	if err == nil {
		p.Failed, p.Unasked = "discarded", by.Agent != ""
		_, err = s.commit(ctx, &p.Change, "")
	}
	return d, err
}

// Propose plans a change set and stores it; nothing is written before a person commits it.
func (s *Service) Propose(ctx context.Context, by Actor, q wire.ChangesPropose) (wire.ChangesProposed, error) {
	var out wire.ChangesProposed
	if err := by.checks(q.Actor, q); err != nil {
		return out, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.ready(ctx); err != nil {
		return out, err
	}
	err := s.o.Store.Update(ctx, func(tx Tx) error {
		if err := s.roomFor(tx, by); err != nil {
			return err
		}
		p := s.newPlan(tx, by)
		for i, a := range q.Actions {
			if err := p.act(a); err != nil {
				f := *fault.From(err)
				return (&f).WithDetail("action", i)
			}
		}
		if err := p.fits(); err != nil {
			return err
		}
		p.Headline = headline(p.Summary)
		out = wire.ChangesProposed{ChangeSetID: p.ChangeSetID, Summary: p.Summary, Diff: p.to(by).Diff, Status: p.Status}
		if err := tx.PutNoteChange(p.Change); err != nil {
			return err
		}
		return say(tx, journal.NotesProposed, "A change of the notes was proposed.", p.Change)
	})
	return out, err
}

func headline(s wire.ChangesSummary) string {
	return fmt.Sprintf("Commit a proposal: %d new, %d changed", s.Creates, s.Updates)
}

func (p *plan) act(a wire.NoteAction) error {
	switch a.Type {
	case "create_task":
		t, err := decode[wire.TaskCreate](a.Payload)
		if err == nil {
			_, err = p.createTask(t)
		}
		return err
	case "append_note":
		n, err := decode[wire.NoteAppend](a.Payload)
		if err == nil {
			_, err = p.appendNote(n)
		}
		return err
	case "update_task":
		return p.updateTask(a.Payload)
	}
	return p.link(a.Payload)
}

// roomFor refuses an agent that has too much waiting.
func (s *Service) roomFor(tx Tx, by Actor) error {
	if by.Agent == "" {
		return nil
	}
	all, err := tx.NoteChanges("proposed", by.Agent)
	if err != nil {
		return err
	}
	n := 0
	for _, c := range all {
		if !s.old(c) {
			n++
		}
	}
	if n >= maxProposed {
		return tooMany(n, "proposals")
	}
	today, err := tx.CountNoteChanges(by.Agent, clock.At(s.o.Now().Add(-24*time.Hour)))
	if err == nil && today >= maxDaily {
		err = fault.Newf(fault.NotesTooMany, "this agent proposed %d changes within a day", today).
			WithHint("propose more at once, or tomorrow")
	}
	return err
}

func (s *Service) old(c Change) bool {
	return c.Status == "proposed" && s.o.Now().Sub(c.CreatedAt.Time) > proposalAge
}

// Commit writes a change set exactly as it was proposed.
func (s *Service) Commit(ctx context.Context, by Actor, q wire.ChangesCommit) (wire.ChangesCommitted, error) {
	var out wire.ChangesCommitted
	if err := by.onlyPerson("an agent commits nothing"); err != nil {
		return out, err
	}
	if err := by.is(q.ApprovedBy); err != nil {
		return out, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.ready(ctx); err != nil {
		return out, err
	}
	c, err := s.pending(ctx, q.ChangeSetID)
	if err != nil {
		return out, err
	}
	hash, err := s.commit(ctx, &c, "")
	return wire.ChangesCommitted{CommitID: hash, ChangeSetID: c.ChangeSetID, Status: "committed", CommittedAt: c.DecidedAt}, err
}

// pending is a change set that waits.
func (s *Service) pending(ctx context.Context, id string) (c Change, err error) {
	var ok bool
	err = s.o.Store.View(ctx, func(tx Tx) (err error) {
		c, ok, err = tx.NoteChange(id)
		return err
	})
	switch {
	case err != nil:
		return c, err
	case !ok:
		return c, noSuchChange()
	case s.old(c):
		c.Status = "expired"
	}
	if c.Status != "proposed" {
		return c, fault.Newf(fault.NotesNotPending, "the change set is %s", c.Status).
			WithHint("propose the change again").WithDetail("status", c.Status)
	}
	return c, nil
}

// Discard refuses a change set.
func (s *Service) Discard(ctx context.Context, by Actor, id string) (wire.ChangeSet, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c, err := s.pending(ctx, id)
	if err != nil {
		return c.ChangeSet, err
	}
	if by.Agent != "" && c.Actor != by.wire() {
		return wire.ChangeSet{}, fault.New(fault.Forbidden, "the change set is somebody else's").WithHint("an agent discards its own")
	}
	c.decided("discarded", s.o.Now())
	return c.to(by), s.o.Store.Update(ctx, func(tx Tx) error {
		if err := tx.PutNoteChange(c); err != nil {
			return err
		}
		return say(tx, journal.NotesDiscarded, "A proposed change of the notes was discarded.", c)
	})
}

// Trailers of commits.
const (
	trailerChange = "Showhow-Change: "
	trailerBy     = "Showhow-By: "
	trailerUndo   = "Showhow-Undo: "
	// trailerUnasked marks what an agent did without a person's decision, and the undo of it.
	trailerUnasked = "Showhow-Unasked: "
)

// commitID is a commit's id: the hash that git gave it.
func commitID(hash string) string { return "cmt_" + hash }

// commit writes a change set: its row says that it is being committed, git commits it, its row says that it was. A
// process that is killed in between finds out from the history (settle). s.mu is held, and ready was called.
func (s *Service) commit(ctx context.Context, c *Change, undoes string) (id string, err error) {
	writes := map[string]folder.Write{}
	var stale []string
	for name, x := range c.Writes {
		w := folder.Write{Base: x.Base}
		if !x.Remove {
			w.Data = []byte(x.Text)
		}
		writes[name] = w
		if s.state.Files[name] != x.Base {
			stale = append(stale, name)
		}
	}
	if len(stale) > 0 {
		slices.Sort(stale)
		return "", folder.Conflict(stale)
	}
	c.Status = "committing"
	if err := s.o.Store.Update(ctx, func(tx Tx) error { return tx.PutNoteChange(*c) }); err != nil {
		return "", err
	}
	s.o.Step("announced")
	message := c.Headline + "\n\n" + trailerChange + c.ChangeSetID + "\n" + trailerBy + c.Actor.Type + "/" + oneLine(c.Actor.ID) + "\n"
	if undoes != "" {
		message += trailerUndo + undoes + "\n"
	}
	if c.Unasked {
		message += trailerUnasked + "yes\n"
	}
	hash, err := s.folder.Commit(writes, message)
	if err != nil {
		c.failed(s.o.Now())
		_ = s.o.Store.Update(context.WithoutCancel(ctx), func(tx Tx) error { return tx.PutNoteChange(*c) })
		return "", err
	}
	s.o.Step("committed")
	ctx = context.WithoutCancel(ctx)
	if err := s.committed(ctx, c, hash); err != nil {
		return "", err
	}
	s.state, err = s.folder.Sync()
	if err == nil {
		err = s.index(ctx)
	}
	return c.CommitID, err
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// committed records that a change set is in the history.
func (s *Service) committed(ctx context.Context, c *Change, hash string) error {
	c.CommitID = commitID(hash)
	c.decided("committed", s.o.Now())
	return s.o.Store.Update(ctx, func(tx Tx) error {
		if err := tx.PutNoteChange(*c); err != nil {
			return err
		}
		return say(tx, journal.NotesCommitted, "A change of the notes was committed.", *c)
	})
}

// say writes receipt and event of a change set: ids and counts, no text of the notes.
func say(tx Tx, kind journal.EventKind, summary string, c Change) error {
	if err := tx.AddReceipt(journal.Receipt{Kind: kind, Summary: summary, DispatchID: c.ChangeSetID, Reason: c.Actor.Type}); err != nil {
		return err
	}
	return tx.Emit(journal.Event{Kind: kind, Payload: map[string]any{"change_set_id": c.ChangeSetID, "by": c.Actor.Type,
		"creates": c.Summary.Creates, "updates": c.Summary.Updates, "commit_id": c.CommitID}})
}

// settle decides on change sets that a killed process was committing: what is in the history was committed. Old ones go.
func (s *Service) settle(ctx context.Context) error {
	var open []Change
	err := s.o.Store.View(ctx, func(tx Tx) (err error) {
		open, err = tx.NoteChanges("committing", "")
		return err
	})
	if err == nil {
		err = s.o.Store.Update(ctx, func(tx Tx) error { return tx.DropNoteChanges(clock.At(s.o.Now().Add(-changeAge))) })
	}
	if err != nil || len(open) == 0 {
		return err
	}
	hashes := map[string]string{}
	err = s.folder.Commits(1000, func(hash, message string) bool {
		if id := trailer(message, trailerChange); id != "" {
			hashes[id] = hash
		}
		return true
	})
	for i := 0; err == nil && i < len(open); i++ {
		c := open[i]
		if hash := hashes[c.ChangeSetID]; hash != "" {
			err = s.committed(ctx, &c, hash)
			continue
		}
		c.failed(s.o.Now()) // nothing of it was written
		err = s.o.Store.Update(ctx, func(tx Tx) error { return tx.PutNoteChange(c) })
	}
	return err
}

// trailer is the value of a trailer of a commit's message.
func trailer(message, key string) string {
	_, rest, _ := strings.Cut(message, "\n")
	for line := range strings.Lines(rest) {
		if v, ok := strings.CutPrefix(line, key); ok {
			return strings.TrimSpace(v)
		}
	}
	return ""
}

// Archive marks a captured item as done with.
func (s *Service) Archive(ctx context.Context, by Actor, id string) (wire.NoteCaptured, error) {
	if by.Agent != "" {
		return wire.NoteCaptured{}, fault.New(fault.Forbidden, "an agent archives nothing").
			WithHint("ask the person to do it: `showhow notes archive`")
	}
	d, err := direct(ctx, s, by, struct{}{}, func(p *plan) (Doc, error) {
		r, text, err := p.find(id)
		if err != nil {
			return r.Doc, err
		}
		if r.Doc.Kind != KindCaptured {
			return r.Doc, invalid("id", "must be that of a captured item")
		}
		p.Headline, r.Doc.Status = "Archive a captured item", "archived"
		return r.Doc, p.update(r, text, []entry{{"status", "archived"}})
	})
	return wire.NoteCaptured{ID: d.ID, Status: d.Status, CapturedAt: d.Created}, err
}

// Changes lists change sets, newest first: all, or those of a status. An agent sees its own.
func (s *Service) Changes(ctx context.Context, by Actor, status string) (wire.ChangeSets, error) {
	out := wire.ChangeSets{ChangeSets: []wire.ChangeSet{}}
	err := s.o.Store.View(ctx, func(tx Tx) error {
		asked := status
		if status == "expired" {
			asked = "proposed"
		}
		all, err := tx.NoteChanges(asked, by.Agent)
		for _, c := range all {
			if s.old(c) {
				c.Status = "expired"
			}
			if status == "" || c.Status == status {
				out.ChangeSets = append(out.ChangeSets, c.to(by))
			}
		}
		return err
	})
	return out, err
}

// ChangeOf is one change set.
func (s *Service) ChangeOf(ctx context.Context, id string) (wire.ChangeSet, error) {
	var c Change
	var ok bool
	err := s.o.Store.View(ctx, func(tx Tx) (err error) {
		c, ok, err = tx.NoteChange(id)
		return err
	})
	if err == nil && !ok {
		err = noSuchChange()
	}
	if s.old(c) {
		c.Status = "expired"
	}
	return c.ChangeSet, err
}
