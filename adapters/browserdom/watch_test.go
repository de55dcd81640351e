//go:build unix

package browserdom

import (
	"context"
	"slices"
	"testing"
	"time"

	"showhow/adapters"
	"showhow/adapters/adaptertest"
	"showhow/adapters/browserdom/control"
	"showhow/capture"
)

// watch is what both kinds saw while they ran, as in a default session: acts, and what pages showed by themselves.
type watch struct {
	*adaptertest.Sink // browser_dom's
	t                 testing.TB
	ctl               adapters.Control
	pages             *adaptertest.Sink // browser_snapshot's; nil without it
	a                 *Adapter
}

// observe runs both kinds on the shared browser until the test ends.
func observe(t testing.TB, o Options, sites ...string) *watch {
	t.Helper()
	startShared(t)
	o.Browser = shared.m
	return observeWith(t, New(o), sites...)
}

func observeWith(t testing.TB, a *Adapter, sites ...string) *watch {
	t.Helper()
	w := &watch{Sink: adaptertest.NewSink(), pages: adaptertest.NewSink(), t: t, a: a}
	w.ctl = both{run(t, a, w.Sink, sites), run(t, a.Snapshot(), w.pages, sites)}
	return w
}

// recorder is the recorder that currently observes the browser.
func (w *watch) recorder() *recorder {
	w.t.Helper()
	w.a.mu.Lock()
	defer w.a.mu.Unlock()
	if len(w.a.hubs) != 1 || w.a.hubs[0].recorder.Load() == nil {
		w.t.Fatal("the adapter does not observe one browser")
	}
	return w.a.hubs[0].recorder.Load()
}

// inside runs f on the recorder's handler goroutine, after the events received so far.
func (w *watch) inside(f func(*recorder)) {
	w.t.Helper()
	r, done := w.recorder(), make(chan struct{})
	r.client.Do(func() { defer close(done); f(r) })
	<-done
}

// flushed returns when everything that has happened in the pages so far was reported, if it is to be reported at all.
func (w *watch) flushed() {
	w.t.Helper()
	r := w.recorder()
	r.tellAll("globalThis.showhow && globalThis.showhow.flush()", r.line.flush)
}

// heard returns when the pages know of the last change of the configuration.
func heard(ctl adapters.Control) {
	if b, ok := ctl.(both); ok {
		ctl = b[1] // changed last
	}
	ctl.(control.Handle).Settle(context.Background())
}

// heardBy is heard for all parts.
func heardBy(a *Adapter) {
	a.mu.Lock()
	hubs := slices.Clone(a.hubs)
	a.mu.Unlock()
	for _, h := range hubs {
		h.ctl.Settle(context.Background())
	}
}

// run runs one kind until the test ends.
func run(t testing.TB, a adapters.Adapter, sink adapters.Sink, sites []string) adapters.Control {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	ready := make(chan adapters.Control, 1)
	go func() {
		done <- a.Run(ctx, adapters.Session{ID: "s", Scope: capture.Scope{Sites: sites}}, sink, func(c adapters.Control) { ready <- c })
	}()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("Run: %v", err)
		}
	})
	select {
	case c := <-ready:
		observers.Add(1)
		t.Cleanup(func() { observers.Add(-1) })
		return c
	case err := <-done:
		done <- err
		t.Fatalf("Run: %v", err)
	case <-time.After(patience):
		t.Fatal("not ready")
	}
	return nil
}

// both controls two kinds together, as the daemon does.
type both [2]adapters.Control

func (b both) Pause()                  { b[0].Pause(); b[1].Pause() }
func (b both) Resume()                 { b[0].Resume(); b[1].Resume() }
func (b both) Rescope(s capture.Scope) { b[0].Rescope(s); b[1].Rescope(s) }
