package importmirror

import (
	"slices"

	"showhow/capture"
	"showhow/daemon/ability"
	"showhow/daemon/imports"
	"showhow/daemon/journal"
	"showhow/daemon/learn/change"
	"showhow/daemon/learn/state"
	"showhow/internal/fault"
	"showhow/internal/plain"
)

// The upload is the session's capture, the scan its review, staging its drafting (decisions A7). Such a session
// observes nothing, so it never takes the slot of a demonstration (DOC3 0C.1B speaks of what is created here).

// importStates maps an import's state to its session's.
var importStates = map[imports.State]state.State{
	imports.UploadPending: state.Armed, imports.Uploaded: state.Stopped,
	imports.Scanning: state.Reviewing, imports.ScanFailed: state.Reviewing, imports.ScanComplete: state.Reviewing,
	imports.Staging: state.DraftingProposal, imports.StageFailed: state.DraftingProposal, imports.ReadyForReview: state.ReadyForReview,
	imports.InstallQueued: state.InstallingPrivate, imports.InstallFailed: state.Quarantined, imports.InstalledPrivate: state.InstalledPrivate,
	imports.Approved: state.Approved, imports.Rejected: state.Rejected, imports.Discarded: state.Cancelled, imports.Expired: state.Cancelled,
}

// importPaths are the paths of a session that mirrors an import: from its start, and from a failed installation that
// is retried.
var importPaths = [][]state.State{
	{state.Idle, state.Armed, state.Capturing, state.Stopped, state.Reviewing, state.DraftingProposal, state.ReadyForReview,
		state.InstallingPrivate},
	{state.Quarantined, state.DraftingProposal, state.ReadyForReview, state.InstallingPrivate},
}

// ImportTransition moves the session that mirrors an import, and returns its id. A session that was deleted is created again.
func (s *Mirror) ImportTransition(w journal.Writer, h imports.Transition) (imports.Shown, error) {
	tx, err := s.d.Store.Join(w)
	if err != nil {
		return imports.Shown{}, err
	}
	m := state.SystemMeta()
	m.CorrelationID = h.Correlation
	set := s.d.Changes.Begin(tx, m)
	sess, err := importSession(set, h)
	if err != nil {
		return imports.Shown{}, err
	}
	if sess == nil { // a finished import needs none
		return imports.Shown{SessionID: h.Session}, nil
	}
	describe(set, sess, h)
	if h.Backfill {
		err = backfillImport(set, sess, h)
	} else if err = followImport(set, sess, h); err == nil {
		err = set.Save()
	}
	return imports.Shown{SessionID: sess.LearnSessionID, ProposalID: sess.ProposalID}, err
}

// importSession returns the session that mirrors this import: its own, one that a person started for it, or a new one.
func importSession(set *change.Set, h imports.Transition) (*state.Session, error) {
	if h.Session != "" {
		sess, err := set.Load(h.Session)
		if !fault.Is(err, fault.LearnSessionNotFound) {
			return sess, err
		}
		if h.Over || sessionState(h) == state.Cancelled {
			return nil, nil
		}
	}
	if h.From == imports.UploadPending {
		open, err := set.LearningSessions()
		if err != nil {
			return nil, err
		}
		for _, v := range open {
			if v.EntryMode == state.ImportSkill && v.State == state.Armed && !v.TimedOut {
				return set.Load(v.LearnSessionID)
			}
		}
	}
	sess := state.Session{
		LearnSessionID: set.NewID(), EntryMode: state.ImportSkill, ObservationMode: state.ObserveNone,
		BuildPolicy: state.BuildThenReview, ExecutionMode: state.Guided, TargetKind: state.ImportedSkill, State: state.Idle,
		ActorMode: state.ActorMode(state.ObserveNone), ValuePolicy: capture.Masked, Title: "A skill from elsewhere",
		CreatedAt: set.Now, UpdatedAt: set.Now, SchemaVersion: 1,
	}
	sess.TargetID = sess.LearnSessionID
	set.Add(&sess)
	if h.Backfill {
		return &sess, nil
	}
	return &sess, set.Record(journal.SessionStarted, &sess, state.ReasonImport, map[string]any{"entry_mode": string(state.ImportSkill)})
}

// describe records which import the session mirrors. The name is derived by Showhow from the skill's own.
func describe(set *change.Set, sess *state.Session, h imports.Transition) {
	if h.Item == nil {
		sess.TempArtifactRef = h.Upload
		return
	}
	sess.ImportID, sess.TempArtifactRef = h.Item.ImportID, ""
	if h.Item.SkillName != "" {
		sess.Title = h.Item.SkillName
	}
	if h.Item.AbilityID != "" {
		sess.AbilityID = h.Item.AbilityID
	}
}

func sessionState(h imports.Transition) state.State {
	if h.Over {
		return state.Cancelled
	}
	return importStates[h.To]
}

// followImport takes the session to the import's state, one legal transition at a time.
func followImport(set *change.Set, sess *state.Session, h imports.Transition) error {
	to := sessionState(h)
	if to == state.Cancelled && sess.State == state.ReadyForReview { // from there the way out is called rejected
		to = state.Rejected
	}
	if to == state.InstallingPrivate { // it may be tried again
		sess.Ended, sess.EndedAt, sess.Reason = false, nil, ""
	}
	for _, next := range append(statesBetween(sess.State, to), to) {
		if sess.State == next || !state.CanGo(sess.State, next) { // it ended before the import did
			continue
		}
		if next == state.ReadyForReview {
			if err := importProposal(set, sess, h); err != nil {
				return err
			}
		}
		if err := set.Enter(sess, next, state.ReasonImport); err != nil {
			return err
		}
	}
	over, err := importDecided(set, sess, h)
	if err != nil || !over {
		set.Touch(sess)
		return err
	}
	return set.Finish(sess)
}

// statesBetween lists the states between two states, both excluded.
func statesBetween(from, to state.State) []state.State {
	for _, path := range importPaths {
		if at, until := slices.Index(path, from), slices.Index(path, to); at >= 0 && until > at {
			return slices.Clone(path[at+1 : until])
		}
	}
	return nil
}

// importProposal creates or updates the proposal that stands for the skill. It has no observations, no files and none
// of the skill's own text: that is shown only with the import, where no agent reads it before a person has decided.
func importProposal(set *change.Set, sess *state.Session, h imports.Transition) error {
	if sess.ProposalID != "" {
		p, err := set.LoadProposal(sess.ProposalID)
		if err == nil {
			p.ProposedSkillSlug, p.InstallLane, p.Reason = h.Item.Slug, state.LanePending, ""
		}
		return err
	}
	p := state.Proposal{
		ProposalID: set.NewID(), LearnSessionID: sess.LearnSessionID, ImportID: sess.ImportID, SourceTraceIDs: []string{},
		Title: plain.Clip(sess.Title, 160), ProposedSkillSlug: h.Item.Slug, TriggerPhrases: []string{}, NegativeTriggers: []string{},
		ProposalState: string(state.ReadyForReview), InstallLane: state.LanePending, SupportPackRefs: []string{}, CreatedAt: set.Now,
		SchemaVersion: 1, ContentHash: h.Item.ContentHash, Validation: state.ValidationNone,
	}
	sess.ProposalID = p.ProposalID
	if err := set.StoreSession(sess); err != nil { // proposals refer to it
		return err
	}
	if err := set.AddProposal(&p); err != nil {
		return err
	}
	if h.Backfill {
		return nil
	}
	return set.Record(journal.ProposalCreated, sess, state.ReasonImport, map[string]any{"proposal_id": p.ProposalID, "traces": 0})
}

// importDecided copies the import's outcome: reason, lane and ability. over means that the import is finished.
func importDecided(set *change.Set, sess *state.Session, h imports.Transition) (over bool, err error) {
	switch sess.State {
	case state.Rejected, state.Cancelled:
		sess.Reason = plain.Clip(h.Reason, 240)
	case state.Quarantined:
		sess.Reason = "install_failed"
	case state.InstalledPrivate, state.Approved:
	default:
		return false, nil
	}
	if sess.Ended {
		return false, nil
	}
	return true, importProposalDecided(set, sess, h)
}

func importProposalDecided(set *change.Set, sess *state.Session, h imports.Transition) error {
	if sess.ProposalID == "" || h.Item == nil {
		return nil
	}
	p, err := set.LoadProposal(sess.ProposalID)
	if err != nil {
		return err
	}
	p.Reason, p.AbilityID, p.ProposedSkillSlug = sess.Reason, h.Item.AbilityID, h.Item.Slug
	details := map[string]any{"proposal_id": p.ProposalID, "revision": p.Revision}
	switch sess.State {
	case state.Approved, state.InstalledPrivate:
		p.InstallLane, p.PrimaryCapabilityID = h.Item.Lane, "imported."+h.Item.Slug
		p.TriggerPhrases, p.NegativeTriggers = h.Item.Phrases.Triggers, h.Item.Phrases.NegativeTriggers
		details["lane"] = p.InstallLane
		if !h.Backfill && sess.State == state.Approved {
			return set.Record(journal.ProposalApproved, sess, state.ReasonImport, details)
		}
	case state.Quarantined:
		p.InstallLane = ability.LaneQuarantined
	case state.Rejected:
		if h.To == imports.Rejected {
			p.Reason = h.Item.Reason // in the person's words
		}
		if !h.Backfill {
			return set.Record(journal.ProposalRejected, sess, state.ReasonImport, details)
		}
	}
	return nil
}

// backfillImport puts the new session of an older import into its current state, with a single receipt, because none
// of it happened now.
func backfillImport(set *change.Set, sess *state.Session, h imports.Transition) error {
	sess.State = sessionState(h)
	at := set.Now
	if i := h.Item; i != nil {
		sess.CreatedAt, at = i.CreatedAt, i.UpdatedAt
		drafted := i.SourceRefKind == imports.RefMaterialized ||
			slices.Contains([]state.State{state.ReadyForReview, state.InstallingPrivate, state.Quarantined, state.InstalledPrivate, state.Approved,
				state.Rejected}, sess.State)
		if drafted && sess.State == state.Cancelled {
			sess.State = state.Rejected
		}
		if drafted {
			if err := importProposal(set, sess, h); err != nil {
				return err
			}
			p, err := set.LoadProposal(sess.ProposalID)
			if err != nil {
				return err
			}
			p.ProposalState = state.ProposalState(sess.State, p.ProposalState)
		}
	}
	over, err := importDecided(set, sess, h)
	if err != nil {
		return err
	}
	if over {
		sess.Ended, sess.EndedAt = true, at.Ptr()
	}
	return set.SaveBackfill(sess, at)
}
