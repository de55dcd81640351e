package housekeeping

import (
	"context"
	"slices"

	"showhow/daemon/journal"
	"showhow/daemon/learn/change"
	"showhow/daemon/learn/state"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// Delete removes a session and its raw data. A session that has not ended is cancelled first, or rejected if it is ready for review
// (decisions A2). Deleting the first session of a target deletes its examples too. An installed skill and its proposal stay.
func (s *Service) Delete(ctx context.Context, m state.Meta, id string) error {
	if err := state.UserOnly(m); err != nil {
		return err
	}
	sess, err := s.d.Changes.Peek(ctx, id)
	if err != nil {
		return err
	}
	if !sess.Ended {
		if err := state.CheckNotImport(sess); err != nil {
			return err
		}
	}
	if err := state.CheckRevision(m, sess.Revision); err != nil {
		return err
	}
	m.IfMatch = nil
	if err := s.d.Control.CancelRunOf(context.WithoutCancel(ctx), sess); err != nil { // nothing may be added to a deleted session
		return err
	}
	if err := s.endFirst(ctx, m, sess); err != nil {
		return err
	}
	defer s.d.Changes.Lock(sess.TargetID)()
	gone, err := s.deletedWith(ctx, sess)
	if err != nil {
		return err
	}
	targets, err := s.emptiedTargets(ctx, gone)
	if err != nil {
		return err
	}
	ctx = context.WithoutCancel(ctx)
	d := state.Deletion{DeletionID: s.d.NewID(), Sessions: sessionIDs(gone), Targets: targets}
	if err := s.d.Changes.Update(ctx, m, func(set *change.Set) error { return removeSessions(set, gone, d) }); err != nil {
		return err
	}
	if err := s.d.Query.RefreshRuntime(ctx); err != nil {
		return err
	}
	return s.finishDeletion(ctx, d)
}

// finishDeletion removes the raw data of deleted sessions. Their records are gone already, so the purge, which
// rewrites the database, removes every byte of them too; an interrupted purge is finished at the next start.
func (s *Service) finishDeletion(ctx context.Context, d state.Deletion) error {
	if err := s.d.Drafts.SweepDrafts(ctx); err != nil {
		return err
	}
	if err := s.d.Purger.Purge(ctx, d.Sessions, d.Targets); err != nil {
		return err
	}
	return s.d.Store.Update(ctx, func(tx state.Tx) error { return tx.DropDeletion(d.DeletionID) })
}

// FinishDeletions finishes deletions that a crash or a busy database interrupted.
func (s *Service) FinishDeletions(ctx context.Context) error {
	var open []state.Deletion
	err := s.d.Store.View(ctx, func(tx state.Tx) (err error) {
		open, err = tx.Deletions()
		return err
	})
	for _, d := range open {
		if err == nil {
			err = s.finishDeletion(ctx, d)
		}
	}
	return err
}

// endFirst ends a session that has not ended.
func (s *Service) endFirst(ctx context.Context, m state.Meta, sess state.Session) error {
	if sess.Ended {
		return nil
	}
	if sess.ExampleOf != "" && !state.CanGo(sess.State, state.Cancelled) {
		return state.NotAllowedWhile(sess.State, "an example whose draft is being decided cannot be deleted").(*fault.Error).
			WithHint("decide on the draft, or delete the first session")
	}
	switch {
	case state.CanGo(sess.State, state.Cancelled):
		_, err := s.d.Control.Cancel(ctx, m, sess.LearnSessionID, "deleted")
		return err
	case sess.State == state.ReadyForReview:
		_, err := s.d.Install.Reject(ctx, m, sess.ProposalID, wire.RejectProposalRequest{Reason: "deleted", SchemaVersion: 1})
		return err
	}
	return state.NotAllowedWhile(sess.State, "an installation is under way: nothing can be deleted")
}

// deletedWith lists the sessions that are deleted with sess: all of its target when it is the first one. A session
// whose draft was taken up again leaves only its history entry.
func (s *Service) deletedWith(ctx context.Context, sess state.Session) ([]state.Session, error) {
	if sess.ExampleOf != "" || sess.TakenUpBy != "" {
		return []state.Session{sess}, nil
	}
	var out []state.Session
	err := s.d.Store.View(ctx, func(tx state.Tx) (err error) {
		out, err = tx.TargetSessions(sess.TargetID)
		return err
	})
	return out, err
}

// removeSessions removes the records of sessions and notes that their raw data must follow. Receipts stay; they hold
// ids only.
func removeSessions(set *change.Set, gone []state.Session, d state.Deletion) error {
	if err := set.PutDeletion(d); err != nil {
		return err
	}
	for _, g := range gone {
		if err := set.Record(journal.SessionDeleted, &g, "user", nil); err != nil {
			return err
		}
		if err := forgetProposal(set, g); err != nil {
			return err
		}
		if err := unlinkExample(set, g); err != nil {
			return err
		}
		if err := set.DeleteSession(g.LearnSessionID); err != nil {
			return err
		}
		for _, f := range []string{state.SessionFile(g.LearnSessionID), state.ArchivedSessionFile(g.LearnSessionID)} {
			if err := set.RemoveFile(f); err != nil {
				return err
			}
		}
	}
	return nil
}

// forgetProposal removes the draft of a deleted session, unless something was installed from it.
func forgetProposal(set *change.Set, g state.Session) error {
	if g.ProposalID == "" || g.ExampleOf != "" || g.TakenUpBy != "" {
		return nil
	}
	p, ok, err := set.Proposal(g.ProposalID)
	if err != nil || !ok || p.AbilityID != "" {
		return err
	}
	if err := set.DeleteProposal(p.ProposalID); err != nil {
		return err
	}
	files := []string{state.ProposalFile(p.ProposalID), state.ArchivedProposalFile(p.ProposalID), state.ArchivedRunsFile(p.ProposalID)}
	if p.InterpretationID != "" { // an import's has none
		files = append(files, state.InterpretationFile(p.InterpretationID))
	}
	for _, f := range files {
		if err := set.RemoveFile(f); err != nil {
			return err
		}
	}
	return nil
}

func unlinkExample(set *change.Set, g state.Session) error {
	if g.ExampleOf == "" {
		return nil
	}
	root, err := set.Load(g.ExampleOf)
	if fault.Is(err, fault.LearnSessionNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	root.ExampleIDs = slices.DeleteFunc(root.ExampleIDs, func(id string) bool { return id == g.LearnSessionID })
	set.Touch(root)
	return nil
}
