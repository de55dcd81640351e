package mining

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"showhow/capture"
	"showhow/daemon/journal"
	"showhow/daemon/learn/state"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// maxExamples bounds the occurrences that a draft is made of.
const maxExamples = 4

// Later postpones a candidate.
func (s *Service) Later(ctx context.Context, m state.Meta, id string, days int) (Routine, error) {
	until := s.o.Now().Plus(time.Duration(cmp.Or(days, 14)) * 24 * time.Hour)
	return s.decide(ctx, m, id, func(r *Routine) { r.State, r.Until = NotNow, &until })
}

// Never excludes a candidate from being offered again.
func (s *Service) Never(ctx context.Context, m state.Meta, id string) (Routine, error) {
	return s.decide(ctx, m, id, func(r *Routine) { r.State, r.Until = Never, nil })
}

func (s *Service) decide(ctx context.Context, m state.Meta, id string, change func(*Routine)) (Routine, error) {
	if err := state.UserOnly(m); err != nil {
		return Routine{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	c, err := s.candidate(ctx, id)
	if err != nil {
		return Routine{}, err
	}
	if c.Routine.State == Learned {
		return Routine{}, fault.New(fault.InvalidRequest, "this was learned already").WithHint("`showhow proposal list` shows its draft")
	}
	change(&c.Routine)
	return c.Routine, s.store(ctx, m, c)
}

func (s *Service) store(ctx context.Context, m state.Meta, c Stored) error {
	return s.o.Store.Update(ctx, func(tx Tx) error {
		if err := tx.PutCandidate(c); err != nil {
			return err
		}
		return s.tell(tx, journal.MiningDecided, m, "What becomes of work that was done again and again was decided.",
			map[string]any{"cluster_id": c.Routine.Cluster.ClusterID, "decision": c.Routine.State})
	})
}

func (s *Service) candidate(ctx context.Context, id string) (c Stored, err error) {
	set, err := s.Settings(ctx)
	if err != nil {
		return Stored{}, err
	}
	all, err := s.kept(ctx, set)
	i := slices.IndexFunc(all, func(x Stored) bool { return x.Routine.Cluster.ClusterID == id })
	if err != nil || i < 0 {
		return Stored{}, cmp.Or[error](err, fault.New(fault.NotFound, "there is no such routine").WithHint(
			"`showhow mine` lists them; one that is not done any more, or whose source was deleted, is gone"))
	}
	return all[i], nil
}

// Learn makes a draft from what is still kept of a candidate: one learn session for each occurrence, the others as
// examples of the first. Its required questions must be answered.
func (s *Service) Learn(ctx context.Context, m state.Meta, id string, r wire.LearnMinedRequest) (wire.LearnMinedResponse, error) {
	if err := state.UserOnly(m); err != nil {
		return wire.LearnMinedResponse{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	c, err := s.candidate(ctx, id)
	if err != nil {
		return wire.LearnMinedResponse{}, err
	}
	switch c.Routine.State {
	case Learned:
		return wire.LearnMinedResponse{}, fault.New(fault.InvalidRequest, "this was learned already").
			WithHint("`showhow proposal list` shows its draft")
	case HeldBack:
		return wire.LearnMinedResponse{}, held(c.Routine)
	}
	if !throughGates(c.Routine) {
		return wire.LearnMinedResponse{}, held(c.Routine)
	}
	answers, err := answered(c.Routine, r.Answers)
	if err != nil {
		return wire.LearnMinedResponse{}, err
	}
	return s.learn(ctx, m, c, answers, state.BuildThenReview) // what has to be asked before is asked
}

// held returns why a routine is not offered.
func held(r Routine) error {
	var why []string
	for _, g := range r.Gates {
		if !g.Passed {
			why = append(why, g.Reason)
		}
	}
	f := fault.New(fault.InsufficientTraces, "this is not offered yet").WithDetail("gates", why)
	if len(why) > 0 {
		return f.WithHint(why[0])
	}
	return f.WithHint("looking for routines is turned off: showhow mine settings --mode build_then_review")
}

// answered returns the answers by question; QUESTIONS_OPEN when a required one is missing.
func answered(r Routine, as []wire.MiningAnswer) (map[string]string, error) {
	out := map[string]string{}
	for _, a := range as {
		out[a.Question] = strings.TrimSpace(a.Text)
	}
	var open []string
	for _, q := range r.Questions {
		if q.Required && out[q.Question] == "" {
			open = append(open, q.Text)
		}
	}
	if len(open) > 0 {
		return nil, fault.New(fault.QuestionsOpen, "some questions must be answered first").WithDetail("open_questions", open).
			WithHint("`showhow mine show` lists them; answer with `showhow mine learn ID --answer name=...`")
	}
	if v := out["scope"]; v != "" && v != "global" && v != "project_scoped" {
		return nil, state.Invalid("answers.scope", "must be global or project_scoped")
	}
	return out, nil
}

// learn makes the sessions and the draft.
func (s *Service) learn(ctx context.Context, m state.Meta, c Stored, answers map[string]string, policy wire.BuildPolicy,
) (out wire.LearnMinedResponse, err error) {
	from, err := s.available(ctx, c)
	if err != nil {
		return out, err
	}
	m.IfMatch, m.ClientRequestID = nil, ""
	first := ""
	for _, ref := range from {
		q := wire.CreateLearnSessionRequest{EntryMode: state.DemonstratingSkill, BuildPolicy: policy, ExampleOf: first,
			Goal: cmp.Or(answers["when"], c.Routine.Cluster.NormalizedGoal), AllowPrivateInstall: policy == state.PrivateAutoInstall}
		if ref.Kind == Runs {
			q.ObservationMode, q.SourceRunIDs = state.ObserveInside, []string{ref.ID}
		} else {
			q.ObservationMode, q.SourceTraceIDs = state.ObserveOutside, []string{ref.Trace}
		}
		made, err := s.o.Learn.Create(ctx, m, q)
		if err != nil {
			return out, s.undo(ctx, m, first, err)
		}
		id := made.Session.LearnSessionID
		first = cmp.Or(first, id)
		if err := s.trim(ctx, m, id, ref); err != nil {
			return out, s.undo(ctx, m, first, err)
		}
	}
	g, err := s.o.Learn.GenerateProposal(ctx, m, first)
	if err != nil {
		return out, s.undo(ctx, m, first, err)
	}
	c.Routine.State, c.Routine.Until = Learned, nil
	c.Routine.LearnSessionID, c.Routine.ProposalID = first, g.ProposalID
	out = wire.LearnMinedResponse{LearnSessionID: first, ProposalID: g.ProposalID, NextAction: "review", SchemaVersion: 1}
	if err := s.store(ctx, m, c); err != nil { // even if the answers fail, the draft exists
		return out, err
	}
	out.Routine = c.Routine
	return out, s.revise(ctx, m, g.ProposalID, answers)
}

// undo ends the sessions of a failed attempt.
func (s *Service) undo(ctx context.Context, m state.Meta, first string, why error) error {
	if first != "" {
		_, _ = s.o.Learn.Cancel(context.WithoutCancel(ctx), m, first, "not_learnable")
	}
	return why
}

// available returns the occurrences that succeeded and are still kept, newest first. A receipt holds no arguments:
// nothing can be made of it alone.
func (s *Service) available(ctx context.Context, c Stored) (out []Ref, err error) {
	kept := map[Kind]map[string]bool{}
	for _, ref := range slices.Backward(c.Sources) {
		if ref.Failed || ref.Kind == Receipts {
			continue
		}
		if kept[ref.Kind] == nil {
			ws, err := s.o.Read(ctx, ref.Kind)
			if err != nil {
				return nil, err
			}
			kept[ref.Kind] = map[string]bool{}
			for _, w := range ws {
				kept[ref.Kind][w.ID] = true
			}
		}
		if kept[ref.Kind][ref.ID] && len(out) < maxExamples {
			out = append(out, ref)
		}
	}
	if len(out) == 0 {
		return nil, fault.New(fault.InsufficientTraces, "only a note that it was done is still kept").
			WithHint("show it once: showhow learn start")
	}
	return out, nil
}

// trim cuts a session to the routine, because other work surrounds it.
func (s *Service) trim(ctx context.Context, m state.Meta, id string, ref Ref) error {
	at := func(n int) (capture.Event, int, error) {
		const size = 50
		l, err := s.o.Learn.Observations(ctx, id, wire.PageQuery{Page: n/size + 1, PageSize: size})
		if err != nil || n%size >= len(l.Observations) {
			return capture.Event{}, l.Total, err
		}
		return capture.Event{EventID: l.Observations[n%size].Event.EventID}, l.Total, nil
	}
	first, _, err := at(ref.From)
	if err != nil {
		return err
	}
	last, total, err := at(ref.To)
	if err != nil {
		return err
	}
	if ref.From > 0 && first.EventID != "" {
		r := wire.TrimRequest{TrimKind: string(state.BoundaryTrimStart), ToEventID: first.EventID}
		if _, err := s.o.Learn.Trim(ctx, m, id, r); err != nil {
			return err
		}
	}
	if last.EventID != "" && ref.To < total-1 {
		_, err = s.o.Learn.Trim(ctx, m, id, wire.TrimRequest{TrimKind: string(state.BoundaryTrimEnd), ToEventID: last.EventID})
	}
	return err
}

// revise applies the answers to the draft (baseline 0.4G).
func (s *Service) revise(ctx context.Context, m state.Meta, proposal string, answers map[string]string) error {
	edits := map[string]any{}
	text := func(key, answer string) {
		if v := answers[answer]; v != "" {
			edits[key] = v
		}
	}
	text("title", "name")
	text("project_scope", "scope")
	if v := answers["when"]; v != "" {
		edits["use_conditions"] = phrases(v)
	}
	if v := answers["when_not"]; v != "" && !strings.EqualFold(v, "none") {
		edits["non_use_conditions"] = phrases(v)
	}
	if strings.EqualFold(answers["approval"], "yes") {
		d, err := s.o.Learn.Proposal(ctx, proposal)
		if err != nil {
			return err
		}
		if d.Graph != nil && len(d.Graph.Steps) > 0 {
			edits["confirm_steps"] = []any{d.Graph.Steps[len(d.Graph.Steps)-1].StepID}
		}
	}
	if len(edits) == 0 {
		return nil
	}
	_, err := s.o.Learn.Revise(ctx, m, proposal, wire.ProposalReviseRequest{EditedFields: edits})
	return err
}

// phrases splits an answer into its parts.
func phrases(s string) (out []any) {
	for _, p := range strings.FieldsFunc(s, func(r rune) bool { return r == ';' || r == '\n' }) {
		if p = strings.TrimSpace(p); p != "" {
			out = append(out, p)
		}
	}
	return out
}

// auto learns, without asking, routines that only the person did: the person chose that, with presence, when the mode
// was set. What agents did waits for a review, and so does what is ambiguous.
func (s *Service) auto(ctx context.Context, set Settings) {
	all, err := s.kept(ctx, set)
	if err != nil {
		return
	}
	for _, c := range all {
		r := c.Routine
		if r.State != Waiting || !throughGates(r) || !r.Own || !r.Learnable || r.Ambiguous && set.AskWhenAmbiguous {
			continue
		}
		m := state.Meta{Principal: state.PrincipalUser, Source: state.SourceInferred, Mined: true}
		if _, err := s.learn(ctx, m, c, nil, state.PrivateAutoInstall); err != nil {
			s.o.Log.Info("a routine was left for the person", "code", string(fault.CodeOf(err)))
			if fault.Is(err, fault.LearnSessionAlreadyActive) {
				return // the slot is taken: the next scan tries again
			}
		}
	}
}
