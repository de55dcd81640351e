package learn

import (
	"context"
	"slices"
	"strings"

	"showhow/daemon/compile"
	"showhow/daemon/journal"
	"showhow/daemon/wire"
	"showhow/internal/fault"
	"showhow/internal/twin"
)

// keyOf names a question's subject over all compilations; the compiler takes answers by it.
func keyOf(q compile.Question) string { return q.SubjectRef + "/" + q.Field }

// syncQuestions makes the open questions those of the latest compilation. A question that is asked again keeps its id;
// one that no longer matters is withdrawn; what was answered stays. It returns how many required ones are open.
func (u *unit) syncQuestions(root *Session, p *Proposal, asked []compile.Question) (required int, err error) {
	known, err := u.Questions(p.ProposalID)
	if err != nil {
		return 0, err
	}
	order, fresh := p.QuestionsAsked, 0
	for _, k := range known {
		order = max(order, k.Order)
		again := slices.ContainsFunc(asked, func(q compile.Question) bool { return keyOf(q) == k.Key })
		if k.Answer == nil && !again {
			if err := u.DeleteQuestion(k.QuestionID); err != nil {
				return 0, err
			}
		}
	}
	defer func() { p.QuestionsAsked = order }()
	p.OpenQuestions = 0
	for _, q := range asked {
		i := slices.IndexFunc(known, func(k QuestionRecord) bool { return k.Key == keyOf(q) })
		if i >= 0 && known[i].Answer != nil {
			continue
		}
		rec := QuestionRecord{Question: q, Key: keyOf(q)}
		if i >= 0 {
			rec.QuestionID, rec.CreatedAt, rec.Order = known[i].QuestionID, known[i].CreatedAt, known[i].Order
		} else {
			order, fresh = order+1, fresh+1
			rec.Order = order
		}
		if err := u.PutQuestion(rec); err != nil {
			return 0, err
		}
		if q.Required {
			p.OpenQuestions++
		}
	}
	if fresh > 0 {
		err = u.tell(journal.QuestionsRequested, root, "", map[string]any{"proposal_id": p.ProposalID, "questions": fresh, "required": p.OpenQuestions})
	}
	return p.OpenQuestions, err
}

// answersOf are the answers of a proposal as the compiler takes them.
func answersOf(tx Tx, proposalID string) (map[string]string, error) {
	list, err := tx.Questions(proposalID)
	out := map[string]string{}
	for _, q := range list {
		if q.Answer != nil {
			out[q.Key] = *q.Answer
		}
	}
	return out, err
}

func questionViews(tx Tx, proposalID string) ([]QuestionView, error) {
	list, err := tx.Questions(proposalID)
	out := make([]QuestionView, 0, len(list))
	for _, q := range list {
		v := QuestionView{WorkflowQuestion: twin.To[wire.WorkflowQuestion](q.Question), Number: q.Order, QuestionText: q.Prompt, Answered: q.Answer != nil, AnsweredAt: q.AnsweredAt}
		if q.Answer != nil {
			v.AnswerText = *q.Answer
		}
		out = append(out, v)
	}
	return out, err
}

// Questions lists the questions of a session's draft, answered ones included.
func (s *Service) Questions(ctx context.Context, id string) ([]QuestionView, error) {
	sess, err := s.peek(ctx, id)
	if err != nil || sess.ProposalID == "" {
		return []QuestionView{}, err
	}
	var out []QuestionView
	err = s.d.Store.View(ctx, func(tx Tx) (err error) {
		out, err = questionViews(tx, sess.ProposalID)
		return err
	})
	return out, err
}

var answerStates = []State{AwaitingQuestions, DraftingProposal, ReadyForReview}

// AnswerQuestions records answers. With a draft it compiles the next revision; before the first one it only records, and
// generating the draft is the next step.
func (s *Service) AnswerQuestions(ctx context.Context, m Meta, id string, r AnswerQuestionsRequest) (AnswerQuestionsResponse, error) {
	if err := userOnly(m); err != nil {
		return AnswerQuestionsResponse{}, err
	}
	release, err := s.lockSession(ctx, id)
	if err != nil {
		return AnswerQuestionsResponse{}, err
	}
	defer release()
	t, err := s.targetFor(ctx, id)
	if err == nil {
		err = mayAnswer(m, t)
	}
	if err != nil {
		return AnswerQuestionsResponse{}, err
	}
	records, understood, err := s.answered(ctx, t.prop.ProposalID, r)
	if err != nil {
		return AnswerQuestionsResponse{}, err
	}
	for _, q := range records {
		t.answers[q.Key] = *q.Answer
	}
	var d *draft
	if t.drafted() {
		t = t.withoutFresh()
		made, err := s.compile(ctx, t, causeAnswers, nil, "")
		if err != nil {
			return AnswerQuestionsResponse{}, err
		}
		d = &made
	}
	open := 0
	err = s.update(ctx, m, func(u *unit) (err error) {
		open, err = u.answer(t, records, d)
		return err
	})
	if err != nil {
		return AnswerQuestionsResponse{}, err
	}
	sess, err := s.Session(ctx, id)
	return AnswerQuestionsResponse{Session: sess, Understood: understood, RemainingQuestions: open, NextAction: afterAnswers(open, d != nil)}, err
}

func mayAnswer(m Meta, t target) error {
	switch {
	case t.prop.ProposalID == "":
		return fault.New(fault.ProposalNotFound, "this session has no draft, so nothing was asked").WithHint("generate the proposal first")
	case t.root.State == TestingProposal:
		return validating()
	case !slices.Contains(answerStates, t.root.State):
		return notWhile(t.root.State, "questions cannot be answered")
	}
	return seen(m, t.root.Revision)
}

// answered puts the answers into the records of their questions, and says how each is understood.
func (s *Service) answered(ctx context.Context, proposalID string, r AnswerQuestionsRequest) ([]QuestionRecord, []string, error) {
	var known []QuestionRecord
	err := s.d.Store.View(ctx, func(tx Tx) (err error) {
		known, err = tx.Questions(proposalID)
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	now := s.now()
	var v violations
	var out []QuestionRecord
	understood := []string{}
	for _, a := range r.Answers {
		i := slices.IndexFunc(known, func(k QuestionRecord) bool { return k.QuestionID == a.QuestionID })
		if i < 0 {
			v.add("answers", "one of them names no question of this draft")
			break
		}
		text := strings.TrimSpace(a.AnswerText)
		if text == "" && known[i].Required {
			v.add("answers", "a required question has an empty answer")
			break
		}
		said, problem := known[i].Understand(text)
		if text != "" && problem != "" {
			return nil, nil, fault.Newf(fault.InvalidRequest, "question %d does not take this answer", known[i].Order).WithHint(problem).
				WithDetail("question_id", known[i].QuestionID).WithDetail("choices", known[i].Choices)
		}
		if text != "" {
			understood = append(understood, said)
		}
		q := known[i]
		q.Answer, q.AnsweredAt = &text, &now
		out = append(out, q)
	}
	return out, understood, v.err()
}

// answer stores answers and, if there is one, the draft that was compiled with them.
func (u *unit) answer(t target, records []QuestionRecord, d *draft) (open int, err error) {
	root, err := u.load(t.root.LearnSessionID)
	if err != nil {
		return 0, err
	}
	if root.State != t.root.State {
		return 0, movedOn(root.Revision)
	}
	p, err := u.proposal(t.prop.ProposalID)
	if err != nil {
		return 0, err
	}
	for _, q := range records {
		if err := u.PutQuestion(q); err != nil {
			return 0, err
		}
	}
	u.touch(root)
	if err := u.tell(journal.QuestionsAnswered, root, "", map[string]any{"proposal_id": p.ProposalID, "answers": len(records)}); err != nil {
		return 0, err
	}
	if d == nil {
		p.OpenQuestions, err = u.stillOpen(p.ProposalID)
		return p.OpenQuestions, err
	}
	if err := u.backToDrafting(root); err != nil {
		return 0, err
	}
	if open, err = u.syncQuestions(root, p, d.out.Questions); err != nil {
		return 0, err
	}
	return open, u.storeDraft(root, p, *d)
}

func (u *unit) stillOpen(proposalID string) (int, error) {
	list, err := u.Questions(proposalID)
	n := 0
	for _, q := range list {
		if q.Required && q.Answer == nil {
			n++
		}
	}
	return n, err
}

func afterAnswers(open int, drafted bool) string {
	switch {
	case open > 0:
		return "more_questions"
	case drafted:
		return "ready_for_review"
	}
	return "generate_proposal"
}

// backToDrafting takes the first session and its joined examples back to drafting_proposal, if they are past it.
func (u *unit) backToDrafting(root *Session) error {
	all, err := u.joinedTo(root)
	if err != nil {
		return err
	}
	for _, sess := range all {
		if sess.State == DraftingProposal || sess.State == AwaitingQuestions {
			continue
		}
		if err := u.enter(sess, DraftingProposal, ""); err != nil {
			return err
		}
	}
	return nil
}

// joinedTo are the sessions of a target that share its proposal and move with it; the first one comes last, so that the
// runtime snapshot is its.
func (u *unit) joinedTo(root *Session) ([]*Session, error) {
	all, err := u.members(root.TargetID)
	if err != nil {
		return nil, err
	}
	var out []*Session
	for _, sess := range all {
		if sess != root && sess.ProposalID == root.ProposalID && sess.State != Cancelled {
			out = append(out, sess)
		}
	}
	return append(out, root), nil
}
