//go:build unix

package browserdom

import (
	"context"
	"testing"
	"time"

	"showhow/adapters"
	"showhow/adapters/adaptertest"
	"showhow/capture"
)

// A panic in the recorder is returned by the Run of both kinds, where the daemon turns it into their health; then
// they can run again.
func TestAPanicIsTheRunsOwn(t *testing.T) {
	startShared(t)
	srv, host := site(t, map[string]string{"/": buttons})
	a := New(Options{Browser: shared.m})
	a.arrived = func(time.Time, time.Time) { panic("a flaw") }
	died := make(chan any, 2)
	ready := make(chan struct{}, 2)
	for _, k := range []adapters.Adapter{a, a.Snapshot()} {
		go func() {
			defer func() { died <- recover() }()
			_ = k.Run(context.Background(), adapters.Session{ID: "s", Scope: capture.Scope{Sites: []string{host}}}, adaptertest.NewSink(),
				func(adapters.Control) { ready <- struct{}{} })
		}()
	}
	<-ready
	<-ready
	p := shared.hand.open(t, srv.URL+"/")
	p.observed()
	p.click("button")
	for range 2 {
		select {
		case why := <-died:
			if why != "a flaw" {
				t.Errorf("Run ended with %v", why)
			}
		case <-time.After(patience):
			t.Fatal("Run goes on")
		}
	}
	a.arrived = nil
	w := observeWith(t, a, host)
	q := shared.hand.open(t, srv.URL+"/")
	q.click("button")
	w.find(capture.Click, 1)
}
