package api

import (
	"context"
	"errors"

	"showhow/capture"
	"showhow/capture/live"
	"showhow/daemon/journal"
	"showhow/daemon/learn/state"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// batch is how many events are read at once.
const batch = 256

type sessionStream struct {
	SessionPath
	StreamParams
}

func (s *Server) streamRoutes() {
	registerStream(s, get("stream-session-events", "/api/learn/sessions/{sessionId}/events", tagSessions,
		"The session's lifecycle; ends when the session has ended", userReads, fault.LearnSessionNotFound),
		func(ctx context.Context, p *sessionStream, _ *none) (func(context.Context, *sse) error, error) {
			x, err := s.deps.Learn.Session(ctx, p.SessionID)
			if err != nil {
				return nil, err
			}
			return func(ctx context.Context, out *sse) error { return s.lifecycle(ctx, out, p.StreamParams, &x) }, nil
		})
	registerStream(s, get("stream-events", "/api/events", tagDaemon, "Everything's lifecycle, for window and tray", userReads),
		func(_ context.Context, p *StreamParams, _ *none) (func(context.Context, *sse) error, error) {
			return func(ctx context.Context, out *sse) error { return s.lifecycle(ctx, out, *p, nil) }, nil
		})
	registerStream(s, get("stream-observations", "/api/learn/sessions/{sessionId}/observations/stream", tagObservation,
		"What is being kept, live and redacted", userReads, fault.LearnSessionNotFound),
		func(ctx context.Context, p *sessionStream, _ *none) (func(context.Context, *sse) error, error) {
			if _, err := s.deps.Learn.Session(ctx, p.SessionID); err != nil {
				return nil, err
			}
			return func(ctx context.Context, out *sse) error { return s.observe(ctx, out, *p) }, nil
		})
}

// lifecycle streams the outbox, of one session or of everything (x nil).
func (s *Server) lifecycle(ctx context.Context, out *sse, p StreamParams, x *state.Session) error {
	changed := s.deps.Events.Watch(ctx)
	id := ""
	if x != nil {
		id = x.LearnSessionID
	}
	cursor, err := s.begin(ctx, out, p, id)
	if err != nil {
		return err
	}
	for {
		events, err := s.deps.Events.Events(ctx, cursor, id, batch)
		if err != nil {
			return err
		}
		for _, e := range events {
			if err := out.event(e); err != nil {
				return err
			}
			cursor = e.Seq
			if x != nil && (e.Kind == journal.SessionEnded || e.Kind == journal.SessionDeleted) {
				return nil
			}
		}
		if len(events) == batch {
			continue
		}
		if x != nil && x.Ended {
			return nil // it had ended before; its backlog is told
		}
		if ok, err := out.wait(ctx, changed); !ok || err != nil {
			return err
		}
	}
}

func (o *sse) event(e journal.Event) error {
	return o.send(string(e.Kind), e.Seq, wire.Frame{SessionID: e.SessionID, EventKind: string(e.Kind), Timestamp: e.Timestamp,
		Payload: e.Payload})
}

// begin finds where a subscriber goes on: after what it saw, or after a snapshot of now.
func (s *Server) begin(ctx context.Context, out *sse, p StreamParams, sessionID string) (int64, error) {
	// Read before the snapshot: an event in between is told although the snapshot knows it, and none is lost.
	oldest, latest, err := s.deps.Events.EventSpan(ctx)
	if err != nil {
		return 0, err
	}
	if last, ok := p.last(); ok {
		if oldest <= last && last <= latest {
			return last, nil
		}
		if err := out.send("reset", 0, wire.Frame{SessionID: sessionID, EventKind: "reset",
			Payload: map[string]any{"reason": "gap"}}); err != nil {
			return 0, err
		}
	}
	payload, err := s.snapshot(ctx, sessionID)
	if err != nil {
		return 0, err
	}
	return latest, out.send("snapshot", latest, wire.Frame{SessionID: sessionID, EventKind: "snapshot", Payload: payload})
}

// snapshot is what a new subscriber starts from.
func (s *Server) snapshot(ctx context.Context, sessionID string) (map[string]any, error) {
	if sessionID != "" {
		x, err := s.deps.Learn.Session(ctx, sessionID)
		return map[string]any{"session": x}, err
	}
	x, ok, err := s.deps.Learn.ActiveSession(ctx)
	if err != nil || !ok {
		return map[string]any{}, err
	}
	return map[string]any{"session": x}, nil
}

// observe streams the records of a session: those after Last-Event-ID from the store, the rest as they are kept.
func (s *Server) observe(ctx context.Context, out *sse, p sessionStream) error {
	stream := s.deps.Live.Subscribe(p.SessionID)
	defer stream.Close()
	cursor, resume := p.last()
	for {
		if resume {
			var err error
			if cursor, err = s.catchUp(ctx, out, p.SessionID, cursor); err != nil {
				return err
			}
		}
		item, err := out.next(ctx, stream)
		switch {
		case errors.Is(err, live.ErrClosed) || ctx.Err() != nil:
			return nil
		case err != nil:
			return err
		}
		// A gap is filled from the store; without a place to start from there is nothing to fill.
		if resume = item.Lost > 0 && cursor > 0; resume || item.Record == nil || item.Record.Seq <= cursor {
			continue
		}
		if err := out.record(*item.Record); err != nil {
			return err
		}
		cursor = item.Record.Seq
	}
}

// catchUp sends what the store has after cursor.
func (s *Server) catchUp(ctx context.Context, out *sse, sessionID string, cursor int64) (int64, error) {
	for {
		page, err := s.deps.Records.Observations(ctx, sessionID, cursor, batch)
		if err != nil {
			return cursor, err
		}
		for _, r := range page {
			if err := out.record(r); err != nil {
				return cursor, err
			}
			cursor = r.Seq
		}
		if len(page) < batch {
			return cursor, nil
		}
	}
}

func (o *sse) record(r capture.Record) error {
	return o.send("observation", r.Seq, wire.Frame{SessionID: r.Event.LearnSessionID, EventKind: "observation", Timestamp: r.Event.CreatedAt,
		Payload: r})
}

// next waits for a record and keeps the stream alive meanwhile.
func (o *sse) next(ctx context.Context, live *live.Subscription) (live.Item, error) {
	for {
		t, cancel := context.WithTimeout(ctx, o.keepalive)
		item, err := live.Next(t)
		cancel()
		if err == nil || ctx.Err() != nil || !errors.Is(err, context.DeadlineExceeded) {
			return item, err
		}
		if err := o.comment("keepalive"); err != nil {
			return item, err
		}
	}
}
