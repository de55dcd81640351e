package learn

import (
	"context"
	"maps"

	"showhow/daemon/journal"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

// unit is one unit of work: the sessions, boundaries and proposal that change in one transaction, with their receipts and
// events. save writes what was touched and the files that mirror it.
type unit struct {
	Tx
	s    *Service
	m    Meta
	now  clock.Time
	held map[string]*Session
	// touched are sessions whose revision and files change; order is that of touching, the last one is the runtime snapshot's.
	touched []*Session
	props   map[string]*Proposal
	changed []*Proposal
}

func (s *Service) unit(tx Tx, m Meta) *unit {
	return &unit{Tx: tx, s: s, m: m, now: s.now(), held: map[string]*Session{}, props: map[string]*Proposal{}}
}

// update runs fn in a transaction and saves what it touched.
func (s *Service) update(ctx context.Context, m Meta, fn func(*unit) error) error {
	return s.d.Store.Update(ctx, func(tx Tx) error {
		u := s.unit(tx, m)
		if err := fn(u); err != nil {
			return err
		}
		return u.save()
	})
}

// change is update for a command on one session: it must exist, not be timed out, and be at the revision the caller saw.
func (s *Service) change(ctx context.Context, m Meta, id string, fn func(*unit, *Session) error) (Session, error) {
	var out Session
	err := s.update(ctx, m, func(u *unit) error {
		sess, err := u.command(id)
		if err != nil {
			return err
		}
		if err := fn(u, sess); err != nil {
			return err
		}
		u.touch(sess)
		out = *sess
		return nil
	})
	if err != nil {
		return Session{}, err
	}
	return s.session(ctx, id, out)
}

// session rereads a session after its transaction, with what is computed for the caller.
func (s *Service) session(ctx context.Context, id string, last Session) (Session, error) {
	err := s.d.Store.View(ctx, func(tx Tx) error {
		v, ok, err := tx.Session(id)
		if ok {
			last = v
		}
		return err
	})
	return s.view(last), err
}

// command loads the session that a caller acts on and checks what every command checks.
func (u *unit) command(id string) (*Session, error) {
	sess, err := u.load(id)
	if err != nil {
		return nil, err
	}
	if err := errorsFirst(decidedOnImport(*sess), actable(*sess)); err != nil {
		return nil, err
	}
	return sess, seen(u.m, sess.Revision)
}

// actable refuses a session that its time limit ended.
func actable(sess Session) error {
	if sess.TimedOut {
		return fault.New(fault.SessionTimeout, "this session was never started and has timed out").WithHint("start a new one: `showhow learn start GOAL`")
	}
	return nil
}

// seen compares the revision the caller saw with the current one (decisions C13).
func seen(m Meta, current int) error {
	if m.IfMatch == nil || *m.IfMatch == current {
		return nil
	}
	return fault.New(fault.RevisionConflict, "it was changed since you looked").WithDetail("current_revision", current).
		WithHint("look again and repeat the change if it still makes sense")
}

func sessionNotFound() error {
	return fault.New(fault.LearnSessionNotFound, "there is no such learn session")
}

func (u *unit) load(id string) (*Session, error) {
	if s := u.held[id]; s != nil {
		return s, nil
	}
	v, ok, err := u.Session(id)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, sessionNotFound()
	}
	u.held[id] = &v
	return &v, nil
}

// members are the sessions of a learning target, the first one first.
func (u *unit) members(targetID string) ([]*Session, error) {
	list, err := u.TargetSessions(targetID)
	if err != nil {
		return nil, err
	}
	out := make([]*Session, len(list))
	for i, v := range list {
		if out[i], err = u.load(v.LearnSessionID); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// add brings in a session that is not stored yet.
func (u *unit) add(sess *Session) {
	u.held[sess.LearnSessionID] = sess
	u.touch(sess)
}

func (u *unit) touch(sess *Session) {
	for i, t := range u.touched {
		if t == sess {
			u.touched = append(u.touched[:i], u.touched[i+1:]...)
			break
		}
	}
	u.touched = append(u.touched, sess)
}

// proposal loads a proposal to change.
func (u *unit) proposal(id string) (*Proposal, error) {
	if p := u.props[id]; p != nil {
		return p, nil
	}
	v, ok, err := u.Proposal(id)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, proposalNotFound()
	}
	u.props[id] = &v
	u.changed = append(u.changed, &v)
	return &v, nil
}

// propose stores a new proposal, so that revisions and questions can refer to it; save writes it again as it is by then.
func (u *unit) propose(p *Proposal) error {
	u.props[p.ProposalID] = p
	u.changed = append(u.changed, p)
	return u.PutProposal(*p)
}

func proposalNotFound() error { return fault.New(fault.ProposalNotFound, "there is no such proposal") }

// enter is the one way a session changes its state: along the table, with receipt and event (DOC3 0C.1A, decisions A1).
func (u *unit) enter(sess *Session, to State, reason string) error {
	from := sess.State
	if err := checkHop(from, to); err != nil {
		return err
	}
	sess.State = to
	if to != Paused {
		sess.PauseReason = ""
	}
	if p, err := u.mirrored(sess); err != nil {
		return err
	} else if p != nil {
		p.ProposalState = proposalState(to, p.ProposalState)
	}
	kinds := hopKinds(from, to)
	if sess.EntryMode == ImportSkill && to != Cancelled { // nothing is observed, so nothing is said of it
		kinds = []journal.EventKind{journal.SessionState}
	}
	for _, kind := range kinds {
		if err := u.tell(kind, sess, reason, map[string]any{"from": string(from), "to": string(to)}); err != nil {
			return err
		}
	}
	u.touch(sess)
	return nil
}

// mirrored is the proposal whose state follows the session: the one its first session has.
func (u *unit) mirrored(sess *Session) (*Proposal, error) {
	if sess.ProposalID == "" || sess.ExampleOf != "" {
		return nil, nil
	}
	return u.proposal(sess.ProposalID)
}

// hopKinds names what is told about a hop: the first is the session's, capture's come with it.
func hopKinds(from, to State) []journal.EventKind {
	capturing := from == Capturing || from == Paused
	switch {
	case to == Armed:
		return []journal.EventKind{journal.SessionArmed}
	case from == Armed && to == Capturing:
		return []journal.EventKind{journal.CaptureStarted}
	case to == Capturing:
		return []journal.EventKind{journal.SessionResumed, journal.CaptureResumed}
	case to == Paused:
		return []journal.EventKind{journal.SessionPaused, journal.CapturePaused}
	case to == Stopped:
		return []journal.EventKind{journal.SessionStopped, journal.CaptureStopped}
	case to == Cancelled && capturing:
		return []journal.EventKind{journal.SessionCancelled, journal.CaptureStopped}
	case to == Cancelled:
		return []journal.EventKind{journal.SessionCancelled}
	default:
		return []journal.EventKind{journal.SessionState}
	}
}

// proposalState is SkillBundleProposalState for a session's state.
func proposalState(s State, otherwise string) string {
	switch s {
	case DraftingProposal:
		return "draft"
	case TestingProposal:
		return "testing"
	case AwaitingQuestions, ReadyForReview, InstallingPrivate, InstalledPrivate, Approved, Rejected, Cancelled, Quarantined:
		return string(s)
	}
	return otherwise
}

// finish marks a session as ended: slot, purge clock and archive follow it (decisions A2).
func (u *unit) finish(sess *Session) error {
	if sess.Ended {
		return nil
	}
	sess.Ended, sess.EndedAt = true, u.now.Ptr()
	u.touch(sess)
	return u.tell(journal.SessionEnded, sess, "", map[string]any{"state": string(sess.State)})
}

// tell leaves a receipt and the event of the same kind. reason is a code; details are ids, codes and counts.
func (u *unit) tell(kind journal.EventKind, sess *Session, reason string, details map[string]any) error {
	r := journal.Receipt{ReceiptID: u.s.d.NewID(), Kind: kind, Reason: reason, Summary: summaries[kind],
		CorrelationID: u.m.CorrelationID, CreatedAt: u.now, SchemaVersion: 1}
	e := journal.Event{Kind: kind, Payload: map[string]any{"receipt_id": r.ReceiptID, "source": u.source()}, Timestamp: u.now, SchemaVersion: 1}
	maps.Copy(e.Payload, details)
	if reason != "" {
		e.Payload["reason"] = reason
	}
	if sess != nil {
		r.LearnSessionID, r.ProposalID, r.AbilityID = sess.LearnSessionID, sess.ProposalID, sess.AbilityID
		e.SessionID = sess.LearnSessionID
		if sess.ProposalID != "" {
			e.Payload["proposal_id"] = sess.ProposalID
		}
	}
	if err := u.AddReceipt(r); err != nil {
		return err
	}
	return u.Emit(e)
}

// source is where the call came from.
func (u *unit) source() string {
	switch {
	case u.m.Source != "":
		return u.m.Source
	case u.m.Principal == PrincipalSystem:
		return SourceInferred
	}
	return SourceAPI
}

// mark records a boundary and returns it.
func (u *unit) mark(sess *Session, b Boundary) (Boundary, error) {
	b.BoundaryID, b.LearnSessionID, b.CreatedAt, b.SchemaVersion = u.s.d.NewID(), sess.LearnSessionID, u.now, 1
	if b.Source == "" {
		b.Source = u.source()
	}
	return b, u.PutBoundary(b)
}

// save stores what was touched and mirrors it to the canonical files.
func (u *unit) save() error {
	for _, p := range u.changed {
		p.UpdatedAt = u.now
		if err := u.PutProposal(*p); err != nil {
			return err
		}
		if err := u.PutFile(proposalFile(p.ProposalID), wholeOf(*p)); err != nil {
			return err
		}
	}
	for _, sess := range u.touched {
		sess.Revision++
		sess.UpdatedAt, sess.PurgeWarnedAt = u.now, nil
		if err := u.store(sess); err != nil {
			return err
		}
	}
	if n := len(u.touched); n > 0 {
		return u.mirrorRuntime(*u.touched[n-1])
	}
	return nil
}

// store writes one session and its file.
func (u *unit) store(sess *Session) error {
	out := u.s.computed(*sess)
	out.Notices = []string{}
	if err := u.PutSession(out); err != nil {
		return err
	}
	return u.PutFile(sessionFile(sess.LearnSessionID), out)
}
