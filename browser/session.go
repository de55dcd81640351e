package browser

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// Session talks to one target: a page, an out-of-process frame, a worker, or the browser itself. It
// is a cdp.Session, so cdp.Call(ctx, s, page.Enable, ...) works on it.
type Session struct {
	conn    *Conn
	client  *Client // nil for the connection's own root
	parent  *Session
	id      target.SessionID
	info    target.Info
	waiting bool
	gone    bool // under conn.mu

	subsMu sync.Mutex
	subs   map[string][]*subscription
}

// ID is the session's id; "" for the browser itself.
func (s *Session) ID() target.SessionID { return s.id }

// Info is the target as it was when attached.
func (s *Session) Info() target.Info { return s.info }

// Parent is the session through which this one was attached.
func (s *Session) Parent() *Session { return s.parent }

// Waiting reports whether the target is paused until Runtime.runIfWaitingForDebugger.
func (s *Session) Waiting() bool { return s.waiting }

// Send sends a command and returns at once. then, if not nil, runs with the answer on the
// connection's reading goroutine and must not block. Commands of one session are executed in the
// order they were sent.
func (s *Session) Send(method string, params any, then func(jsonv2.Value, error)) {
	s.conn.send(s, method, params, then)
}

// Call sends a command and waits for its answer.
func (s *Session) Call(ctx context.Context, method string, params, result any) error {
	type answer struct {
		v   jsonv2.Value
		err error
	}
	got := make(chan answer, 1)
	s.Send(method, params, func(v jsonv2.Value, err error) { got <- answer{v.Clone(), err} })
	select {
	case <-ctx.Done():
		return ctx.Err()
	case a := <-got:
		if a.err != nil {
			return fmt.Errorf("%s: %w", method, a.err)
		}
		if result == nil {
			return nil
		}
		return jsonv2.Unmarshal(a.v, result, chromedp.DefaultUnmarshalOptions)
	}
}

// AwaitWorld waits until the target's page has an isolated world of that name. Chromium does not hold
// a tab that was opened over the protocol, whatever a client asks for: its page can be acted on before
// another client's script runs in it. Runtime must not be enabled in this session.
func (s *Session) AwaitWorld(ctx context.Context, name string) error {
	created, cancel := s.Subscribe(runtime.ExecutionContextCreated.Method)
	defer cancel()
	if err := s.Call(ctx, runtime.CommandEnable, nil, nil); err != nil { // reports those that exist, too
		return err
	}
	defer s.Send(runtime.CommandDisable, nil, nil)
	for {
		select {
		case params, open := <-created:
			if !open {
				return ErrGone
			}
			var e runtime.EventExecutionContextCreated
			if err := Decode(params, &e); err == nil && e.Context != nil && e.Context.Name == name {
				return nil
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Event is what a target reported.
type Event struct {
	Method string
	Params jsonv2.Value
}

// subscription buffers without bound: the reading goroutine never waits for a subscriber.
type subscription struct {
	queue *queue
	give  func(Event) // waits for the subscriber, unless that has gone
}

// Subscribe implements cdp.Session: it delivers the events of one method from now on, until cancel
// or the end of the session.
func (s *Session) Subscribe(method string) (<-chan jsonv2.Value, func()) {
	return subscribe(s, []string{method}, func(e Event) jsonv2.Value { return e.Params })
}

// Events delivers the events of several methods in the order in which the target reported them.
func (s *Session) Events(methods ...string) (<-chan Event, func()) {
	return subscribe(s, methods, func(e Event) Event { return e })
}

func subscribe[T any](s *Session, methods []string, of func(Event) T) (<-chan T, func()) {
	out, stop := make(chan T), make(chan struct{})
	sub := &subscription{queue: newQueue(), give: func(e Event) {
		select {
		case out <- of(e):
		case <-stop:
		}
	}}
	s.subsMu.Lock()
	if s.subs == nil {
		s.subs = map[string][]*subscription{}
	}
	for _, m := range methods {
		s.subs[m] = append(s.subs[m], sub)
	}
	s.subsMu.Unlock()
	go func() {
		defer close(out)
		sub.queue.run()
	}()
	s.conn.mu.Lock()
	gone := s.gone || s.conn.err != nil
	s.conn.mu.Unlock()
	if gone {
		sub.queue.close()
	}
	var once sync.Once
	return out, func() {
		once.Do(func() { close(stop) })
		sub.queue.close()
		s.subsMu.Lock()
		defer s.subsMu.Unlock()
		for _, m := range methods {
			s.subs[m] = slices.DeleteFunc(slices.Clone(s.subs[m]), func(other *subscription) bool { return other == sub })
		}
	}
}

// deliver passes an event to the client's handler and to subscribers.
func (s *Session) deliver(method string, params jsonv2.Value) {
	s.subsMu.Lock()
	for _, sub := range s.subs[method] {
		sub.queue.put(func() { sub.give(Event{method, params}) })
	}
	s.subsMu.Unlock()
	if s.client != nil {
		s.client.queue.put(func() { s.client.handler.Event(s, method, params) })
	}
}

// end marks the session as gone and ends its subscriptions.
func (s *Session) end() {
	s.conn.mu.Lock()
	s.gone = true
	s.conn.mu.Unlock()
	s.subsMu.Lock()
	defer s.subsMu.Unlock()
	for _, subs := range s.subs {
		for _, sub := range subs {
			sub.queue.close()
		}
	}
}

// Decode reads an event's or a result's JSON into v.
func Decode(raw jsonv2.Value, v any) error {
	return jsonv2.Unmarshal(raw, v, chromedp.DefaultUnmarshalOptions)
}
