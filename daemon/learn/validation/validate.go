package validation

import (
	"context"

	"showhow/daemon/journal"
	"showhow/daemon/learn/change"
	"showhow/daemon/learn/proposal"
	"showhow/daemon/learn/state"
	"showhow/daemon/rehearse"
	"showhow/daemon/wire"
	"showhow/internal/fault"
	"showhow/internal/twin"
)

// CheckValidate returns the error that Validate would return now.
func (s *Service) CheckValidate(ctx context.Context, m state.Meta, id string, r rehearse.ValidateRequest) error {
	if err := state.UserOnly(m); err != nil {
		return err
	}
	p, rev, sess, err := s.d.Proposals.Drafted(ctx, id)
	if err != nil {
		return err
	}
	return mayValidate(m, p, rev, sess, r)
}

// Validate starts a validation run on the current revision and returns it as running. From drafting_proposal, the
// session is testing until the run ends; in other states the state does not change (decisions A1).
func (s *Service) Validate(ctx context.Context, m state.Meta, id string, r rehearse.ValidateRequest) (rehearse.ValidationRun, error) {
	if err := state.UserOnly(m); err != nil {
		return rehearse.ValidationRun{}, err
	}
	release, err := s.d.Proposals.LockProposal(ctx, id)
	if err != nil {
		return rehearse.ValidationRun{}, err
	}
	defer release()
	p, rev, sess, err := s.d.Proposals.Drafted(ctx, id)
	if err == nil {
		err = mayValidate(m, p, rev, sess, r)
	}
	if err != nil {
		return rehearse.ValidationRun{}, err
	}
	req := s.runRequest(p, rev, sess, r)
	if err := s.enterTesting(ctx, m, p, req); err != nil {
		return rehearse.ValidationRun{}, err
	}
	run, err := s.d.Validator.Start(context.WithoutCancel(ctx), req)
	if err != nil {
		s.undoTesting(context.WithoutCancel(ctx), m, p.ProposalID, req.Run.ValidationRunID)
	}
	return run, err
}

func mayValidate(m state.Meta, p state.Proposal, rev state.Revision, sess *state.Session, r rehearse.ValidateRequest) error {
	if err := state.CheckRevision(m, p.Revision); err != nil {
		return err
	}
	if sess == nil {
		return fault.New(fault.LearnSessionNotFound, "the session of this draft was deleted")
	}
	switch sess.State {
	case state.TestingProposal:
		return state.Validating()
	case state.DraftingProposal:
		if lintOnly := len(r.RunKinds) == 1 && r.RunKinds[0] == rehearse.RunLint; !lintOnly {
			return proposal.LintGate(rev)
		}
	case state.ReadyForReview, state.InstalledPrivate, state.Approved:
	default:
		return state.NotAllowedWhile(sess.State, "a draft cannot be validated")
	}
	return nil
}

// runRequest describes a run on this revision.
func (s *Service) runRequest(p state.Proposal, rev state.Revision, sess *state.Session, r rehearse.ValidateRequest) rehearse.Request {
	kinds := r.RunKinds
	if len(kinds) == 0 {
		kinds = rehearse.DefaultKinds
	}
	policy := r.TestPolicy
	if policy == nil {
		policy = sess.TestPolicy
	}
	of := *sess
	req := rehearse.Request{
		Goal: sess.Goal, Draft: rev.Output, Adapters: rev.Adapters, Policy: policy, Parameters: r.Parameters, StartURL: r.StartURL,
		StartURLs: r.StartURLs, AllowHosts: r.AllowHosts, SelectedTests: r.SelectedTests, Headed: r.Headed,
		Managed: r.Profile == rehearse.ProfileManaged, Pictures: r.KeepPictures, LookLater: r.LookLater,
		Values: func(ctx context.Context) (map[string]string, error) { return s.d.Drafts.SealedValues(ctx, of) }, Finish: s.recordEnd,
	}
	req.Run = rehearse.ValidationRun{ValidationRunID: s.d.NewID(), ProposalID: p.ProposalID, LearnSessionID: sess.LearnSessionID,
		AbilityID: p.AbilityID, Revision: p.Revision, ContentHash: p.ContentHash, RunKind: kinds[0], RunKinds: kinds, RunLabel: r.RunLabel}
	return req
}

// enterTesting records that a run is under way, before it begins.
func (s *Service) enterTesting(ctx context.Context, m state.Meta, was state.Proposal, req rehearse.Request) error {
	return s.d.Changes.Update(ctx, m, func(set *change.Set) error {
		p, err := set.LoadProposal(was.ProposalID)
		if err != nil {
			return err
		}
		root, err := set.Load(was.LearnSessionID)
		if err != nil {
			return err
		}
		if p.Revision != was.Revision {
			return state.ChangedMeanwhile(p.Revision)
		}
		if p.Validation == state.ValidationRunning {
			return state.Validating()
		}
		p.Validation = state.ValidationRunning
		root.ValidationRunID = req.Run.ValidationRunID
		set.Touch(root)
		if root.State != state.DraftingProposal {
			return nil
		}
		return set.EnterJoined(root, state.TestingProposal, "")
	})
}

// undoTesting takes the session back if a run could not begin.
func (s *Service) undoTesting(ctx context.Context, m state.Meta, proposalID, runID string) {
	err := s.d.Changes.Update(ctx, m, func(set *change.Set) error {
		p, root, err := loadWaiting(set, proposalID, runID)
		if err != nil || root == nil {
			return err
		}
		p.Validation, root.ValidationRunID = state.ValidationNone, ""
		if root.State == state.TestingProposal {
			return set.EnterJoined(root, state.DraftingProposal, "validation_not_started")
		}
		return nil
	})
	if err != nil {
		s.d.Log.Error("a session without a run is still testing", "proposal", proposalID, "code", fault.CodeOf(err))
	}
}

// loadWaiting loads the proposal and session that wait for a run; the session is nil if they do not wait for it.
func loadWaiting(set *change.Set, proposalID, runID string) (*state.Proposal, *state.Session, error) {
	p, err := set.LoadProposal(proposalID)
	if fault.Is(err, fault.ProposalNotFound) {
		return nil, nil, nil // deleted meanwhile
	}
	if err != nil {
		return nil, nil, err
	}
	root, err := set.Load(p.LearnSessionID)
	if fault.Is(err, fault.LearnSessionNotFound) {
		return p, nil, nil
	}
	if err != nil || root.ValidationRunID != runID {
		return p, nil, err
	}
	return p, root, nil
}

// recordEnd moves proposal and session along in the transaction that records the run's end: to the review if all runs
// on the revision add up to passed or partial; otherwise, and after a cancelled run, back to drafting (decisions C1).
func (s *Service) recordEnd(w journal.Writer, run rehearse.ValidationRun, st rehearse.Standing) error {
	tx, err := s.d.Store.Join(w)
	if err != nil {
		return err
	}
	set := s.d.Changes.Begin(tx, state.SystemMeta())
	if err := recordEnd(set, run, st); err != nil {
		return err
	}
	return set.Save()
}

func recordEnd(set *change.Set, run rehearse.ValidationRun, st rehearse.Standing) error {
	p, root, err := loadWaiting(set, run.ProposalID, run.ValidationRunID)
	if err != nil || root == nil || p.Revision != run.Revision {
		return err
	}
	cancelled := run.OverallResult == rehearse.Cancelled || run.OverallResult == ""
	passed := !cancelled && (st.Overall == rehearse.Passed || st.Overall == rehearse.Partial)
	p.Validation = state.ValidationNone
	if st.Overall != "" {
		p.Validation = string(st.Overall)
	}
	if !cancelled {
		p.LastValidatedAt = set.Now.Ptr()
	}
	reason := run.OverallResult
	if !cancelled && !passed {
		reason = rehearse.Failed // this one may have passed, another kind has not
	}
	set.Touch(root)
	switch {
	case root.State == state.TestingProposal && passed && p.LintPassed:
		return set.EnterJoined(root, state.ReadyForReview, "validation_"+string(st.Overall))
	case root.State == state.TestingProposal:
		return set.EnterJoined(root, state.DraftingProposal, "validation_"+string(reason))
	}
	return nil
}

// ContinueRun resumes a run that waits for the person.
func (s *Service) ContinueRun(ctx context.Context, m state.Meta, runID string) (rehearse.ValidationRun, error) {
	if err := state.UserOnly(m); err != nil {
		return rehearse.ValidationRun{}, err
	}
	return s.d.Validator.Continue(ctx, runID)
}

// RunEvidence returns what was kept of a run's failures, until the session's raw data is purged.
func (s *Service) RunEvidence(ctx context.Context, runID string) (wire.RunEvidence, error) {
	out := wire.RunEvidence{Evidence: []wire.RehearsalEvidence{}, SchemaVersion: 1}
	all, err := s.d.Validator.EvidenceOf(ctx, runID)
	out.Evidence = append(out.Evidence, twin.To[[]wire.RehearsalEvidence](all)...)
	return out, err
}

// RunPicture returns the screenshot of one of a run's failures.
func (s *Service) RunPicture(ctx context.Context, runID string, evidenceID int64) (wire.RunPicture, error) {
	png, err := s.d.Validator.EvidencePicture(ctx, runID, evidenceID)
	return wire.RunPicture{MediaType: "image/png", Content: png, SchemaVersion: 1}, err
}

// CancelRun cancels a running validation; one that has ended is returned unchanged.
func (s *Service) CancelRun(ctx context.Context, m state.Meta, runID string) (rehearse.ValidationRun, error) {
	if err := state.UserOnly(m); err != nil {
		return rehearse.ValidationRun{}, err
	}
	return s.d.Validator.Cancel(ctx, runID)
}

// WaitRuns blocks until no run of the proposal is running.
func (s *Service) WaitRuns(ctx context.Context, id string) error {
	_, _, sess, err := s.d.Proposals.Drafted(ctx, id)
	if err != nil || sess == nil || sess.ValidationRunID == "" {
		return err
	}
	_, err = s.d.Validator.Wait(ctx, sess.ValidationRunID)
	return err
}

// ValidationRuns is a page of a proposal's runs with their steps, newest first.
func (s *Service) ValidationRuns(ctx context.Context, id string, q wire.PageQuery) (wire.ValidationRunsListResponse, error) {
	q = q.OrDefault()
	out := wire.ValidationRunsListResponse{Page: q.Page, PageSize: q.PageSize, SchemaVersion: 1}
	err := s.d.Store.View(ctx, func(tx state.Tx) error {
		_, ok, err := tx.Proposal(id)
		if err == nil && !ok {
			err = state.ProposalNotFound()
		}
		return err
	})
	if err != nil {
		return out, err
	}
	out.Runs, out.Steps, out.Total, err = s.d.Validator.List(ctx, id, q.Page, q.PageSize)
	if out.Runs == nil {
		out.Runs = []rehearse.ValidationRun{}
	}
	if out.Steps == nil {
		out.Steps = []rehearse.ValidationStepResult{}
	}
	return out, err
}
