package control

import (
	"context"
	"slices"

	"showhow/capture"
	"showhow/daemon/learn/boundary"
	"showhow/daemon/learn/change"
	"showhow/daemon/learn/state"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// begin is the common part of Start and Resume: it takes the lock, makes the checks and asks whether the adapters are
// ready.
func (s *Service) begin(ctx context.Context, m state.Meta, id string, from state.State) (state.Session, func(), error) {
	if err := state.UserOnly(m); err != nil {
		return state.Session{}, nil, err
	}
	release, err := s.d.Changes.LockSession(ctx, id)
	if err != nil {
		return state.Session{}, nil, err
	}
	if err = s.recordPause(ctx, id); err != nil {
		release()
		return state.Session{}, nil, err
	}
	sess, err := s.d.Changes.Peek(ctx, id)
	if err == nil {
		err = state.CheckNotTimedOut(sess)
	}
	if err == nil && sess.EntryMode == state.ImportSkill {
		err = fault.New(fault.DecidedOnImport, "an import observes nothing: there is nothing to start").
			WithHint("bring the skill in: `showhow skill import PATH`")
	}
	if err == nil {
		err = state.CheckRevision(m, sess.Revision)
	}
	if err == nil && sess.State != from {
		err = wrongState(sess.State, from, state.Capturing)
	}
	if _, on := s.d.Live.Get(id); err == nil && !on && sess.ObservationMode != state.ObserveNone {
		err = s.d.Capturer.Check(ctx, sess.Adapters)
	}
	if err != nil {
		release()
		return state.Session{}, nil, err
	}
	return sess, release, nil
}

// wrongState is the error for a command that starts from one state only, even where the table allows the transition
// from others.
func wrongState(is, must, to state.State) error {
	return fault.Newf(fault.InvalidLearnStateTransition, "the session is %s, not %s", is, must).
		WithDetail("from", string(is)).WithDetail("to", string(to))
}

// Start begins the capture of an armed session.
func (s *Service) Start(ctx context.Context, m state.Meta, id string) (wire.StartSessionResponse, error) {
	_, release, err := s.begin(ctx, m, id, state.Armed)
	if err != nil {
		return wire.StartSessionResponse{}, err
	}
	defer release()
	sess, err := s.d.Changes.Change(ctx, m, id, func(set *change.Set, sess *state.Session) error {
		sess.ActiveTraceIDs = []string{set.NewID()}
		sess.StartedAt = set.Now.Ptr()
		return set.EnterCapturing(sess, state.BoundaryStart)
	})
	if err != nil {
		return wire.StartSessionResponse{}, err
	}
	armed, err := s.observe(ctx, sess)
	if err != nil {
		return wire.StartSessionResponse{}, err
	}
	sess, err = s.d.Changes.Reread(ctx, id, sess)
	return wire.StartSessionResponse{Session: sess, ObservationActive: sess.ObservationMode != state.ObserveNone, AdaptersArmed: armed}, err
}

// observe lets the adapters emit once the state allows it. If they cannot, the session is paused with the reason.
func (s *Service) observe(ctx context.Context, sess state.Session) ([]string, error) {
	if sess.ObservationMode == state.ObserveNone {
		return []string{}, nil
	}
	id := sess.LearnSessionID
	s.d.Lease.Begin()
	defer func() { s.d.Lease.Begun(s.d.Now().Add(s.d.Grace)) }()
	if _, on := s.d.Live.Get(id); on {
		s.d.Live.Resumed(id, s.d.Now())
		if s.d.Capturer.Resume(id) == nil {
			return s.d.Monitor.View(sess).AdaptersArmed, nil
		}
		var err error // the adapters are gone: start again
		if sess, err = s.halt(ctx, sess); err != nil {
			return nil, s.observeFailed(ctx, id, err)
		}
	}
	s.d.Live.Add(sess, s.d.Now())
	armed, err := s.d.Capturer.Start(context.WithoutCancel(ctx), sess, sess.ActiveTraceIDs[0])
	if err != nil {
		s.d.Live.Remove(id)
		return nil, s.observeFailed(ctx, id, err)
	}
	s.d.Live.Arm(id, armed)
	s.wake()
	err = s.d.Store.Update(ctx, func(tx state.Tx) error { return tx.PutFile(state.ScopeFile, s.d.Monitor.ScopeOf(sess)) })
	return armed, err
}

func (s *Service) observeFailed(ctx context.Context, id string, cause error) error {
	if _, err := s.pauseState(context.WithoutCancel(ctx), state.SystemMeta(), id, state.PausedAdapter); err != nil {
		s.d.Log.Error("a session without capture could not be paused", "session", id, "code", fault.CodeOf(err))
	}
	if fault.CodeOf(cause) == fault.Internal {
		return fault.Wrap(cause, fault.AdapterUnavailable, "an adapter could not begin to observe").
			WithHint("`showhow doctor` says what would fix it")
	}
	return cause
}

// wake tells the owner's loop that a capture began.
func (s *Service) wake() {
	select {
	case s.kick <- struct{}{}:
	default:
	}
}

// Pause stops emission at once, then records the pause.
func (s *Service) Pause(ctx context.Context, m state.Meta, id string) (state.Session, error) {
	if err := state.UserOnly(m); err != nil {
		return state.Session{}, err
	}
	return s.pause(ctx, m, id, state.PausedByUser)
}

// pause turns emission off before anything that may block, so nothing more is kept whatever the store does.
func (s *Service) pause(ctx context.Context, m state.Meta, id string, why state.PauseReason) (state.Session, error) {
	if sess, err := s.d.Changes.Peek(ctx, id); err == nil {
		if err := pausable(m, sess); err != nil {
			return state.Session{}, err
		}
		m.IfMatch = nil
	}
	if _, on := s.d.Live.Get(id); on {
		s.d.Capturer.Pause(id)
		s.d.Live.MarkOff(id, why)
	}
	release, err := s.d.Changes.LockSession(ctx, id)
	if err != nil {
		s.d.Live.MarkUnrecorded(id)
		return state.Session{}, err
	}
	defer release()
	if _, on := s.d.Live.Get(id); on { // again: a resume may have been under way
		s.d.Capturer.Pause(id)
		s.d.Live.MarkOff(id, why)
	}
	if sess, err := s.d.Changes.Peek(ctx, id); err == nil && sess.State == state.Paused { // another pause was faster
		s.d.Live.MarkOff(id, "")
		return s.d.Changes.Reread(ctx, id, sess)
	}
	sess, err := s.pauseState(ctx, m, id, why)
	if err != nil {
		s.d.Live.MarkUnrecorded(id)
	}
	return sess, err
}

func pausable(m state.Meta, sess state.Session) error {
	if err := state.CheckNotTimedOut(sess); err != nil {
		return err
	}
	if err := state.CheckTransition(sess.State, state.Paused); err != nil {
		return err
	}
	return state.CheckRevision(m, sess.Revision)
}

// pauseState records that capture is paused.
func (s *Service) pauseState(ctx context.Context, m state.Meta, id string, why state.PauseReason) (state.Session, error) {
	sess, err := s.d.Changes.Change(ctx, m, id, func(set *change.Set, sess *state.Session) error {
		if err := state.CheckTransition(sess.State, state.Paused); err != nil {
			return err
		}
		if _, err := set.Mark(sess, state.Boundary{Kind: state.BoundaryPause}); err != nil {
			return err
		}
		sess.PauseReason = why
		return set.Enter(sess, state.Paused, string(why))
	})
	if err == nil {
		s.d.Live.MarkOff(id, "")
	}
	return sess, err
}

// recordPause records a pause that the store refused when it happened.
func (s *Service) recordPause(ctx context.Context, id string) error {
	run, _ := s.d.Live.Get(id)
	if !run.Owed {
		return nil
	}
	_, err := s.pauseState(ctx, state.SystemMeta(), id, run.Off)
	if fault.Is(err, fault.InvalidLearnStateTransition) { // it has left capturing by another way
		s.d.Live.MarkOff(id, "")
		return nil
	}
	return err
}

// RecordPauses records every pause that the store refused when it happened; what fails again is retried at the next tick.
func (s *Service) RecordPauses(ctx context.Context) {
	for _, id := range s.d.Live.IDs() {
		if run, _ := s.d.Live.Get(id); !run.Owed {
			continue
		}
		release, err := s.d.Changes.LockSession(ctx, id)
		if err != nil {
			continue
		}
		_ = s.recordPause(ctx, id)
		release()
	}
}

// PauseAll pauses every running capture, because the platform, the lease or a shutdown demands it.
func (s *Service) PauseAll(ctx context.Context, why state.PauseReason) {
	for _, id := range s.d.Live.IDs() {
		if sess, err := s.d.Changes.Peek(ctx, id); err != nil || s.d.Monitor.Corrected(sess).State != state.Capturing {
			continue
		}
		if _, err := s.pause(context.WithoutCancel(ctx), state.SystemMeta(), id, why); err != nil {
			s.d.Log.Error("capture is off, but that could not be recorded", "session", id, "code", fault.CodeOf(err))
		}
	}
}

// CaptureFailed pauses a session whose capture broke: an adapter ended, or the store refused an observation.
func (s *Service) CaptureFailed(ctx context.Context, sessionID string, reason state.PauseReason) error {
	sess, err := s.d.Changes.Peek(ctx, sessionID)
	if err != nil || sess.State != state.Capturing {
		return err
	}
	_, err = s.pause(ctx, state.SystemMeta(), sessionID, reason)
	return err
}

// Resume continues a paused session, restarting its adapters if necessary.
func (s *Service) Resume(ctx context.Context, m state.Meta, id string) (state.Session, error) {
	_, release, err := s.begin(ctx, m, id, state.Paused)
	if err != nil {
		return state.Session{}, err
	}
	defer release()
	// The session counts as capturing from here on, before any page can show it: a tick in between must not pause it
	// again.
	s.d.Lease.Begin()
	defer func() { s.d.Lease.Begun(s.d.Now().Add(s.d.Grace)) }()
	sess, err := s.d.Changes.Change(ctx, m, id, func(set *change.Set, sess *state.Session) error {
		return set.EnterCapturing(sess, state.BoundaryResume)
	})
	if err != nil {
		return state.Session{}, err
	}
	if _, err := s.observe(ctx, sess); err != nil {
		return state.Session{}, err
	}
	return s.d.Changes.Reread(ctx, id, sess)
}

// ResumeUnseen resumes captures that were paused because nothing showed them, once something does, if nothing has been
// done in them yet: the person was told to begin, and the page that shows the capture opened late. Once work has
// begun, only the person resumes.
func (s *Service) ResumeUnseen(ctx context.Context) {
	for _, id := range s.d.Live.IDs() {
		sess, err := s.d.Changes.Peek(ctx, id)
		if err != nil {
			continue
		}
		if sess = s.d.Monitor.View(sess); sess.State != state.Paused || sess.PauseReason != state.PausedNoIndicator || s.begun(ctx, sess) {
			continue
		}
		m := state.SystemMeta()
		m.Source = state.SourceInferred
		if _, err := s.Resume(ctx, m, id); err != nil && !fault.Is(err, fault.InvalidLearnStateTransition) {
			s.d.Log.Error("a capture that can be seen now did not go on", "session", id, "code", fault.CodeOf(err))
		}
	}
}

// fewTabs bounds how many records are read to see whether a demonstration has begun.
const fewTabs = 20

// begun reports whether a session kept anything besides the opening of tabs.
func (s *Service) begun(ctx context.Context, sess state.Session) bool {
	if sess.EventsKept == 0 {
		return false
	}
	records, kept, err := s.d.Observations.Page(ctx, sess.LearnSessionID, wire.PageQuery{PageSize: fewTabs})
	return err != nil || kept > fewTabs || slices.ContainsFunc(records, func(r capture.Record) bool {
		return r.Action.Verb != capture.NewTab && r.Action.Verb != capture.SwitchTab
	})
}

// Stop ends the demonstration. Everything kept is durable when it returns; start and end are inferred (decisions A11).
func (s *Service) Stop(ctx context.Context, m state.Meta, id string) (wire.StopSessionResponse, error) {
	if err := state.UserOnly(m); err != nil {
		return wire.StopSessionResponse{}, err
	}
	release, err := s.d.Changes.LockSession(ctx, id)
	if err != nil {
		return wire.StopSessionResponse{}, err
	}
	defer release()
	sess, err := s.d.Changes.Peek(ctx, id)
	if err == nil {
		err = stoppable(m, sess)
	}
	if err != nil {
		return wire.StopSessionResponse{}, err
	}
	m.IfMatch = nil // judged; from here on the capture is over
	final, err := s.halt(ctx, sess)
	if err != nil {
		return wire.StopSessionResponse{}, err
	}
	records, err := s.d.Query.TraceOf(ctx, sess)
	if err != nil {
		return wire.StopSessionResponse{}, err
	}
	sess, err = s.d.Changes.Change(ctx, m, id, func(set *change.Set, sess *state.Session) error {
		sess.EventsKept, sess.Withheld, sess.StoppedAt = int64(len(records)), final.Withheld, set.Now.Ptr()
		if err := boundary.Infer(set, sess, records); err != nil {
			return err
		}
		return set.Enter(sess, state.Stopped, "")
	})
	if err != nil {
		return wire.StopSessionResponse{}, err
	}
	out := wire.StopSessionResponse{Session: sess, CapturedEventCount: sess.EventsKept, CapturedTraceIDs: sess.ActiveTraceIDs,
		NextAction: "review_captured"}
	if sess.EventsKept == 0 {
		out.NextAction = "cancel"
	}
	return out, nil
}

func stoppable(m state.Meta, sess state.Session) error {
	if err := state.CheckNotTimedOut(sess); err != nil {
		return err
	}
	if sess.StoppedAt != nil {
		return fault.New(fault.CaptureAlreadyStopped, "the capture of this session has already stopped").WithDetail("state", string(sess.State)).
			WithHint("`showhow learn status` says what comes next")
	}
	if err := state.CheckTransition(sess.State, state.Stopped); err != nil {
		return err
	}
	return state.CheckRevision(m, sess.Revision)
}

// halt stops a session's adapters, flushes, and returns the session with its final counts: withheld as the capture
// counted, kept as the store holds.
func (s *Service) halt(ctx context.Context, sess state.Session) (state.Session, error) {
	id := sess.LearnSessionID
	if _, on := s.d.Live.Get(id); !on {
		return sess, nil
	}
	s.d.Capturer.Pause(id)
	final := s.d.Monitor.View(sess)
	if err := s.d.Capturer.Stop(context.WithoutCancel(ctx), id); err != nil {
		return final, err
	}
	s.d.Live.Remove(id) // from here on the counts are the stored ones
	_, kept, err := s.d.Observations.Page(ctx, id, wire.PageQuery{PageSize: 1})
	final.EventsKept = int64(kept)
	return final, err
}
