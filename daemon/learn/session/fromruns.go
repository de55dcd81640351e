package session

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

// createFromRuns makes a session of agents' actions: armed, capturing and stopped in one transaction, with a trace of
// the runs' records (Learn From This, DOC3 0B.6; decisions B11). The runs stay in the journal until they expire there.
func (s *Service) createFromRuns(ctx context.Context, m state.Meta, sess state.Session) (wire.CreateLearnSessionResponse, error) {
	if s.d.Runs == nil {
		return wire.CreateLearnSessionResponse{}, fault.New(fault.AdapterUnavailable, "runs of agents are not kept in this build").
			WithDetail("unavailable", []string{"run_journal"}).WithHint("demonstrate the task instead")
	}
	agents, err := s.d.Runs.Ready(ctx, sess.SourceRunIDs)
	if err != nil {
		return wire.CreateLearnSessionResponse{}, err
	}
	for _, a := range agents {
		if !slices.Contains(sess.Scope.Apps, a) {
			sess.Scope.Apps = append(sess.Scope.Apps, a)
		}
	}
	defer s.d.Changes.Lock("create")()
	err = s.d.Changes.Update(ctx, m, func(set *change.Set) error {
		if err := Arm(set, &sess); err != nil {
			return err
		}
		return s.replayRuns(ctx, set, &sess)
	})
	if err != nil {
		return wire.CreateLearnSessionResponse{}, err
	}
	sess, err = s.d.Changes.Reread(ctx, sess.LearnSessionID, sess)
	ui, next := firstSteps(sess.EntryMode)
	return wire.CreateLearnSessionResponse{Session: sess, UIMode: ui, NextAction: next}, err
}

// replayRuns takes an armed session through its capture with the runs' records.
func (s *Service) replayRuns(ctx context.Context, set *change.Set, sess *state.Session) error {
	trace := set.NewID()
	records, err := s.d.Runs.Adopt(ctx, sess.SourceRunIDs, sess.LearnSessionID, trace, sess.TargetID)
	if err != nil {
		return err
	}
	if len(records) == 0 {
		return fault.New(fault.InsufficientTraces, "nothing was kept of these runs that a skill could be made of").
			WithHint("`showhow agent journal list` says how much was kept of each run")
	}
	return replayRecords(set, sess, trace, records)
}

// replayRecords takes an armed session through its capture with records that exist already.
func replayRecords(set *change.Set, sess *state.Session, trace string, records []capture.Record) error {
	boundary.ByOccurrence(records)
	if err := set.AppendRecords(records); err != nil {
		return err
	}
	if err := set.StoreSession(sess); err != nil { // boundaries refer to it
		return err
	}
	sess.ActiveTraceIDs, sess.StartedAt = []string{trace}, set.Now.Ptr()
	if err := set.EnterCapturing(sess, state.BoundaryStart); err != nil {
		return err
	}
	sess.Adapters = kindsOf(records)
	sess.EventsKept, sess.StoppedAt = int64(len(records)), set.Now.Ptr()
	if err := boundary.Infer(set, sess, records); err != nil {
		return err
	}
	return set.Enter(sess, state.Stopped, "")
}

func kindsOf(records []capture.Record) []capture.Kind {
	out := []capture.Kind{}
	for _, r := range records {
		if !slices.Contains(out, r.Event.AdapterKind) {
			out = append(out, r.Event.AdapterKind)
		}
	}
	return out
}
