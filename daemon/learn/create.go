package learn

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"showhow/capture"
	"showhow/capture/scope"
	"showhow/daemon/journal"
	"showhow/internal/fault"
)

// Create makes a session and arms it: idle, then armed, in one transaction (decisions A1).
func (s *Service) Create(ctx context.Context, m Meta, r CreateRequest) (CreateResponse, error) {
	if err := userOnly(m); err != nil {
		return CreateResponse{}, err
	}
	sess, err := s.fromRequest(m, r)
	if err != nil {
		return CreateResponse{}, err
	}
	if err := s.keepGoal(ctx, &sess); err != nil {
		return CreateResponse{}, err
	}
	if len(sess.SourceRunIDs) > 0 {
		return s.createFromRuns(ctx, m, sess)
	}
	if len(sess.SourceTraceIDs) > 0 || sess.SourceReceiptID != "" {
		return s.createFromTraces(ctx, m, sess)
	}
	if err := s.chooseAdapters(ctx, &sess, r.Adapters); err != nil {
		return CreateResponse{}, err
	}
	defer s.locks.lock("create")()
	err = s.update(ctx, m, func(u *unit) error { return u.create(&sess) })
	if err != nil {
		return CreateResponse{}, err
	}
	ui, next := firstSteps(sess.EntryMode)
	return CreateResponse{Session: s.view(sess), UIMode: ui, NextAction: next}, nil
}

// keepGoal gives a session that improves a skill and names no goal the skill's own: a better way is no other purpose. A skill
// that was not learned here, imported, adopted or an agent's own, is for what it says of itself.
func (s *Service) keepGoal(ctx context.Context, sess *Session) error {
	if sess.Goal != "" || sess.EntryMode != ImprovingExistingSkill {
		return nil
	}
	b, err := s.improvable(ctx, sess.TargetSkillID, "")
	if err != nil {
		return err
	}
	if sess.Goal = b.goal; sess.Goal != "" {
		return nil
	}
	catalog, err := s.d.Installer.Catalog(ctx)
	if err != nil {
		return err
	}
	for _, e := range catalog.Items {
		if e.AbilityID == sess.TargetSkillID || e.SkillSlug == b.slug {
			sess.Goal = clip(cmp.Or(e.Description, e.Title), maxGoal)
			break
		}
	}
	return nil
}

const maxGoal = 400 // characters

// create takes the slot or joins the learning target whose example this is.
func (u *unit) create(sess *Session) error {
	if err := u.takeSlot(sess); err != nil {
		return err
	}
	u.add(sess)
	details := map[string]any{"entry_mode": string(sess.EntryMode), "observation_mode": string(sess.ObservationMode),
		"build_policy": string(sess.BuildPolicy)}
	if err := u.tell(journal.SessionStarted, sess, "", details); err != nil {
		return err
	}
	if sess.ValuePolicy == capture.Literal {
		if err := u.tell(journal.ScopeChanged, sess, "literal_values", map[string]any{"apps": len(sess.LiteralApps)}); err != nil {
			return err
		}
	}
	return u.enter(sess, Armed, "")
}

// exampleStates are those in which a session takes examples (decisions A3).
var exampleStates = []State{Stopped, Reviewing, AwaitingQuestions, DraftingProposal, ReadyForReview}

// takeSlot enforces that at most one learning target has not ended (DOC3 0C.1B, decisions A2, A3).
func (u *unit) takeSlot(sess *Session) error {
	open, err := u.OpenSessions()
	if err != nil {
		return err
	}
	open = learning(open)
	sess.TargetID = sess.LearnSessionID
	if sess.SplitFrom != nil {
		open = slices.DeleteFunc(open, func(o Session) bool { return slotOf(o) == slotOf(*sess) })
	}
	if sess.ExampleOf != "" {
		return u.joinTarget(sess, open)
	}
	if len(open) > 0 {
		return alreadyActive(open[0])
	}
	return nil
}

// joinTarget makes sess an example: everything that is open must belong to the same target and be past capture.
func (u *unit) joinTarget(sess *Session, open []Session) error {
	of, err := u.load(sess.ExampleOf)
	if err != nil {
		return err
	}
	if err := decidedOnImport(*of); err != nil {
		return err
	}
	root, err := u.load(of.TargetID)
	if err != nil {
		return err
	}
	sess.TargetID, sess.ExampleOf = root.LearnSessionID, root.LearnSessionID
	for _, o := range open {
		if o.TargetID != root.LearnSessionID || !slices.Contains(exampleStates, o.State) {
			return alreadyActive(o)
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
	u.touch(root)
	return nil
}

func alreadyActive(sess Session) error {
	hint := "finish, reject or cancel it first (`showhow learn status` says what comes next), or add to it with `--example-of " + sess.LearnSessionID + "`"
	if sess.StoppedAt != nil && sess.EventsKept == 0 {
		hint = "nothing was kept in it: `showhow learn cancel`, then start again"
	}
	return fault.New(fault.LearnSessionAlreadyActive, "the learn session before this one is not finished").
		WithDetail("active_session_id", sess.LearnSessionID).WithDetail("state", string(sess.State)).
		WithHint(hint)
}

// fromRequest is the session that a request describes, with its defaults, before it is stored.
func (s *Service) fromRequest(m Meta, r CreateRequest) (Session, error) {
	applyDefaults(&r)
	if err := checkCreate(m, r); err != nil {
		return Session{}, err
	}
	now := s.now()
	sess := Session{LearnSessionID: s.d.NewID(), EntryMode: r.EntryMode, ObservationMode: r.ObservationMode, BuildPolicy: r.BuildPolicy,
		ExecutionMode: r.ExecutionMode, TargetKind: r.TargetKind, State: Idle, ActorMode: actorMode(r.ObservationMode),
		ProjectID: r.ProjectID, RoomID: r.RoomID, TargetSkillID: r.TargetSkillID, TargetAppFamily: r.TargetAppFamily,
		CreatedAt: now, UpdatedAt: now, SchemaVersion: 1, Goal: strings.TrimSpace(r.Goal), AllowPrivateInstall: r.AllowPrivateInstall, AskBeforeBuild: r.BuildPolicy == AskBeforeBuild,
		RequestedSafeTargetRef: r.RequestedSafeTargetRef, SourceRunIDs: r.SourceRunIDs,
		SourceTraceIDs: r.SourceTraceIDs, SourceReceiptID: r.SourceReceiptID, ImportID: r.ImportID,
		ExampleOf: r.ExampleOf, Retain: r.Retain}
	var within capture.Scope
	if r.Scope != nil {
		within = *r.Scope
	}
	within.Apps = slices.Concat(within.Apps, r.TargetAppWhitelist)
	var err error
	if sess.Scope, err = scope.Normalise(within); err != nil {
		return Session{}, err
	}
	sess.ValuePolicy, sess.LiteralApps, err = literal(r.ValuePolicy, r.LiteralApps)
	return sess, err
}

func applyDefaults(r *CreateRequest) {
	if len(r.SourceRunIDs) > 0 && (r.ObservationMode == "" || r.ObservationMode == ObserveNone) {
		r.ObservationMode = ObserveInside
	}
	setDefault(&r.ObservationMode, ObserveNone)
	setDefault(&r.BuildPolicy, BuildThenReview)
	setDefault(&r.ExecutionMode, Guided)
	setDefault(&r.TargetKind, NewSkill)
	setDefault(&r.ValuePolicy, string(capture.Masked))
	if r.AskBeforeBuild {
		r.BuildPolicy = AskBeforeBuild // the older spelling of the same wish (decisions A6)
	}
	switch {
	case r.EntryMode == ImprovingExistingSkill && r.TargetKind == NewSkill:
		r.TargetKind = ExistingSkill
	case r.EntryMode == ImportSkill && r.TargetKind == NewSkill:
		r.TargetKind = ImportedSkill
	}
}

func setDefault[T ~string](v *T, d T) {
	if *v == "" {
		*v = d
	}
}

func checkCreate(m Meta, r CreateRequest) error {
	var v violations
	if r.EntryMode == ImprovingExistingSkill && r.TargetSkillID == "" {
		v.add("target_skill_id", "must name the skill that is to be improved")
	}
	if r.EntryMode == ImportSkill && r.ObservationMode != ObserveNone {
		v.add("observation_mode", "must be none: an import observes nothing")
	}
	v.lengths("target_app_whitelist", r.TargetAppWhitelist, 160)
	if len(r.SourceRunIDs) > 0 {
		v.lengths("source_run_ids", r.SourceRunIDs, 60)
		if r.ObservationMode != ObserveInside {
			v.add("observation_mode", "must be inside_agent: runs are an agent's own work")
		}
		if len(slices.Compact(slices.Sorted(slices.Values(r.SourceRunIDs)))) < len(r.SourceRunIDs) {
			v.add("source_run_ids", "must not name a run twice")
		}
	}
	if len(r.SourceRunIDs) > 0 && (len(r.SourceTraceIDs) > 0 || r.SourceReceiptID != "") {
		v.add("source_run_ids", "cannot be joined with traces or a receipt")
	}
	for _, k := range r.Adapters {
		if !admits(r.ObservationMode, k) {
			v.add("adapters", "the observation mode does not admit one of them")
			break
		}
	}
	if err := v.err(); err != nil {
		return err
	}
	if (len(r.SourceRunIDs) > 0 || len(r.SourceTraceIDs) > 0 || r.SourceReceiptID != "") && r.BuildPolicy == PrivateAutoInstall {
		return notThePersons()
	}
	return autoInstallAllowed(m, r.BuildPolicy, r.EntryMode)
}

// autoInstallAllowed: only the person may set it, and only for what the person did (decisions A6).
func autoInstallAllowed(m Meta, p BuildPolicy, e EntryMode) error {
	if p != PrivateAutoInstall {
		return nil
	}
	if m.Principal == PrincipalUser && (e == DemonstratingSkill || e == ImprovingExistingSkill) {
		return nil
	}
	return notThePersons()
}

func notThePersons() error {
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

func actorMode(o ObservationMode) string {
	switch o {
	case ObserveOutside:
		return "user_driven"
	case ObserveInside:
		return "agent_driven"
	}
	return "mixed"
}

// firstSteps is what the UI shows for an entry mode (DOC3 0C.2, 0C.3).
func firstSteps(e EntryMode) (uiMode, next string) {
	switch e {
	case CoachingAgent:
		return "recent-run", "show_recent_run_picker"
	case AutonomousAgentPractice:
		return "exploratory", "launch_exploration"
	case ImprovingExistingSkill:
		return "drawer", "show_skill_delta_editor"
	case ImportSkill:
		return "import", "show_import_configurator"
	}
	return "overlay", "wait_for_first_meaningful_event"
}
