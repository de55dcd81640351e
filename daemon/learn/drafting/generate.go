package drafting

import (
	"context"

	"showhow/daemon/compile"
	"showhow/daemon/journal"
	"showhow/daemon/learn/change"
	"showhow/daemon/learn/state"
	"showhow/daemon/wire"
	"showhow/internal/fault"
	"showhow/internal/plain"
)

// Causes of a revision.
const (
	causeGenerated = "generated"
	causeAnswers   = "answers"
	causeRevised   = "revised"
	causeExamples  = "examples"
)

// GenerateProposal compiles the demonstrations of a learning target into a draft (decisions A1, A6).
func (s *Service) GenerateProposal(ctx context.Context, m state.Meta, id string) (wire.GenerateProposalResponse, error) {
	if err := state.UserOnly(m); err != nil {
		return wire.GenerateProposalResponse{}, err
	}
	release, err := s.d.Changes.LockSession(ctx, id)
	if err != nil {
		return wire.GenerateProposalResponse{}, err
	}
	defer release()
	t, err := s.targetFor(ctx, id)
	if err == nil {
		err = s.mayGenerate(ctx, m, id, t)
	}
	if err != nil {
		return wire.GenerateProposalResponse{}, err
	}
	cause := causeGenerated
	if t.drafted() {
		cause = causeExamples
	}
	d, err := s.compile(ctx, t, cause, nil, "")
	if err != nil {
		return wire.GenerateProposalResponse{}, err
	}
	var pid string
	err = s.d.Changes.Update(ctx, m, func(set *change.Set) error {
		p, err := generate(set, d)
		if err == nil {
			pid = p.ProposalID
		}
		return err
	})
	if err != nil {
		return wire.GenerateProposalResponse{}, err
	}
	s.d.Drafted(t.root.LearnSessionID)
	sess, err := s.d.Query.Session(ctx, id)
	return wire.GenerateProposalResponse{Session: sess, ProposalID: pid}, err
}

// mayGenerate checks whether the named session can lead to a draft now.
func (s *Service) mayGenerate(ctx context.Context, m state.Meta, id string, t target) error {
	sess, err := s.d.Changes.Peek(ctx, id)
	if err != nil {
		return err
	}
	if err := state.CheckNotTimedOut(sess); err != nil {
		return err
	}
	if err := state.CheckRevision(m, sess.Revision); err != nil {
		return err
	}
	switch {
	case t.root.State == state.TestingProposal:
		return state.Validating()
	case sess.State == state.Stopped, sess.State == state.Reviewing:
	case sess.State == state.AwaitingQuestions && (t.prop.OpenQuestions == 0 || !t.root.AskBeforeBuild):
	case sess.State == state.AwaitingQuestions:
		return state.QuestionsOpen(t.prop)
	case t.newExamples > 0 && (sess.State == state.DraftingProposal || sess.State == state.ReadyForReview):
	default:
		return cannotGenerate(sess.State)
	}
	return nil
}

// cannotGenerate is the fault for generating a draft from a state that leads to none, or that has one already.
func cannotGenerate(from state.State) error {
	return fault.Newf(fault.InvalidLearnStateTransition, "no draft can be generated while the session is %s", from).
		WithDetail("from", string(from)).WithDetail("to", string(state.DraftingProposal)).
		WithHint("a draft that exists is changed by revising it, answering its questions or adding an example")
}

// generate stores a first draft, or one with more examples, and moves the sessions along.
func generate(set *change.Set, d draft) (*state.Proposal, error) {
	root, joined, err := loadMembers(set, d)
	if err != nil {
		return nil, err
	}
	p, err := proposalFor(set, root, d)
	if err != nil {
		return nil, err
	}
	for _, sess := range joined { // so that receipts of every hop name the proposal
		sess.ProposalID, sess.InterpretationID = p.ProposalID, p.InterpretationID
	}
	required, err := syncQuestions(set, root, p, d.out.Questions)
	if err != nil {
		return nil, err
	}
	for _, sess := range joined {
		if err := enterDrafting(set, sess, d.ask, required > 0); err != nil {
			return nil, err
		}
	}
	if d.ask {
		d.describe(p)
		return p, set.PutFile(state.InterpretationFile(p.InterpretationID), d.out.Interpretation.Canonical())
	}
	return p, storeDraft(set, root, p, d)
}

// loadMembers loads the sessions whose demonstrations went into d, and fails if one of them changed meanwhile.
func loadMembers(set *change.Set, d draft) (root *state.Session, all []*state.Session, err error) {
	for _, was := range d.t.members {
		sess, err := set.Load(was.LearnSessionID)
		if err != nil {
			return nil, nil, err
		}
		if sess.State != was.State || sess.ProposalID != was.ProposalID {
			return nil, nil, state.ChangedMeanwhile(sess.Revision)
		}
		all = append(all, sess)
	}
	if root, err = set.Load(d.t.root.LearnSessionID); err != nil {
		return nil, nil, err
	}
	if p, ok := set.LoadedProposal(root.ProposalID); ok && p.Revision != d.t.prop.Revision {
		return nil, nil, state.ChangedMeanwhile(p.Revision)
	}
	return root, all, nil
}

// enterDrafting takes a session to drafting_proposal, one transition at a time. With ask it stops at the questions.
func enterDrafting(set *change.Set, sess *state.Session, ask, open bool) error {
	var way []state.State
	switch sess.State {
	case state.Stopped:
		way = []state.State{state.Reviewing}
		fallthrough
	case state.Reviewing:
		if ask || open {
			way = append(way, state.AwaitingQuestions)
		}
	}
	if !ask && sess.State != state.DraftingProposal {
		way = append(way, state.DraftingProposal)
	}
	for _, to := range way {
		if err := set.Enter(sess, to, ""); err != nil {
			return err
		}
	}
	set.Touch(sess)
	return nil
}

// proposalFor returns the target's proposal and creates it if there is none.
func proposalFor(set *change.Set, root *state.Session, d draft) (*state.Proposal, error) {
	if root.ProposalID != "" {
		return set.LoadProposal(root.ProposalID)
	}
	p := &state.Proposal{
		ProposalID: d.proposalID, LearnSessionID: root.LearnSessionID, InterpretationID: d.out.Interpretation.InterpretationID,
		ProposalState: "draft", InstallLane: state.LanePending, Validation: state.ValidationNone, ImprovesSkill: root.TargetSkillID,
		CreatedAt: set.Now, UpdatedAt: set.Now, SchemaVersion: 1,
	}
	d.describe(p)
	if err := set.AddProposal(p); err != nil {
		return nil, err
	}
	root.ProposalID, root.InterpretationID = p.ProposalID, p.InterpretationID
	return p, set.Record(journal.ProposalCreated, root, "", map[string]any{"proposal_id": p.ProposalID, "traces": len(p.SourceTraceIDs)})
}

// storeDraft makes d the current revision. Earlier revisions are kept; earlier validations are void (decisions C1).
func storeDraft(set *change.Set, root *state.Session, p *state.Proposal, d draft) error {
	if p.Revision != d.t.prop.Revision {
		return state.ChangedMeanwhile(p.Revision)
	}
	d.describe(p)
	p.Revision, p.ContentHash, p.LintPassed = d.number, d.hash, d.out.Lint.Passed
	p.Validation, p.LastValidatedAt, p.ConfirmedPartial = state.ValidationNone, nil, false
	root.ValidationRunID, root.Title = "", plain.Clip(d.out.Title, 200)
	root.InterpretationID = d.out.Interpretation.InterpretationID
	set.Touch(root)
	if err := set.PutRevision(d.revision(set.Now)); err != nil {
		return err
	}
	if d.cause != causeGenerated {
		details := map[string]any{"proposal_id": p.ProposalID, "revision": d.number, "cause": d.cause, "fields": len(d.changed)}
		if err := set.Record(journal.ProposalRevised, root, d.cause, details); err != nil {
			return err
		}
	}
	return set.PutFile(state.InterpretationFile(p.InterpretationID), d.out.Interpretation.Canonical())
}

// identify assigns ids to the compiled records. The id of the interpretation stays the same across the revisions of a
// proposal.
func (d *draft) identify(newID func() string, now compile.Input) {
	d.proposalID = d.t.prop.ProposalID
	id := d.t.prop.InterpretationID
	if d.proposalID == "" {
		d.proposalID, id = newID(), newID()
	}
	i := &d.out.Interpretation
	i.InterpretationID, i.ProposalID, i.LearnSessionID, i.CreatedAt, i.SchemaVersion = id, d.proposalID, d.t.root.LearnSessionID, now.Now, 1
	for n := range d.out.Questions {
		q := &d.out.Questions[n]
		q.ProposalID, q.CreatedAt, q.SchemaVersion = d.proposalID, now.Now, 1
		if q.QuestionID == "" {
			q.QuestionID = newID()
		}
	}
}
