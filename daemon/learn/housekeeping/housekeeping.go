package housekeeping

import (
	"context"
	"time"

	"showhow/daemon/learn/change"
	"showhow/daemon/learn/state"
	"showhow/internal/clock"
)

// Retention times (DOC3 0C.16D, decisions A2, A10), in wall time.
const (
	purgeAfter      = 7 * 24 * time.Hour  // raw data, after the end
	archiveSession  = 30 * 24 * time.Hour // after the end
	archiveProposal = 14 * 24 * time.Hour // after it was cancelled or rejected
	untouchedWarn   = 23 * 24 * time.Hour // an untouched unfinished session is warned about ...
	untouchedPurge  = 30 * 24 * time.Hour // ... and loses its raw data
	warnedFor       = 7 * 24 * time.Hour  // but not before the warning stood this long
)

// Housekeep purges, warns and archives what is due. Data that an unfinished session still needs is purged only after a
// month without activity on the session, and after a warning.
func (s *Service) Housekeep(ctx context.Context) error {
	now := s.d.Changes.Now()
	if err := s.FinishDeletions(ctx); err != nil {
		return err
	}
	for _, step := range []func(context.Context, clock.Time) error{s.endAside, s.purgeDue, s.archiveSessions, s.archiveProposals} {
		if err := step(ctx, now); err != nil {
			return err
		}
	}
	return nil
}

// purgeDue purges raw data that is no longer needed and warns about data that will be purged.
func (s *Service) purgeDue(ctx context.Context, now clock.Time) error {
	raw, needed, err := s.rawSessions(ctx)
	if err != nil {
		return err
	}
	var due []state.Session
	for _, sess := range raw {
		switch {
		case sess.Retain, needed[sess.TargetID]:
		case sess.Ended && now.Sub(sess.EndedAt.Time) >= keptAfter(sess), untouched(sess, now):
			due = append(due, sess)
		case !sess.Ended && sess.PurgeWarnedAt == nil && now.Sub(sess.UpdatedAt.Time) >= untouchedWarn:
			err = s.warn(ctx, sess.LearnSessionID)
		}
		if err != nil {
			return err
		}
	}
	return s.purgeRaw(ctx, due)
}

// keptAfter is how long raw data is kept after the end of its session.
func keptAfter(sess state.Session) time.Duration {
	if state.IsPutAside(sess) {
		return state.AsideFor
	}
	return purgeAfter
}

// endAside cancels the drafts that nobody took up again in time. A draft whose demonstration the person chose to keep
// stays.
func (s *Service) endAside(ctx context.Context, now clock.Time) error {
	return s.d.Changes.Update(ctx, state.SystemMeta(), func(set *change.Set) error {
		for _, waiting := range []state.State{state.AwaitingQuestions, state.DraftingProposal, state.ReadyForReview} {
			list, err := set.UnarchivedProposals(state.ProposalState(waiting, ""), now)
			if err != nil {
				return err
			}
			for _, p := range list {
				if p.PutAsideUntil == nil || now.Before(p.PutAsideUntil.Time) {
					continue
				}
				if sess, ok, err := set.Session(p.LearnSessionID); err != nil {
					return err
				} else if ok && sess.Retain {
					continue
				}
				over, err := set.LoadProposal(p.ProposalID)
				if err != nil {
					return err
				}
				over.ProposalState, over.Reason, over.PutAsideUntil = string(state.Cancelled), state.ReasonPutAside, nil
			}
		}
		return nil
	})
}

func untouched(sess state.Session, now clock.Time) bool {
	return !sess.Ended && sess.PurgeWarnedAt != nil && now.Sub(sess.UpdatedAt.Time) >= untouchedPurge &&
		now.Sub(sess.PurgeWarnedAt.Time) >= warnedFor
}

// warn announces that an untouched session will lose its raw data. The warning itself does not count as activity.
func (s *Service) warn(ctx context.Context, id string) error {
	return s.d.Changes.ChangeQuietly(ctx, id, func(set *change.Set, sess *state.Session) error {
		sess.PurgeWarnedAt = set.Now.Ptr()
		return nil
	})
}

func (s *Service) archiveSessions(ctx context.Context, now clock.Time) error {
	return s.d.Store.Update(ctx, func(tx state.Tx) error {
		due, err := tx.UnarchivedSessions(now.Plus(-archiveSession))
		if err != nil {
			return err
		}
		for _, sess := range due {
			sess.ArchivedAt = now.Ptr()
			if err := tx.PutSession(sess); err != nil {
				return err
			}
			if err := tx.PutFile(state.ArchivedSessionFile(sess.LearnSessionID), s.d.Monitor.View(sess)); err != nil {
				return err
			}
			if err := tx.RemoveFile(state.SessionFile(sess.LearnSessionID)); err != nil {
				return err
			}
		}
		return nil
	})
}

func (s *Service) archiveProposals(ctx context.Context, now clock.Time) error {
	var gone []string
	err := s.d.Store.Update(ctx, func(tx state.Tx) error {
		for _, state := range []state.State{state.Cancelled, state.Rejected} {
			due, err := tx.UnarchivedProposals(string(state), now.Plus(-archiveProposal))
			if err != nil {
				return err
			}
			for _, p := range due {
				p.ArchivedAt = now.Ptr()
				if err := archive(tx, p); err != nil {
					return err
				}
				gone = append(gone, p.ProposalID)
			}
		}
		return nil
	})
	for _, id := range gone {
		s.d.Drafts.ArchiveDrafts(id)
	}
	return err
}

func archive(tx state.Tx, p state.Proposal) error {
	if err := tx.PutProposal(p); err != nil {
		return err
	}
	if err := tx.PutFile(state.ArchivedProposalFile(p.ProposalID), state.WithLists(p)); err != nil {
		return err
	}
	if err := tx.RemoveFile(state.ProposalFile(p.ProposalID)); err != nil {
		return err
	}
	return tx.ArchiveRuns(p.ProposalID, state.ArchivedRunsFile(p.ProposalID))
}
