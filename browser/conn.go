package browser

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// ErrGone is the error of calls whose connection or session has ended.
var ErrGone = errors.New("the browser or its tab is gone")

// Conn multiplexes Clients and their Sessions over one transport. chromedp's own browser drops
// messages of sessions it did not open, which loses popups and out-of-process frames; hence this
// layer (decisions B5).
type Conn struct {
	tr   chromedp.Transport
	root *Session

	mu       sync.Mutex
	next     int64
	calls    map[int64]call
	sessions map[target.SessionID]*Session
	err      error

	done chan struct{}
}

// call is a command in flight; then runs on the reading goroutine and must not block.
type call struct {
	session *Session
	then    func(jsonv2.Value, error)
}

// NewConn reads from tr until tr ends or Close is called.
func NewConn(tr chromedp.Transport) *Conn {
	c := &Conn{tr: tr, calls: map[int64]call{}, sessions: map[target.SessionID]*Session{}, done: make(chan struct{})}
	c.root = &Session{conn: c}
	go c.read()
	return c
}

// Root is the session of the browser itself.
func (c *Conn) Root() *Session { return c.root }

// Done is closed when the connection has ended.
func (c *Conn) Done() <-chan struct{} { return c.done }

// Close ends the connection and waits for its goroutine.
func (c *Conn) Close() error {
	err := c.tr.Close()
	<-c.done
	return err
}

func (c *Conn) read() {
	defer close(c.done)
	for {
		var m cdproto.Message
		if err := c.tr.Read(context.Background(), &m); err != nil {
			c.fail(err)
			return
		}
		if m.ID != 0 {
			c.answer(&m)
		} else if m.Method != "" {
			c.event(&m)
		}
	}
}

// fail ends every call and every client.
func (c *Conn) fail(err error) {
	c.mu.Lock()
	c.err = fmt.Errorf("%w: %w", ErrGone, err)
	calls, sessions := c.calls, c.sessions
	c.calls, c.sessions = map[int64]call{}, map[target.SessionID]*Session{}
	c.mu.Unlock()
	for _, k := range calls {
		k.then(nil, ErrGone)
	}
	for _, s := range sessions {
		s.end()
		if s.client != nil && s.client.root == s {
			s.client.queue.close()
		}
	}
}

func (c *Conn) answer(m *cdproto.Message) {
	c.mu.Lock()
	k, ok := c.calls[m.ID]
	delete(c.calls, m.ID)
	c.mu.Unlock()
	if !ok {
		return
	}
	if m.Error != nil {
		k.then(nil, m.Error)
		return
	}
	k.then(m.Result, nil)
}

func (c *Conn) event(m *cdproto.Message) {
	c.mu.Lock()
	s := c.sessions[m.SessionID]
	c.mu.Unlock()
	if m.SessionID == "" {
		s = c.root
	}
	if s == nil {
		return // of a session that has just been detached
	}
	switch string(m.Method) {
	case target.AttachedToTarget.Method:
		c.attached(s, m.Params)
	case target.DetachedFromTarget.Method:
		c.detached(m.Params)
	default:
		s.deliver(string(m.Method), m.Params)
	}
}

func (c *Conn) attached(parent *Session, params jsonv2.Value) {
	var e target.EventAttachedToTarget
	if parent.client == nil || jsonv2.Unmarshal(params, &e, chromedp.DefaultUnmarshalOptions) != nil {
		return
	}
	s := &Session{conn: c, client: parent.client, parent: parent, id: e.SessionID, info: deref(e.TargetInfo), waiting: e.WaitingForDebugger}
	c.mu.Lock()
	c.sessions[s.id] = s
	c.mu.Unlock()
	parent.client.queue.put(func() { s.client.handler.Attached(s) })
}

func (c *Conn) detached(params jsonv2.Value) {
	var e target.EventDetachedFromTarget
	if jsonv2.Unmarshal(params, &e, chromedp.DefaultUnmarshalOptions) != nil {
		return
	}
	c.mu.Lock()
	s := c.sessions[e.SessionID]
	delete(c.sessions, e.SessionID)
	var orphans []call
	for id, k := range c.calls {
		if s != nil && k.session == s {
			orphans = append(orphans, k)
			delete(c.calls, id)
		}
	}
	c.mu.Unlock()
	for _, k := range orphans {
		k.then(nil, ErrGone)
	}
	if s == nil {
		return
	}
	s.end()
	if s.client != nil && s.client.root == s {
		s.client.queue.close()
		return
	}
	s.client.queue.put(func() { s.client.handler.Detached(s) })
}

// send writes one command. Ids stay below 2^31: Chromium's are 32 bits wide.
func (c *Conn) send(s *Session, method string, params any, then func(jsonv2.Value, error)) {
	if then == nil {
		then = func(jsonv2.Value, error) {}
	}
	m := cdproto.Message{SessionID: s.id, Method: cdproto.MethodType(method)}
	if params != nil {
		b, err := jsonv2.Marshal(params, chromedp.DefaultMarshalOptions)
		if err != nil {
			then(nil, fmt.Errorf("%s: %w", method, err))
			return
		}
		if string(b) != "null" {
			m.Params = b
		}
	}
	c.mu.Lock()
	if c.err != nil || s.gone {
		c.mu.Unlock()
		then(nil, ErrGone)
		return
	}
	c.next = c.next%(math.MaxInt32-1) + 1
	m.ID = c.next
	c.calls[m.ID] = call{s, then}
	c.mu.Unlock()
	if err := c.tr.Write(context.Background(), &m); err != nil {
		c.mu.Lock()
		_, mine := c.calls[m.ID]
		delete(c.calls, m.ID)
		c.mu.Unlock()
		if mine {
			then(nil, fmt.Errorf("%w: %w", ErrGone, err))
		}
	}
}

var _ cdp.Session = (*Session)(nil)

func deref(i *target.Info) target.Info {
	if i == nil {
		return target.Info{}
	}
	return *i
}
