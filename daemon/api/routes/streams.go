package routes

import (
	"context"
	"errors"

	"showhow/capture"
	"showhow/capture/live"
	"showhow/daemon/api/engine"
	"showhow/daemon/journal"
	"showhow/daemon/learn/state"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// EventLog is the outbox of lifecycle events, in commit order.
type EventLog interface {
	// Events returns up to limit events with a sequence above after; sessionID "" means all.
	Events(ctx context.Context, after int64, sessionID string, limit int) ([]journal.Event, error)
	// EventSpan: a reader that has seen everything up to after misses nothing if oldest <= after <= last.
	EventSpan(ctx context.Context) (oldest, last int64, err error)
	// Watch returns a channel that gets a value after commits with events, until ctx ends; several commits may share
	// one value.
	Watch(ctx context.Context) <-chan struct{}
}

// Records are the kept observations, in order of arrival.
type Records interface {
	// Observations returns up to limit records of a session with a sequence above after.
	Observations(ctx context.Context, sessionID string, after int64, limit int) ([]capture.Record, error)
}

// Live is the stream of kept observations, after scope and redaction; *capture.Live implements it.
type Live interface {
	Subscribe(sessionID string) *live.Subscription
}

// Batch is how many events are read at once.
const Batch = 256

type sessionStream struct {
	SessionPath
	engine.StreamParams
}

func (rs ObservationRoutes) streamRoutes(g *engine.Engine) {
	engine.RegisterStream(g, engine.Get("stream-session-events", "/api/learn/sessions/{sessionId}/events", tagSessions,
		"The session's lifecycle; ends when the session has ended", engine.UserReads, fault.LearnSessionNotFound),
		func(ctx context.Context, p *sessionStream, _ *engine.None) (func(context.Context, *engine.Stream) error, error) {
			x, err := rs.Learn.Session(ctx, p.SessionID)
			if err != nil {
				return nil, err
			}
			return func(ctx context.Context, out *engine.Stream) error { return rs.lifecycle(ctx, out, p.StreamParams, &x) }, nil
		})
	engine.RegisterStream(g, engine.Get("stream-events", "/api/events", TagDaemon, "Everything's lifecycle, for window and tray",
		engine.UserReads),
		func(_ context.Context, p *engine.StreamParams, _ *engine.None) (func(context.Context, *engine.Stream) error, error) {
			return func(ctx context.Context, out *engine.Stream) error { return rs.lifecycle(ctx, out, *p, nil) }, nil
		})
	engine.RegisterStream(g, engine.Get("stream-observations", "/api/learn/sessions/{sessionId}/observations/stream", TagObservation,
		"What is being kept, live and redacted", engine.UserReads, fault.LearnSessionNotFound),
		func(ctx context.Context, p *sessionStream, _ *engine.None) (func(context.Context, *engine.Stream) error, error) {
			if _, err := rs.Learn.Session(ctx, p.SessionID); err != nil {
				return nil, err
			}
			return func(ctx context.Context, out *engine.Stream) error { return rs.observe(ctx, out, *p) }, nil
		})
}

// lifecycle streams the outbox, for one session or for everything (x nil).
func (rs ObservationRoutes) lifecycle(ctx context.Context, out *engine.Stream, p engine.StreamParams, x *state.Session) error {
	changed := rs.Events.Watch(ctx)
	id := ""
	if x != nil {
		id = x.LearnSessionID
	}
	cursor, err := rs.begin(ctx, out, p, id)
	if err != nil {
		return err
	}
	for {
		events, err := rs.Events.Events(ctx, cursor, id, Batch)
		if err != nil {
			return err
		}
		for _, e := range events {
			if err := sendEvent(out, e); err != nil {
				return err
			}
			cursor = e.Seq
			if x != nil && (e.Kind == journal.SessionEnded || e.Kind == journal.SessionDeleted) {
				return nil
			}
		}
		if len(events) == Batch {
			continue
		}
		if x != nil && x.Ended {
			return nil // it had ended before; its backlog is sent
		}
		if ok, err := out.Wait(ctx, changed); !ok || err != nil {
			return err
		}
	}
}

func sendEvent(o *engine.Stream, e journal.Event) error {
	return o.Send(string(e.Kind), e.Seq, wire.Frame{SessionID: e.SessionID, EventKind: string(e.Kind), Timestamp: e.Timestamp,
		Payload: e.Payload})
}

// begin finds where a subscriber starts: after what it saw, or after a snapshot of the current state.
func (rs ObservationRoutes) begin(ctx context.Context, out *engine.Stream, p engine.StreamParams, sessionID string) (int64, error) {
	// Read before the snapshot: an event in between is sent although the snapshot includes it, and none is lost.
	oldest, latest, err := rs.Events.EventSpan(ctx)
	if err != nil {
		return 0, err
	}
	if last, ok := p.Last(); ok {
		if oldest <= last && last <= latest {
			return last, nil
		}
		if err := out.Send("reset", 0, wire.Frame{SessionID: sessionID, EventKind: "reset",
			Payload: map[string]any{"reason": "gap"}}); err != nil {
			return 0, err
		}
	}
	payload, err := rs.snapshot(ctx, sessionID)
	if err != nil {
		return 0, err
	}
	return latest, out.Send("snapshot", latest, wire.Frame{SessionID: sessionID, EventKind: "snapshot", Payload: payload})
}

// snapshot is the first event of a new subscriber.
func (rs ObservationRoutes) snapshot(ctx context.Context, sessionID string) (map[string]any, error) {
	if sessionID != "" {
		x, err := rs.Learn.Session(ctx, sessionID)
		return map[string]any{"session": x}, err
	}
	x, ok, err := rs.Learn.ActiveSession(ctx)
	if err != nil || !ok {
		return map[string]any{}, err
	}
	return map[string]any{"session": x}, nil
}

// observe streams the records of a session: those after Last-Event-ID from the store, later ones live.
func (rs ObservationRoutes) observe(ctx context.Context, out *engine.Stream, p sessionStream) error {
	stream := rs.Live.Subscribe(p.SessionID)
	defer stream.Close()
	cursor, resume := p.Last()
	for {
		if resume {
			var err error
			if cursor, err = rs.catchUp(ctx, out, p.SessionID, cursor); err != nil {
				return err
			}
		}
		item, err := next(ctx, out, stream)
		switch {
		case errors.Is(err, live.ErrClosed) || ctx.Err() != nil:
			return nil
		case err != nil:
			return err
		}
		// A gap is filled from the store; without a cursor there is nothing to fill.
		if resume = item.Lost > 0 && cursor > 0; resume || item.Record == nil || item.Record.Seq <= cursor {
			continue
		}
		if err := sendRecord(out, *item.Record); err != nil {
			return err
		}
		cursor = item.Record.Seq
	}
}

// catchUp sends what the store has after cursor.
func (rs ObservationRoutes) catchUp(ctx context.Context, out *engine.Stream, sessionID string, cursor int64) (int64, error) {
	for {
		page, err := rs.Records.Observations(ctx, sessionID, cursor, Batch)
		if err != nil {
			return cursor, err
		}
		for _, r := range page {
			if err := sendRecord(out, r); err != nil {
				return cursor, err
			}
			cursor = r.Seq
		}
		if len(page) < Batch {
			return cursor, nil
		}
	}
}

func sendRecord(o *engine.Stream, r capture.Record) error {
	return o.Send("observation", r.Seq, wire.Frame{SessionID: r.Event.LearnSessionID, EventKind: "observation", Timestamp: r.Event.CreatedAt,
		Payload: r})
}

// next waits for a record and keeps the stream alive meanwhile.
func next(ctx context.Context, o *engine.Stream, live *live.Subscription) (live.Item, error) {
	for {
		t, cancel := context.WithTimeout(ctx, o.Keepalive)
		item, err := live.Next(t)
		cancel()
		if err == nil || ctx.Err() != nil || !errors.Is(err, context.DeadlineExceeded) {
			return item, err
		}
		if err := o.Comment("keepalive"); err != nil {
			return item, err
		}
	}
}
