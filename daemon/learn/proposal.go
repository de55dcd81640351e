package learn

import (
	"context"
	"slices"

	"showhow/daemon/compile"
	"showhow/daemon/journal"
	"showhow/internal/fault"
)

// Causes of a revision.
const (
	causeGenerated = "generated"
	causeAnswers   = "answers"
	causeRevised   = "revised"
	causeExamples  = "examples"
)

// target is a learning target as a compilation sees it: read at one moment, judged again when its result is stored.
type target struct {
	root    Session
	members []Session // those whose demonstrations go in, the first one first
	fresh   int       // members that are not in the draft yet
	prop    Proposal  // zero when there is none
	rev     Revision  // the current one, zero when there is none
	answers map[string]string
	slugs   []string
}

func (t target) drafted() bool { return t.rev.Number > 0 }

// targetFor reads what a compilation for the session id needs.
func (s *Service) targetFor(ctx context.Context, id string) (t target, err error) {
	err = s.d.Store.View(ctx, func(tx Tx) error {
		sess, ok, err := tx.Session(id)
		if err != nil || !ok {
			return errorsFirst(err, sessionNotFound())
		}
		all, err := tx.TargetSessions(sess.TargetID)
		if err != nil {
			return err
		}
		for _, v := range all {
			if v.LearnSessionID == sess.TargetID {
				t.root = v
			}
			if slices.Contains(demonstrated, v.State) {
				t.members = append(t.members, v)
			}
		}
		return t.readDraft(tx)
	})
	if err != nil {
		return t, err
	}
	for _, v := range t.members {
		if v.ProposalID == "" {
			t.fresh++
		}
	}
	taken, err := s.d.Installer.TakenSlugs(ctx)
	t.slugs = append(t.slugs, taken...)
	return t, err
}

// withoutFresh leaves out examples that are not in the draft yet: they come in by generating it anew.
func (t target) withoutFresh() target {
	t.members = slices.DeleteFunc(slices.Clone(t.members), func(v Session) bool { return v.ProposalID != t.prop.ProposalID })
	t.fresh = 0
	return t
}

// demonstrated are the states of a session whose demonstration is over and not decided on.
var demonstrated = []State{Stopped, Reviewing, AwaitingQuestions, DraftingProposal, TestingProposal, ReadyForReview, Quarantined}

func (t *target) readDraft(tx Tx) (err error) {
	if t.slugs, err = tx.Slugs(t.root.ProposalID); err != nil || t.root.ProposalID == "" {
		return err
	}
	if t.prop, _, err = tx.Proposal(t.root.ProposalID); err != nil {
		return err
	}
	if t.rev, _, err = tx.Revision(t.prop.ProposalID, t.prop.Revision); err != nil {
		return err
	}
	t.answers, err = answersOf(tx, t.prop.ProposalID)
	return err
}

// GenerateProposal compiles the demonstrations of a learning target into a draft (decisions A1, A6).
func (s *Service) GenerateProposal(ctx context.Context, m Meta, id string) (GenerateProposalResponse, error) {
	if err := userOnly(m); err != nil {
		return GenerateProposalResponse{}, err
	}
	release, err := s.lockSession(ctx, id)
	if err != nil {
		return GenerateProposalResponse{}, err
	}
	defer release()
	t, err := s.targetFor(ctx, id)
	if err == nil {
		err = s.mayGenerate(ctx, m, id, t)
	}
	if err != nil {
		return GenerateProposalResponse{}, err
	}
	cause := causeGenerated
	if t.drafted() {
		cause = causeExamples
	}
	d, err := s.compile(ctx, t, cause, nil, "")
	if err != nil {
		return GenerateProposalResponse{}, err
	}
	var pid string
	err = s.update(ctx, m, func(u *unit) error {
		p, err := u.generate(d)
		if err == nil {
			pid = p.ProposalID
		}
		return err
	})
	if err != nil {
		return GenerateProposalResponse{}, err
	}
	s.autoValidate(t.root.LearnSessionID)
	sess, err := s.Session(ctx, id)
	return GenerateProposalResponse{Session: sess, ProposalID: pid}, err
}

// mayGenerate judges whether the session that was named can lead to a draft now.
func (s *Service) mayGenerate(ctx context.Context, m Meta, id string, t target) error {
	sess, err := s.peek(ctx, id)
	if err != nil {
		return err
	}
	if err := actable(sess); err != nil {
		return err
	}
	if err := seen(m, sess.Revision); err != nil {
		return err
	}
	switch {
	case t.root.State == TestingProposal:
		return validating()
	case sess.State == Stopped, sess.State == Reviewing:
	case sess.State == AwaitingQuestions && (t.prop.OpenQuestions == 0 || !t.root.AskBeforeBuild):
	case sess.State == AwaitingQuestions:
		return questionsOpen(t.prop)
	case t.fresh > 0 && (sess.State == DraftingProposal || sess.State == ReadyForReview):
	default:
		return checkHopTo(sess.State)
	}
	return nil
}

// checkHopTo is the fault of generating a draft from a state that leads to none, or has one already.
func checkHopTo(from State) error {
	return fault.Newf(fault.InvalidLearnStateTransition, "no draft can be generated while the session is %s", from).
		WithDetail("from", string(from)).WithDetail("to", string(DraftingProposal)).
		WithHint("a draft that exists is changed by revising it, answering its questions or adding an example")
}

func validating() error {
	return fault.New(fault.ValidationInProgress, "a validation run is under way").WithHint("wait for it, or cancel it")
}

func questionsOpen(p Proposal) error {
	return fault.New(fault.QuestionsOpen, "required questions have no answer yet").
		WithDetail("open_questions", p.OpenQuestions).WithDetail("proposal_id", p.ProposalID)
}

// generate stores a first draft, or one with more examples, and moves the sessions along.
func (u *unit) generate(d draft) (*Proposal, error) {
	root, joined, err := u.joined(d)
	if err != nil {
		return nil, err
	}
	p, err := u.proposalFor(root, d)
	if err != nil {
		return nil, err
	}
	for _, sess := range joined { // so that receipts of every hop name the proposal
		sess.ProposalID, sess.InterpretationID = p.ProposalID, p.InterpretationID
	}
	required, err := u.syncQuestions(root, p, d.out.Questions)
	if err != nil {
		return nil, err
	}
	for _, sess := range joined {
		if err := u.towards(sess, d.ask, required > 0); err != nil {
			return nil, err
		}
	}
	if d.ask {
		d.understood(p)
		return p, u.PutFile(interpretationFile(p.InterpretationID), d.out.Interpretation.Canonical())
	}
	return p, u.storeDraft(root, p, d)
}

// joined loads the sessions whose demonstrations went into d, and refuses when one of them moved on meanwhile.
func (u *unit) joined(d draft) (root *Session, all []*Session, err error) {
	for _, was := range d.t.members {
		sess, err := u.load(was.LearnSessionID)
		if err != nil {
			return nil, nil, err
		}
		if sess.State != was.State || sess.ProposalID != was.ProposalID {
			return nil, nil, movedOn(sess.Revision)
		}
		all = append(all, sess)
	}
	if root, err = u.load(d.t.root.LearnSessionID); err != nil {
		return nil, nil, err
	}
	if p, ok := u.props[root.ProposalID]; ok && p.Revision != d.t.prop.Revision {
		return nil, nil, movedOn(p.Revision)
	}
	return root, all, nil
}

func movedOn(current int) error {
	return fault.New(fault.RevisionConflict, "it was changed meanwhile").WithDetail("current_revision", current).WithHint("look again and repeat it")
}

// towards takes one session the way to drafting_proposal, hop by hop; ask stops it at its questions.
func (u *unit) towards(sess *Session, ask, open bool) error {
	var way []State
	switch sess.State {
	case Stopped:
		way = []State{Reviewing}
		fallthrough
	case Reviewing:
		if ask || open {
			way = append(way, AwaitingQuestions)
		}
	}
	if !ask && sess.State != DraftingProposal {
		way = append(way, DraftingProposal)
	}
	for _, to := range way {
		if err := u.enter(sess, to, ""); err != nil {
			return err
		}
	}
	u.touch(sess)
	return nil
}

// proposalFor is the target's proposal, made when there is none.
func (u *unit) proposalFor(root *Session, d draft) (*Proposal, error) {
	if root.ProposalID != "" {
		return u.proposal(root.ProposalID)
	}
	p := &Proposal{ProposalID: d.proposalID, LearnSessionID: root.LearnSessionID, InterpretationID: d.out.Interpretation.InterpretationID,
		ProposalState: "draft", InstallLane: lanePending, Validation: validationNone, ImprovesSkill: root.TargetSkillID,
		CreatedAt: u.now, UpdatedAt: u.now, SchemaVersion: 1}
	d.understood(p)
	if err := u.propose(p); err != nil {
		return nil, err
	}
	root.ProposalID, root.InterpretationID = p.ProposalID, p.InterpretationID
	return p, u.tell(journal.ProposalCreated, root, "", map[string]any{"proposal_id": p.ProposalID, "traces": len(p.SourceTraceIDs)})
}

const (
	validationNone    = "none"
	validationRunning = "running"
)

// storeDraft makes d the current revision. Earlier revisions stay; earlier validations are void (decisions C1).
func (u *unit) storeDraft(root *Session, p *Proposal, d draft) error {
	if p.Revision != d.t.prop.Revision {
		return movedOn(p.Revision)
	}
	d.understood(p)
	p.Revision, p.ContentHash, p.LintPassed = d.number, d.hash, d.out.Lint.Passed
	p.Validation, p.LastValidatedAt, p.ConfirmedPartial = validationNone, nil, false
	root.ValidationRunID, root.Title = "", clip(d.out.Title, 200)
	root.InterpretationID = d.out.Interpretation.InterpretationID
	u.touch(root)
	if err := u.PutRevision(d.revision(u.now)); err != nil {
		return err
	}
	if d.cause != causeGenerated {
		details := map[string]any{"proposal_id": p.ProposalID, "revision": d.number, "cause": d.cause, "fields": len(d.changed)}
		if err := u.tell(journal.ProposalRevised, root, d.cause, details); err != nil {
			return err
		}
	}
	return u.PutFile(interpretationFile(p.InterpretationID), d.out.Interpretation.Canonical())
}

// interpretation ids stay the same over all revisions of a proposal.
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
