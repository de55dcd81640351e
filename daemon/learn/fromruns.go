package learn

import (
	"context"
	"slices"

	"showhow/capture"
	"showhow/internal/fault"
)

// Runs are the kept runs of agents (decisions B11).
type Runs interface {
	// Ready makes what was reported of the runs so far durable and names their agents; NOT_FOUND for one that is not kept.
	Ready(ctx context.Context, ids []string) (agents []string, err error)
	// Adopt copies the runs' records, in order, for a session of a learning target. It may be called inside an Update.
	Adopt(ctx context.Context, ids []string, session, trace, target string) ([]capture.Record, error)
}

// createFromRuns makes a session of what agents did: armed, capturing and stopped in one transaction, with a trace of the
// runs' records (Learn From This, DOC3 0B.6; decisions B11). The runs stay in the journal until their own end.
func (s *Service) createFromRuns(ctx context.Context, m Meta, sess Session) (CreateResponse, error) {
	if s.d.Runs == nil {
		return CreateResponse{}, fault.New(fault.AdapterUnavailable, "runs of agents are not kept in this build").
			WithDetail("unavailable", []string{"run_journal"}).WithHint("demonstrate the task instead")
	}
	agents, err := s.d.Runs.Ready(ctx, sess.SourceRunIDs)
	if err != nil {
		return CreateResponse{}, err
	}
	for _, a := range agents {
		if !slices.Contains(sess.Scope.Apps, a) {
			sess.Scope.Apps = append(sess.Scope.Apps, a)
		}
	}
	defer s.locks.lock("create")()
	err = s.update(ctx, m, func(u *unit) error {
		if err := u.create(&sess); err != nil {
			return err
		}
		return u.replay(ctx, &sess)
	})
	if err != nil {
		return CreateResponse{}, err
	}
	sess, err = s.session(ctx, sess.LearnSessionID, sess)
	ui, next := firstSteps(sess.EntryMode)
	return CreateResponse{Session: sess, UIMode: ui, NextAction: next}, err
}

// replay takes an armed session through its capture with the runs' records.
func (u *unit) replay(ctx context.Context, sess *Session) error {
	trace := u.s.d.NewID()
	records, err := u.s.d.Runs.Adopt(ctx, sess.SourceRunIDs, sess.LearnSessionID, trace, sess.TargetID)
	if err != nil {
		return err
	}
	if len(records) == 0 {
		return fault.New(fault.InsufficientTraces, "nothing was kept of these runs that a skill could be made of").
			WithHint("`showhow agent journal list` says how much was kept of each run")
	}
	return u.replayed(sess, trace, records)
}

// replayed takes an armed session through its capture with records that are there already.
func (u *unit) replayed(sess *Session, trace string, records []capture.Record) error {
	byOccurrence(records)
	if err := u.AppendRecords(records); err != nil {
		return err
	}
	if err := u.store(sess); err != nil { // boundaries refer to it
		return err
	}
	sess.ActiveTraceIDs, sess.StartedAt = []string{trace}, u.now.Ptr()
	if err := u.capturing(sess, BoundaryStart); err != nil {
		return err
	}
	sess.Adapters = kindsOf(records)
	sess.EventsKept, sess.StoppedAt = int64(len(records)), u.now.Ptr()
	if err := u.infer(sess, records); err != nil {
		return err
	}
	return u.enter(sess, Stopped, "")
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
