package learn

import (
	"context"
	"slices"

	"showhow/daemon/journal"
	"showhow/internal/fault"
)

// Delete removes a session and everything raw of it. Before the end it cancels, or rejects what is ready for review
// (decisions A2). The first session of a target takes its examples along. An installed skill and its proposal stay.
func (s *Service) Delete(ctx context.Context, m Meta, id string) error {
	if err := userOnly(m); err != nil {
		return err
	}
	sess, err := s.peek(ctx, id)
	if err != nil {
		return err
	}
	if !sess.Ended {
		if err := decidedOnImport(sess); err != nil {
			return err
		}
	}
	if err := seen(m, sess.Revision); err != nil {
		return err
	}
	m.IfMatch = nil
	if err := s.cancelRunOf(context.WithoutCancel(ctx), sess); err != nil { // nothing may be added to what is deleted
		return err
	}
	if err := s.endFirst(ctx, m, sess); err != nil {
		return err
	}
	defer s.locks.lock(sess.TargetID)()
	gone, err := s.goneWith(ctx, sess)
	if err != nil {
		return err
	}
	targets, err := s.keyless(ctx, gone)
	if err != nil {
		return err
	}
	ctx = context.WithoutCancel(ctx)
	d := Deletion{DeletionID: s.d.NewID(), Sessions: idsOf(gone), Targets: targets}
	if err := s.update(ctx, m, func(u *unit) error { return u.delete(gone, d) }); err != nil {
		return err
	}
	if err := s.RefreshRuntime(ctx); err != nil {
		return err
	}
	return s.finishDeletion(ctx, d)
}

// finishDeletion removes the raw data of deleted sessions. The records go first, so that the purge, which rewrites the
// database, leaves no byte of them either; what is interrupted is finished at the next start.
func (s *Service) finishDeletion(ctx context.Context, d Deletion) error {
	if err := s.sweepDrafts(ctx); err != nil {
		return err
	}
	if err := s.d.Purger.Purge(ctx, d.Sessions, d.Targets); err != nil {
		return err
	}
	return s.d.Store.Update(ctx, func(tx Tx) error { return tx.DropDeletion(d.DeletionID) })
}

// finishDeletions finishes what a crash or a busy database interrupted.
func (s *Service) finishDeletions(ctx context.Context) error {
	var open []Deletion
	err := s.d.Store.View(ctx, func(tx Tx) (err error) {
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
func (s *Service) endFirst(ctx context.Context, m Meta, sess Session) error {
	if sess.Ended {
		return nil
	}
	if sess.ExampleOf != "" && !CanGo(sess.State, Cancelled) {
		return notWhile(sess.State, "an example whose draft is being decided cannot be deleted").(*fault.Error).
			WithHint("decide on the draft, or delete the first session")
	}
	switch {
	case CanGo(sess.State, Cancelled):
		_, err := s.Cancel(ctx, m, sess.LearnSessionID, "deleted")
		return err
	case sess.State == ReadyForReview:
		_, err := s.Reject(ctx, m, sess.ProposalID, RejectRequest{Reason: "deleted", SchemaVersion: 1})
		return err
	}
	return notWhile(sess.State, "an installation is under way: nothing can be deleted")
}

// goneWith are the sessions that are deleted with one: all of its target when it is the first.
func (s *Service) goneWith(ctx context.Context, sess Session) ([]Session, error) {
	if sess.ExampleOf != "" {
		return []Session{sess}, nil
	}
	var out []Session
	err := s.d.Store.View(ctx, func(tx Tx) (err error) {
		out, err = tx.TargetSessions(sess.TargetID)
		return err
	})
	return out, err
}

// delete removes the records of sessions and notes that their raw data must follow. Receipts stay: they carry ids only.
func (u *unit) delete(gone []Session, d Deletion) error {
	if err := u.PutDeletion(d); err != nil {
		return err
	}
	for _, g := range gone {
		if err := u.tell(journal.SessionDeleted, &g, "user", nil); err != nil {
			return err
		}
		if err := u.forgetProposal(g); err != nil {
			return err
		}
		if err := u.unlinkExample(g); err != nil {
			return err
		}
		if err := u.DeleteSession(g.LearnSessionID); err != nil {
			return err
		}
		for _, f := range []string{sessionFile(g.LearnSessionID), archivedSessionFile(g.LearnSessionID)} {
			if err := u.RemoveFile(f); err != nil {
				return err
			}
		}
	}
	return nil
}

// forgetProposal removes the draft of a deleted session, unless something was installed from it.
func (u *unit) forgetProposal(g Session) error {
	if g.ProposalID == "" || g.ExampleOf != "" {
		return nil
	}
	p, ok, err := u.Proposal(g.ProposalID)
	if err != nil || !ok || p.AbilityID != "" {
		return err
	}
	if err := u.DeleteProposal(p.ProposalID); err != nil {
		return err
	}
	files := []string{proposalFile(p.ProposalID), archivedProposalFile(p.ProposalID), archivedRunsFile(p.ProposalID)}
	if p.InterpretationID != "" { // an import's has none
		files = append(files, interpretationFile(p.InterpretationID))
	}
	for _, f := range files {
		if err := u.RemoveFile(f); err != nil {
			return err
		}
	}
	return nil
}

func (u *unit) unlinkExample(g Session) error {
	if g.ExampleOf == "" {
		return nil
	}
	root, err := u.load(g.ExampleOf)
	if fault.Is(err, fault.LearnSessionNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	root.ExampleIDs = slices.DeleteFunc(root.ExampleIDs, func(id string) bool { return id == g.LearnSessionID })
	u.touch(root)
	return nil
}
