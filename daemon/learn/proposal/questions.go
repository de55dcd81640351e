package proposal

import (
	"context"

	"showhow/daemon/learn/state"
	"showhow/daemon/wire"
	"showhow/internal/twin"
)

// AnswersByKey returns the answers of a proposal in the compiler's form.
func AnswersByKey(tx state.Tx, proposalID string) (map[string]string, error) {
	list, err := tx.Questions(proposalID)
	out := map[string]string{}
	for _, q := range list {
		if q.Answer != nil {
			out[q.Key] = *q.Answer
		}
	}
	return out, err
}

func questionViews(tx state.Tx, proposalID string) ([]wire.LearningQuestion, error) {
	list, err := tx.Questions(proposalID)
	out := make([]wire.LearningQuestion, 0, len(list))
	for _, q := range list {
		v := wire.LearningQuestion{WorkflowQuestion: twin.To[wire.WorkflowQuestion](q.Question), Number: q.Order, QuestionText: q.Prompt,
			Answered: q.Answer != nil, AnsweredAt: q.AnsweredAt}
		for i, ref := range q.Refs() {
			v.About = append(v.About, wire.QuestionSubject{Ref: ref, Label: q.Subjects[i]})
		}
		if q.Answer != nil {
			v.AnswerText = *q.Answer
		}
		out = append(out, v)
	}
	return out, err
}

// Questions lists the questions of a session's draft, answered ones included.
func (s *Reader) Questions(ctx context.Context, id string) ([]wire.LearningQuestion, error) {
	sess, err := s.d.Changes.Peek(ctx, id)
	if err != nil || sess.ProposalID == "" {
		return []wire.LearningQuestion{}, err
	}
	var out []wire.LearningQuestion
	err = s.d.Store.View(ctx, func(tx state.Tx) (err error) {
		out, err = questionViews(tx, sess.ProposalID)
		return err
	})
	return out, err
}
