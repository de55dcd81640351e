package session

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"showhow/capture"
	"showhow/capture/scope"
	"showhow/daemon/journal"
	"showhow/daemon/learn/change"
	"showhow/daemon/learn/state"
	"showhow/daemon/wire"
	"showhow/internal/fault"
	"showhow/internal/plain"
)

// Create makes a session and arms it: idle, then armed, in one transaction (decisions A1).
func (s *Service) Create(ctx context.Context, m state.Meta, r wire.CreateLearnSessionRequest) (wire.CreateLearnSessionResponse, error) {
	if err := state.UserOnly(m); err != nil {
		return wire.CreateLearnSessionResponse{}, err
	}
	sess, err := s.fromRequest(m, r)
	if err != nil {
		return wire.CreateLearnSessionResponse{}, err
	}
	if err := s.inheritGoal(ctx, &sess); err != nil {
		return wire.CreateLearnSessionResponse{}, err
	}
	if len(sess.SourceRunIDs) > 0 {
		return s.createFromRuns(ctx, m, sess)
	}
	if len(sess.SourceTraceIDs) > 0 || sess.SourceReceiptID != "" {
		return s.createFromTraces(ctx, m, sess)
	}
	if err := s.chooseAdapters(ctx, &sess, r.Adapters); err != nil {
		return wire.CreateLearnSessionResponse{}, err
	}
	defer s.d.Changes.Lock("create")()
	err = s.d.Changes.Update(ctx, m, func(set *change.Set) error { return Arm(set, &sess) })
	if err != nil {
		return wire.CreateLearnSessionResponse{}, err
	}
	ui, next := firstSteps(sess.EntryMode)
	return wire.CreateLearnSessionResponse{Session: s.d.Monitor.View(sess), UIMode: ui, NextAction: next}, nil
}

// inheritGoal gives a session that improves a skill, and names no goal, the skill's goal: a better way serves the same
// purpose. A skill that was not learned here gives its own description.
func (s *Service) inheritGoal(ctx context.Context, sess *state.Session) error {
	if sess.Goal != "" || sess.EntryMode != state.ImprovingExistingSkill {
		return nil
	}
	b, err := s.d.Proposals.Improvable(ctx, sess.TargetSkillID, "")
	if err != nil {
		return err
	}
	if sess.Goal = b.Goal; sess.Goal != "" {
		return nil
	}
	catalog, err := s.d.Installer.Catalog(ctx)
	if err != nil {
		return err
	}
	for _, e := range catalog.Items {
		if e.AbilityID == sess.TargetSkillID || e.SkillSlug == b.Slug {
			sess.Goal = plain.Clip(cmp.Or(e.Description, e.Title), maxGoal)
			break
		}
	}
	return nil
}

const maxGoal = 400 // characters

// Arm takes the slot, or joins the learning target whose example the session is, and arms the session.
func Arm(set *change.Set, sess *state.Session) error {
	if err := takeSlot(set, sess); err != nil {
		return err
	}
	set.Add(sess)
	details := map[string]any{"entry_mode": string(sess.EntryMode), "observation_mode": string(sess.ObservationMode),
		"build_policy": string(sess.BuildPolicy)}
	if err := set.Record(journal.SessionStarted, sess, "", details); err != nil {
		return err
	}
	if sess.ValuePolicy == capture.Literal {
		if err := set.Record(journal.ScopeChanged, sess, "literal_values", map[string]any{"apps": len(sess.LiteralApps)}); err != nil {
			return err
		}
	}
	return set.Enter(sess, state.Armed, "")
}

// exampleStates are those in which a session accepts examples (decisions A3).
var exampleStates = []state.State{state.Stopped, state.Reviewing, state.AwaitingQuestions, state.DraftingProposal, state.ReadyForReview}

// takeSlot enforces that at most one learning target is open (DOC3 0C.1B, decisions A2, A3).
func takeSlot(set *change.Set, sess *state.Session) error {
	open, err := set.LearningSessions()
	if err != nil {
		return err
	}
	sess.TargetID = sess.LearnSessionID
	if sess.SplitFrom != nil {
		open = slices.DeleteFunc(open, func(o state.Session) bool { return state.SlotOf(o) == state.SlotOf(*sess) })
	}
	if sess.ExampleOf != "" {
		return joinTarget(set, sess, open)
	}
	if len(open) > 0 {
		return state.AlreadyActive(open[0])
	}
	return nil
}

// joinTarget makes sess an example. Every open session must belong to the same target and be past its capture.
func joinTarget(set *change.Set, sess *state.Session, open []state.Session) error {
	of, err := set.Load(sess.ExampleOf)
	if err != nil {
		return err
	}
	if err := state.CheckNotImport(*of); err != nil {
		return err
	}
	all, err := set.TargetSessions(of.TargetID)
	if err != nil {
		return err
	}
	first, _ := state.FirstOf(all)
	root, err := set.Load(first.LearnSessionID)
	if err != nil {
		return err
	}
	sess.TargetID, sess.ExampleOf = root.TargetID, root.LearnSessionID
	for _, o := range open {
		if o.TargetID != root.TargetID || !slices.Contains(exampleStates, o.State) {
			return state.AlreadyActive(o)
		}
	}
	if root.Ended || !slices.Contains(exampleStates, root.State) {
		return fault.Newf(fault.InvalidLearnStateTransition, "a session that is %s takes no more examples", root.State).
			WithDetail("from", string(root.State))
	}
	root.ExampleIDs = append(root.ExampleIDs, sess.LearnSessionID)
	if sess.Goal == "" {
		sess.Goal = root.Goal
	}
	set.Touch(root)
	return nil
}

// fromRequest makes the session that a request describes, with defaults, not yet stored.
func (s *Service) fromRequest(m state.Meta, r wire.CreateLearnSessionRequest) (state.Session, error) {
	applyDefaults(&r)
	if err := checkCreate(m, r); err != nil {
		return state.Session{}, err
	}
	now := s.d.Changes.Now()
	sess := state.Session{
		LearnSessionID: s.d.NewID(), EntryMode: r.EntryMode, ObservationMode: r.ObservationMode, BuildPolicy: r.BuildPolicy,
		ExecutionMode: r.ExecutionMode, TargetKind: r.TargetKind, State: state.Idle, ActorMode: state.ActorMode(r.ObservationMode),
		ProjectID: r.ProjectID, RoomID: r.RoomID, TargetSkillID: r.TargetSkillID, TargetAppFamily: r.TargetAppFamily, CreatedAt: now,
		UpdatedAt: now, SchemaVersion: 1, Goal: strings.TrimSpace(r.Goal), AllowPrivateInstall: r.AllowPrivateInstall,
		AskBeforeBuild: r.BuildPolicy == state.AskBeforeBuild, RequestedSafeTargetRef: r.RequestedSafeTargetRef,
		SourceRunIDs: r.SourceRunIDs, SourceTraceIDs: r.SourceTraceIDs, SourceReceiptID: r.SourceReceiptID, ImportID: r.ImportID,
		ExampleOf: r.ExampleOf, Retain: r.Retain,
	}
	var within capture.Scope
	if r.Scope != nil {
		within = *r.Scope
	}
	within.Apps = slices.Concat(within.Apps, r.TargetAppWhitelist)
	var err error
	if sess.Scope, err = scope.Normalise(within); err != nil {
		return state.Session{}, err
	}
	sess.ValuePolicy, sess.LiteralApps, err = literal(r.ValuePolicy, r.LiteralApps)
	return sess, err
}

func applyDefaults(r *wire.CreateLearnSessionRequest) {
	if len(r.SourceRunIDs) > 0 && (r.ObservationMode == "" || r.ObservationMode == state.ObserveNone) {
		r.ObservationMode = state.ObserveInside
	}
	r.ObservationMode = cmp.Or(r.ObservationMode, state.ObserveNone)
	r.BuildPolicy = cmp.Or(r.BuildPolicy, state.BuildThenReview)
	r.ExecutionMode = cmp.Or(r.ExecutionMode, state.Guided)
	r.TargetKind = cmp.Or(r.TargetKind, state.NewSkill)
	r.ValuePolicy = cmp.Or(r.ValuePolicy, string(capture.Masked))
	if r.AskBeforeBuild {
		r.BuildPolicy = state.AskBeforeBuild // the older field for the same policy (decisions A6)
	}
	switch {
	case r.EntryMode == state.ImprovingExistingSkill && r.TargetKind == state.NewSkill:
		r.TargetKind = state.ExistingSkill
	case r.EntryMode == state.ImportSkill && r.TargetKind == state.NewSkill:
		r.TargetKind = state.ImportedSkill
	}
}

func checkCreate(m state.Meta, r wire.CreateLearnSessionRequest) error {
	var v state.Violations
	if r.EntryMode == state.ImprovingExistingSkill && r.TargetSkillID == "" {
		v.Add("target_skill_id", "must name the skill that is to be improved")
	}
	if r.EntryMode == state.ImportSkill && r.ObservationMode != state.ObserveNone {
		v.Add("observation_mode", "must be none: an import observes nothing")
	}
	v.Lengths("target_app_whitelist", r.TargetAppWhitelist, 160)
	if len(r.SourceRunIDs) > 0 {
		v.Lengths("source_run_ids", r.SourceRunIDs, 60)
		if r.ObservationMode != state.ObserveInside {
			v.Add("observation_mode", "must be inside_agent: runs are an agent's own work")
		}
		if len(slices.Compact(slices.Sorted(slices.Values(r.SourceRunIDs)))) < len(r.SourceRunIDs) {
			v.Add("source_run_ids", "must not name a run twice")
		}
	}
	if len(r.SourceRunIDs) > 0 && (len(r.SourceTraceIDs) > 0 || r.SourceReceiptID != "") {
		v.Add("source_run_ids", "cannot be joined with traces or a receipt")
	}
	for _, k := range r.Adapters {
		if !admits(r.ObservationMode, k) {
			v.Add("adapters", "the observation mode does not admit one of them")
			break
		}
	}
	if err := v.Err(); err != nil {
		return err
	}
	others := len(r.SourceRunIDs) > 0 || r.SourceReceiptID != "" || len(r.SourceTraceIDs) > 0 && !m.Mined
	if others && r.BuildPolicy == state.PrivateAutoInstall {
		return autoInstallDenied()
	}
	return autoInstallAllowed(m, r.BuildPolicy, r.EntryMode)
}

// autoInstallAllowed refuses installation without a review unless the person asks for it, for actions of their own
// (decisions A6).
func autoInstallAllowed(m state.Meta, p state.BuildPolicy, e state.EntryMode) error {
	if p != state.PrivateAutoInstall {
		return nil
	}
	if m.Principal == state.PrincipalUser && (e == state.DemonstratingSkill || e == state.ImprovingExistingSkill) {
		return nil
	}
	return autoInstallDenied()
}

func autoInstallDenied() error {
	return fault.New(fault.InstallLaneDenied, "only what a person demonstrated, at that person's wish, is installed without a review").
		WithHint("use build_policy build_then_review")
}

func policyOf(wire string) capture.Policy {
	switch wire {
	case string(capture.Literal):
		return capture.Literal
	case string(capture.Omitted):
		return capture.Omitted
	}
	return capture.Masked // "hashed" means mask and link id (decisions B1)
}

// firstSteps is what the UI shows for an entry mode (DOC3 0C.2, 0C.3).
func firstSteps(e state.EntryMode) (uiMode, next string) {
	switch e {
	case state.CoachingAgent:
		return "recent-run", "show_recent_run_picker"
	case state.AutonomousAgentPractice:
		return "exploratory", "launch_exploration"
	case state.ImprovingExistingSkill:
		return "drawer", "show_skill_delta_editor"
	case state.ImportSkill:
		return "import", "show_import_configurator"
	}
	return "overlay", "wait_for_first_meaningful_event"
}
