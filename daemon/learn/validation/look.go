package validation

import (
	"cmp"
	"context"
	"slices"

	"showhow/daemon/learn/state"
	"showhow/daemon/rehearse"
	"showhow/daemon/workflow"
	"showhow/internal/fault"
)

// Look performs the reading part of an installed skill and waits for its end. It changes neither proposal nor session,
// because no decision follows from it. hash is the installed content; without a kept revision of it there is nothing
// to perform.
func (s *Service) Look(ctx context.Context, proposalID, hash string, sites []string, r rehearse.ValidateRequest) (rehearse.ValidationRun,
	[]rehearse.ValidationStepResult, error) {
	req, err := s.looking(ctx, proposalID, hash, r)
	if err != nil {
		return rehearse.ValidationRun{}, nil, err
	}
	reaches, err := rehearse.ReadingSites(req)
	if err != nil {
		return rehearse.ValidationRun{}, nil, err
	}
	if i := slices.IndexFunc(reaches, func(site string) bool { return !slices.Contains(sites, site) }); i >= 0 {
		return rehearse.ValidationRun{}, nil, fault.Newf(fault.Forbidden,
			"the skill reaches %s now, and the consent does not name it", reaches[i]).
			WithHint("`showhow canary allow NAME` shows the sites and asks again")
	}
	req.Policy.AllowedDomains = sites
	run, err := s.d.Validator.Start(context.WithoutCancel(ctx), req)
	if err != nil {
		return run, nil, err
	}
	if _, err := s.d.Validator.Wait(ctx, run.ValidationRunID); err != nil {
		_, _ = s.d.Validator.Cancel(context.WithoutCancel(ctx), run.ValidationRunID)
		return run, nil, err
	}
	return s.d.Validator.Get(ctx, run.ValidationRunID)
}

// LookSites returns the sites that a look would visit; an error says why there is nothing to look at.
func (s *Service) LookSites(ctx context.Context, proposalID, hash string) (sites []string, err error) {
	req, err := s.looking(ctx, proposalID, hash, rehearse.ValidateRequest{})
	if err != nil {
		return nil, err
	}
	return rehearse.ReadingSites(req)
}

// looking is the one request that a look makes, and that its consent covers.
func (s *Service) looking(ctx context.Context, proposalID, hash string, r rehearse.ValidateRequest) (rehearse.Request, error) {
	p, rev, sess, err := s.installed(ctx, proposalID, hash)
	if err != nil {
		return rehearse.Request{}, err
	}
	r.RunKinds, r.RunLabel = []rehearse.RunKind{rehearse.RunCanary}, rehearse.LookLabel
	r.TestPolicy = &rehearse.TestPolicy{PolicyID: "canary", Mode: rehearse.ReadOnly, MaxActions: rehearse.DefaultMaxActions, SchemaVersion: 1}
	req := s.runRequest(p, rev, sess, r)
	req.Run.ContentHash, req.Run.Revision, req.Finish = rev.ContentHash, rev.Number, nil
	return req, nil
}

// Learned returns the workflow of an installed skill, with its checkpoints.
func (s *Service) Learned(ctx context.Context, proposalID, hash string) (workflow.Graph, []workflow.Checkpoint, error) {
	_, rev, _, err := s.installed(ctx, proposalID, hash)
	return rev.Output.Graph, rev.Output.Interpretation.Checkpoints, err
}

// installed is the revision of a proposal whose content is installed.
func (s *Service) installed(ctx context.Context, proposalID, hash string) (p state.Proposal, rev state.Revision, sess *state.Session,
	err error) {
	none := fault.New(fault.InvalidRequest, "no part of this skill can be looked at: it was not learned from a demonstration here").
		WithHint("`showhow ability health NAME` says what is known of it")
	if proposalID == "" {
		return p, rev, nil, none
	}
	p, rev, sess, err = s.d.Proposals.Drafted(ctx, proposalID)
	if fault.Is(err, fault.ProposalNotFound) || err == nil && sess == nil {
		return p, rev, nil, none
	}
	if err != nil || rev.ContentHash == hash {
		return p, rev, sess, err
	}
	err = s.d.Store.View(ctx, func(tx state.Tx) error {
		infos, err := tx.RevisionInfos(proposalID)
		for _, i := range infos {
			if i.ContentHash == hash {
				var ok bool
				if rev, ok, err = tx.Revision(proposalID, i.Revision); err == nil && ok {
					return nil
				}
			}
		}
		return cmp.Or(err, error(none))
	})
	return p, rev, sess, err
}
