package tray

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"showhow/app/follow"
	"showhow/daemon/client"
	"showhow/internal/fault"
)

// Options are a tray's settings.
type Options struct {
	Client *client.Client
	Bus    string                          // the session bus's address; "" as the environment says
	Open   func(ctx context.Context) error // opens window or pages; nil: the menu has no such entry
	Began  func()                          // is told when capture is seen to be on, each time it began; may be nil
	Logger *slog.Logger
}

// again is how long to wait before looking for a bus or a host again.
const again = 2 * time.Second

// noticeTime is how long an error stays in the menu.
const noticeTime = time.Minute

type tray struct {
	o    Options
	f    *follow.Follower
	quit func()

	mu        sync.Mutex
	view      follow.View
	notice    string
	noticedAt time.Time
	item      *item // nil while there is no bus
}

// Run shows the tray until ctx ends or the person quits it.
func Run(ctx context.Context, o Options) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	t := &tray{o: o, f: follow.New(o.Client), quit: cancel, view: follow.View{State: follow.Away, Problem: "Showhow is starting"}}
	t.f.Answers = func() bool { return t.hosted(ctx) }
	done := make(chan struct{})
	go func() { defer close(done); t.serve(ctx) }()
	err := t.f.Run(ctx, func(v follow.View) { t.show(ctx, v) })
	cancel()
	<-done
	return err
}

// serve keeps an item on the bus while there is a bus.
func (t *tray) serve(ctx context.Context) {
	for ctx.Err() == nil {
		it, err := newItem(ctx, t)
		if err == nil {
			t.mu.Lock()
			t.item = it
			t.mu.Unlock()
			t.f.Look()
			it.run(ctx)
			t.mu.Lock()
			t.item = nil
			t.mu.Unlock()
			it.close()
		}
		select {
		case <-ctx.Done():
		case <-time.After(again):
		}
	}
}

// show displays v on the panel and, if a host shows it there, renews the lease.
func (t *tray) show(ctx context.Context, v follow.View) {
	t.mu.Lock()
	began := v.State == follow.Watching && t.view.State != follow.Watching
	t.view = v
	it := t.item
	t.mu.Unlock()
	if began && t.o.Began != nil {
		t.o.Began()
	}
	if it == nil {
		return
	}
	it.update()
	if v.On() && it.hosted(ctx) {
		if _, err := t.o.Client.RenewIndicator(ctx, "tray"); err != nil && ctx.Err() == nil {
			t.o.Logger.Debug("the lease could not be renewed", "code", string(fault.CodeOf(err)))
		}
	}
}

// hosted reports whether a panel shows the icon, so that it can be clicked.
func (t *tray) hosted(ctx context.Context) bool {
	t.mu.Lock()
	it := t.item
	t.mu.Unlock()
	return it != nil && it.hosted(ctx)
}

// now is the current view with the last error.
func (t *tray) now() (follow.View, string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if time.Since(t.noticedAt) > noticeTime {
		t.notice = ""
	}
	return t.view, t.notice
}

// clicked performs an entry's action, and reports a failure.
func (t *tray) clicked(ctx context.Context, e entry, by clicker) {
	err := e.do(ctx, by)
	if ctx.Err() != nil {
		return
	}
	t.mu.Lock()
	t.notice, t.noticedAt = "", time.Now()
	if err != nil {
		f := fault.From(err)
		t.notice = shorten("Not done: "+f.Message, 140)
		t.o.Logger.Info("a click could not be followed", "code", string(f.Code))
	}
	t.mu.Unlock()
	t.f.Look()
}
