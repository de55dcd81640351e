package drafting

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"showhow/daemon/compile"
	decisions "showhow/daemon/compile/decision"
	"showhow/daemon/learn/change"
	"showhow/daemon/learn/session"
	"showhow/daemon/learn/state"
	"showhow/daemon/workflow"
	"showhow/internal/fault"
	"showhow/internal/plain"
)

// The edits that cut a task into parts. A person's split makes a draft of each part; only those drafts hold the second
// edit.
const (
	editSplit   = "split_after"
	editKeep    = "keep_part"
	editAnswers = "answers"
)

// wholeOnlyEdits are edits of the whole that do not apply to a part.
var wholeOnlyEdits = []string{"title", "slug", "goal_summary", "use_conditions", "non_use_conditions", "success_conditions",
	"trigger_phrases", "negative_triggers", "move_steps", editSplit, editKeep}

// split makes a draft of each part of a task, each with its own inputs, checkpoints and first revision. The original draft stays as
// it is. The caller holds its lock. Either all parts are created or none.
func (s *Service) split(ctx context.Context, m state.Meta, src target, after, goals []string) error {
	if src.prop.Validation == state.ValidationRunning {
		return state.Validating()
	}
	if src.root.State != state.DraftingProposal && src.root.State != state.ReadyForReview {
		return state.NotAllowedWhile(src.root.State, "a draft cannot be split")
	}
	cuts, err := cutsOf(src.rev.Output.Graph.Steps, after)
	if err != nil {
		return err
	}
	if len(goals) > 0 && len(goals) != len(cuts)+1 {
		return state.Invalid("goals", fmt.Sprintf("names one goal for each of the %d parts", len(cuts)+1))
	}
	if len(goals) == 0 {
		goals = goalsOf(src.root.Goal, src.rev.Output.Graph.Steps, cuts)
	}
	base := maps.Clone(src.rev.Edits)
	for _, k := range wholeOnlyEdits {
		delete(base, k)
	}
	first, cuts := placeParts(src, cuts, base)
	taken := append(slices.Clone(src.slugs), src.rev.Output.Slug)
	var parts []draft
	for i, goal := range goals {
		t := target{root: s.partOf(src, i+1, goal), slugs: taken, answers: partAnswers(base)}
		t.members = []state.Session{t.root}
		d, err := s.compile(ctx, t, causeGenerated, decisions.MergeEdits(base, map[string]any{editSplit: cuts, editKeep: fmt.Sprint(first + i)}),
			"")
		if err != nil {
			return err
		}
		taken = append(taken, d.out.Slug)
		parts = append(parts, d)
	}
	defer s.d.Changes.Lock("create")()
	return s.d.Changes.Update(ctx, m, func(set *change.Set) error { return storeParts(set, src, parts) })
}

// placeParts locates the new parts in the task as it was demonstrated: the number of the first part, and all steps
// after which that task is split. When a part is split again, base carries over the answers about its values and
// steps.
func placeParts(src target, cuts []string, base map[string]any) (first int, all []string) {
	if src.root.SplitFrom == nil {
		return 1, cuts
	}
	first, _ = strconv.Atoi(fmt.Sprint(src.rev.Edits[editKeep]))
	before, _ := splitAfter(src.rev.Edits)
	answers := map[string]any{}
	if told, ok := base[editAnswers].(map[string]any); ok {
		maps.Copy(answers, told)
	}
	for k, v := range aboutSteps(src.answers) {
		answers[k] = v
	}
	if len(answers) > 0 {
		base[editAnswers] = answers
	}
	return max(1, first), append(slices.Clone(before), cuts...)
}

// aboutSteps keeps the answers about single values and steps. Answers about the whole do not apply to a part.
func aboutSteps(answers map[string]string) map[string]string {
	out := maps.Clone(answers)
	maps.DeleteFunc(out, func(k, _ string) bool { return strings.HasPrefix(k, "/") })
	return out
}

// cutsOf checks the steps after which a task is to be split, and puts them in order.
func cutsOf(steps []workflow.Step, after []string) ([]string, error) {
	var cuts []string
	for i, st := range steps {
		if slices.Contains(after, st.StepID) && i+1 < len(steps) {
			cuts = append(cuts, st.StepID)
		}
	}
	slices.Sort(after)
	if len(cuts) == 0 || len(cuts) != len(slices.Compact(after)) {
		return nil, fault.New(fault.InvalidRequest, "a work is split after one of its steps, and not after its last one").
			WithHint("name steps by the ids that `showhow proposal show` lists")
	}
	return cuts, nil
}

// goalsOf derives the parts' goals: the clauses of the whole's goal if there are as many, otherwise the last effect of each part.
func goalsOf(goal string, steps []workflow.Step, cuts []string) []string {
	n := len(cuts) + 1
	even := strings.NewReplacer(", and then ", "\n", ", then ", "\n", " and then ", "\n", "; ", "\n", ", and ", "\n", " and ", "\n", ", ",
		"\n").Replace(goal)
	if clauses := strings.Split(even, "\n"); len(clauses) == n && !slices.Contains(clauses, "") {
		for i, c := range clauses {
			clauses[i] = plain.UpperFirst(strings.TrimSpace(c))
		}
		return clauses
	}
	var out []string
	last, effect := "", false
	for i, st := range steps {
		if st.Effect || !effect {
			last, effect = st.Title, effect || st.Effect
		}
		if slices.Contains(cuts, st.StepID) || i == len(steps)-1 {
			if strings.ContainsAny(last, "{}`") {
				last = fmt.Sprintf("%s, part %d of %d", goal, len(out)+1, n)
			}
			out, last, effect = append(out, last), "", false
		}
	}
	return out
}

// partOf makes the session of one part, as it will be once drafted.
func (s *Service) partOf(src target, part int, goal string) state.Session {
	of := src.root
	id := s.d.NewID()
	from := state.SplitFrom{ProposalID: src.prop.ProposalID, LearnSessionID: of.LearnSessionID, Part: part}
	if of.SplitFrom != nil {
		from.LearnSessionID = of.SplitFrom.LearnSessionID
	}
	return state.Session{
		LearnSessionID: id, TargetID: id, SlotID: state.SlotOf(of), SplitFrom: &from, EntryMode: state.DemonstratingSkill,
		ObservationMode: of.ObservationMode, BuildPolicy: state.BuildThenReview, ExecutionMode: of.ExecutionMode,
		TargetKind: state.NewSkill, State: state.Stopped, ActorMode: of.ActorMode, ProjectID: of.ProjectID, RoomID: of.RoomID,
		TargetAppFamily: of.TargetAppFamily, Goal: plain.Clip(goal, 400), Scope: of.Scope, Adapters: of.Adapters,
		ValuePolicy: of.ValuePolicy, LiteralApps: of.LiteralApps, TestPolicy: of.TestPolicy, CreatedAt: s.d.Changes.Now(),
		UpdatedAt: s.d.Changes.Now(), SchemaVersion: 1,
	}
}

// storeParts stores the parts. Each session passes through the states up to the draft without observing anything.
func storeParts(set *change.Set, src target, parts []draft) error {
	p, err := set.LoadProposal(src.prop.ProposalID)
	if err != nil {
		return err
	}
	root, err := set.Load(src.root.LearnSessionID)
	if err != nil {
		return err
	}
	if p.Revision != src.prop.Revision || p.Validation == state.ValidationRunning || root.State != src.root.State {
		return state.ChangedMeanwhile(p.Revision)
	}
	set.Touch(root)
	for _, d := range slices.Backward(parts) { // the first one is touched last: commands act on it
		sess := d.t.root
		sess.State = state.Idle
		if err := session.Arm(set, &sess); err != nil {
			return err
		}
		if err := set.StoreSession(&sess); err != nil { // boundaries refer to it
			return err
		}
		sess.StartedAt = set.Now.Ptr()
		if err := set.EnterCapturing(&sess, state.BoundaryStart); err != nil {
			return err
		}
		sess.StoppedAt = set.Now.Ptr()
		if err := set.Enter(&sess, state.Stopped, "split"); err != nil {
			return err
		}
		made, err := generate(set, d)
		if err != nil {
			return err
		}
		made.SplitFrom = src.prop.ProposalID
		p.SplitInto = append([]string{made.ProposalID}, p.SplitInto...)
	}
	return nil
}

// original returns the target that a part was split from, with the demonstrations that are still kept.
func (s *Service) original(ctx context.Context, part state.Session) (target, error) {
	t, err := s.targetFor(ctx, part.SplitFrom.LearnSessionID)
	if fault.Is(err, fault.LearnSessionNotFound) {
		return t, nil // deleted, with its demonstration
	}
	if err != nil {
		return t, err
	}
	err = s.d.Store.View(ctx, func(tx state.Tx) error {
		all, err := tx.TargetSessions(t.root.TargetID)
		t.members = slices.DeleteFunc(all, func(v state.Session) bool { return v.ProposalID != t.root.ProposalID || v.RawPurgedAt != nil })
		return err
	})
	return t, err
}

// preparePart is prepare for a part: the demonstrations and answers of the original, with the part's own goal, answers and edits.
func (s *Service) preparePart(ctx context.Context, t target) (in compile.Input, base map[string]any, before compile.Output, err error) {
	of, err := s.original(ctx, t.root)
	if err == nil && len(of.members) == 0 {
		err = fault.New(fault.InsufficientTraces, "what was demonstrated is no longer kept, so this part cannot be changed").
			WithHint("it can still be validated and installed as it is")
	}
	if err != nil {
		return in, nil, before, err
	}
	if in, _, _, err = s.prepare(ctx, of); err != nil {
		return in, nil, before, err
	}
	answers := aboutSteps(in.Answers)
	if answers == nil {
		answers = map[string]string{}
	}
	maps.Copy(answers, partAnswers(t.rev.Edits))
	maps.Copy(answers, t.answers)
	in.Goal, in.Answers, in.TakenSlugs, in.ImprovesSlug = t.root.Goal, answers, t.slugs, ""
	in.EntryMode, in.ExecutionMode = string(t.root.EntryMode), string(t.root.ExecutionMode)
	if t.drafted() {
		in.Anchors = t.rev.Output.Anchors
	}
	return in, t.rev.Edits, t.rev.Output, nil
}

// partAnswers returns the answers that a part inherited when it was split off.
func partAnswers(edits map[string]any) map[string]string {
	out := map[string]string{}
	if m, ok := edits[editAnswers].(map[string]any); ok {
		for k, v := range m {
			out[k], _ = v.(string)
		}
	}
	return out
}

// SealedValues opens the values of a session's demonstration, in memory.
func (s *Service) SealedValues(ctx context.Context, sess state.Session) (map[string]string, error) {
	targetID := sess.TargetID
	if sess.SplitFrom != nil {
		of, err := s.original(ctx, sess)
		if err != nil || len(of.members) == 0 {
			return nil, err
		}
		targetID = of.root.TargetID
	}
	values, err := s.d.Observations.Open(ctx, targetID)
	if err != nil || sess.TargetSkillID == "" {
		return values, err
	}
	// A draft that improves a skill is compiled from the skill's demonstrations, too: their values are theirs.
	better, err := s.d.Proposals.Improvable(ctx, sess.TargetSkillID, sess.ProposalID)
	if err != nil {
		return nil, err
	}
	for _, m := range better.Members {
		older, err := s.d.Observations.Open(ctx, m.TargetID)
		if err != nil {
			return nil, err
		}
		maps.Copy(older, values)
		values = older
	}
	return values, nil
}
