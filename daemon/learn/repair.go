package learn

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"showhow/daemon/learn/state"
	"showhow/daemon/rehearse"
	"showhow/daemon/wire"
	"showhow/internal/fault"
	"showhow/internal/plain"
)

// Repair opens a draft that improves an installed skill by the controls that a check found, or an agent reported,
// under other names: the same demonstrations and decisions, with the new names. Its revision says what is otherwise and
// where that comes from, and its tests are started at once; where Showhow may look, it looks with the new names,
// unless only an agent has reported one of them. The installed skill stays as it is until a person has reviewed the draft.
func (s *Service) Repair(ctx context.Context, m state.Meta, r state.Repairable) (state.ProposalDetail, error) {
	if err := state.UserOnly(m); err != nil {
		return state.ProposalDetail{}, err
	}
	if len(r.Renamed) == 0 {
		return state.ProposalDetail{}, fault.New(fault.NotFound, "no control with another name was found").
			WithHint("`showhow ability health NAME` says what was found; `showhow learn start --improves NAME` shows the task again")
	}
	_, _, sess, err := s.Drafted(ctx, r.ProposalID)
	if err != nil {
		return state.ProposalDetail{}, err
	}
	if sess == nil || len(sess.ActiveTraceIDs) == 0 || sess.RawPurgedAt != nil {
		return state.ProposalDetail{}, fault.New(fault.InsufficientTraces, "what the skill was learned from is no longer kept").
			WithHint("show the task again: `showhow learn start --improves NAME`")
	}
	made, err := s.Create(ctx, m, wire.CreateLearnSessionRequest{EntryMode: state.ImprovingExistingSkill, TargetKind: "existing_skill",
		TargetSkillID: r.AbilityID, SourceTraceIDs: sess.ActiveTraceIDs, Goal: sess.Goal})
	if err != nil {
		return state.ProposalDetail{}, err
	}
	id := made.Session.LearnSessionID
	d, err := s.repaired(ctx, m, id, r)
	if err != nil { // a session without a result is not wanted
		if _, cerr := s.Cancel(context.WithoutCancel(ctx), m, id, "repair_failed"); cerr != nil {
			s.log.Warn("a repair that failed left its session", "code", string(fault.CodeOf(cerr)))
		}
	}
	return d, err
}

func (s *Service) repaired(ctx context.Context, m state.Meta, sessionID string, r state.Repairable) (state.ProposalDetail, error) {
	made, err := s.GenerateProposal(ctx, m, sessionID)
	if err != nil {
		return state.ProposalDetail{}, err
	}
	controls := map[string]any{}
	for _, x := range r.Renamed {
		now := map[string]any{"role": x.Role, "name": x.Name}
		if x.Place != nil {
			now["place_role"], now["place"] = x.Place.Role, x.Place.Name
		}
		controls[x.StepID] = now
	}
	d, err := s.ReviseBy(ctx, m, made.ProposalID, map[string]any{"controls": controls}, evidence(r.Renamed))
	if err != nil {
		return d, err
	}
	if slices.ContainsFunc(r.Renamed, func(x wire.RenamedControl) bool { return x.Agent != "" }) {
		r.Sites = nil // nobody but an agent has seen the name: a person sees it before it is tried on a site
	}
	if err := s.testRepair(ctx, m, d, r.Sites); err != nil { // the draft is there: its tests can be run again
		s.log.Warn("the tests of a repair could not be started", "code", string(fault.CodeOf(err)))
		return d, nil
	}
	return s.Proposal(ctx, made.ProposalID)
}

// evidence says where a repair comes from, for the revision that makes it.
func evidence(found []wire.RenamedControl) string {
	var out []string
	for _, r := range found {
		said := fmt.Sprintf("%s, on %s.", r.Told, r.At.Local().Format("2 January 2006, 15:04"))
		if !slices.Contains(out, said) {
			out = append(out, said)
		}
	}
	return plain.Cut(strings.Join(out, " "), 2000)
}

// testRepair runs the tests that perform nothing, then starts a look with the new names where Showhow may look by
// itself.
func (s *Service) testRepair(ctx context.Context, m state.Meta, d state.ProposalDetail, sites []string) error {
	m.IfMatch = nil
	id := d.Proposal.ProposalID
	if _, err := s.Validate(ctx, m, id, rehearse.ValidateRequest{}); err != nil || len(sites) == 0 {
		return err
	}
	if err := s.WaitRuns(ctx, id); err != nil {
		return err
	}
	_, err := s.Validate(ctx, m, id, rehearse.ValidateRequest{RunKinds: []rehearse.RunKind{rehearse.RunCanary},
		TestPolicy: &rehearse.TestPolicy{PolicyID: "repair", Mode: rehearse.ReadOnly, AllowedDomains: sites,
			MaxActions: rehearse.DefaultMaxActions, SchemaVersion: 1}})
	return err
}
