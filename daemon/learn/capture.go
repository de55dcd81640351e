package learn

import (
	"context"

	"showhow/capture"
	"showhow/internal/fault"
)

// peek reads a session without changing it.
func (s *Service) peek(ctx context.Context, id string) (Session, error) {
	var out Session
	err := s.d.Store.View(ctx, func(tx Tx) error {
		v, ok, err := tx.Session(id)
		if err == nil && !ok {
			err = sessionNotFound()
		}
		out = v
		return err
	})
	return out, err
}

// lockSession takes the lock of a session's learning target.
func (s *Service) lockSession(ctx context.Context, id string) (release func(), err error) {
	sess, err := s.peek(ctx, id)
	if err = errorsFirst(err, decidedOnImport(sess)); err != nil {
		return nil, err
	}
	return s.locks.lock(sess.TargetID), nil
}

// begin is the common start of start and resume: the lock, the checks, the adapters' readiness.
func (s *Service) begin(ctx context.Context, m Meta, id string, from State) (Session, func(), error) {
	if err := userOnly(m); err != nil {
		return Session{}, nil, err
	}
	release, err := s.lockSession(ctx, id)
	if err != nil {
		return Session{}, nil, err
	}
	if err = s.recordPause(ctx, id); err != nil {
		release()
		return Session{}, nil, err
	}
	sess, err := s.peek(ctx, id)
	if err == nil {
		err = actable(sess)
	}
	if err == nil && sess.EntryMode == ImportSkill {
		err = fault.New(fault.DecidedOnImport, "an import observes nothing: there is nothing to start").WithHint("bring the skill in: `showhow skill import PATH`")
	}
	if err == nil {
		err = seen(m, sess.Revision)
	}
	if err == nil && sess.State != from {
		err = hopFrom(sess.State, from, Capturing)
	}
	if _, on := s.live.get(id); err == nil && !on && sess.ObservationMode != ObserveNone {
		err = s.d.Capturer.Check(ctx, sess.Adapters)
	}
	if err != nil {
		release()
		return Session{}, nil, err
	}
	return sess, release, nil
}

// hopFrom is the fault for a command that starts from one state only, although the table may allow the hop from others.
func hopFrom(is, must, to State) error {
	return fault.Newf(fault.InvalidLearnStateTransition, "the session is %s, not %s", is, must).
		WithDetail("from", string(is)).WithDetail("to", string(to))
}

// Start begins the capture of an armed session.
func (s *Service) Start(ctx context.Context, m Meta, id string) (StartResponse, error) {
	_, release, err := s.begin(ctx, m, id, Armed)
	if err != nil {
		return StartResponse{}, err
	}
	defer release()
	sess, err := s.change(ctx, m, id, func(u *unit, sess *Session) error {
		sess.ActiveTraceIDs = []string{u.s.d.NewID()}
		sess.StartedAt = u.now.Ptr()
		return u.capturing(sess, BoundaryStart)
	})
	if err != nil {
		return StartResponse{}, err
	}
	armed, err := s.observe(ctx, sess)
	if err != nil {
		return StartResponse{}, err
	}
	sess, err = s.session(ctx, id, sess)
	return StartResponse{Session: sess, ObservationActive: sess.ObservationMode != ObserveNone, AdaptersArmed: armed}, err
}

// capturing enters the state in which adapters may emit, with its boundary.
func (u *unit) capturing(sess *Session, kind BoundaryKind) error {
	b, err := u.mark(sess, Boundary{Kind: kind})
	if err != nil {
		return err
	}
	if kind == BoundaryStart {
		sess.StartBoundaryRef = b.BoundaryID
	}
	sess.CapturingSince = u.now.Ptr()
	return u.enter(sess, Capturing, "")
}

// observe lets the adapters emit, after the state says so. When they cannot, the session is paused and says why.
func (s *Service) observe(ctx context.Context, sess Session) ([]string, error) {
	if sess.ObservationMode == ObserveNone {
		return []string{}, nil
	}
	id := sess.LearnSessionID
	s.lease.begin()
	defer func() { s.lease.begun(s.d.Now().Add(s.d.Grace)) }()
	if _, on := s.live.get(id); on {
		s.live.resumed(id, s.d.Now())
		if s.d.Capturer.Resume(id) == nil {
			return s.view(sess).AdaptersArmed, nil
		}
		var err error // what observed is gone: begin anew
		if sess, err = s.halt(ctx, sess); err != nil {
			return nil, s.observeFailed(ctx, id, err)
		}
	}
	s.live.add(sess, s.d.Now())
	armed, err := s.d.Capturer.Start(context.WithoutCancel(ctx), sess, sess.ActiveTraceIDs[0])
	if err != nil {
		s.live.remove(id)
		return nil, s.observeFailed(ctx, id, err)
	}
	s.live.arm(id, armed)
	s.wake()
	err = s.d.Store.Update(ctx, func(tx Tx) error { return tx.PutFile(scopeFile, s.scopeOf(sess)) })
	return armed, err
}

func (s *Service) observeFailed(ctx context.Context, id string, cause error) error {
	if _, err := s.pauseState(context.WithoutCancel(ctx), systemMeta(), id, PausedAdapter); err != nil {
		s.log.Error("a session without capture could not be paused", "session", id, "code", fault.CodeOf(err))
	}
	if fault.CodeOf(cause) == fault.Internal {
		return fault.Wrap(cause, fault.AdapterUnavailable, "an adapter could not begin to observe").WithHint("`showhow doctor` says what would fix it")
	}
	return cause
}

func systemMeta() Meta { return Meta{Principal: PrincipalSystem, Source: SourceInferred} }

// wake lets Run notice at once that something captures.
func (s *Service) wake() {
	select {
	case s.kick <- struct{}{}:
	default:
	}
}

// Pause stops emission at once, then records it.
func (s *Service) Pause(ctx context.Context, m Meta, id string) (Session, error) {
	if err := userOnly(m); err != nil {
		return Session{}, err
	}
	return s.pause(ctx, m, id, PausedByUser)
}

// pause switches emission off before anything that may wait, so that what happens from now on is not kept whatever the
// store does.
func (s *Service) pause(ctx context.Context, m Meta, id string, why PauseReason) (Session, error) {
	if sess, err := s.peek(ctx, id); err == nil {
		if err := pausable(m, sess); err != nil {
			return Session{}, err
		}
		m.IfMatch = nil
	}
	if _, on := s.live.get(id); on {
		s.d.Capturer.Pause(id)
		s.live.silenced(id, why)
	}
	release, err := s.lockSession(ctx, id)
	if err != nil {
		s.live.owe(id)
		return Session{}, err
	}
	defer release()
	if _, on := s.live.get(id); on { // again: a resume may have been under way
		s.d.Capturer.Pause(id)
		s.live.silenced(id, why)
	}
	if sess, err := s.peek(ctx, id); err == nil && sess.State == Paused { // another pause was faster
		s.live.silenced(id, "")
		return s.session(ctx, id, sess)
	}
	sess, err := s.pauseState(ctx, m, id, why)
	if err != nil {
		s.live.owe(id)
	}
	return sess, err
}

func pausable(m Meta, sess Session) error {
	if err := actable(sess); err != nil {
		return err
	}
	if err := checkHop(sess.State, Paused); err != nil {
		return err
	}
	return seen(m, sess.Revision)
}

func errorsFirst(first, then error) error {
	if first != nil {
		return first
	}
	return then
}

// pauseState records that capture is paused.
func (s *Service) pauseState(ctx context.Context, m Meta, id string, why PauseReason) (Session, error) {
	sess, err := s.change(ctx, m, id, func(u *unit, sess *Session) error {
		if err := checkHop(sess.State, Paused); err != nil {
			return err
		}
		if _, err := u.mark(sess, Boundary{Kind: BoundaryPause}); err != nil {
			return err
		}
		sess.PauseReason = why
		return u.enter(sess, Paused, string(why))
	})
	if err == nil {
		s.live.silenced(id, "")
	}
	return sess, err
}

// recordPause records a pause that the store refused when it happened.
func (s *Service) recordPause(ctx context.Context, id string) error {
	run, _ := s.live.get(id)
	if !run.owed {
		return nil
	}
	_, err := s.pauseState(ctx, systemMeta(), id, run.off)
	if fault.Is(err, fault.InvalidLearnStateTransition) { // it has left capturing by another way
		s.live.silenced(id, "")
		return nil
	}
	return err
}

// recordPauses tries it for every session; what fails is tried again at the next tick.
func (s *Service) recordPauses(ctx context.Context) {
	for _, id := range s.live.ids() {
		if run, _ := s.live.get(id); !run.owed {
			continue
		}
		release, err := s.lockSession(ctx, id)
		if err != nil {
			continue
		}
		_ = s.recordPause(ctx, id)
		release()
	}
}

// pauseAll pauses whatever captures: the platform, the lease or a shutdown demands it.
func (s *Service) pauseAll(ctx context.Context, why PauseReason) {
	for _, id := range s.live.ids() {
		if sess, err := s.peek(ctx, id); err != nil || s.truly(sess).State != Capturing {
			continue
		}
		if _, err := s.pause(context.WithoutCancel(ctx), systemMeta(), id, why); err != nil {
			s.log.Error("capture is off, but that could not be recorded", "session", id, "code", fault.CodeOf(err))
		}
	}
}

// CaptureFailed pauses a session whose capture broke: an adapter ended, or the store refused an observation.
func (s *Service) CaptureFailed(ctx context.Context, sessionID string, reason PauseReason) error {
	sess, err := s.peek(ctx, sessionID)
	if err != nil || sess.State != Capturing {
		return err
	}
	_, err = s.pause(ctx, systemMeta(), sessionID, reason)
	return err
}

// Resume goes on with a paused session, if need be with adapters started anew.
func (s *Service) Resume(ctx context.Context, m Meta, id string) (Session, error) {
	_, release, err := s.begin(ctx, m, id, Paused)
	if err != nil {
		return Session{}, err
	}
	defer release()
	sess, err := s.change(ctx, m, id, func(u *unit, sess *Session) error { return u.capturing(sess, BoundaryResume) })
	if err != nil {
		return Session{}, err
	}
	if _, err := s.observe(ctx, sess); err != nil {
		return Session{}, err
	}
	return s.session(ctx, id, sess)
}

// Stop ends the demonstration. Everything kept is durable when it returns; start and end are inferred (decisions A11).
func (s *Service) Stop(ctx context.Context, m Meta, id string) (StopResponse, error) {
	if err := userOnly(m); err != nil {
		return StopResponse{}, err
	}
	release, err := s.lockSession(ctx, id)
	if err != nil {
		return StopResponse{}, err
	}
	defer release()
	sess, err := s.peek(ctx, id)
	if err == nil {
		err = stoppable(m, sess)
	}
	if err != nil {
		return StopResponse{}, err
	}
	m.IfMatch = nil // judged; from here on the capture is over
	final, err := s.halt(ctx, sess)
	if err != nil {
		return StopResponse{}, err
	}
	records, err := s.traceOf(ctx, sess)
	if err != nil {
		return StopResponse{}, err
	}
	sess, err = s.change(ctx, m, id, func(u *unit, sess *Session) error {
		sess.EventsKept, sess.Withheld, sess.StoppedAt = int64(len(records)), final.Withheld, u.now.Ptr()
		if err := u.infer(sess, records); err != nil {
			return err
		}
		return u.enter(sess, Stopped, "")
	})
	if err != nil {
		return StopResponse{}, err
	}
	out := StopResponse{Session: sess, CapturedEventCount: sess.EventsKept, CapturedTraceIDs: sess.ActiveTraceIDs, NextAction: "review_captured"}
	if sess.EventsKept == 0 {
		out.NextAction = "cancel"
	}
	return out, nil
}

func stoppable(m Meta, sess Session) error {
	if err := actable(sess); err != nil {
		return err
	}
	if sess.StoppedAt != nil {
		return fault.New(fault.CaptureAlreadyStopped, "the capture of this session has already stopped").WithDetail("state", string(sess.State)).
			WithHint("`showhow learn status` says what comes next")
	}
	if err := checkHop(sess.State, Stopped); err != nil {
		return err
	}
	return seen(m, sess.Revision)
}

// halt ends the adapters of a session, flushes, and returns the session with its final counts: those of the capture until it
// stopped, and what is really stored.
func (s *Service) halt(ctx context.Context, sess Session) (Session, error) {
	id := sess.LearnSessionID
	if _, on := s.live.get(id); !on {
		return sess, nil
	}
	s.d.Capturer.Pause(id)
	final := s.view(sess)
	if err := s.d.Capturer.Stop(context.WithoutCancel(ctx), id); err != nil {
		return final, err
	}
	s.live.remove(id) // from here on the counts are the stored ones
	_, kept, err := s.d.Observations.Page(ctx, id, PageQuery{PageSize: 1})
	final.EventsKept = int64(kept)
	return final, err
}

// traceOf reads the kept observations of a session, in order of occurrence.
func (s *Service) traceOf(ctx context.Context, sess Session) ([]capture.Record, error) {
	var out []capture.Record
	for _, t := range sess.ActiveTraceIDs {
		r, err := s.d.Observations.ByTrace(ctx, t)
		if err != nil {
			return nil, err
		}
		out = append(out, r...)
	}
	byOccurrence(out)
	return out, nil
}
