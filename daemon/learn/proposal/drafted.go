package proposal

import (
	"cmp"
	"context"

	"showhow/daemon/compile"
	"showhow/daemon/learn/state"
	"showhow/internal/fault"
)

// Drafted reads a proposal that has a draft, its current revision and its first session (nil if that was deleted).
func (s *Reader) Drafted(ctx context.Context, id string) (p state.Proposal, rev state.Revision, sess *state.Session, err error) {
	err = s.d.Store.View(ctx, func(tx state.Tx) error {
		var ok bool
		if p, ok, err = tx.Proposal(id); err != nil || !ok {
			return cmp.Or(err, state.ProposalNotFound())
		}
		if err = state.CheckProposalNotImport(p); err != nil {
			return err
		}
		if sess, err = sessionOf(tx, p); err != nil {
			return err
		}
		rev, ok, err = tx.Revision(id, p.Revision)
		if err == nil && !ok {
			err = notDrafted(p)
		}
		return err
	})
	return p, rev, sess, err
}

func notDrafted(p state.Proposal) error {
	return fault.New(fault.InvalidLearnStateTransition, "there is no draft yet: its questions come first").
		WithDetail("from", p.ProposalState).WithDetail("open_questions", p.OpenQuestions)
}

// LockProposal takes the lock of the learning target that a proposal belongs to.
func (s *Reader) LockProposal(ctx context.Context, id string) (func(), error) {
	key := id
	err := s.d.Store.View(ctx, func(tx state.Tx) error {
		p, ok, err := tx.Proposal(id)
		if err != nil || !ok {
			return cmp.Or(err, state.ProposalNotFound())
		}
		if sess, err := sessionOf(tx, p); err != nil {
			return err
		} else if sess != nil {
			key = sess.TargetID
		}
		return state.CheckProposalNotImport(p)
	})
	if err != nil {
		return nil, err
	}
	return s.d.Changes.Lock(key), nil
}

// LintGate refuses a draft whose checkpoints failed the lint, and lists the findings (DOC3 0C.16B).
func LintGate(rev state.Revision) error {
	if rev.Output.Lint.Passed {
		return nil
	}
	findings := []compile.Finding{}
	for _, f := range rev.Output.Lint.Findings {
		if f.Severity == "error" {
			findings = append(findings, f)
		}
	}
	return fault.New(fault.CheckpointLintFailed, "checkpoints of the draft failed the lint").WithDetail("findings", findings).
		WithHint("revise the draft first")
}
