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

// Handler receives the events of a Client's sessions, one call at a time and in wire order. It must
// not block on the results of its own calls: prepare a session with pipelined Send calls.
type Handler interface {
	// Attached announces a new session. The handler prepares the session and then calls Release.
	Attached(*Session)
	// Detached announces the end of a session.
	Detached(*Session)
	// Event delivers every other event of a session, including the client's root session.
	Event(s *Session, method string, params jsonv2.Value)
}

// Client is one independent user of a connection. It has its own session tree: what it enables,
// injects or attaches affects no other client and ends with it.
type Client struct {
	conn    *Conn
	root    *Session
	handler Handler
	queue   *queue
	done    chan struct{}
	broken  any // what the handler panicked with, once done is closed
}

// NewClient creates a client. Nothing is attached before AutoAttach.
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

// Broken is the value the handler panicked with, nil if it did not. Call it after Done: a panic
// ends this client only.
func (cl *Client) Broken() any { return cl.broken }

// Root is this client's session with the browser itself.
func (cl *Client) Root() *Session { return cl.root }

// Done is closed when the client has ended and its handler will not be called again.
func (cl *Client) Done() <-chan struct{} { return cl.done }

// Do runs f on the handler's goroutine, between two events. Once the client has ended, f is
// dropped.
func (cl *Client) Do(f func()) { cl.queue.put(f) }

// AutoAttach attaches every existing and future page, paused until Release. It returns once the
// handler has been told of all existing pages.
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

// Release resumes a session's target and attaches what it opens: popups through the root,
// out-of-process frames here. Call it last, after everything that must be in place before the
// target's first script runs: a session executes its commands in order, so there is no need to wait
// for answers. A new tab is paused after its first page was committed, so that page's
// Page.frameNavigated is not seen, but its scripts have not run yet.
func (s *Session) Release() {
	s.Send(target.CommandSetAutoAttach, autoAttach(), nil)
	s.Send(runtime.CommandRunIfWaitingForDebugger, nil, nil)
}

func autoAttach() target.SetAutoAttachParams {
	flat := true
	return target.SetAutoAttachParams{AutoAttach: true, WaitForDebuggerOnStart: true, Flatten: &flat, Filter: attachable}
}

// attachable selects the targets that hold what a person sees (tabs, popups and frames), not the
// browser's own surfaces.
var attachable = target.Filter{{Type: "page"}, {Type: "iframe"}}

// Close detaches everything and waits for the handler to finish. The browser keeps running.
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
