package agentrun

import (
	"context"
	"net"
	"net/http"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"testing"
)

// What an agent asked for last is over before its run is: what it stores then is still found and deleted.
func TestARunEndsAfterItsRequests(t *testing.T) {
	s := New(Options{Dir: t.TempDir()})
	l := &live{s: s, id: "run", began: s.o.Now().Time}
	l.ctx, l.cancel = context.WithCancel(t.Context())
	defer l.cancel()
	started := make(chan struct{})
	var kept, deleted atomic.Bool
	l.api = http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		close(started)
		<-r.Context().Done() // nobody listens any more
		for range 10_000 {
			runtime.Gosched()
		}
		kept.Store(true)
	})
	l.apiOver = func() { deleted.Store(kept.Load()) }
	socket := filepath.Join(t.TempDir(), "s")
	ln, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	l.serve(ln)
	gone := make(chan error, 1)
	go func() { gone <- post(socket, "/api/documents", struct{}{}, &struct{}{}) }()
	<-started
	l.close()
	if !deleted.Load() {
		t.Error("the run's things were deleted while a request of it could still store some")
	}
	if err := <-gone; err == nil {
		t.Error("it was answered")
	}
	l.close() // a run may be closed after its end
}

// A request that arrived in the last moment is not begun after the end.
func TestNothingBeginsAfterTheEnd(t *testing.T) {
	n := &line{server: &http.Server{}, cancel: func() {}}
	n.end()
	defer func() {
		if recover() != http.ErrAbortHandler {
			t.Error("a request was begun")
		}
	}()
	n.counted(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("it was answered") })).ServeHTTP(nil, nil)
}
