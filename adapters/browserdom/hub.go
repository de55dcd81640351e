package browserdom

import (
	"context"
	"slices"
	"sync/atomic"
	"time"

	"showhow/adapters"
	"showhow/adapters/browserdom/control"
	"showhow/browser"
	"showhow/capture"
)

// hub is one recorder with the kinds that use it for a session: browser_dom, browser_snapshot or both. The first to
// join starts it; the last to leave ends it and waits for its end.
type hub struct {
	a        *Adapter
	session  string
	ctl      *control.Control
	recorder atomic.Pointer[recorder]
	members  int // under a.mu

	stop     context.CancelFunc
	up       chan struct{} // closed once pages are observed
	done     chan struct{} // closed when the hub has ended
	err      error         // why, when that was not asked for
	panicked any           // what its goroutine died of: its members die of it in its place
}

// observe is the Run of both kinds.
func (a *Adapter) observe(ctx context.Context, k capture.Kind, s adapters.Session, sink adapters.Sink, ready func(adapters.Control)) error {
	p := &control.Part{Kind: k, Sink: sink, Scope: control.Normal(s.Scope), Salt: s.Salt, Late: a.o.late}
	h := a.join(s.ID, p)
	defer a.leave(h, p)
	select {
	case <-h.up:
	case <-h.done:
		return h.end()
	case <-ctx.Done():
		return nil
	}
	h.ctl.Settle(ctx)
	ready(h.ctl.Of(p))
	sink.Health(adapters.Health{State: adapters.Ready})
	select {
	case <-ctx.Done():
		return nil
	case <-h.done:
		return h.end()
	}
}

func (h *hub) end() error {
	if h.panicked != nil {
		panic(h.panicked)
	}
	return h.err
}

// join returns the session's hub, or starts one.
func (a *Adapter) join(session string, p *control.Part) *hub {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, h := range a.hubs {
		if h.session == session && h.ctl.Add(p) {
			h.members++
			return h
		}
	}
	ctx, stop := context.WithCancel(context.Background())
	h := &hub{a: a, session: session, ctl: &control.Control{}, members: 1, stop: stop, up: make(chan struct{}), done: make(chan struct{})}
	h.ctl.Add(p)
	a.hubs = append(a.hubs, h)
	go func() {
		defer close(h.done)
		defer func() { h.panicked = recover() }()
		h.err = h.run(ctx)
	}()
	return h
}

// leave removes a kind after everything it has seen was reported.
func (a *Adapter) leave(h *hub, p *control.Part) {
	a.mu.Lock()
	h.members--
	last := h.members == 0
	if last {
		a.hubs = slices.DeleteFunc(a.hubs, func(o *hub) bool { return o == h })
	}
	a.mu.Unlock()
	if last {
		h.stop()
		<-h.done
	} else if r := h.recorder.Load(); r != nil {
		r.tellAll("globalThis.showhow && globalThis.showhow.flush()", r.line.flush)
	}
	h.ctl.Remove(p)
}

// again is how often to check whether a browser that ended runs again.
const again = 500 * time.Millisecond

// run observes one browser after the other until ctx ends. It fails if the first cannot be observed.
func (h *hub) run(ctx context.Context) error {
	b, err := h.a.o.Browser.Browser(ctx)
	if err != nil {
		return err
	}
	told := false
	for {
		r, err := h.a.attach(ctx, b, h.ctl, h.ctl)
		if err == nil {
			h.recorder.Store(r)
			if !told {
				close(h.up)
				told = true
			} else {
				h.ctl.Health(adapters.Health{State: adapters.Ready})
			}
			select {
			case <-ctx.Done():
			case <-r.client.Done():
			}
			h.ctl.Set(nil)
			h.recorder.Store(nil)
			if why := r.broken(); why != nil {
				r.abandon()
				panic(why)
			}
			r.end()
		} else if !told {
			return err
		}
		if ctx.Err() != nil {
			return nil
		}
		h.ctl.Health(adapters.Health{State: adapters.Degraded, Code: "browser_gone", Reason: "the watched browser was closed",
			Fix: "open it again: showhow browser"})
		if b = h.wait(ctx); b == nil {
			return nil
		}
	}
}

// wait returns the next running browser, or nil if ctx ends first.
func (h *hub) wait(ctx context.Context) *browser.Browser {
	tick := time.NewTicker(again)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
			if b := h.a.o.Browser.Running(); b != nil {
				return b
			}
		}
	}
}
