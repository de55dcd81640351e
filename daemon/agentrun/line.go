package agentrun

import (
	"context"
	"net"
	"net/http"
	"sync"
	"time"

	"golang.org/x/net/netutil"
)

// maxTalkers is how many connections an attempt may have at one time.
const maxTalkers = 64

// line is the one socket that leads out of an attempt's box.
type line struct {
	ctx     context.Context // ends with it
	cancel  context.CancelFunc
	server  *http.Server
	serving sync.WaitGroup
	// Every request holds it for reading. The end takes it for good: http.Server.Close waits for no handler, and lets one
	// begin whose request had arrived.
	requests sync.RWMutex
	once     sync.Once
}

// serve answers the agent of an attempt: receipts, questions, and what Options.API answers. It exposes nothing else of
// the daemon.
func (l *live) serve(ln net.Listener) {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /api/observe/receipts", l.takeReceipts)
	mux.HandleFunc("POST /ask", l.takeQuestion)
	mux.HandleFunc("POST /credential", l.takeCredential)
	if l.api != nil {
		mux.Handle("/api/", l.api)
	}
	n := &line{}
	n.ctx, n.cancel = context.WithCancel(l.ctx)
	n.server = &http.Server{Handler: n.counted(mux), ReadHeaderTimeout: 10 * time.Second, ErrorLog: quiet,
		BaseContext: func(net.Listener) context.Context { return n.ctx }}
	l.line = n
	n.serving.Go(func() { _ = n.server.Serve(netutil.LimitListener(ln, maxTalkers)) })
}

func (n *line) counted(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !n.requests.TryRLock() {
			panic(http.ErrAbortHandler)
		}
		defer n.requests.RUnlock()
		h.ServeHTTP(w, r)
	})
}

// end cuts off whoever still asks and returns when nothing is done for them any more. nil is a line that never began.
func (n *line) end() {
	if n == nil {
		return
	}
	n.once.Do(func() {
		n.server.Close()
		n.cancel()
		n.serving.Wait()
		n.requests.Lock()
	})
}
