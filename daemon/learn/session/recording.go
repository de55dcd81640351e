package session

import (
	"cmp"
	"context"

	"showhow/capture"
	"showhow/daemon/interchange"
	"showhow/daemon/learn/change"
	"showhow/daemon/learn/state"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// ImportRecording makes a session of a recording from elsewhere: armed, capturing and stopped in one transaction.
func (s *Service) ImportRecording(ctx context.Context, m state.Meta, r wire.RecordingRequest) (wire.RecordingResponse, error) {
	if err := state.UserOnly(m); err != nil {
		return wire.RecordingResponse{}, err
	}
	if s.d.Recordings == nil {
		return wire.RecordingResponse{}, fault.New(fault.UnsupportedInBuild, "recordings cannot be imported in this build")
	}
	rec, err := interchange.Parse([]byte(r.Content), s.d.Changes.Now().Time)
	if err != nil {
		return wire.RecordingResponse{}, err
	}
	scope := capture.Scope{Sites: rec.Sites}
	if len(r.Sites) > 0 {
		scope.Sites = r.Sites
	}
	sess, err := s.fromRequest(m, wire.CreateLearnSessionRequest{EntryMode: state.DemonstratingSkill, ObservationMode: state.ObserveOutside,
		Goal: cmp.Or(r.Goal, s.d.Redact(rec.Title)), Scope: &scope, ExampleOf: r.ExampleOf})
	if err != nil {
		return wire.RecordingResponse{}, err
	}
	sess.ActorMode = "mixed" // the actor is unknown
	defer s.d.Changes.Lock("create")()
	err = s.d.Changes.Update(ctx, m, func(set *change.Set) error {
		if err := Arm(set, &sess); err != nil {
			return err
		}
		trace := set.NewID()
		records, withheld, err := s.d.Recordings.Keep(ctx, sess, trace, rec.Observations)
		if err != nil {
			return err
		}
		if len(records) == 0 {
			return fault.New(fault.InsufficientTraces, "no part of the recording may be kept").WithHint("is its site among those that were named?")
		}
		sess.Withheld = withheld
		return replayRecords(set, &sess, trace, records)
	})
	if err != nil {
		return wire.RecordingResponse{}, err
	}
	sess, err = s.d.Changes.Reread(ctx, sess.LearnSessionID, sess)
	return wire.RecordingResponse{Session: sess, Format: rec.Format, LeftOut: append([]string{}, rec.LeftOut...), SchemaVersion: 1}, err
}
