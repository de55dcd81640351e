package learn

import (
	"context"
	"slices"

	"showhow/daemon/ability"
	"showhow/daemon/skill"
	"showhow/daemon/skill/scan"
	"showhow/daemon/wire"
	"showhow/internal/fault"
	"showhow/internal/twin"
)

// Session is one session with everything the caller needs to know.
func (s *Service) Session(ctx context.Context, id string) (Session, error) {
	sess, err := s.peek(ctx, id)
	if err != nil {
		return Session{}, err
	}
	return s.view(sess), nil
}

// ActiveSession is the session that has not ended and was touched last; the deprecated routes redirect to it.
func (s *Service) ActiveSession(ctx context.Context) (Session, bool, error) {
	var out Session
	var ok bool
	err := s.d.Store.View(ctx, func(tx Tx) error {
		open, err := tx.OpenSessions()
		for _, v := range learning(open) {
			if !ok || v.UpdatedAt.After(out.UpdatedAt.Time) {
				out, ok = v, true
			}
		}
		return err
	})
	return s.view(out), ok, err
}

// Sessions is a page of sessions, newest first; archived ones are in the history only.
func (s *Service) Sessions(ctx context.Context, f SessionFilter) (SessionList, error) {
	f.PageQuery = f.OrDefault()
	out := SessionList{Sessions: []Session{}, Page: f.Page, PageSize: f.PageSize, SchemaVersion: 1}
	err := s.d.Store.View(ctx, func(tx Tx) error {
		list, total, err := tx.Sessions(f)
		for _, v := range list {
			out.Sessions = append(out.Sessions, s.view(v))
		}
		out.Total = total
		return err
	})
	return out, err
}

// History is a page of every session there was and that was not deleted, newest first.
func (s *Service) History(ctx context.Context, f HistoryFilter) (History, error) {
	q := f.OrDefault()
	out := History{Items: []HistoryItem{}, Page: q.Page, PageSize: q.PageSize, SchemaVersion: 1}
	err := s.d.Store.View(ctx, func(tx Tx) (err error) {
		if f.Outcome == "" && f.Search == "" {
			out.Items, out.Total, err = historyPage(tx, q)
			return err
		}
		all, err := searched(tx, f)
		out.Total = len(all)
		from := min((q.Page-1)*q.PageSize, len(all))
		out.Items = append(out.Items, all[from:min(from+q.PageSize, len(all))]...)
		return err
	})
	return out, err
}

func historyPage(tx Tx, q PageQuery) ([]HistoryItem, int, error) {
	list, total, err := tx.History(q)
	out := make([]HistoryItem, len(list))
	for i, v := range list {
		out[i] = HistoryItem{LearnSessionID: v.LearnSessionID, EntryMode: v.EntryMode, State: v.State, Title: titleOf(v), CreatedAt: v.CreatedAt,
			CompletedAt: v.EndedAt, ProposalID: v.ProposalID, AbilityID: v.AbilityID, ImportID: v.ImportID, Outcome: outcome(v)}
	}
	return out, total, err
}

// searched reads all of the history, which is as long as a person's patience: an outcome is computed, not stored.
func searched(tx Tx, f HistoryFilter) (found []HistoryItem, err error) {
	for page, seen := 1, 0; ; page++ {
		some, total, err := historyPage(tx, PageQuery{Page: page, PageSize: 100})
		if err != nil {
			return nil, err
		}
		for _, i := range some {
			if matches(f, i) {
				found = append(found, i)
			}
		}
		if seen += len(some); len(some) == 0 || seen >= total {
			return found, nil
		}
	}
}

func titleOf(sess Session) string {
	if sess.Title != "" {
		return sess.Title
	}
	return clip(sess.Goal, 200)
}

// Receipts is a page of receipts of every kind, newest first.
func (s *Service) Receipts(ctx context.Context, f ReceiptFilter) (ReceiptList, error) {
	f.PageQuery = f.OrDefault()
	out := ReceiptList{Page: f.Page, PageSize: f.PageSize, SchemaVersion: 1}
	err := s.d.Store.View(ctx, func(tx Tx) (err error) {
		out.Receipts, out.Total, err = tx.Receipts(f)
		return err
	})
	return out, err
}

// Proposals is a page of proposals, newest first.
func (s *Service) Proposals(ctx context.Context, f ProposalFilter) (ProposalList, error) {
	f.PageQuery = f.OrDefault()
	out := ProposalList{Proposals: []Proposal{}, Page: f.Page, PageSize: f.PageSize, SchemaVersion: 1}
	err := s.d.Store.View(ctx, func(tx Tx) error {
		list, total, err := tx.Proposals(f)
		if err != nil {
			return err
		}
		for _, p := range list {
			sess, err := sessionOf(tx, p)
			if err != nil {
				return err
			}
			out.Proposals = append(out.Proposals, viewProposal(p, sess))
		}
		out.Total = total
		return nil
	})
	return out, err
}

// sessionOf is the first session of a proposal's target, nil when it was deleted.
func sessionOf(tx Tx, p Proposal) (*Session, error) {
	if p.LearnSessionID == "" {
		return nil, nil
	}
	sess, ok, err := tx.Session(p.LearnSessionID)
	if err != nil || !ok {
		return nil, err
	}
	return &sess, nil
}

// wholeOf is a proposal without a list that is null, which the schemas refuse.
func wholeOf(p Proposal) Proposal {
	for _, l := range []*[]string{&p.SourceTraceIDs, &p.TriggerPhrases, &p.NegativeTriggers, &p.SupportPackRefs} {
		if *l == nil {
			*l = []string{}
		}
	}
	return p
}

func viewProposal(p Proposal, sess *Session) Proposal {
	p = wholeOf(p)
	p.AllowedActions = proposalActions(p, sess)
	return p
}

// Proposal is a proposal with everything a reviewer needs.
func (s *Service) Proposal(ctx context.Context, id string) (ProposalDetail, error) {
	var out ProposalDetail
	var bundle skill.Bundle
	err := s.d.Store.View(ctx, func(tx Tx) (err error) {
		out, bundle, err = s.detail(tx, id)
		return err
	})
	if err == nil {
		out.Installation, err = s.d.Installer.LastSaga(ctx, id)
	}
	if err != nil || out.Proposal.Revision == 0 {
		return out, err
	}
	st, err := s.d.Validator.Standing(ctx, id, out.Proposal.Revision, out.Proposal.ContentHash)
	if err == nil {
		out.Hindrance, err = s.hindrance(ctx, st)
	}
	if err == nil && slices.ContainsFunc(out.Proposal.AllowedActions, func(a Action) bool { return a == CanRevise || a == CanInstall }) {
		out.Compatibility, err = s.compatibility(ctx, out.Proposal, bundle)
	}
	return out, err
}

// compatibility is a draft beside the skills that are there. The one that it replaces is no rival.
func (s *Service) compatibility(ctx context.Context, p Proposal, b skill.Bundle) (*wire.SkillCompatibilityReport, error) {
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
		if slices.Contains([]string{c.AbilityID, c.SkillSlug}, p.ImprovesSkill) && p.ImprovesSkill != "" || c.AbilityID == p.AbilityID && p.AbilityID != "" {
			continue
		}
		o.Installed = append(o.Installed, scan.Installed{Slug: c.SkillSlug, Triggers: phrases[c.AbilityID]})
	}
	return twin.To[*wire.SkillCompatibilityReport](scan.Compare(b, o)), nil
}

func (s *Service) detail(tx Tx, id string) (ProposalDetail, skill.Bundle, error) {
	out := ProposalDetail{Questions: []QuestionView{}, Files: []BundleFile{}, LeftOut: []string{},
		Permissions: ability.Asked(skill.Bundle{}, nil), SchemaVersion: 1}
	p, ok, err := tx.Proposal(id)
	if err == nil && !ok {
		err = proposalNotFound()
	}
	if err != nil {
		return out, skill.Bundle{}, err
	}
	sess, err := sessionOf(tx, p)
	if err != nil {
		return out, skill.Bundle{}, err
	}
	if sess != nil {
		v := s.view(*sess)
		out.Session = &v
	}
	out.Proposal = viewProposal(p, sess)
	if out.Questions, err = questionViews(tx, id); err != nil {
		return out, skill.Bundle{}, err
	}
	if out.Revisions, err = tx.RevisionInfos(id); err != nil {
		return out, skill.Bundle{}, err
	}
	rev, ok, err := tx.Revision(id, p.Revision)
	if err != nil || !ok {
		return out, skill.Bundle{}, err
	}
	o := rev.Output
	out.Interpretation = twin.To[*wire.SemanticWorkflowInterpretation](&o.Interpretation)
	out.CheckpointLintReport = twin.To[*wire.LintReport](&o.Lint)
	out.Verdict = twin.To[*wire.WorkflowVerdict](&o.Verdict)
	out.Graph = twin.To[*wire.WorkflowGraph](&o.Graph)
	out.LeftOut = append(out.LeftOut, o.LeftOut...)
	out.Permissions = ability.Asked(o.Bundle, o.RequiredSites)
	for _, f := range o.Bundle.Files {
		out.Files = append(out.Files, BundleFile{Path: f.Path, Size: len(f.Data)})
	}
	if f := o.Bundle.File("SKILL.md"); f != nil {
		out.SkillMD = string(f.Data)
	}
	return out, o.Bundle, nil
}

// DraftFile is one file of a revision of a draft; revision 0 means the current one.
func (s *Service) DraftFile(ctx context.Context, id string, revision int, path string) ([]byte, error) {
	var data []byte
	err := s.d.Store.View(ctx, func(tx Tx) error {
		p, ok, err := tx.Proposal(id)
		if err != nil || !ok {
			return errorsFirst(err, proposalNotFound())
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
