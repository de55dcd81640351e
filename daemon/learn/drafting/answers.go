package drafting

import (
	"context"
	"slices"
	"strings"

	"showhow/daemon/compile"
	"showhow/daemon/journal"
	"showhow/daemon/learn/change"
	"showhow/daemon/learn/state"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// keyOf identifies a question's subject across compilations; answers are keyed by it.
func keyOf(q compile.Question) string { return q.SubjectRef + "/" + q.Field }

// syncQuestions replaces the open questions with those of the latest compilation. A question asked again keeps its id,
// one that no longer matters is withdrawn, and answered ones stay. It returns the number of open required questions.
func syncQuestions(set *change.Set, root *state.Session, p *state.Proposal, asked []compile.Question) (required int, err error) {
	known, err := set.Questions(p.ProposalID)
	if err != nil {
		return 0, err
	}
	order, fresh := p.QuestionsAsked, 0
	for _, k := range known {
		order = max(order, k.Order)
		again := slices.ContainsFunc(asked, func(q compile.Question) bool { return keyOf(q) == k.Key })
		if k.Answer == nil && !again {
			if err := set.DeleteQuestion(k.QuestionID); err != nil {
				return 0, err
			}
		}
	}
	defer func() { p.QuestionsAsked = order }()
	p.OpenQuestions = 0
	for _, q := range asked {
		i := slices.IndexFunc(known, func(k state.QuestionRecord) bool { return k.Key == keyOf(q) })
		if i >= 0 && known[i].Answer != nil {
			continue
		}
		rec := state.QuestionRecord{Question: q, Key: keyOf(q)}
		if i >= 0 {
			rec.QuestionID, rec.CreatedAt, rec.Order = known[i].QuestionID, known[i].CreatedAt, known[i].Order
		} else {
			order, fresh = order+1, fresh+1
			rec.Order = order
		}
		if err := set.PutQuestion(rec); err != nil {
			return 0, err
		}
		if q.Required {
			p.OpenQuestions++
		}
	}
	if fresh > 0 {
		err = set.Record(journal.QuestionsRequested, root, "",
			map[string]any{"proposal_id": p.ProposalID, "questions": fresh, "required": p.OpenQuestions})
	}
	return p.OpenQuestions, err
}

var answerStates = []state.State{state.AwaitingQuestions, state.DraftingProposal, state.ReadyForReview}

// AnswerQuestions records answers. If there is a draft, it compiles the next revision; otherwise it only records them,
// and generating the draft is the next step.
func (s *Service) AnswerQuestions(
	ctx context.Context, m state.Meta, id string, r wire.AnswerQuestionsRequest,
) (wire.AnswerQuestionsResponse, error) {
	if err := state.UserOnly(m); err != nil {
		return wire.AnswerQuestionsResponse{}, err
	}
	release, err := s.d.Changes.LockSession(ctx, id)
	if err != nil {
		return wire.AnswerQuestionsResponse{}, err
	}
	defer release()
	t, err := s.targetFor(ctx, id)
	if err == nil {
		err = mayAnswer(m, t)
	}
	if err != nil {
		return wire.AnswerQuestionsResponse{}, err
	}
	records, understood, err := s.matchAnswers(ctx, t.prop.ProposalID, r)
	if err != nil {
		return wire.AnswerQuestionsResponse{}, err
	}
	for _, q := range records {
		t.answers[q.Key] = *q.Answer
	}
	var d *draft
	if t.drafted() {
		t = t.withoutNewExamples()
		made, err := s.compile(ctx, t, causeAnswers, nil, "")
		if err != nil {
			return wire.AnswerQuestionsResponse{}, err
		}
		d = &made
	}
	open := 0
	err = s.d.Changes.Update(ctx, m, func(set *change.Set) (err error) {
		open, err = answer(set, t, records, d)
		return err
	})
	if err != nil {
		return wire.AnswerQuestionsResponse{}, err
	}
	sess, err := s.d.Query.Session(ctx, id)
	return wire.AnswerQuestionsResponse{Session: sess, Understood: understood, RemainingQuestions: open,
		NextAction: afterAnswers(open, d != nil)}, err
}

func mayAnswer(m state.Meta, t target) error {
	switch {
	case t.prop.ProposalID == "":
		return fault.New(fault.ProposalNotFound, "this session has no draft, so nothing was asked").WithHint("generate the proposal first")
	case t.root.State == state.TestingProposal:
		return state.Validating()
	case !slices.Contains(answerStates, t.root.State):
		return state.NotAllowedWhile(t.root.State, "questions cannot be answered")
	}
	return state.CheckRevision(m, t.root.Revision)
}

// matchAnswers matches answers to their questions and interprets each.
func (s *Service) matchAnswers(
	ctx context.Context, proposalID string, r wire.AnswerQuestionsRequest,
) ([]state.QuestionRecord, []string, error) {
	var known []state.QuestionRecord
	err := s.d.Store.View(ctx, func(tx state.Tx) (err error) {
		known, err = tx.Questions(proposalID)
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	now := s.d.Changes.Now()
	var v state.Violations
	var out []state.QuestionRecord
	understood := []string{}
	for _, a := range r.Answers {
		i := slices.IndexFunc(known, func(k state.QuestionRecord) bool { return k.QuestionID == a.QuestionID })
		if i < 0 {
			v.Add("answers", "one of them names no question of this draft")
			break
		}
		text, problem := answerText(known[i], a)
		if problem != "" {
			v.Add("answers", problem)
			break
		}
		if text == "" && known[i].Required {
			v.Add("answers", "a required question has an empty answer")
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
	return out, understood, v.Err()
}

// answerText is an answer as text, in whichever form it was given.
func answerText(q state.QuestionRecord, a wire.AnswerItem) (text, problem string) {
	if len(a.Each) == 0 {
		return strings.TrimSpace(a.AnswerText), ""
	}
	if a.AnswerText != "" {
		return "", "an answer has answer_text or each, not both"
	}
	each := map[string]string{}
	for _, x := range a.Each {
		each[x.Ref] = x.Answer
	}
	return q.Join(each)
}

// answer stores the answers and the draft compiled with them, if there is one.
func answer(set *change.Set, t target, records []state.QuestionRecord, d *draft) (open int, err error) {
	root, err := set.Load(t.root.LearnSessionID)
	if err != nil {
		return 0, err
	}
	if root.State != t.root.State {
		return 0, state.ChangedMeanwhile(root.Revision)
	}
	p, err := set.LoadProposal(t.prop.ProposalID)
	if err != nil {
		return 0, err
	}
	for _, q := range records {
		if err := set.PutQuestion(q); err != nil {
			return 0, err
		}
	}
	set.Touch(root)
	if err := set.Record(journal.QuestionsAnswered, root, "",
		map[string]any{"proposal_id": p.ProposalID, "answers": len(records)}); err != nil {
		return 0, err
	}
	if d == nil {
		p.OpenQuestions, err = countOpen(set, p.ProposalID)
		return p.OpenQuestions, err
	}
	if err := set.BackToDrafting(root); err != nil {
		return 0, err
	}
	if open, err = syncQuestions(set, root, p, d.out.Questions); err != nil {
		return 0, err
	}
	return open, storeDraft(set, root, p, *d)
}

func countOpen(set *change.Set, proposalID string) (int, error) {
	list, err := set.Questions(proposalID)
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
