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

// decision is a person's decision on a draft: revision and hash are what was seen (decisions C13).
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

// Install installs a validated draft. Installing into approved_workspace is an approval (decisions C2).
func (s *Service) Install(
	ctx context.Context, m state.Meta, id string, r wire.ProposalInstallRequest,
) (wire.ProposalInstallResponse, error) {
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
	d := decision{lane: r.ApprovalScope, revision: r.Revision, hash: r.ContentHash, confirmPartial: r.ConfirmPartial, note: r.ApprovalNote,
		approve: true, permissions: r.Permissions}
	if _, err := s.decide(ctx, m, id, d); err != nil {
		return state.ProposalDetail{}, err
	}
	return s.d.Proposals.Proposal(ctx, id)
}

// decide checks the gate, records the decision, runs the saga, and records the outcome.
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
	if err := s.cancelExtraExamples(ctx, m, *sess); err != nil {
		return "", err
	}
	ctx = context.WithoutCancel(ctx) // from here on the caller's going away changes nothing
	sagaID = s.d.NewID()
	if err := s.recordRequest(ctx, m, p, d, sagaID); err != nil {
		return "", err
	}
	req := installRequest(p, rev, *sess, d, sagaID, m)
	req.Finish = func(w journal.Writer, r ability.InstallResult) error {
		return s.recordInstalled(w, m, p.ProposalID, sagaID, r)
	}
	if _, err := s.d.Installer.Install(ctx, req); err != nil {
		s.recordFailed(ctx, m, p.ProposalID, sagaID, fault.CodeOf(err))
		return "", err
	}
	return sagaID, nil
}

// cancelExtraExamples cancels examples that are not in the draft, because the decision ends their learning target.
func (s *Service) cancelExtraExamples(ctx context.Context, m state.Meta, root state.Session) error {
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

// recordRequest enters the state in which the saga runs. The saga itself records that it began, ended or failed.
func (s *Service) recordRequest(ctx context.Context, m state.Meta, was state.Proposal, d decision, sagaID string) error {
	return s.d.Changes.Update(ctx, m, func(set *change.Set) error {
		p, root, err := loadDecided(set, was)
		if err != nil {
			return err
		}
		root.SagaID, root.WantedLane, root.ConfirmedPartial = sagaID, d.lane, d.confirmPartial
		p.ConfirmedPartial = d.confirmPartial
		if d.note != "" {
			p.ApprovalNote = d.note
		}
		set.Touch(root)
		switch {
		case root.State == state.InstalledPrivate: // it stays what it is until the saga succeeds
			return nil
		case d.approve:
			return set.EnterJoined(root, state.Approved, partialReason(d.confirmPartial))
		}
		return set.EnterJoined(root, state.InstallingPrivate, partialReason(d.confirmPartial))
	})
}

// partialReason notes in the receipt that the person accepted a partial validation (decisions C1).
func partialReason(confirmed bool) string {
	if confirmed {
		return "partial_confirmed"
	}
	return ""
}

// loadDecided loads proposal and session, and fails if they changed since the gate was checked.
func loadDecided(set *change.Set, was state.Proposal) (*state.Proposal, *state.Session, error) {
	p, err := set.LoadProposal(was.ProposalID)
	if err != nil {
		return nil, nil, err
	}
	root, err := set.Load(p.LearnSessionID)
	if err != nil {
		return nil, nil, err
	}
	if p.Revision != was.Revision || p.ContentHash != was.ContentHash {
		return nil, nil, state.ChangedMeanwhile(p.Revision)
	}
	return p, root, nil
}

// installRequest tells the saga what to install.
func installRequest(
	p state.Proposal, rev state.Revision, sess state.Session, d decision, sagaID string, m state.Meta,
) ability.InstallRequest {
	o := rev.Output
	req := ability.InstallRequest{
		SagaID: sagaID, LearnSessionID: p.LearnSessionID, ProposalID: p.ProposalID, Lane: d.lane, Source: "learned", Title: o.Title,
		Family: o.Family, Slug: o.Slug, CapabilityID: o.CapabilityID, TriggerPhrases: o.TriggerPhrases,
		NegativeTriggers: o.NegativeTriggers, Aliases: o.Manifest.Aliases, ControlSurfaces: o.Interpretation.PreferredControlSurfaces,
		SupportPackRefs: p.SupportPackRefs, RequiredSites: o.RequiredSites, RequiredCommands: o.RequiredCommands,
		RequiredConnectors: o.ConnectorHints,
		RequiredAdapters:   o.RequiredAdapters, LastValidatedAt: p.LastValidatedAt, Manifest: o.Manifest, Metadata: o.Metadata,
		Bundle: o.Bundle, ContentHash: d.hash, Permissions: d.permissions, CorrelationID: m.CorrelationID,
	}
	if p.ImprovesSkill != "" {
		req.Replaces = p.ImprovesSkill
	}
	switch chosen := o.Interpretation.ProjectIDs; {
	case o.Interpretation.ProjectScope != "project_scoped":
	case len(chosen) > 0:
		req.ProjectScopes = chosen
	case sess.ProjectID != "":
		req.ProjectScopes = []string{sess.ProjectID}
	}
	for _, c := range o.Interpretation.Checkpoints {
		req.Checkpoints = append(req.Checkpoints, c.CheckpointID)
	}
	return req
}

// recordInstalled records success in the saga's last transaction.
func (s *Service) recordInstalled(w journal.Writer, m state.Meta, proposalID, sagaID string, r ability.InstallResult) error {
	tx, err := s.d.Store.Join(w)
	if err != nil {
		return err
	}
	set := s.d.Changes.Begin(tx, m)
	if err := recordInstalled(set, proposalID, sagaID, r); err != nil {
		return err
	}
	return set.Save()
}

func recordInstalled(set *change.Set, proposalID, sagaID string, r ability.InstallResult) error {
	p, err := set.LoadProposal(proposalID)
	if err != nil {
		return err
	}
	root, err := set.Load(p.LearnSessionID)
	if err != nil || root.SagaID != sagaID {
		return err
	}
	p.AbilityID, p.InstallLane = r.AbilityID, root.WantedLane
	all, err := set.JoinedTo(root)
	if err != nil {
		return err
	}
	for _, sess := range all {
		sess.AbilityID, sess.SagaID = r.AbilityID, ""
	}
	root.WantedLane = ""
	if err := confirmInterpretation(set, p); err != nil {
		return err
	}
	if p.InstallLane == ability.LanePrivate {
		err = set.EnterJoined(root, state.InstalledPrivate, "")
	} else {
		if root.State == state.InstalledPrivate {
			err = set.EnterJoined(root, state.Approved, "")
		}
		if err == nil {
			err = set.Record(journal.ProposalApproved, root, partialReason(root.ConfirmedPartial),
				map[string]any{"proposal_id": p.ProposalID, "lane": p.InstallLane, "revision": p.Revision})
		}
	}
	if err != nil {
		return err
	}
	return set.FinishAll(all)
}

// confirmInterpretation records that a person confirmed the interpretation (decisions C7).
func confirmInterpretation(set *change.Set, p *state.Proposal) error {
	rev, ok, err := set.Revision(p.ProposalID, p.Revision)
	if err != nil || !ok {
		return err
	}
	rev.Output.Interpretation.UserConfirmed = true
	if err := set.PutRevision(rev); err != nil {
		return err
	}
	return set.PutFile(state.InterpretationFile(p.InterpretationID), rev.Output.Interpretation.Canonical())
}

// recordFailed records that the saga failed and was rolled back: the draft is quarantined (DOC3 0C.13), except one
// that was installed before, which stays as it was.
func (s *Service) recordFailed(ctx context.Context, m state.Meta, proposalID, sagaID string, code fault.Code) {
	outcome, err := s.d.Installer.Saga(ctx, sagaID)
	recorded := err == nil && outcome.State == "compensated"
	err = s.d.Changes.Update(ctx, m, func(set *change.Set) error { return recordFailed(set, proposalID, sagaID, code, recorded) })
	if err != nil {
		s.d.Log.Error("a failed installation could not be recorded", "proposal", proposalID, "code", fault.CodeOf(err))
	}
}

// recordFailed quarantines the draft. recorded says that the saga has written the receipt already.
func recordFailed(set *change.Set, proposalID, sagaID string, code fault.Code, recorded bool) error {
	p, err := set.LoadProposal(proposalID)
	if err != nil {
		return err
	}
	root, err := set.Load(p.LearnSessionID)
	if err != nil || root.SagaID != sagaID {
		return err
	}
	root.SagaID, root.WantedLane = "", ""
	set.Touch(root)
	if !recorded {
		if err := set.Record(journal.InstallFailed, root, string(code), map[string]any{"saga_id": sagaID, "code": string(code)}); err != nil {
			return err
		}
	}
	if root.State == state.InstalledPrivate {
		return nil
	}
	p.Reason, p.InstallLane, root.Reason = "install_failed", ability.LaneQuarantined, "install_failed"
	all, err := set.JoinedTo(root)
	if err != nil {
		return err
	}
	if err := set.EnterJoined(root, state.Quarantined, "install_failed"); err != nil {
		return err
	}
	return set.FinishAll(all)
}
