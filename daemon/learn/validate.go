package learn

import (
	"context"

	"showhow/daemon/compile"
	"showhow/daemon/journal"
	"showhow/daemon/rehearse"
	"showhow/daemon/wire"
	"showhow/internal/fault"
	"showhow/internal/twin"
)

// drafted reads a proposal that has a draft, its current revision and its first session (nil when that was deleted).
func (s *Service) drafted(ctx context.Context, id string) (p Proposal, rev Revision, sess *Session, err error) {
	err = s.d.Store.View(ctx, func(tx Tx) error {
		var ok bool
		if p, ok, err = tx.Proposal(id); err != nil || !ok {
			return errorsFirst(err, proposalNotFound())
		}
		if err = ImportsOwn(p); err != nil {
			return err
		}
		if sess, err = sessionOf(tx, p); err != nil {
			return err
		}
		rev, ok, err = tx.Revision(id, p.Revision)
		if err == nil && !ok {
			err = notDrafted(p)
		}
		return err
	})
	return p, rev, sess, err
}

func notDrafted(p Proposal) error {
	return fault.New(fault.InvalidLearnStateTransition, "there is no draft yet: its questions come first").
		WithDetail("from", p.ProposalState).WithDetail("open_questions", p.OpenQuestions)
}

// lockProposal takes the lock of the learning target that a proposal belongs to.
func (s *Service) lockProposal(ctx context.Context, id string) (func(), error) {
	key := id
	err := s.d.Store.View(ctx, func(tx Tx) error {
		p, ok, err := tx.Proposal(id)
		if err != nil || !ok {
			return errorsFirst(err, proposalNotFound())
		}
		if p.LearnSessionID != "" {
			key = p.LearnSessionID // a proposal belongs to the first session of its target
		}
		return ImportsOwn(p)
	})
	if err != nil {
		return nil, err
	}
	return s.locks.lock(key), nil
}

// Validate starts a validation run on the current revision and answers it as running. From drafting_proposal the session is
// testing until the run ends; elsewhere no state changes (decisions A1).
func (s *Service) Validate(ctx context.Context, m Meta, id string, r rehearse.ValidateRequest) (rehearse.ValidationRun, error) {
	if err := userOnly(m); err != nil {
		return rehearse.ValidationRun{}, err
	}
	release, err := s.lockProposal(ctx, id)
	if err != nil {
		return rehearse.ValidationRun{}, err
	}
	defer release()
	p, rev, sess, err := s.drafted(ctx, id)
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

func mayValidate(m Meta, p Proposal, rev Revision, sess *Session, r rehearse.ValidateRequest) error {
	if err := seen(m, p.Revision); err != nil {
		return err
	}
	if sess == nil {
		return fault.New(fault.LearnSessionNotFound, "the session of this draft was deleted")
	}
	switch sess.State {
	case TestingProposal:
		return validating()
	case DraftingProposal:
		if lintOnly := len(r.RunKinds) == 1 && r.RunKinds[0] == rehearse.RunLint; !lintOnly {
			return lintGate(rev)
		}
	case ReadyForReview, InstalledPrivate, Approved:
	default:
		return notWhile(sess.State, "a draft cannot be validated")
	}
	return nil
}

// lintGate refuses a draft whose checkpoints failed the lint, with the findings (DOC3 0C.16B).
func lintGate(rev Revision) error {
	if rev.Output.Lint.Passed {
		return nil
	}
	findings := []compile.Finding{}
	for _, f := range rev.Output.Lint.Findings {
		if f.Severity == "error" {
			findings = append(findings, f)
		}
	}
	return fault.New(fault.CheckpointLintFailed, "checkpoints of the draft failed the lint").WithDetail("findings", findings).
		WithHint("revise the draft first")
}

// runRequest describes a run on this revision.
func (s *Service) runRequest(p Proposal, rev Revision, sess *Session, r rehearse.ValidateRequest) rehearse.Request {
	kinds := r.RunKinds
	if len(kinds) == 0 {
		kinds = rehearse.DefaultKinds
	}
	policy := r.TestPolicy
	if policy == nil {
		policy = sess.TestPolicy
	}
	of := *sess
	req := rehearse.Request{Goal: sess.Goal, Draft: rev.Output, Adapters: rev.Adapters, Policy: policy, Parameters: r.Parameters,
		StartURL: r.StartURL, StartURLs: r.StartURLs, AllowHosts: r.AllowHosts, SelectedTests: r.SelectedTests, Headed: r.Headed, Managed: r.Profile == rehearse.ProfileManaged, Pictures: r.KeepPictures,
		Values: func(ctx context.Context) (map[string]string, error) { return s.sealedOf(ctx, of) },
		Finish: s.runEnded}
	req.Run = rehearse.ValidationRun{ValidationRunID: s.d.NewID(), ProposalID: p.ProposalID, LearnSessionID: sess.LearnSessionID,
		AbilityID: p.AbilityID, Revision: p.Revision, ContentHash: p.ContentHash, RunKind: kinds[0], RunKinds: kinds, RunLabel: r.RunLabel}
	return req
}

// enterTesting records, before the run begins, that it is under way.
func (s *Service) enterTesting(ctx context.Context, m Meta, was Proposal, req rehearse.Request) error {
	return s.update(ctx, m, func(u *unit) error {
		p, err := u.proposal(was.ProposalID)
		if err != nil {
			return err
		}
		root, err := u.load(was.LearnSessionID)
		if err != nil {
			return err
		}
		if p.Revision != was.Revision {
			return movedOn(p.Revision)
		}
		if p.Validation == validationRunning {
			return validating()
		}
		p.Validation = validationRunning
		root.ValidationRunID = req.Run.ValidationRunID
		u.touch(root)
		if root.State != DraftingProposal {
			return nil
		}
		return u.enterJoined(root, TestingProposal, "")
	})
}

// enterJoined moves the first session and those that share its proposal together.
func (u *unit) enterJoined(root *Session, to State, reason string) error {
	all, err := u.joinedTo(root)
	if err != nil {
		return err
	}
	for _, sess := range all {
		if sess != root && !CanGo(sess.State, to) {
			continue
		}
		if err := u.enter(sess, to, reason); err != nil {
			return err
		}
	}
	return nil
}

// undoTesting takes the session back when a run could not begin.
func (s *Service) undoTesting(ctx context.Context, m Meta, proposalID, runID string) {
	err := s.update(ctx, m, func(u *unit) error {
		p, root, err := u.running(proposalID, runID)
		if err != nil || root == nil {
			return err
		}
		p.Validation, root.ValidationRunID = validationNone, ""
		if root.State == TestingProposal {
			return u.enterJoined(root, DraftingProposal, "validation_not_started")
		}
		return nil
	})
	if err != nil {
		s.log.Error("a session without a run is still testing", "proposal", proposalID, "code", fault.CodeOf(err))
	}
}

// running loads the proposal and the session that wait for a run; the session is nil when they do not.
func (u *unit) running(proposalID, runID string) (*Proposal, *Session, error) {
	p, err := u.proposal(proposalID)
	if fault.Is(err, fault.ProposalNotFound) {
		return nil, nil, nil // deleted meanwhile
	}
	if err != nil {
		return nil, nil, err
	}
	root, err := u.load(p.LearnSessionID)
	if fault.Is(err, fault.LearnSessionNotFound) {
		return p, nil, nil
	}
	if err != nil || root.ValidationRunID != runID {
		return p, nil, err
	}
	return p, root, nil
}

// runEnded moves proposal and session along in the transaction that records the run's end: where all runs on the revision add
// up to passed or partial they come to the review, else, and after a run that was cancelled, back to drafting (decisions C1).
func (s *Service) runEnded(w journal.Writer, run rehearse.ValidationRun, st rehearse.Standing) error {
	tx, err := s.d.Store.Join(w)
	if err != nil {
		return err
	}
	u := s.unit(tx, systemMeta())
	if err := u.runEnded(run, st); err != nil {
		return err
	}
	return u.save()
}

func (u *unit) runEnded(run rehearse.ValidationRun, st rehearse.Standing) error {
	p, root, err := u.running(run.ProposalID, run.ValidationRunID)
	if err != nil || root == nil || p.Revision != run.Revision {
		return err
	}
	cancelled := run.OverallResult == rehearse.Cancelled || run.OverallResult == ""
	passed := !cancelled && (st.Overall == rehearse.Passed || st.Overall == rehearse.Partial)
	p.Validation = validationNone
	if st.Overall != "" {
		p.Validation = string(st.Overall)
	}
	if !cancelled {
		p.LastValidatedAt = u.now.Ptr()
	}
	reason := run.OverallResult
	if !cancelled && !passed {
		reason = rehearse.Failed // this one may have passed, another kind has not
	}
	u.touch(root)
	switch {
	case root.State == TestingProposal && passed && p.LintPassed:
		return u.enterJoined(root, ReadyForReview, "validation_"+string(st.Overall))
	case root.State == TestingProposal:
		return u.enterJoined(root, DraftingProposal, "validation_"+string(reason))
	}
	return nil
}

// ContinueRun tells a run that waits for the person that it may go on.
func (s *Service) ContinueRun(ctx context.Context, m Meta, runID string) (rehearse.ValidationRun, error) {
	if err := userOnly(m); err != nil {
		return rehearse.ValidationRun{}, err
	}
	return s.d.Validator.Continue(ctx, runID)
}

// RunEvidence is what was kept of a run's failures, until the session's raw data is purged.
func (s *Service) RunEvidence(ctx context.Context, runID string) (RunEvidence, error) {
	out := RunEvidence{Evidence: []wire.RehearsalEvidence{}, SchemaVersion: 1}
	all, err := s.d.Validator.EvidenceOf(ctx, runID)
	out.Evidence = append(out.Evidence, twin.To[[]wire.RehearsalEvidence](all)...)
	return out, err
}

// RunPicture is the screenshot of one of a run's failures.
func (s *Service) RunPicture(ctx context.Context, runID string, evidenceID int64) (RunPicture, error) {
	png, err := s.d.Validator.EvidencePicture(ctx, runID, evidenceID)
	return RunPicture{MediaType: "image/png", Content: png, SchemaVersion: 1}, err
}

// CancelRun cancels a running validation; one that has ended is answered as it is.
func (s *Service) CancelRun(ctx context.Context, m Meta, runID string) (rehearse.ValidationRun, error) {
	if err := userOnly(m); err != nil {
		return rehearse.ValidationRun{}, err
	}
	return s.d.Validator.Cancel(ctx, runID)
}

// cancelRunOf ends the run on a session's draft, if one is under way, and waits for its end: until all that it made is removed.
func (s *Service) cancelRunOf(ctx context.Context, sess Session) error {
	if sess.ValidationRunID == "" {
		return nil
	}
	if _, err := s.d.Validator.Cancel(ctx, sess.ValidationRunID); err != nil && !fault.Is(err, fault.NotFound) {
		return err
	}
	_, err := s.d.Validator.Wait(ctx, sess.ValidationRunID)
	if fault.Is(err, fault.NotFound) {
		return nil
	}
	return err
}

// WaitRuns blocks until no run of the proposal is running, and answers the last one.
func (s *Service) WaitRuns(ctx context.Context, id string) error {
	_, _, sess, err := s.drafted(ctx, id)
	if err != nil || sess == nil || sess.ValidationRunID == "" {
		return err
	}
	_, err = s.d.Validator.Wait(ctx, sess.ValidationRunID)
	return err
}

// ValidationRuns is a page of a proposal's runs with their steps, newest first.
func (s *Service) ValidationRuns(ctx context.Context, id string, q PageQuery) (ValidationRuns, error) {
	q = q.OrDefault()
	out := ValidationRuns{Page: q.Page, PageSize: q.PageSize, SchemaVersion: 1}
	err := s.d.Store.View(ctx, func(tx Tx) error {
		_, ok, err := tx.Proposal(id)
		if err == nil && !ok {
			err = proposalNotFound()
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

// autoValidate starts the validation of a draft that is to be installed without a review, and installs it when everything
// passed (decisions A6). Whatever does not allow it leaves the draft to the review.
func (s *Service) autoValidate(rootID string) {
	s.background(func(ctx context.Context) {
		sess, err := s.peek(ctx, rootID)
		if err != nil || !autoEligible(sess) || sess.State != DraftingProposal {
			return
		}
		run, err := s.Validate(ctx, systemMeta(), sess.ProposalID, rehearse.ValidateRequest{SchemaVersion: 1})
		if err == nil {
			run, err = s.d.Validator.Wait(ctx, run.ValidationRunID)
		}
		if err == nil && run.OverallResult == rehearse.Passed {
			err = s.autoInstall(ctx, sess.ProposalID, run)
		}
		if err != nil && ctx.Err() == nil {
			s.log.Info("a draft was left to the review", "proposal", sess.ProposalID, "code", fault.CodeOf(err))
		}
	})
}

// autoEligible: the person set the policy and allowed it, for what the person did.
func autoEligible(sess Session) bool {
	return sess.BuildPolicy == PrivateAutoInstall && sess.AllowPrivateInstall &&
		(sess.EntryMode == DemonstratingSkill || sess.EntryMode == ImprovingExistingSkill)
}
