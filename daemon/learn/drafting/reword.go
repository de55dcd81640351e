package drafting

import (
	"context"
	"maps"
	"slices"
	"strings"

	"showhow/daemon/compile"
	decisions "showhow/daemon/compile/decision"
	"showhow/daemon/compile/revise"
	"showhow/daemon/journal"
	"showhow/daemon/learn/change"
	"showhow/daemon/learn/port"
	"showhow/daemon/learn/state"
	"showhow/daemon/model"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// ImproveText asks the model for better wording. It changes nothing: the answer is compiled beside the draft and
// offered only if the task stays the same. A model on another machine needs the person's consent for this session, and
// every request leaves a receipt.
func (s *Service) ImproveText(ctx context.Context, m state.Meta, id string, r wire.ImproveTextRequest) (wire.ImproveTextResponse, error) {
	none := wire.ImproveTextResponse{}
	if err := state.UserOnly(m); err != nil {
		return none, err
	}
	if s.d.Writer == nil {
		return none, fault.New(fault.ModelNotConfigured, "no model is configured, and none is needed").
			WithHint("docs/model.md says how to name one in config.toml")
	}
	t, err := s.draftOf(ctx, m, id)
	if err != nil {
		return none, err
	}
	if err := s.allowModel(ctx, m, t.root, r.ConsentTo); err != nil {
		return none, err
	}
	// The lock is not held meanwhile: a model takes its time, and nothing is stored. Accepting the answer names the
	// revision.
	in, base, before, err := s.prepare(ctx, t.withoutNewExamples())
	if err != nil {
		return none, err
	}
	texts := revise.Wording(before)
	a, err := s.d.Writer.Improve(ctx, model.Request{Texts: texts, Hide: revise.KnownValues(before),
		Never: slices.Collect(maps.Values(in.Values))})
	if err != nil {
		return none, err
	}
	w := rewording{compile: s.d.Compile, in: in, base: base, before: before}
	if err := w.keepTheWork(&a); err != nil {
		return none, err
	}
	at := s.d.Writer.Endpoint()
	out := wire.ImproveTextResponse{
		ProposalID: id, Revision: t.prop.Revision, Endpoint: at.Origin, Model: at.Model, Remote: at.Remote, TextsSent: a.Sent,
		EditedFields: revise.WordingEdits(before, base, a.Said), Texts: []wire.TextChange{}, Refused: []wire.TextRefusal{},
		SchemaVersion: 1,
	}
	for _, x := range texts {
		if said, ok := a.Said[x.ID]; ok {
			out.Texts = append(out.Texts, wire.TextChange{Text: x.ID, Before: x.Text, After: said})
		}
		for _, no := range a.Refused {
			if no.ID == x.ID {
				out.Refused = append(out.Refused, wire.TextRefusal{Text: x.ID, Before: x.Text, Reason: no.Reason})
			}
		}
	}
	return out, nil
}

// draftOf returns the target of a draft that may be revised now.
func (s *Service) draftOf(ctx context.Context, m state.Meta, id string) (target, error) {
	_, _, root, err := s.d.Proposals.Drafted(ctx, id)
	if err != nil {
		return target{}, err
	}
	if root == nil {
		return target{}, fault.New(fault.LearnSessionNotFound, "the session of this draft was deleted")
	}
	t, err := s.targetFor(ctx, root.LearnSessionID)
	if err == nil {
		err = s.mayRevise(ctx, m, t)
	}
	return t, err
}

// allowModel asks for consent where the texts would leave this machine, and writes the receipts before they do.
func (s *Service) allowModel(ctx context.Context, m state.Meta, root state.Session, consent string) error {
	at := s.d.Writer.Endpoint()
	agreed := !at.Remote || root.ModelConsent == at.Origin
	if !agreed && consent != at.Origin {
		return fault.New(fault.ModelConsent, "the model is on another machine: the draft's texts would leave this one").
			WithDetail("endpoint", at.Origin).WithDetail("model", at.Model).
			WithHint("`showhow proposal improve-text --consent-to ADDRESS` allows it for this session; values and quotations are never sent")
	}
	return s.d.Changes.Update(ctx, state.Meta{Principal: m.Principal, Source: m.Source, CorrelationID: m.CorrelationID},
		func(set *change.Set) error {
			sess, err := set.Load(root.LearnSessionID)
			if err != nil {
				return err
			}
			told := map[string]any{"endpoint": at.Origin, "remote": at.Remote}
			if !agreed {
				sess.ModelConsent = at.Origin
				set.Touch(sess)
				if err := set.Record(journal.ModelConsented, sess, "", told); err != nil {
					return err
				}
			}
			return set.Record(journal.ModelAsked, sess, "", told)
		})
}

// rewording tries new texts on a draft.
type rewording struct {
	compile port.Compiler
	in      compile.Input
	base    map[string]any
	before  compile.Output
}

// keepTheWork removes texts that would change more than wording or fail the lint.
func (w rewording) keepTheWork(a *model.Answer) error {
	if len(a.Said) == 0 || w.changes(a.Said) == "" {
		return nil
	}
	for _, id := range slices.Sorted(maps.Keys(a.Said)) {
		if why := w.changes(map[string]string{id: a.Said[id]}); why != "" {
			delete(a.Said, id)
			a.Refused = append(a.Refused, model.Refusal{ID: id, Reason: why})
		}
	}
	if why := w.changes(a.Said); why != "" {
		return fault.Newf(fault.ModelAnswerRefused, "the model's answer was thrown away: %s", why).WithHint("the draft is as it was")
	}
	return nil
}

// changes says what the texts would change besides wording, or "".
func (w rewording) changes(said map[string]string) string {
	if len(said) == 0 {
		return ""
	}
	in := w.in
	in.Edits, in.Revision = decisions.MergeEdits(w.base, revise.WordingEdits(w.before, w.base, said)), max(1, w.in.Revision)
	after, err := w.compile(in)
	if err != nil {
		return "the draft could not be made with it"
	}
	if other := revise.OtherWork(w.before, after); len(other) > 0 {
		return "it would change more than words: " + strings.Join(other, ", ")
	}
	for _, f := range after.Lint.Findings {
		same := func(g compile.Finding) bool { return f.Rule == g.Rule && f.Subject == g.Subject }
		if f.Severity != "info" && !slices.ContainsFunc(w.before.Lint.Findings, same) {
			return f.Rule + ": " + f.Message
		}
	}
	return ""
}
