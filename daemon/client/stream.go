package client

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"showhow/daemon/wire"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

// Event is one server-sent event. ID is 0 for events that a stream cannot resume from (reset, error).
type Event struct {
	ID        int64           `json:"-"`
	SessionID string          `json:"session_id"`
	Kind      string          `json:"event_kind"`
	Timestamp clock.Time      `json:"timestamp"`
	Payload   json.RawMessage `json:"payload"`
	Raw       []byte          `json:"-"` // the data as it came
}

// StreamService is the part of the API about the event streams.
type StreamService struct{ t *transport }

// SessionEvents streams a session's lifecycle to fn, from after (0: a snapshot of the current state first), until the
// session has ended, fn returns an error or ctx ends. It reconnects and resumes after a broken connection.
func (c StreamService) SessionEvents(ctx context.Context, id string, after int64, fn func(Event) error) error {
	return c.stream(ctx, at(sessions, id, "/events"), &follower{last: after, fn: fn, ends: over})
}

// Events streams the lifecycle of everything.
func (c StreamService) Events(ctx context.Context, after int64, fn func(Event) error) error {
	return c.stream(ctx, "/api/events", &follower{last: after, fn: fn})
}

// ObservationStream streams what is being kept of a session, live and redacted; fn gets the records as payload.
func (c StreamService) ObservationStream(ctx context.Context, id string, after int64, fn func(Event) error) error {
	return c.stream(ctx, at(sessions, id, "/observations/stream"), &follower{last: after, fn: fn})
}

// Delays between reconnection attempts.
const (
	firstPause = 100 * time.Millisecond
	maxPause   = 5 * time.Second
)

// follower is a stream across its connections.
type follower struct {
	last  int64
	fn    func(Event) error
	ends  func(Event) bool // nil: the stream has no last event
	ended bool             // it came: the next end of the connection is the end
}

func (c StreamService) stream(ctx context.Context, path string, f *follower) error {
	pause := firstPause
	for {
		before := f.last
		err := c.follow(ctx, path, f)
		var mine userError
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.As(err, &mine):
			return mine.error
		case err == nil && f.ended:
			return nil
		case err != nil && !fault.Is(err, fault.DaemonUnreachable):
			return err
		}
		if f.last != before {
			pause = firstPause
		}
		select {
		case <-time.After(pause):
			pause = min(2*pause, maxPause)
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// userError wraps an error of fn.
type userError struct{ error }

// follow serves one connection. It returns nil when the daemon ended it.
func (c StreamService) follow(ctx context.Context, path string, f *follower) error {
	r := &call{method: http.MethodGet, path: path, header: http.Header{}}
	if f.last > 0 {
		r.header.Set("Last-Event-ID", strconv.FormatInt(f.last, 10))
	}
	res, err := c.t.open(ctx, r, nil)
	if err != nil {
		return err
	}
	return readEvents(ctx, res, func(e Event) error {
		if e.ID > 0 {
			f.last = e.ID
		}
		f.ended = f.ended || f.ends != nil && f.ends(e)
		if err := f.fn(e); err != nil {
			return userError{err}
		}
		return nil
	})
}

// readEvents passes events to fn until the daemon ends the connection.
func readEvents(ctx context.Context, res *http.Response, fn func(Event) error) error {
	defer res.Body.Close()
	in := bufio.NewReader(res.Body)
	for {
		e, err := readEvent(in)
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return nil
		}
		if err != nil {
			return unreachable(ctx, err)
		}
		if err := fn(e); err != nil {
			return err
		}
	}
}

// Preview shows live what a session with this scope would keep, until ctx ends, a session starts or fn returns an
// error. Nothing of it is stored.
func (c StreamService) Preview(ctx context.Context, r PreviewRequest, fn func(PreviewUpdate, Event) error) error {
	req := &call{method: http.MethodPost, path: "/api/learn/preview", body: r, header: http.Header{}}
	body, err := encode(req)
	if err != nil {
		return err
	}
	res, err := c.t.open(ctx, req, body)
	if err != nil {
		return err
	}
	return readEvents(ctx, res, func(e Event) error {
		if e.Kind == "error" {
			f := new(fault.Error)
			if err := json.Unmarshal(e.Payload, f); err != nil {
				return err
			}
			return f
		}
		var u PreviewUpdate
		if err := json.Unmarshal(e.Payload, &u); err != nil {
			return err
		}
		return fn(u, e)
	})
}

// over reports whether the event ends its session.
func over(e Event) bool {
	switch wire.EventKind(e.Kind) {
	case wire.EventSessionEnded, wire.EventSessionDeleted:
		return true
	case "snapshot":
		var s struct {
			Session Session `json:"session"`
		}
		return json.Unmarshal(e.Payload, &s) == nil && s.Session.Ended
	}
	return false
}

// readEvent reads the next event and skips comments.
func readEvent(in *bufio.Reader) (e Event, err error) {
	var data []string
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return e, err
		}
		line = strings.TrimRight(line, "\r\n")
		field, value, _ := strings.Cut(line, ":")
		value = strings.TrimPrefix(value, " ")
		switch {
		case line == "" && len(data) == 0:
			e = Event{}
		case line == "":
			e.Raw = []byte(strings.Join(data, "\n"))
			return e, json.Unmarshal(e.Raw, &e)
		case field == "id":
			e.ID, _ = strconv.ParseInt(value, 10, 64)
		case field == "data":
			data = append(data, value)
		}
	}
}
