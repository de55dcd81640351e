package session

import (
	"cmp"
	"context"
	"slices"

	"showhow/capture"
	"showhow/daemon/learn/change"
	"showhow/daemon/learn/state"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// source is an earlier session whose traces are learned from.
type source struct {
	target string
	traces []string
}

// createFromTraces makes a session of kept traces: armed, capturing and stopped in one transaction, with a trace of
// copies (Learn From This, DOC3 0B.6). The original session stays as it is.
func (s *Service) createFromTraces(ctx context.Context, m state.Meta, sess state.Session) (wire.CreateLearnSessionResponse, error) {
	from, err := s.sources(ctx, &sess)
	if err != nil {
		return wire.CreateLearnSessionResponse{}, err
	}
	defer s.d.Changes.Lock("create")()
	err = s.d.Changes.Update(ctx, m, func(set *change.Set) error {
		if err := Arm(set, &sess); err != nil {
			return err
		}
		trace, all := s.d.NewID(), []capture.Record{}
		for _, f := range from {
			records, err := s.d.Observations.Adopt(ctx, f.traces, f.target, sess.LearnSessionID, trace, sess.TargetID)
			if err != nil {
				return err
			}
			all = append(all, records...)
		}
		if len(all) == 0 {
			return nothingKept()
		}
		return replayRecords(set, &sess, trace, all)
	})
	if err != nil {
		return wire.CreateLearnSessionResponse{}, err
	}
	sess, err = s.d.Changes.Reread(ctx, sess.LearnSessionID, sess)
	ui, next := firstSteps(sess.EntryMode)
	return wire.CreateLearnSessionResponse{Session: sess, UIMode: ui, NextAction: next}, err
}

// sources finds the sessions that hold the traces, including those of a receipt's session, and widens the new
// session's scope to what they were allowed to observe.
func (s *Service) sources(ctx context.Context, sess *state.Session) (from []source, err error) {
	err = s.d.Store.View(ctx, func(tx state.Tx) error {
		kept, err := tx.UnpurgedSessions()
		if err != nil {
			return err
		}
		if sess.SourceReceiptID != "" {
			r, ok, err := tx.Receipt(sess.SourceReceiptID)
			if err != nil || !ok {
				return cmp.Or[error](err, fault.New(fault.NotFound, "there is no such receipt"))
			}
			for _, v := range kept {
				if v.LearnSessionID == r.LearnSessionID {
					sess.SourceTraceIDs = append(sess.SourceTraceIDs, v.ActiveTraceIDs...)
				}
			}
		}
		left := slices.Clone(sess.SourceTraceIDs)
		for _, v := range kept {
			f := source{target: v.TargetID}
			byPerson := v.EntryMode == state.DemonstratingSkill && v.ActorMode == "user_driven"
			left = slices.DeleteFunc(left, func(id string) bool {
				mine := v.RawPurgedAt == nil && slices.Contains(v.ActiveTraceIDs, id) && v.State != state.Capturing && v.State != state.Paused
				if mine {
					f.traces = append(f.traces, id)
				}
				return mine
			})
			if len(f.traces) > 0 && sess.BuildPolicy == state.PrivateAutoInstall && !byPerson {
				return autoInstallDenied()
			}
			if len(f.traces) > 0 {
				from = append(from, f)
				widen(&sess.Scope, v.Scope)
			}
		}
		if len(from) == 0 || len(left) > 0 {
			return nothingKept()
		}
		return nil
	})
	return from, err
}

func widen(s *capture.Scope, by capture.Scope) {
	s.Apps, s.Sites, s.Folders = union(s.Apps, by.Apps), union(s.Sites, by.Sites), union(s.Folders, by.Folders)
	s.Shells, s.Devices = union(s.Shells, by.Shells), union(s.Devices, by.Devices)
}

func union(a, b []string) []string {
	for _, x := range b {
		if !slices.Contains(a, x) {
			a = append(a, x)
		}
	}
	return a
}

func nothingKept() error {
	return fault.New(fault.InsufficientTraces, "nothing is kept any more of what this is to be learned from").
		WithHint("raw observations are purged a week after their session ended: demonstrate the task again")
}
