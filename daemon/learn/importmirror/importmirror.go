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
)

// Every import is shown by an Import Skill session, which moves along in the import's own transactions (decisions A7): the
// upload is its capture, the scan its review, staging its drafting. What is decided is decided on the import; the session only
// says so. It observes nothing, so it never takes the slot of a demonstration (DOC3 0C.1B speaks of what is created here).

// importStates is where an import's state takes its session.
var importStates = map[imports.State]state.State{
	imports.UploadPending: state.Armed, imports.Uploaded: state.Stopped,
	imports.Scanning: state.Reviewing, imports.ScanFailed: state.Reviewing, imports.ScanComplete: state.Reviewing,
	imports.Staging: state.DraftingProposal, imports.StageFailed: state.DraftingProposal, imports.ReadyForReview: state.ReadyForReview,
	imports.InstallQueued: state.InstallingPrivate, imports.InstallFailed: state.Quarantined, imports.InstalledPrivate: state.InstalledPrivate,
	imports.Approved: state.Approved, imports.Rejected: state.Rejected, imports.Discarded: state.Cancelled, imports.Expired: state.Cancelled,
}

// importPaths are the ways of a session that shows an import: from its start, and from a failed installation that is retried.
var importPaths = [][]state.State{
	{state.Idle, state.Armed, state.Capturing, state.Stopped, state.Reviewing, state.DraftingProposal, state.ReadyForReview, state.InstallingPrivate},
	{state.Quarantined, state.DraftingProposal, state.ReadyForReview, state.InstallingPrivate},
}

// ImportHop moves the session that shows the import, and names it. One that was deleted is begun again.
func (s *Mirror) ImportHop(w journal.Writer, h imports.Hop) (imports.Shown, error) {
	tx, err := s.d.Store.Join(w)
	if err != nil {
		return imports.Shown{}, err
	}
	m := state.SystemMeta()
	m.CorrelationID = h.Correlation
	u := s.d.Changes.Begin(tx, m)
	sess, err := importSession(u, h)
	if err != nil {
		return imports.Shown{}, err
	}
	if sess == nil { // what is over needs none
		return imports.Shown{SessionID: h.Session}, nil
	}
	describe(u, sess, h)
	if h.Backfill {
		err = backfillImport(u, sess, h)
	} else if err = followImport(u, sess, h); err == nil {
		err = u.Save()
	}
	return imports.Shown{SessionID: sess.LearnSessionID, ProposalID: sess.ProposalID}, err
}

// importSession is the session that shows this import: its own, one that a person began for it, or a new one.
func importSession(u *change.Set, h imports.Hop) (*state.Session, error) {
	if h.Session != "" {
		sess, err := u.Load(h.Session)
		if !fault.Is(err, fault.LearnSessionNotFound) {
			return sess, err
		}
		if h.Over || importTo(h) == state.Cancelled {
			return nil, nil
		}
	}
	if h.From == imports.UploadPending {
		open, err := u.OpenSessions()
		if err != nil {
			return nil, err
		}
		for _, v := range open {
			if v.EntryMode == state.ImportSkill && v.State == state.Armed && !v.TimedOut && !state.MirrorsImport(v) {
				return u.Load(v.LearnSessionID)
			}
		}
	}
	sess := state.Session{LearnSessionID: u.NewID(), EntryMode: state.ImportSkill, ObservationMode: state.ObserveNone, BuildPolicy: state.BuildThenReview,
		ExecutionMode: state.Guided, TargetKind: state.ImportedSkill, State: state.Idle, ActorMode: state.ActorMode(state.ObserveNone), ValuePolicy: capture.Masked,
		Title: "A skill from elsewhere", CreatedAt: u.Now, UpdatedAt: u.Now, SchemaVersion: 1}
	sess.TargetID = sess.LearnSessionID
	u.Add(&sess)
	if h.Backfill {
		return &sess, nil
	}
	return &sess, u.Record(journal.SessionStarted, &sess, "import", map[string]any{"entry_mode": string(state.ImportSkill)})
}

// describe notes of which import the session is. The name is the one that Showhow made of the skill's own.
func describe(u *change.Set, sess *state.Session, h imports.Hop) {
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

func importTo(h imports.Hop) state.State {
	if h.Over {
		return state.Cancelled
	}
	return importStates[h.To]
}

// followImport takes the session to where the import is, one legal hop after the other.
func followImport(u *change.Set, sess *state.Session, h imports.Hop) error {
	to := importTo(h)
	if to == state.Cancelled && sess.State == state.ReadyForReview { // from there the way out is called rejected
		to = state.Rejected
	}
	if to == state.InstallingPrivate { // it may be tried again
		sess.Ended, sess.EndedAt, sess.Reason = false, nil, ""
	}
	for _, next := range append(between(sess.State, to), to) {
		if sess.State == next || !state.CanGo(sess.State, next) { // it ended before the import did
			continue
		}
		if next == state.ReadyForReview {
			if err := importProposal(u, sess, h); err != nil {
				return err
			}
		}
		if err := u.Enter(sess, next, "import"); err != nil {
			return err
		}
	}
	over, err := importDecided(u, sess, h)
	if err != nil || !over {
		u.Touch(sess)
		return err
	}
	return u.Finish(sess)
}

// between are the states on the way, both ends left out.
func between(from, to state.State) []state.State {
	for _, path := range importPaths {
		if at, until := slices.Index(path, from), slices.Index(path, to); at >= 0 && until > at {
			return slices.Clone(path[at+1 : until])
		}
	}
	return nil
}

// importProposal makes or renews the draft that stands for the skill. It has no observations, no files and no words of the
// skill's own: what a stranger wrote is shown with the import, and lies where no agent reads it before a person decided.
func importProposal(u *change.Set, sess *state.Session, h imports.Hop) error {
	if sess.ProposalID != "" {
		p, err := u.LoadProposal(sess.ProposalID)
		if err == nil {
			p.ProposedSkillSlug, p.InstallLane, p.Reason = h.Item.Slug, state.LanePending, ""
		}
		return err
	}
	p := state.Proposal{ProposalID: u.NewID(), LearnSessionID: sess.LearnSessionID, ImportID: sess.ImportID, SourceTraceIDs: []string{},
		Title: state.Clip(sess.Title, 160), ProposedSkillSlug: h.Item.Slug, TriggerPhrases: []string{}, NegativeTriggers: []string{}, ProposalState: string(state.ReadyForReview),
		InstallLane: state.LanePending, SupportPackRefs: []string{}, CreatedAt: u.Now, SchemaVersion: 1, ContentHash: h.Item.ContentHash, Validation: state.ValidationNone}
	sess.ProposalID = p.ProposalID
	if err := u.StoreSession(sess); err != nil { // proposals refer to it
		return err
	}
	if err := u.AddProposal(&p); err != nil {
		return err
	}
	if h.Backfill {
		return nil
	}
	return u.Record(journal.ProposalCreated, sess, "import", map[string]any{"proposal_id": p.ProposalID, "traces": 0})
}

// importDecided mirrors what became of the import: reason, lane and ability. over: nothing more will come.
func importDecided(u *change.Set, sess *state.Session, h imports.Hop) (over bool, err error) {
	switch sess.State {
	case state.Rejected, state.Cancelled:
		sess.Reason = state.Clip(h.Reason, 240)
	case state.Quarantined:
		sess.Reason = "install_failed"
	case state.InstalledPrivate, state.Approved:
	default:
		return false, nil
	}
	if sess.Ended {
		return false, nil
	}
	return true, importProposalDecided(u, sess, h)
}

func importProposalDecided(u *change.Set, sess *state.Session, h imports.Hop) error {
	if sess.ProposalID == "" || h.Item == nil {
		return nil
	}
	p, err := u.LoadProposal(sess.ProposalID)
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
			return u.Record(journal.ProposalApproved, sess, "import", details)
		}
	case state.Quarantined:
		p.InstallLane = ability.LaneQuarantined
	case state.Rejected:
		if h.To == imports.Rejected {
			p.Reason = h.Item.Reason // in the person's words
		}
		if !h.Backfill {
			return u.Record(journal.ProposalRejected, sess, "import", details)
		}
	}
	return nil
}

// backfillImport puts the new session of an older import where it would be, with one receipt: none of it happened now.
func backfillImport(u *change.Set, sess *state.Session, h imports.Hop) error {
	sess.State = importTo(h)
	at := u.Now
	if i := h.Item; i != nil {
		sess.CreatedAt, at = i.CreatedAt, i.UpdatedAt
		drafted := i.SourceRefKind == imports.RefMaterialized || slices.Contains([]state.State{state.ReadyForReview, state.InstallingPrivate, state.Quarantined, state.InstalledPrivate, state.Approved, state.Rejected}, sess.State)
		if drafted && sess.State == state.Cancelled {
			sess.State = state.Rejected
		}
		if drafted {
			if err := importProposal(u, sess, h); err != nil {
				return err
			}
			p, err := u.LoadProposal(sess.ProposalID)
			if err != nil {
				return err
			}
			p.ProposalState = state.ProposalState(sess.State, p.ProposalState)
		}
	}
	over, err := importDecided(u, sess, h)
	if err != nil {
		return err
	}
	if over {
		sess.Ended, sess.EndedAt = true, at.Ptr()
	}
	return u.SaveBackfill(sess, at)
}
