package engine

import (
	"bytes"
	"context"
	"net/http"
	"reflect"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"showhow/daemon/api/caller"
	"showhow/daemon/wire"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

// Streams are server-sent events (DOC3 0C.16C, decisions E2). A subscriber may rely on this:
//
//   - The first byte comes at once; a silent stream gets a comment every 30 seconds.
//   - A new subscriber gets a `snapshot` of the current state, and then every later event, in order, none twice, none
//     left out.
//   - With Last-Event-ID it gets every event after that one. If some of them are no longer kept, it gets `reset` and a
//     new snapshot instead: what it knew is void.
//   - `error` says that the daemon cannot continue this stream; the page shows it.
//   - Lifecycle events are read from the outbox, so a slow reader costs nothing and misses nothing. Live observations
//     are pushed; those that a slow reader missed are read from the store.
const writeTimeout = 10 * time.Second

// StreamParams is where a subscriber resumes.
type StreamParams struct {
	LastEventID string `header:"Last-Event-ID" pattern:"^[0-9]{1,18}$" doc:"the id of the last event that was seen"`
}

// Last is the id of the last event that the subscriber saw; false when it names none.
func (p StreamParams) Last() (int64, bool) {
	n, err := strconv.ParseInt(p.LastEventID, 10, 64)
	return n, err == nil
}

// Stream writes one subscriber's stream.
type Stream struct {
	w         http.ResponseWriter
	rc        *http.ResponseController
	now       func() clock.Time
	Keepalive time.Duration
}

// RegisterStream adds an operation that answers with a stream. open checks the request before the first byte; the
// function that it returns runs until the stream ends.
func RegisterStream[P, B any](g *Engine, o Op, open func(ctx context.Context, p *P, b *B) (func(context.Context, *Stream) error, error)) {
	answer := func(w http.ResponseWriter, r *http.Request, p any) error {
		b, err := bodyOf(r.Context(), reflect.TypeFor[B]())
		if err != nil {
			return err
		}
		run, err := open(r.Context(), p.(*P), b.(*B))
		if err != nil {
			return err
		}
		g.stream(w, r, run)
		return nil
	}
	g.Add(o, func(d *Document) {
		h := d.Describe(&o, reflect.TypeFor[B]())
		d.Serve(o, h, reflect.TypeFor[P](), answer)
		h.Responses["200"] = &huma.Response{
			Description: "Server-sent events; the data of each is this object, its id the place in the stream",
			Content:     map[string]*huma.MediaType{"text/event-stream": {Schema: d.Schema(reflect.TypeFor[wire.Frame](), "")}}}
	})
}

// stream runs one subscriber until it leaves, the stream ends, its login expires or the daemon stops.
func (g *Engine) stream(w http.ResponseWriter, r *http.Request, run func(context.Context, *Stream) error) {
	ctx, done := UntilStopped(r.Context())
	defer done()
	g.Streams.Add(1)
	defer g.Streams.Add(-1)
	if c := caller.Of(ctx); !c.OverSocket {
		defer g.HoldOpen()()
		if !c.Expires.IsZero() {
			var cancel context.CancelFunc
			ctx, cancel = context.WithDeadline(ctx, c.Expires)
			defer cancel()
		}
	}
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("X-Accel-Buffering", "no")
	out := &Stream{w: w, rc: http.NewResponseController(w), now: g.Now, Keepalive: g.Keepalive}
	if out.Comment("showhow") != nil {
		return
	}
	if err := run(ctx, out); err != nil && ctx.Err() == nil {
		f := g.toFault(ctx, err)
		out.Send("error", 0, wire.Frame{EventKind: "error", Payload: map[string]any{"code": f.Code, "message": f.Message, "hint": f.Hint}})
	}
}

// errGone means that the subscriber left or does not read.
var errGone = fault.New(fault.Cancelled, "the subscriber is gone")

// Send writes one event. An id of 0 is not written: a reader cannot resume from such an event.
func (o *Stream) Send(event string, id int64, f wire.Frame) error {
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

// Comment writes a line that readers ignore.
func (o *Stream) Comment(text string) error { return o.write([]byte(": " + text + "\n\n")) }

func (o *Stream) write(b []byte) error {
	o.rc.SetWriteDeadline(time.Now().Add(writeTimeout))
	if _, err := o.w.Write(b); err != nil {
		return errGone
	}
	if err := o.rc.Flush(); err != nil {
		return errGone
	}
	return nil
}

// Wait blocks until changed fires and keeps the stream alive meanwhile. false means that the stream has ended.
func (o *Stream) Wait(ctx context.Context, changed <-chan struct{}) (bool, error) {
	t := time.NewTimer(o.Keepalive)
	defer t.Stop()
	for {
		select {
		case <-changed:
			return true, nil
		case <-t.C:
			if err := o.Comment("keepalive"); err != nil {
				return false, err
			}
			t.Reset(o.Keepalive)
		case <-ctx.Done():
			return false, nil
		}
	}
}

type servingKey struct{}

// WithServing makes the streams of requests under ctx end with serving, the context of the server.
func WithServing(ctx, serving context.Context) context.Context {
	return context.WithValue(ctx, servingKey{}, serving)
}

// UntilStopped is ctx, ending also when its server is asked to stop: a stream has no end of its own.
func UntilStopped(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancel(ctx)
	serving, ok := ctx.Value(servingKey{}).(context.Context)
	if !ok {
		return ctx, cancel
	}
	stop := context.AfterFunc(serving, cancel)
	return ctx, func() { stop(); cancel() }
}
