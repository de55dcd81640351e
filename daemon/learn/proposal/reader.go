package proposal

import (
	"cmp"
	"context"
	"slices"

	"showhow/daemon/learn/state"
	"showhow/daemon/skill"
	"showhow/daemon/skill/scan"
	"showhow/daemon/wire"
	"showhow/internal/fault"
	"showhow/internal/twin"
)

// Proposals returns a page of proposals, newest first.
func (s *Reader) Proposals(ctx context.Context, f wire.ProposalFilter) (wire.LearnProposalsListResponse, error) {
	f.PageQuery = f.OrDefault()
	out := wire.LearnProposalsListResponse{Proposals: []state.Proposal{}, Page: f.Page, PageSize: f.PageSize, SchemaVersion: 1}
	err := s.d.Store.View(ctx, func(tx state.Tx) error {
		list, total, err := tx.Proposals(f)
		if err != nil {
			return err
		}
		for _, p := range list {
			sess, err := sessionOf(tx, p)
			if err != nil {
				return err
			}
			out.Proposals = append(out.Proposals, state.ViewProposal(p, sess))
		}
		out.Total = total
		return nil
	})
	return out, err
}

// sessionOf returns the first session of a proposal's target, nil if it was deleted.
func sessionOf(tx state.Tx, p state.Proposal) (*state.Session, error) {
	if p.LearnSessionID == "" {
		return nil, nil
	}
	sess, ok, err := tx.Session(p.LearnSessionID)
	if err != nil || !ok {
		return nil, err
	}
	return &sess, nil
}

// Proposal returns a proposal with everything a reviewer needs.
func (s *Reader) Proposal(ctx context.Context, id string) (state.ProposalDetail, error) {
	var out state.ProposalDetail
	var bundle skill.Bundle
	var sites []string
	err := s.d.Store.View(ctx, func(tx state.Tx) (err error) {
		out, bundle, sites, err = s.detail(tx, id)
		return err
	})
	if err == nil {
		out.Permissions, err = s.d.Installer.Taught(ctx, bundle, sites)
	}
	if err == nil {
		out.Installation, err = s.d.Installer.LastSaga(ctx, id)
	}
	if err != nil || out.Proposal.Revision == 0 {
		return out, err
	}
	st, err := s.d.Validator.Standing(ctx, id, out.Proposal.Revision, out.Proposal.ContentHash)
	if err == nil {
		out.Hindrance, err = s.Hindrance(ctx, st)
	}
	if err == nil && slices.ContainsFunc(out.Proposal.AllowedActions, func(a state.Action) bool {
		return a == state.CanRevise || a == state.CanInstall
	}) {
		out.Compatibility, err = s.compatibility(ctx, out.Proposal, bundle)
	}
	return out, err
}

// compatibility compares a draft with the installed skills except the one that it replaces.
func (s *Reader) compatibility(ctx context.Context, p state.Proposal, b skill.Bundle) (*wire.SkillCompatibilityReport, error) {
	all, err := s.d.Installer.Catalog(ctx)
	if err != nil {
		return nil, err
	}
	snap, err := s.d.Installer.Availability(ctx)
	if err != nil {
		return nil, err
	}
	phrases := map[string][]string{}
	for _, a := range snap.Abilities {
		phrases[a.AbilityID] = a.TriggerPhrases
	}
	o := scan.Options{Name: p.ProposedSkillSlug, Triggers: p.TriggerPhrases}
	for _, c := range all.Items {
		if slices.Contains([]string{c.AbilityID, c.SkillSlug}, p.ImprovesSkill) && p.ImprovesSkill != "" ||
			c.AbilityID == p.AbilityID && p.AbilityID != "" {
			continue
		}
		o.Installed = append(o.Installed, scan.Installed{Slug: c.SkillSlug, Triggers: phrases[c.AbilityID]})
	}
	return twin.To[*wire.SkillCompatibilityReport](scan.Compare(b, o)), nil
}

func (s *Reader) detail(tx state.Tx, id string) (out state.ProposalDetail, b skill.Bundle, sites []string, err error) {
	out = state.ProposalDetail{Questions: []wire.LearningQuestion{}, Files: []wire.BundleFile{}, LeftOut: []string{},
		Dependencies:   []wire.LearningDocumentDependency{},
		ConnectorHints: []string{}, SchemaVersion: 1}
	p, ok, err := tx.Proposal(id)
	if err == nil && !ok {
		err = state.ProposalNotFound()
	}
	if err != nil {
		return out, b, nil, err
	}
	sess, err := sessionOf(tx, p)
	if err != nil {
		return out, b, nil, err
	}
	if sess != nil {
		v := s.d.Monitor.View(*sess)
		out.Session = &v
	}
	out.Proposal = state.ViewProposal(p, sess)
	if out.Questions, err = questionViews(tx, id); err != nil {
		return out, b, nil, err
	}
	if out.Revisions, err = tx.RevisionInfos(id); err != nil {
		return out, b, nil, err
	}
	rev, ok, err := tx.Revision(id, p.Revision)
	if err != nil || !ok {
		return out, b, nil, err
	}
	o := rev.Output
	out.Interpretation = twin.To[*wire.SemanticWorkflowInterpretation](&o.Interpretation)
	out.CheckpointLintReport = twin.To[*wire.LintReport](&o.Lint)
	out.Verdict = twin.To[*wire.WorkflowVerdict](&o.Verdict)
	out.Graph = twin.To[*wire.WorkflowGraph](&o.Graph)
	out.LeftOut = append(out.LeftOut, o.LeftOut...)
	out.ConnectorHints = append(out.ConnectorHints, o.ConnectorHints...)
	out.Dependencies = dependencies(p, rev.Folder, o.Bundle)
	for _, f := range o.Bundle.Files {
		out.Files = append(out.Files, wire.BundleFile{Path: f.Path, Size: len(f.Data)})
	}
	if f := o.Bundle.File("SKILL.md"); f != nil {
		out.SkillMD = string(f.Data)
	}
	return out, o.Bundle, o.RequiredSites, nil
}

// DraftFile returns one file of a revision of a draft; revision 0 means the current one.
func (s *Reader) DraftFile(ctx context.Context, id string, revision int, path string) ([]byte, error) {
	var data []byte
	err := s.d.Store.View(ctx, func(tx state.Tx) error {
		p, ok, err := tx.Proposal(id)
		if err != nil || !ok {
			return cmp.Or(err, state.ProposalNotFound())
		}
		if revision == 0 {
			revision = p.Revision
		}
		rev, _, err := tx.Revision(id, revision)
		if err != nil {
			return err
		}
		f := rev.Output.Bundle.File(path)
		if f == nil {
			return fault.New(fault.NotFound, "the draft has no such file")
		}
		data = f.Data
		return nil
	})
	return data, err
}
