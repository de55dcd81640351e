package learn

import (
	"slices"

	"showhow/capture"
	"showhow/daemon/ability"
	"showhow/daemon/imports"
	"showhow/daemon/journal"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

// Every import is shown by an Import Skill session, which moves along in the import's own transactions (decisions A7): the
// upload is its capture, the scan its review, staging its drafting. What is decided is decided on the import; the session only
// says so. It observes nothing, so it never takes the slot of a demonstration (DOC3 0C.1B speaks of what is created here).

// importStates is where an import's state takes its session.
var importStates = map[imports.State]State{
	imports.UploadPending: Armed, imports.Uploaded: Stopped,
	imports.Scanning: Reviewing, imports.ScanFailed: Reviewing, imports.ScanComplete: Reviewing,
	imports.Staging: DraftingProposal, imports.StageFailed: DraftingProposal, imports.ReadyForReview: ReadyForReview,
	imports.InstallQueued: InstallingPrivate, imports.InstallFailed: Quarantined, imports.InstalledPrivate: InstalledPrivate,
	imports.Approved: Approved, imports.Rejected: Rejected, imports.Discarded: Cancelled, imports.Expired: Cancelled,
}

// importPaths are the ways of a session that shows an import: from its start, and from a failed installation that is retried.
var importPaths = [][]State{
	{Idle, Armed, Capturing, Stopped, Reviewing, DraftingProposal, ReadyForReview, InstallingPrivate},
	{Quarantined, DraftingProposal, ReadyForReview, InstallingPrivate},
}

// mirrorsImport reports whether the session shows an import, which alone decides what becomes of it.
func mirrorsImport(sess Session) bool {
	return sess.EntryMode == ImportSkill && (sess.ImportID != "" || sess.TempArtifactRef != "")
}

// decidedOnImport refuses commands on a session that shows an import, and on its draft.
func decidedOnImport(sess Session) error {
	if !mirrorsImport(sess) {
		return nil
	}
	f := fault.New(fault.DecidedOnImport, "this session shows an import: what is done about it is done to the import")
	if sess.ImportID == "" {
		return f.WithDetail("temp_artifact_ref", sess.TempArtifactRef).WithHint("scan the upload, or delete it")
	}
	return f.WithDetail("import_id", sess.ImportID).WithHint("`showhow skill imports show` says what can be done with it")
}

// ImportsOwn refuses commands on a draft that stands for an import.
func ImportsOwn(p Proposal) error {
	if p.ImportID == "" {
		return nil
	}
	return decidedOnImport(Session{EntryMode: ImportSkill, ImportID: p.ImportID})
}

// learning leaves out sessions that show an import: nothing is being learned there.
func learning(list []Session) []Session {
	return slices.DeleteFunc(list, mirrorsImport)
}

// ImportHop moves the session that shows the import, and names it. One that was deleted is begun again.
func (s *Service) ImportHop(w journal.Writer, h imports.Hop) (imports.Shown, error) {
	tx, err := s.d.Store.Join(w)
	if err != nil {
		return imports.Shown{}, err
	}
	m := systemMeta()
	m.CorrelationID = h.Correlation
	u := s.unit(tx, m)
	sess, err := u.importSession(h)
	if err != nil {
		return imports.Shown{}, err
	}
	if sess == nil { // what is over needs none
		return imports.Shown{SessionID: h.Session}, nil
	}
	u.describe(sess, h)
	if h.Backfill {
		err = u.backfillImport(sess, h)
	} else if err = u.followImport(sess, h); err == nil {
		err = u.save()
	}
	return imports.Shown{SessionID: sess.LearnSessionID, ProposalID: sess.ProposalID}, err
}

// importSession is the session that shows this import: its own, one that a person began for it, or a new one.
func (u *unit) importSession(h imports.Hop) (*Session, error) {
	if h.Session != "" {
		sess, err := u.load(h.Session)
		if !fault.Is(err, fault.LearnSessionNotFound) {
			return sess, err
		}
		if h.Over || importTo(h) == Cancelled {
			return nil, nil
		}
	}
	if h.From == imports.UploadPending {
		open, err := u.OpenSessions()
		if err != nil {
			return nil, err
		}
		for _, v := range open {
			if v.EntryMode == ImportSkill && v.State == Armed && !v.TimedOut && !mirrorsImport(v) {
				return u.load(v.LearnSessionID)
			}
		}
	}
	sess := Session{LearnSessionID: u.s.d.NewID(), EntryMode: ImportSkill, ObservationMode: ObserveNone, BuildPolicy: BuildThenReview,
		ExecutionMode: Guided, TargetKind: ImportedSkill, State: Idle, ActorMode: actorMode(ObserveNone), ValuePolicy: capture.Masked,
		Title: "A skill from elsewhere", CreatedAt: u.now, UpdatedAt: u.now, SchemaVersion: 1}
	sess.TargetID = sess.LearnSessionID
	u.add(&sess)
	if h.Backfill {
		return &sess, nil
	}
	return &sess, u.tell(journal.SessionStarted, &sess, "import", map[string]any{"entry_mode": string(ImportSkill)})
}

// describe notes of which import the session is. The name is the one that Showhow made of the skill's own.
func (u *unit) describe(sess *Session, h imports.Hop) {
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

func importTo(h imports.Hop) State {
	if h.Over {
		return Cancelled
	}
	return importStates[h.To]
}

// followImport takes the session to where the import is, one legal hop after the other.
func (u *unit) followImport(sess *Session, h imports.Hop) error {
	to := importTo(h)
	if to == Cancelled && sess.State == ReadyForReview { // from there the way out is called rejected
		to = Rejected
	}
	if to == InstallingPrivate { // it may be tried again
		sess.Ended, sess.EndedAt, sess.Reason = false, nil, ""
	}
	for _, next := range append(between(sess.State, to), to) {
		if sess.State == next || !CanGo(sess.State, next) { // it ended before the import did
			continue
		}
		if next == ReadyForReview {
			if err := u.importProposal(sess, h); err != nil {
				return err
			}
		}
		if err := u.enter(sess, next, "import"); err != nil {
			return err
		}
	}
	over, err := u.importDecided(sess, h)
	if err != nil || !over {
		u.touch(sess)
		return err
	}
	return u.finish(sess)
}

// between are the states on the way, both ends left out.
func between(from, to State) []State {
	for _, path := range importPaths {
		if at, until := slices.Index(path, from), slices.Index(path, to); at >= 0 && until > at {
			return slices.Clone(path[at+1 : until])
		}
	}
	return nil
}

// importProposal makes or renews the draft that stands for the skill. It has no observations, no files and no words of the
// skill's own: what a stranger wrote is shown with the import, and lies where no agent reads it before a person decided.
func (u *unit) importProposal(sess *Session, h imports.Hop) error {
	if sess.ProposalID != "" {
		p, err := u.proposal(sess.ProposalID)
		if err == nil {
			p.ProposedSkillSlug, p.InstallLane, p.Reason = h.Item.Slug, lanePending, ""
		}
		return err
	}
	p := Proposal{ProposalID: u.s.d.NewID(), LearnSessionID: sess.LearnSessionID, ImportID: sess.ImportID, SourceTraceIDs: []string{},
		Title: clip(sess.Title, 160), ProposedSkillSlug: h.Item.Slug, TriggerPhrases: []string{}, NegativeTriggers: []string{}, ProposalState: string(ReadyForReview),
		InstallLane: lanePending, SupportPackRefs: []string{}, CreatedAt: u.now, SchemaVersion: 1, ContentHash: h.Item.ContentHash, Validation: validationNone}
	sess.ProposalID = p.ProposalID
	if err := u.store(sess); err != nil { // proposals refer to it
		return err
	}
	if err := u.propose(&p); err != nil {
		return err
	}
	if h.Backfill {
		return nil
	}
	return u.tell(journal.ProposalCreated, sess, "import", map[string]any{"proposal_id": p.ProposalID, "traces": 0})
}

// importDecided mirrors what became of the import: reason, lane and ability. over: nothing more will come.
func (u *unit) importDecided(sess *Session, h imports.Hop) (over bool, err error) {
	switch sess.State {
	case Rejected, Cancelled:
		sess.Reason = clip(h.Reason, 240)
	case Quarantined:
		sess.Reason = "install_failed"
	case InstalledPrivate, Approved:
	default:
		return false, nil
	}
	if sess.Ended {
		return false, nil
	}
	return true, u.importProposalDecided(sess, h)
}

func (u *unit) importProposalDecided(sess *Session, h imports.Hop) error {
	if sess.ProposalID == "" || h.Item == nil {
		return nil
	}
	p, err := u.proposal(sess.ProposalID)
	if err != nil {
		return err
	}
	p.Reason, p.AbilityID, p.ProposedSkillSlug = sess.Reason, h.Item.AbilityID, h.Item.Slug
	details := map[string]any{"proposal_id": p.ProposalID, "revision": p.Revision}
	switch sess.State {
	case Approved, InstalledPrivate:
		p.InstallLane, p.PrimaryCapabilityID = h.Item.Lane, "imported."+h.Item.Slug
		p.TriggerPhrases, p.NegativeTriggers = h.Item.Phrases.Triggers, h.Item.Phrases.NegativeTriggers
		details["lane"] = p.InstallLane
		if !h.Backfill && sess.State == Approved {
			return u.tell(journal.ProposalApproved, sess, "import", details)
		}
	case Quarantined:
		p.InstallLane = ability.LaneQuarantined
	case Rejected:
		if h.To == imports.Rejected {
			p.Reason = h.Item.Reason // in the person's words
		}
		if !h.Backfill {
			return u.tell(journal.ProposalRejected, sess, "import", details)
		}
	}
	return nil
}

// backfillImport puts the new session of an older import where it would be, with one receipt: none of it happened now.
func (u *unit) backfillImport(sess *Session, h imports.Hop) error {
	sess.State = importTo(h)
	at := u.now
	if i := h.Item; i != nil {
		sess.CreatedAt, at = i.CreatedAt, i.UpdatedAt
		drafted := i.SourceRefKind == imports.RefMaterialized || slices.Contains([]State{ReadyForReview, InstallingPrivate, Quarantined, InstalledPrivate, Approved, Rejected}, sess.State)
		if drafted && sess.State == Cancelled {
			sess.State = Rejected
		}
		if drafted {
			if err := u.importProposal(sess, h); err != nil {
				return err
			}
			p, err := u.proposal(sess.ProposalID)
			if err != nil {
				return err
			}
			p.ProposalState = proposalState(sess.State, p.ProposalState)
		}
	}
	over, err := u.importDecided(sess, h)
	if err != nil {
		return err
	}
	if over {
		sess.Ended, sess.EndedAt = true, at.Ptr()
	}
	return u.backfilled(sess, at)
}

// backfilled stores what was made, without moving what other programs see as going on now.
func (u *unit) backfilled(sess *Session, at clock.Time) error {
	if err := u.tell(journal.MigrationBackfill, sess, "import", map[string]any{"import_id": sess.ImportID, "state": string(sess.State)}); err != nil {
		return err
	}
	for _, p := range u.changed {
		p.UpdatedAt = at
		if err := u.PutProposal(*p); err != nil {
			return err
		}
		if err := u.PutFile(proposalFile(p.ProposalID), wholeOf(*p)); err != nil {
			return err
		}
	}
	sess.Revision, sess.UpdatedAt = 1, at
	return u.store(sess)
}
