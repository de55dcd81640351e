package learn

import (
	"context"

	"showhow/daemon/learn/state"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// Repair opens a draft that improves an installed skill by the controls that a check found renamed: the same
// demonstrations and decisions, with the new names. The installed skill stays as it is until a person has reviewed the
// draft.
func (s *Service) Repair(ctx context.Context, m state.Meta, abilityID, proposalID string,
	found []wire.RehearsalRepair) (state.ProposalDetail, error) {
	if err := state.UserOnly(m); err != nil {
		return state.ProposalDetail{}, err
	}
	if len(found) == 0 {
		return state.ProposalDetail{}, fault.New(fault.NotFound, "nothing was found that is called otherwise").
			WithHint("`showhow ability health NAME` says what was found; `showhow learn start --improves NAME` shows the task again")
	}
	_, _, sess, err := s.Drafted(ctx, proposalID)
	if err != nil {
		return state.ProposalDetail{}, err
	}
	if sess == nil || len(sess.ActiveTraceIDs) == 0 || sess.RawPurgedAt != nil {
		return state.ProposalDetail{}, fault.New(fault.InsufficientTraces, "what the skill was learned from is no longer kept").
			WithHint("show the task again: `showhow learn start --improves NAME`")
	}
	made, err := s.Create(ctx, m, wire.CreateLearnSessionRequest{EntryMode: state.ImprovingExistingSkill, TargetKind: "existing_skill",
		TargetSkillID: abilityID, SourceTraceIDs: sess.ActiveTraceIDs, Goal: sess.Goal})
	if err != nil {
		return state.ProposalDetail{}, err
	}
	id := made.Session.LearnSessionID
	d, err := s.repaired(ctx, m, id, found)
	if err != nil { // a session without a result is not wanted
		if _, cerr := s.Cancel(context.WithoutCancel(ctx), m, id, "repair_failed"); cerr != nil {
			s.log.Warn("a repair that failed left its session", "code", string(fault.CodeOf(cerr)))
		}
	}
	return d, err
}

func (s *Service) repaired(ctx context.Context, m state.Meta, sessionID string, found []wire.RehearsalRepair) (state.ProposalDetail,
	error) {
	made, err := s.GenerateProposal(ctx, m, sessionID)
	if err != nil {
		return state.ProposalDetail{}, err
	}
	controls := map[string]any{}
	for _, r := range found {
		now := map[string]any{"role": r.Role, "name": r.Name}
		if r.Place != nil {
			now["place_role"], now["place"] = r.Place.Role, r.Place.Name
		}
		controls[r.StepID] = now
	}
	return s.Revise(ctx, m, made.ProposalID, wire.ProposalReviseRequest{EditedFields: map[string]any{"controls": controls}})
}
