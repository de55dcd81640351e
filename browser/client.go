package browser

import (
	"context"
	"fmt"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
)

// Handler hears what happens to a Client's sessions, one call at a time and in the order of the wire. It must not wait
// for the outcome of its own calls to stay responsive: prepare a session with Send, pipelined.
type Handler interface {
	// Attached announces a new session. The handler prepares it and then lets it go with Release.
	Attached(*Session)
	// Detached says that the session is over.
	Detached(*Session)
	// Event is every other event of a session, the client's root session included.
	Event(s *Session, method string, params jsonv2.Value)
}

// Client is one independent user of a connection, with a session tree of its own: what it enables, injects or attaches
// concerns no other client and ends with it.
type Client struct {
	conn    *Conn
	root    *Session
	handler Handler
	queue   *queue
	done    chan struct{}
	broken  any // what the handler panicked with, once done is closed
}

// NewClient opens a client. Nothing is attached before AutoAttach.
func (c *Conn) NewClient(ctx context.Context, h Handler) (*Client, error) {
	cl := &Client{conn: c, handler: h, queue: newQueue(), done: make(chan struct{})}
	opened := make(chan error, 1)
	c.root.Send(target.CommandAttachToBrowserTarget, nil, func(v jsonv2.Value, err error) {
		var r target.AttachToBrowserTargetResult
		if err == nil {
			err = Decode(v, &r)
		}
		if err == nil { // on the reading goroutine: before any event of the session
			s := &Session{conn: c, client: cl, id: r.SessionID}
			cl.root = s
			c.mu.Lock()
			c.sessions[s.id] = s
			c.mu.Unlock()
		}
		opened <- err
	})
	select {
	case err := <-opened:
		if err != nil {
			return nil, fmt.Errorf("opening a browser session: %w", err)
		}
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	go func() {
		defer close(cl.done)
		defer func() {
			if cl.broken = recover(); cl.broken != nil {
				cl.queue.close()
			}
		}()
		cl.queue.run()
	}()
	return cl, nil
}

// Broken is what the handler panicked with, nil when it did not. Call it after Done: a panic ends this client and nothing else.
func (cl *Client) Broken() any { return cl.broken }

// Root is the browser as this client sees it.
func (cl *Client) Root() *Session { return cl.root }

// Done is closed when the client has ended and its handler will not be called again.
func (cl *Client) Done() <-chan struct{} { return cl.done }

// Do runs f between two events, on the handler's goroutine. It is dropped when the client has ended.
func (cl *Client) Do(f func()) { cl.queue.put(f) }

// AutoAttach attaches every page that exists and every one to come, paused until Release.
// It returns after the handler was told of all that exist.
func (cl *Client) AutoAttach(ctx context.Context) error {
	if _, err := cdp.Call(ctx, cl.root, target.SetAutoAttach, autoAttach()); err != nil {
		return fmt.Errorf("attaching to the browser's tabs: %w", err)
	}
	told := make(chan struct{})
	cl.Do(func() { close(told) })
	select {
	case <-told:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-cl.done:
		return ErrGone
	}
}

// Release lets a session's target run and attaches what it opens: popups by the root, out-of-process frames here.
// Call it last, after everything that must be in place before the target's first script runs: commands of a session are
// executed in order, so nothing needs to be waited for. A new tab is paused after its first page was committed, so that
// page's Page.frameNavigated is not seen; its scripts have not run yet.
func (s *Session) Release() {
	s.Send(target.CommandSetAutoAttach, autoAttach(), nil)
	s.Send(runtime.CommandRunIfWaitingForDebugger, nil, nil)
}

func autoAttach() target.SetAutoAttachParams {
	flat := true
	return target.SetAutoAttachParams{AutoAttach: true, WaitForDebuggerOnStart: true, Flatten: &flat, Filter: attachable}
}

// attachable are the targets that hold what a person sees: tabs, popups and frames, and not the browser's own surfaces.
var attachable = target.Filter{{Type: "page"}, {Type: "iframe"}}

// Close detaches everything and waits until the handler is done. The browser stays.
func (cl *Client) Close() {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	id := cl.root.id
	_ = cl.conn.root.Call(ctx, target.CommandDetachFromTarget, target.DetachFromTargetParams{SessionID: id}, nil) // gone already: as wanted
	cl.conn.mu.Lock()
	for sid, s := range cl.conn.sessions {
		if s.client == cl {
			s.gone = true
			delete(cl.conn.sessions, sid)
		}
	}
	cl.conn.mu.Unlock()
	cl.queue.close()
	<-cl.done
}
