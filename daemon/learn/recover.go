package learn

import (
	"context"
	"os"
	"path/filepath"

	"showhow/daemon/rehearse"
	"showhow/internal/fault"
)

// Recover puts right what a crash left behind (decisions A9): captures are paused, runs and installations that ended
// without us are accounted for, draft files match the store. Call it once, after the recovery of rehearse and ability and
// before serving.
func (s *Service) Recover(ctx context.Context) error {
	var open []Session
	err := s.d.Store.View(ctx, func(tx Tx) (err error) {
		open, err = tx.OpenSessions()
		return err
	})
	if err != nil {
		return err
	}
	for _, sess := range open {
		if err := s.recoverSession(ctx, sess); err != nil {
			return err
		}
	}
	if err := s.recoverRuns(ctx); err != nil {
		return err
	}
	if err := s.recoverSagas(ctx); err != nil {
		return err
	}
	if err := s.finishDeletions(ctx); err != nil {
		return err
	}
	if err := s.sweepDrafts(ctx); err != nil {
		return err
	}
	return s.restoreDrafts(ctx)
}

func (s *Service) recoverSession(ctx context.Context, sess Session) error {
	if sess.State == Capturing {
		return s.recoverCapture(ctx, sess)
	}
	return nil
}

// recoverCapture pauses what was capturing and counts what was kept; what was withheld since the last minute is forgotten.
func (s *Service) recoverCapture(ctx context.Context, sess Session) error {
	_, kept, err := s.d.Observations.Page(ctx, sess.LearnSessionID, PageQuery{PageSize: 1})
	if err != nil {
		return err
	}
	err = s.quietly(ctx, sess.LearnSessionID, func(u *unit, cur *Session) error {
		cur.EventsKept = int64(kept)
		return nil
	})
	if err != nil {
		return err
	}
	_, err = s.pauseState(ctx, systemMeta(), sess.LearnSessionID, PausedRestart)
	return err
}

// recoverRuns accounts for runs that did not survive, whatever state their session is in; one that was testing drafts again.
func (s *Service) recoverRuns(ctx context.Context) error {
	for page := 1; ; page++ {
		list, err := s.Proposals(ctx, ProposalFilter{PageQuery: PageQuery{Page: page, PageSize: 100}})
		if err != nil {
			return err
		}
		for _, p := range list.Proposals {
			if p.Validation == validationRunning {
				if err := s.recoverRun(ctx, p); err != nil {
					return err
				}
			}
		}
		if page*list.PageSize >= list.Total {
			return nil
		}
	}
}

func (s *Service) recoverRun(ctx context.Context, was Proposal) error {
	st, err := s.d.Validator.Standing(ctx, was.ProposalID, was.Revision, was.ContentHash)
	if err != nil {
		return err
	}
	return s.update(ctx, systemMeta(), func(u *unit) error {
		p, err := u.proposal(was.ProposalID)
		if err != nil {
			return err
		}
		root, err := u.load(p.LearnSessionID)
		if fault.Is(err, fault.LearnSessionNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		return u.runEnded(rehearse.ValidationRun{ValidationRunID: root.ValidationRunID, ProposalID: p.ProposalID, Revision: p.Revision,
			OverallResult: rehearse.Cancelled}, st)
	})
}

// recoverSagas asks what became of installations that were under way.
func (s *Service) recoverSagas(ctx context.Context) error {
	for page := 1; ; page++ {
		list, err := s.Sessions(ctx, SessionFilter{PageQuery: PageQuery{Page: page, PageSize: 100}})
		if err != nil {
			return err
		}
		for _, sess := range list.Sessions {
			if sess.SagaID != "" && sess.ExampleOf == "" {
				if err := s.recoverSaga(ctx, sess); err != nil {
					return err
				}
			}
		}
		if page*list.PageSize >= list.Total {
			return nil
		}
	}
}

func (s *Service) recoverSaga(ctx context.Context, sess Session) error {
	outcome, err := s.d.Installer.Saga(ctx, sess.SagaID)
	if err != nil && !fault.Is(err, fault.NotFound) {
		return err
	}
	return s.update(ctx, systemMeta(), func(u *unit) error {
		if outcome.State == "completed" {
			return u.installed(sess.ProposalID, sess.SagaID, outcome.Result)
		}
		code := fault.Code(outcome.FailedCode)
		if code == "" {
			code = fault.Internal
		}
		return u.installFailed(sess.ProposalID, sess.SagaID, code, outcome.State == "compensated")
	})
}

// restoreDrafts writes the files of current drafts that are missing: the store is the truth.
func (s *Service) restoreDrafts(ctx context.Context) error {
	for page := 1; ; page++ {
		list, err := s.Proposals(ctx, ProposalFilter{PageQuery: PageQuery{Page: page, PageSize: 100}})
		if err != nil {
			return err
		}
		for _, p := range list.Proposals {
			if err := s.restoreDraft(ctx, p); err != nil {
				return err
			}
		}
		if page*list.PageSize >= list.Total {
			return nil
		}
	}
}

func (s *Service) restoreDraft(ctx context.Context, p Proposal) error {
	if p.Revision == 0 {
		return nil
	}
	if _, err := os.Stat(filepath.Join(s.d.MemoryRoot, filepath.FromSlash(p.DraftSkillPath))); !os.IsNotExist(err) {
		return nil // there, or unreadable: not ours to judge here
	}
	_, rev, _, err := s.drafted(ctx, p.ProposalID)
	if err != nil {
		return err
	}
	return s.writeDraft(rev.Folder, rev.Output.Bundle)
}

// sweepDrafts removes draft files that belong to no stored revision.
func (s *Service) sweepDrafts(ctx context.Context) error {
	root := filepath.Join(s.d.MemoryRoot, "system", "learning", "proposals")
	entries, err := os.ReadDir(root)
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		return fault.Wrap(err, fault.Internal, "the drafts' folder cannot be read").WithHint("check the folder's permissions")
	}
	for _, e := range entries {
		if e.IsDir() {
			if err := s.sweepDraft(ctx, e.Name()); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *Service) sweepDraft(ctx context.Context, proposalID string) error {
	var infos []RevisionInfo
	known := false
	err := s.d.Store.View(ctx, func(tx Tx) (err error) {
		if _, known, err = tx.Proposal(proposalID); err != nil {
			return err
		}
		infos, err = tx.RevisionInfos(proposalID)
		return err
	})
	if err != nil {
		return err
	}
	if !known {
		return s.removeDrafts(proposalID)
	}
	stored := map[string]bool{}
	for _, i := range infos {
		stored[filepath.Base(filepath.Dir(filepath.Dir(filepath.FromSlash(i.DraftSkillPath))))] = true
	}
	dir := filepath.Join(s.d.MemoryRoot, "system", "learning", "proposals", proposalID)
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		if err == nil && !stored[e.Name()] {
			err = os.RemoveAll(filepath.Join(dir, e.Name()))
		}
	}
	return err
}
