package validation

import (
	"context"

	"showhow/daemon/learn/change"
	"showhow/daemon/learn/state"
	"showhow/daemon/rehearse"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// RecoverRuns settles runs that did not survive, whatever the state of their session; a session that was testing is
// drafting again.
func (s *Service) RecoverRuns(ctx context.Context) error {
	for page := 1; ; page++ {
		list, err := s.d.Proposals.Proposals(ctx, wire.ProposalFilter{PageQuery: wire.PageQuery{Page: page, PageSize: 100}})
		if err != nil {
			return err
		}
		for _, p := range list.Proposals {
			if p.Validation == state.ValidationRunning {
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

func (s *Service) recoverRun(ctx context.Context, was state.Proposal) error {
	st, err := s.d.Validator.Standing(ctx, was.ProposalID, was.Revision, was.ContentHash)
	if err != nil {
		return err
	}
	return s.d.Changes.Update(ctx, state.SystemMeta(), func(set *change.Set) error {
		p, err := set.LoadProposal(was.ProposalID)
		if err != nil {
			return err
		}
		root, err := set.Load(p.LearnSessionID)
		if fault.Is(err, fault.LearnSessionNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		return recordEnd(set, rehearse.ValidationRun{ValidationRunID: root.ValidationRunID, ProposalID: p.ProposalID, Revision: p.Revision,
			OverallResult: rehearse.Cancelled}, st)
	})
}
