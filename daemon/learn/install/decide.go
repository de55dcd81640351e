package install

import (
	"cmp"
	"context"

	"showhow/daemon/ability"
	"showhow/daemon/journal"
	"showhow/daemon/learn/change"
	"showhow/daemon/learn/state"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// decision is what a person decided on a draft: revision and hash are what was seen (decisions C13).
type decision struct {
	lane           string
	revision       int
	hash           string
	confirmPartial bool
	note           string
	approve        bool
	permissions    *ability.Permissions // nil: what the draft asks for
	auto           bool                 // private_auto_install: the person decided beforehand
}

// Install installs a validated draft. Into approved_workspace it is an approval (decisions C2).
func (s *Service) Install(ctx context.Context, m state.Meta, id string, r wire.ProposalInstallRequest) (wire.ProposalInstallResponse, error) {
	d := decision{lane: r.InstallLane, revision: r.Revision, hash: r.ContentHash, confirmPartial: r.ConfirmPartial,
		approve: r.InstallLane == ability.LaneApproved, permissions: r.Permissions}
	saga, err := s.decide(ctx, m, id, d)
	if err != nil {
		return wire.ProposalInstallResponse{}, err
	}
	detail, err := s.d.Proposals.Proposal(ctx, id)
	return wire.ProposalInstallResponse{Proposal: detail.Proposal, AbilityID: detail.Proposal.AbilityID, SagaID: saga}, err
}

// Approve approves a validated draft, or one installed privately, and installs it in the approved scope.
func (s *Service) Approve(ctx context.Context, m state.Meta, id string, r wire.ApproveProposalRequest) (state.ProposalDetail, error) {
	r.ApprovalScope = cmp.Or(r.ApprovalScope, ability.LaneApproved)
	d := decision{lane: r.ApprovalScope, revision: r.Revision, hash: r.ContentHash, confirmPartial: r.ConfirmPartial, note: r.ApprovalNote, approve: true, permissions: r.Permissions}
	if _, err := s.decide(ctx, m, id, d); err != nil {
		return state.ProposalDetail{}, err
	}
	return s.d.Proposals.Proposal(ctx, id)
}

// decide judges the gate, records the decision, runs the saga, and records what came of it.
func (s *Service) decide(ctx context.Context, m state.Meta, id string, d decision) (sagaID string, err error) {
	if m.Principal != state.PrincipalUser && !d.auto {
		return "", fault.New(fault.Forbidden, "only a person may install or approve")
	}
	release, err := s.d.Proposals.LockProposal(ctx, id)
	if err != nil {
		return "", err
	}
	defer release()
	p, rev, sess, err := s.d.Proposals.Drafted(ctx, id)
	if err != nil {
		return "", err
	}
	if err := s.gate(ctx, m, p, rev, sess, &d); err != nil {
		return "", err
	}
	if err := s.cancelLoose(ctx, m, *sess); err != nil {
		return "", err
	}
	ctx = context.WithoutCancel(ctx) // from here on the caller's going away changes nothing
	sagaID = s.d.NewID()
	if err := s.requested(ctx, m, p, d, sagaID); err != nil {
		return "", err
	}
	req := installRequest(p, rev, *sess, d, sagaID, m)
	req.Finish = func(w journal.Writer, r ability.InstallResult) error {
		return s.installed(w, m, p.ProposalID, sagaID, r)
	}
	if _, err := s.d.Installer.Install(ctx, req); err != nil {
		s.installFailed(ctx, m, p.ProposalID, sagaID, fault.CodeOf(err))
		return "", err
	}
	return sagaID, nil
}

// cancelLoose ends examples that are not in the draft: the decision ends their learning target.
func (s *Service) cancelLoose(ctx context.Context, m state.Meta, root state.Session) error {
	var loose []state.Session
	err := s.d.Store.View(ctx, func(tx state.Tx) error {
		all, err := tx.TargetSessions(root.TargetID)
		for _, v := range all {
			if !v.Ended && v.LearnSessionID != root.LearnSessionID && v.ProposalID != root.ProposalID {
				loose = append(loose, v)
			}
		}
		return err
	})
	if err != nil {
		return err
	}
	sys := state.SystemMeta()
	sys.CorrelationID = m.CorrelationID
	for _, v := range loose {
		if _, err := s.d.Control.CancelTarget(ctx, sys, v, "target_decided"); err != nil {
			return err
		}
	}
	return nil
}

// requested enters the state that runs the saga; that it began, ended or failed is told by the saga itself.
func (s *Service) requested(ctx context.Context, m state.Meta, was state.Proposal, d decision, sagaID string) error {
	return s.d.Changes.Update(ctx, m, func(u *change.Set) error {
		p, root, err := decided(u, was)
		if err != nil {
			return err
		}
		root.SagaID, root.WantedLane, root.ConfirmedPartial = sagaID, d.lane, d.confirmPartial
		p.ConfirmedPartial = d.confirmPartial
		if d.note != "" {
			p.ApprovalNote = d.note
		}
		u.Touch(root)
		switch {
		case root.State == state.InstalledPrivate: // it stays what it is until the saga succeeds
			return nil
		case d.approve:
			return u.EnterJoined(root, state.Approved, partialReason(d.confirmPartial))
		}
		return u.EnterJoined(root, state.InstallingPrivate, partialReason(d.confirmPartial))
	})
}

// partialReason keeps in the receipt that the person accepted a partial validation (decisions C1).
func partialReason(confirmed bool) string {
	if confirmed {
		return "partial_confirmed"
	}
	return ""
}

// decided loads proposal and session and refuses when they moved on since the gate was judged.
func decided(u *change.Set, was state.Proposal) (*state.Proposal, *state.Session, error) {
	p, err := u.LoadProposal(was.ProposalID)
	if err != nil {
		return nil, nil, err
	}
	root, err := u.Load(p.LearnSessionID)
	if err != nil {
		return nil, nil, err
	}
	if p.Revision != was.Revision || p.ContentHash != was.ContentHash {
		return nil, nil, state.MovedOn(p.Revision)
	}
	return p, root, nil
}

// installRequest is what the saga installs.
func installRequest(p state.Proposal, rev state.Revision, sess state.Session, d decision, sagaID string, m state.Meta) ability.InstallRequest {
	o := rev.Output
	req := ability.InstallRequest{SagaID: sagaID, LearnSessionID: p.LearnSessionID, ProposalID: p.ProposalID, Lane: d.lane, Source: "learned",
		Title: o.Title, Family: o.Family, Slug: o.Slug, CapabilityID: o.CapabilityID, TriggerPhrases: o.TriggerPhrases,
		NegativeTriggers: o.NegativeTriggers, Aliases: o.Manifest.Aliases, ControlSurfaces: o.Interpretation.PreferredControlSurfaces,
		SupportPackRefs: p.SupportPackRefs, RequiredSites: o.RequiredSites, RequiredCommands: o.RequiredCommands, RequiredAdapters: o.RequiredAdapters,
		LastValidatedAt: p.LastValidatedAt, Manifest: o.Manifest, Metadata: o.Metadata, Bundle: o.Bundle, ContentHash: d.hash,
		Permissions: d.permissions, CorrelationID: m.CorrelationID}
	if p.ImprovesSkill != "" {
		req.Replaces = p.ImprovesSkill
	}
	if sess.ProjectID != "" && o.Interpretation.ProjectScope == "project_scoped" {
		req.ProjectScopes = []string{sess.ProjectID}
	}
	for _, c := range o.Interpretation.Checkpoints {
		req.Checkpoints = append(req.Checkpoints, c.CheckpointID)
	}
	return req
}

// installed records success in the saga's last transaction.
func (s *Service) installed(w journal.Writer, m state.Meta, proposalID, sagaID string, r ability.InstallResult) error {
	tx, err := s.d.Store.Join(w)
	if err != nil {
		return err
	}
	u := s.d.Changes.Begin(tx, m)
	if err := installed(u, proposalID, sagaID, r); err != nil {
		return err
	}
	return u.Save()
}

func installed(u *change.Set, proposalID, sagaID string, r ability.InstallResult) error {
	p, err := u.LoadProposal(proposalID)
	if err != nil {
		return err
	}
	root, err := u.Load(p.LearnSessionID)
	if err != nil || root.SagaID != sagaID {
		return err
	}
	p.AbilityID, p.InstallLane = r.AbilityID, root.WantedLane
	all, err := u.JoinedTo(root)
	if err != nil {
		return err
	}
	for _, sess := range all {
		sess.AbilityID, sess.SagaID = r.AbilityID, ""
	}
	root.WantedLane = ""
	if err := confirmed(u, p); err != nil {
		return err
	}
	if p.InstallLane == ability.LanePrivate {
		err = u.EnterJoined(root, state.InstalledPrivate, "")
	} else {
		if root.State == state.InstalledPrivate {
			err = u.EnterJoined(root, state.Approved, "")
		}
		if err == nil {
			err = u.Record(journal.ProposalApproved, root, partialReason(root.ConfirmedPartial), map[string]any{"proposal_id": p.ProposalID, "lane": p.InstallLane, "revision": p.Revision})
		}
	}
	if err != nil {
		return err
	}
	return u.FinishAll(all)
}

// confirmed notes that a person stands behind the interpretation (decisions C7).
func confirmed(u *change.Set, p *state.Proposal) error {
	rev, ok, err := u.Revision(p.ProposalID, p.Revision)
	if err != nil || !ok {
		return err
	}
	rev.Output.Interpretation.UserConfirmed = true
	if err := u.PutRevision(rev); err != nil {
		return err
	}
	return u.PutFile(state.InterpretationFile(p.InterpretationID), rev.Output.Interpretation.Canonical())
}

// installFailed records that the saga failed and was undone: the draft is quarantined (DOC3 0C.13), except one that was
// installed before, which stays as it was.
func (s *Service) installFailed(ctx context.Context, m state.Meta, proposalID, sagaID string, code fault.Code) {
	outcome, err := s.d.Installer.Saga(ctx, sagaID)
	told := err == nil && outcome.State == "compensated"
	err = s.d.Changes.Update(ctx, m, func(u *change.Set) error { return installFailed(u, proposalID, sagaID, code, told) })
	if err != nil {
		s.d.Log.Error("a failed installation could not be recorded", "proposal", proposalID, "code", fault.CodeOf(err))
	}
}

// installFailed quarantines the draft; told says that the saga has left the receipt already.
func installFailed(u *change.Set, proposalID, sagaID string, code fault.Code, told bool) error {
	p, err := u.LoadProposal(proposalID)
	if err != nil {
		return err
	}
	root, err := u.Load(p.LearnSessionID)
	if err != nil || root.SagaID != sagaID {
		return err
	}
	root.SagaID, root.WantedLane = "", ""
	u.Touch(root)
	if !told {
		if err := u.Record(journal.InstallFailed, root, string(code), map[string]any{"saga_id": sagaID, "code": string(code)}); err != nil {
			return err
		}
	}
	if root.State == state.InstalledPrivate {
		return nil
	}
	p.Reason, p.InstallLane, root.Reason = "install_failed", ability.LaneQuarantined, "install_failed"
	all, err := u.JoinedTo(root)
	if err != nil {
		return err
	}
	if err := u.EnterJoined(root, state.Quarantined, "install_failed"); err != nil {
		return err
	}
	return u.FinishAll(all)
}
