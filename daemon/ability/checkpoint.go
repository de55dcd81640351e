package ability

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"showhow/daemon/capability/health"
	"showhow/daemon/journal"
	"showhow/daemon/skill"
	"showhow/daemon/wire"
	"showhow/internal/fault"
	"showhow/internal/plain"
)

// Checkpoints records agents' reports of checkpoints and of use.
type Checkpoints struct {
	*registry
	runs      dispatches
	following *followers
}

// VerifyCheckpoint records what was seen at a checkpoint (decisions C7). It is voluntary: an ability is equally usable
// without. The same status for the same session or dispatch leaves one receipt; a different status leaves its own. A
// report that names neither belongs to the reporter's current run of the ability (dispatches); nobody reports on another's
// run. An agent that the approval does not name reports nothing, and nobody reports a checkpoint that the ability does not
// declare: it would count as a pass that nothing defines.
func (s *Checkpoints) VerifyCheckpoint(ctx context.Context, r VerifyCheckpointRequest, by Reporter) (journal.CheckpointReceipt, error) {
	if err := s.checkVerify(ctx, r); err != nil {
		return journal.CheckpointReceipt{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	w, err := s.load(ctx)
	if err != nil {
		return journal.CheckpointReceipt{}, err
	}
	receipt := journal.CheckpointReceipt{ReceiptID: s.o.NewID(), CheckpointID: r.CheckpointID, LearnSessionID: r.LearnSessionID,
		DispatchID: r.DispatchID, Status: r.Status, Evidence: s.redact(r.Evidence), Reason: s.redact(r.Reason),
		CheckedBy: by.Kind, ReportedBy: by.Name, CreatedAt: s.now(), SchemaVersion: 1}
	at := -1
	if r.AbilityID != "" {
		if at = find(w.abilities, r.AbilityID); at < 0 {
			return receipt, notFound()
		}
		a := w.abilities[at]
		if !by.admitted(a) {
			if wire.FromElsewhere(by.Names) {
				return receipt, notFound()
			}
			return receipt, notUsable(a.Slug, wire.ForOtherAgents, wire.ForOtherAgentsCode)
		}
		if !slices.Contains(a.Checkpoints, r.CheckpointID) {
			return receipt, undeclared(a)
		}
		if err := s.ownRun(ctx, r.DispatchID, by); err != nil {
			return receipt, err
		}
		receipt.AbilityID = a.AbilityID
		s.following.note(by.Name, by.mark(), receipt.AbilityID, receipt.CreatedAt)
	}
	if r.LearnSessionID == "" && r.DispatchID == "" {
		receipt.DispatchID = s.dispatch(w.abilities[at], r.CheckpointID, by)
	}
	kept, err := s.keepReceipt(ctx, w, at, receipt, by, r)
	if err == nil && at >= 0 && kept.DispatchID != "" {
		s.runs.follow(followKey{by.Key, kept.DispatchID}, kept.AbilityID, kept.CheckpointID, kept.Status, kept.CreatedAt)
	}
	return kept, err
}

// ownRun refuses a run that another reporter reported on first.
func (s *Checkpoints) ownRun(ctx context.Context, dispatch string, by Reporter) error {
	if dispatch == "" {
		return nil
	}
	var first []journal.CheckpointReceipt
	err := s.o.Store.View(ctx, func(tx Tx) (err error) {
		first, _, err = tx.CheckpointReceipts(ReceiptFilter{DispatchID: dispatch}, 1, 1)
		return err
	})
	if err == nil && len(first) > 0 && first[0].ReportedBy != by.Name {
		return fault.New(fault.InvalidRequest, "another reporter's run has this id, so nothing was recorded").
			WithHint("choose another id for the run, or name none").WithDetail("reason", "dispatch_of_another")
	}
	return err
}

func (s *Checkpoints) checkVerify(ctx context.Context, r VerifyCheckpointRequest) error {
	switch {
	case r.LearnSessionID != "" && r.DispatchID != "":
		return fault.New(fault.InvalidRequest, "a verification names a learn_session_id or a dispatch_id, not both")
	case r.CheckpointID == "":
		return fault.New(fault.InvalidRequest, "a verification names its checkpoint")
	case !skill.CheckpointForm(r.CheckpointID):
		return fault.New(fault.InvalidRequest, "this is not the id of a checkpoint").
			WithHint("an id has at most 160 letters, digits, dashes, dots and underscores, and does not begin with a dash")
	case utf8.RuneCountInString(r.DispatchID) > 160 || strings.ContainsAny(r.DispatchID, "\n\t") ||
		plain.Visible(r.DispatchID) != r.DispatchID:
		return fault.New(fault.InvalidRequest, "the id of a run is a line of plain text").
			WithHint("it has at most 160 characters, none of them a control character or invisible")
	case r.AbilityID == "" && r.LearnSessionID == "":
		return fault.New(fault.InvalidRequest, "a verification names its ability").WithHint("`showhow ability list` names them")
	case !slices.Contains([]string{"reached", "skipped", "failed"}, r.Status):
		return fault.New(fault.InvalidRequest, "a checkpoint is reached, skipped or failed")
	}
	if r.LearnSessionID != "" && s.o.KnownSession != nil {
		if ok, err := s.o.KnownSession(ctx, r.LearnSessionID); err != nil || !ok {
			if err == nil {
				err = fault.New(fault.LearnSessionNotFound, "there is no such learn session")
			}
			return err
		}
	}
	return nil
}

// undeclared refuses a report of a checkpoint that the ability does not declare, and names those that it does.
func undeclared(a Ability) error {
	if len(a.Checkpoints) == 0 {
		return fault.New(fault.NotFound, "the skill declares no checkpoints, so nothing was recorded").
			WithHint("a skill declares its checkpoints in "+skill.ChecksFile).WithDetail("checkpoint_ids", []string{})
	}
	return fault.New(fault.NotFound, "the skill does not declare this checkpoint, so nothing was recorded").
		WithHint("it declares "+plain.Listed(a.Checkpoints, 300)).WithDetail("checkpoint_ids", a.Checkpoints)
}

// redact is an agent's text as it is kept: without secrets, and without what a terminal would obey or a reader would not
// see.
func (s *Checkpoints) redact(text string) string {
	if s.o.Redact != nil {
		text = s.o.Redact(text)
	}
	return plain.Cut(plain.Visible(text), 1000)
}

// keepReceipt writes a new receipt with its events and its effect on the ability; for a duplicate it returns the
// earlier receipt.
func (s *Checkpoints) keepReceipt(ctx context.Context, w *world, at int, r journal.CheckpointReceipt,
	by Reporter, said VerifyCheckpointRequest) (journal.CheckpointReceipt, error) {
	var same journal.CheckpointReceipt
	var found bool
	err := s.o.Store.View(ctx, func(tx Tx) (err error) { same, found, err = tx.SameCheckpoint(r); return err })
	if err != nil || found {
		return same, err
	}
	if at < 0 {
		return r, s.o.Store.Update(ctx, func(tx Tx) error { return writeCheckpoint(tx, r) })
	}
	s.observe(w)
	a := &w.abilities[at]
	defer s.counts.forget(a.AbilityID)
	before := checkpointHealth(*a, w.counts[a.AbilityID])
	w.counts[a.AbilityID] = w.counts[a.AbilityID].plus(r.Status)
	t := s.wayTrace(*a, r, said.Surface)
	if o, says := checkpointOutcome(r, by); says {
		if t != nil {
			o.TraceID = t.TraceID
		}
		if o.Renamed, err = s.renamed(ctx, *a, by, said.Renamed); err != nil {
			return r, err
		}
		s.count(w, a, o)
	}
	a.LastUsedAt = r.CreatedAt.Ptr()
	w.dirty[a.AbilityID] = true // a use is no edit: the revision stays
	c := change{trigger: TriggerUsed, quiet: true, session: r.LearnSessionID, inTx: func(tx Tx) error {
		return errors.Join(writeCheckpoint(tx, r), writeTrace(tx, *a, t))
	}}
	if checkpointHealth(*a, w.counts[a.AbilityID]) != before || len(w.fared) > 0 {
		c.trigger, c.quiet = TriggerCapabilityHealth, false
	}
	return r, s.apply(ctx, w, c)
}

// renamed are the controls that a report says are called otherwise: those that the ability has. What looks like a
// secret is no control's name.
func (s *Checkpoints) renamed(ctx context.Context, a Ability, by Reporter, said []wire.RenamedReport) (out []health.Renamed, err error) {
	for _, x := range said {
		now := plain.Squeeze(plain.Cut(s.redact(x.Now), 240))
		if s.o.Named == nil || now == "" || strings.EqualFold(now, plain.Squeeze(x.Was)) || s.o.Secret != nil && s.o.Secret(x.Now) {
			continue
		}
		steps, err := s.o.Named(ctx, a, x.Was)
		if err != nil {
			return nil, err
		}
		for _, id := range steps {
			out = append(out, health.Renamed{Step: id, Name: now, Agent: cmp.Or(by.Name, by.Kind),
				Changes: []string{fmt.Sprintf("it is called %q now, it was called %q", now, plain.Cut(plain.Squeeze(x.Was), 240))}})
		}
	}
	return out, nil
}

func (c CheckpointCounts) plus(status string) CheckpointCounts {
	switch status {
	case "reached":
		c.Reached++
	case "skipped":
		c.Skipped++
	default:
		c.Failed++
	}
	return c
}

// CheckpointReceipts returns a page of receipts, oldest first, and their total.
func (s *Checkpoints) CheckpointReceipts(ctx context.Context, f ReceiptFilter, page, pageSize int) (out []journal.CheckpointReceipt,
	total int, err error) {
	err = s.o.Store.View(ctx, func(tx Tx) (err error) { out, total, err = tx.CheckpointReceipts(f, page, pageSize); return err })
	return out, total, err
}

// wayTrace is the trace of a checkpoint whose reporter says which way it went: a fallback is on record (baseline 1.1E,
// 1.1F). nil when it says nothing.
func (s *Checkpoints) wayTrace(a Ability, r journal.CheckpointReceipt, surface string) *health.Trace {
	if surface == "" || len(a.Manifest.SurfaceOrder) == 0 {
		return nil
	}
	preferred := a.Manifest.SurfaceOrder[0]
	t := &health.Trace{TraceID: s.o.NewID(), SessionKey: r.DispatchID, SurfacesAttempted: []string{preferred},
		FallbackUsed: surface != preferred, Success: r.Status == "reached", CreatedAt: r.CreatedAt, SchemaVersion: 1,
		Steps: []health.TraceStep{{StepID: plain.Cut(r.CheckpointID, 80), ActionLabel: "checkpoint", Surface: surface,
			Success: r.Status == "reached"}},
		Verification: []health.Verification{{Kind: "checkpoint", Passed: r.Status == "reached", Detail: plain.Cut(r.CheckpointID, 500)}}}
	if t.FallbackUsed {
		t.SurfacesAttempted = append(t.SurfacesAttempted, surface)
	}
	if !t.Success {
		t.FailureFingerprint = plain.Cut(r.CheckpointID+"/checkpoint_failed", 160)
	}
	return t
}

// NoteOpened records that a reporter opened an ability, named by its id or slug: it follows it from now on.
func (s *Checkpoints) NoteOpened(ctx context.Context, by Reporter, name string) error {
	if by.Name == "" { // nobody whose calls could be told from others'
		return nil
	}
	var all []Ability
	err := s.o.Store.View(ctx, func(tx Tx) (err error) { all, err = tx.Abilities(); return err })
	if err != nil {
		return err
	}
	if i := find(all, name); i >= 0 {
		s.following.note(by.Name, by.mark(), all[i].AbilityID, s.now())
	}
	return nil
}

// NoteUse records that an agent used the ability (hook receipts).
func (s *Checkpoints) NoteUse(ctx context.Context, id string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	w, err := s.load(ctx)
	if err != nil {
		return err
	}
	i := find(w.abilities, id)
	if i < 0 {
		return notFound()
	}
	s.observe(w)
	w.abilities[i].LastUsedAt = s.now().Ptr()
	w.dirty[w.abilities[i].AbilityID] = true
	return s.apply(ctx, w, change{trigger: TriggerUsed, quiet: true})
}

// mark identifies a reporter without naming it.
func (r Reporter) mark() string {
	sum := sha256.Sum256([]byte(r.Kind + "\x00" + r.Key))
	return hex.EncodeToString(sum[:6])
}

// checkpointOutcome is the outcome that an agent's checkpoint report gives the ability. A skipped checkpoint gives
// none.
func checkpointOutcome(r journal.CheckpointReceipt, by Reporter) (health.Outcome, bool) {
	o := health.Outcome{OutcomeID: r.ReceiptID, Source: health.Report, Step: r.CheckpointID, At: r.CreatedAt, By: by.mark()}
	switch r.Status {
	case "reached":
		o.Result = health.Passed
	case "failed":
		o.Result, o.Code = health.Failed, "checkpoint_failed"
	default:
		return o, false
	}
	return o, true
}
