package learn

import (
	"cmp"
	"context"

	"showhow/capture"
	"showhow/daemon/compile"
	"showhow/daemon/interchange"
	"showhow/internal/fault"
)

// Recordings turn what a recording made elsewhere says into records: through scope, redactor and vault, as any observation.
type Recordings interface {
	Keep(ctx context.Context, s Session, trace string, seen []capture.Observation) ([]capture.Record, []capture.Withheld, error)
}

// ImportRecording makes a session of a recording that was made elsewhere: armed, capturing and stopped in one transaction.
func (s *Service) ImportRecording(ctx context.Context, m Meta, r RecordingRequest) (RecordingResponse, error) {
	if err := userOnly(m); err != nil {
		return RecordingResponse{}, err
	}
	if s.d.Recordings == nil {
		return RecordingResponse{}, fault.New(fault.UnsupportedInBuild, "recordings cannot be imported in this build")
	}
	rec, err := interchange.Parse([]byte(r.Content), s.now().Time)
	if err != nil {
		return RecordingResponse{}, err
	}
	scope := capture.Scope{Sites: rec.Sites}
	if len(r.Sites) > 0 {
		scope.Sites = r.Sites
	}
	sess, err := s.fromRequest(m, CreateRequest{EntryMode: DemonstratingSkill, ObservationMode: ObserveOutside,
		Goal: cmp.Or(r.Goal, s.d.Redact(rec.Title)), Scope: &scope, ExampleOf: r.ExampleOf})
	if err != nil {
		return RecordingResponse{}, err
	}
	sess.ActorMode = "mixed" // who did it nobody can say
	defer s.locks.lock("create")()
	err = s.update(ctx, m, func(u *unit) error {
		if err := u.create(&sess); err != nil {
			return err
		}
		trace := u.s.d.NewID()
		records, withheld, err := u.s.d.Recordings.Keep(ctx, sess, trace, rec.Observations)
		if err != nil {
			return err
		}
		if len(records) == 0 {
			return fault.New(fault.InsufficientTraces, "nothing of the recording may be kept").WithHint("is its site among those that were named?")
		}
		sess.Withheld = withheld
		return u.replayed(&sess, trace, records)
	})
	if err != nil {
		return RecordingResponse{}, err
	}
	sess, err = s.session(ctx, sess.LearnSessionID, sess)
	return RecordingResponse{Session: sess, Format: rec.Format, LeftOut: append([]string{}, rec.LeftOut...), SchemaVersion: 1}, err
}

// ExportProposal writes the current revision's browser part. Values are used and not kept.
func (s *Service) ExportProposal(ctx context.Context, m Meta, id string, r ExportRequest) (Export, error) {
	if err := userOnly(m); err != nil {
		return Export{}, err
	}
	var out compile.Output
	err := s.d.Store.View(ctx, func(tx Tx) error {
		p, ok, err := tx.Proposal(id)
		if err != nil || !ok {
			return errorsFirst(err, proposalNotFound())
		}
		rev, ok, err := tx.Revision(id, p.Revision)
		if err != nil || !ok {
			return errorsFirst(err, fault.New(fault.NotFound, "nothing has been drafted yet"))
		}
		out = rev.Output
		return nil
	})
	if err != nil {
		return Export{}, err
	}
	x, err := interchange.Write(r.Format, out.Title, out.Slug, out.Graph, r.Values)
	if err != nil {
		return Export{}, err
	}
	return Export{FileName: x.FileName, Content: x.Content, Notes: append([]string{}, x.Notes...), SchemaVersion: 1}, nil
}
