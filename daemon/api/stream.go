package api

import (
	"bytes"
	"context"
	"net/http"
	"reflect"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"showhow/daemon/wire"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

// Streams are server-sent events (DOC3 0C.16C, decisions E2). What a subscriber may rely on:
//
//   - The first byte comes at once; a silent stream gets a comment every 30 seconds.
//   - A new subscriber gets a `snapshot` of now, and then every event after it, in order, none twice, none left out.
//   - With Last-Event-ID it gets every event after that one. If some of them are no longer kept it gets `reset` and a new
//     snapshot instead: what it knew is void.
//   - `error` says that the daemon cannot go on with this stream; the page shows it.
//   - Lifecycle events are read from the outbox, so a slow reader costs nothing and misses nothing. Live observations are
//     pushed; what a slow reader missed of them is read from the store.
const writeTimeout = 10 * time.Second

// StreamParams is where a subscriber goes on.
type StreamParams struct {
	LastEventID string `header:"Last-Event-ID" pattern:"^[0-9]{1,18}$" doc:"the id of the last event that was seen"`
}

func (p StreamParams) last() (int64, bool) {
	n, err := strconv.ParseInt(p.LastEventID, 10, 64)
	return n, err == nil
}

// sse writes one subscriber's stream.
type sse struct {
	w         http.ResponseWriter
	rc        *http.ResponseController
	now       func() clock.Time
	keepalive time.Duration
}

// registerStream adds an operation that answers with a stream. open checks the request before the first byte; what it
// returns runs until the stream is over.
func registerStream[P, B any](s *Server, o op, open func(ctx context.Context, p *P, b *B) (func(context.Context, *sse) error, error)) {
	h := s.describe(&o, reflect.TypeFor[B]())
	frame := s.api.OpenAPI().Components.Schemas.Schema(reflect.TypeFor[wire.Frame](), true, "")
	h.Responses["200"] = &huma.Response{Description: "Server-sent events; the data of each is this object, its id the place in the stream",
		Content: map[string]*huma.MediaType{"text/event-stream": {Schema: frame}}}
	huma.Register(s.api, *h, func(ctx context.Context, p *P) (*huma.StreamResponse, error) {
		b, err := bodyOf[B](ctx)
		if err != nil {
			return nil, s.failed(ctx, o, err)
		}
		run, err := open(ctx, p, b)
		if err != nil {
			return nil, s.failed(ctx, o, err)
		}
		return &huma.StreamResponse{Body: func(c huma.Context) {
			r, w := humago.Unwrap(c)
			s.stream(w, r, run)
		}}, nil
	})
	s.operations = append(s.operations, o)
}

// stream runs one subscriber until it leaves, the stream is over, its login expires or the daemon stops.
func (s *Server) stream(w http.ResponseWriter, r *http.Request, run func(context.Context, *sse) error) {
	ctx, done := untilStopped(r.Context())
	defer done()
	s.streams.Add(1)
	defer s.streams.Add(-1)
	if c := CallerOf(ctx); !c.machine {
		defer s.tcp.stream()()
		if !c.expires.IsZero() {
			var cancel context.CancelFunc
			ctx, cancel = context.WithDeadline(ctx, c.expires)
			defer cancel()
		}
	}
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("X-Accel-Buffering", "no")
	out := &sse{w: w, rc: http.NewResponseController(w), now: s.deps.Now, keepalive: s.deps.Keepalive}
	if out.comment("showhow") != nil {
		return
	}
	if err := run(ctx, out); err != nil && ctx.Err() == nil {
		f := s.toFault(ctx, err)
		out.send("error", 0, wire.Frame{EventKind: "error", Payload: map[string]any{"code": f.Code, "message": f.Message, "hint": f.Hint}})
	}
}

// errGone is a subscriber that went away or does not read.
var errGone = fault.New(fault.Cancelled, "the subscriber is gone")

// send writes one event. An id of 0 is not written: such an event is no place to go on from.
func (o *sse) send(event string, id int64, f wire.Frame) error {
	if f.Timestamp.IsZero() {
		f.Timestamp = o.now()
	}
	f.SchemaVersion = 1
	var b bytes.Buffer
	b.WriteString("event: " + event + "\n")
	if id > 0 {
		b.WriteString("id: " + strconv.FormatInt(id, 10) + "\n")
	}
	b.WriteString("data: ")
	if err := marshal(&b, f); err != nil { // JSON holds no raw newline
		return err
	}
	b.WriteString("\n\n")
	return o.write(b.Bytes())
}

func (o *sse) comment(text string) error { return o.write([]byte(": " + text + "\n\n")) }

func (o *sse) write(b []byte) error {
	o.rc.SetWriteDeadline(time.Now().Add(writeTimeout))
	if _, err := o.w.Write(b); err != nil {
		return errGone
	}
	if err := o.rc.Flush(); err != nil {
		return errGone
	}
	return nil
}

// wait blocks until changed fires and keeps the stream alive meanwhile. false: the stream is over.
func (o *sse) wait(ctx context.Context, changed <-chan struct{}) (bool, error) {
	t := time.NewTimer(o.keepalive)
	defer t.Stop()
	for {
		select {
		case <-changed:
			return true, nil
		case <-t.C:
			if err := o.comment("keepalive"); err != nil {
				return false, err
			}
			t.Reset(o.keepalive)
		case <-ctx.Done():
			return false, nil
		}
	}
}
