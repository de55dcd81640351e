package api

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"path"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"showhow/daemon/access"
	"showhow/daemon/learn/state"
	"showhow/daemon/wire"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

// Server answers the API on every transport with one handler behind one guard.
type Server struct {
	deps         Deps
	log          *slog.Logger
	mux          *http.ServeMux
	api          huma.API
	errorSchema  *huma.Schema
	operations   []op
	ancestry     ancestry
	logins       *logins
	confirm      *confirmations
	tcp          *tcpGate
	flights      flights
	lastCall     atomic.Int64 // Unix nanoseconds
	streams      atomic.Int64
	keeping      sync.Mutex                              // of the file of kept logins
	restarting   atomic.Bool                             // the daemon is about to be started again
	moved        atomic.Bool                             // the port of kept logins was taken
	trayLooked   atomic.Int64                            // Unix nanoseconds: when a tray that can be clicked last looked
	undocumented func(operation string, code fault.Code) // set by tests
}

// New makes a server; nothing listens yet.
func New(d Deps) *Server {
	d.fill()
	s := &Server{
		deps: d, log: d.Log, mux: http.NewServeMux(),
		ancestry: ancestry{procs: newProcessTable(), agents: d.AgentPIDs, until: d.AncestryUntil},
		logins:   newLogins(d.wall), confirm: newConfirmations(d.wall, d.NewID),
		flights: flights{busy: map[string]chan struct{}{}},
	}
	s.tcp = newTCPGate(s.closed)
	s.build()
	return s
}

// connInfo is what the guard knows of a connection before any byte of it was read.
type connInfo struct {
	tcp       bool
	address   string // of TCP: 127.0.0.1:PORT, the only Host we answer to
	principal access.Principal
	families  []string // see Caller
	tty       *terminal
	window    bool // our own window (window.go)
	pid       int  // of the process that connected; 0 unknown
	refused   bool // another user, or one that the kernel does not name
}

type connKey struct{}

type stoppingKey struct{}

// untilStopped is ctx, which also ends when the server that it belongs to is asked to stop: a stream has no end of its own.
func untilStopped(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancel(ctx)
	serving, ok := ctx.Value(stoppingKey{}).(context.Context)
	if !ok {
		return ctx, cancel
	}
	stop := context.AfterFunc(serving, cancel)
	return ctx, func() { stop(); cancel() }
}

// grace is how long a request in flight may take after the daemon was asked to stop.
const grace = 5 * time.Second

// serve answers on l until ctx ends and returns when every request has been answered or cut off.
func (s *Server) serve(ctx context.Context, l net.Listener, inspect func(net.Conn) connInfo) error {
	base, cut := context.WithCancel(context.WithoutCancel(ctx))
	defer cut()
	base = context.WithValue(base, stoppingKey{}, ctx)
	var requests sync.WaitGroup
	srv := &http.Server{
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			requests.Add(1)
			defer requests.Done()
			s.ServeHTTP(w, r)
		}),
		BaseContext: func(net.Listener) context.Context { return base },
		ConnContext: func(ctx context.Context, c net.Conn) context.Context {
			info := inspect(c)
			return context.WithValue(ctx, connKey{}, &info)
		},
		ReadHeaderTimeout: 5 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
		ErrorLog:          slog.NewLogLogger(s.log.Handler(), slog.LevelDebug),
	}
	stopped := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(stopped)
		t, cancel := context.WithTimeout(context.Background(), grace)
		defer cancel()
		if srv.Shutdown(t) != nil {
			cut()
			srv.Close()
		}
	})
	err := srv.Serve(l)
	if stop() { // Serve failed by itself
		srv.Close()
		return err
	}
	<-stopped
	requests.Wait()
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// ServeHTTP is the way of every request: trace id, headers, guard, then routing.
func (s *Server) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	w := &statusWriter{ResponseWriter: rw}
	s.lastCall.Store(s.deps.wall().UnixNano())
	defer func() { s.lastCall.Store(s.deps.wall().UnixNano()) }()
	info, ok := r.Context().Value(connKey{}).(*connInfo)
	if !ok {
		info = &connInfo{refused: true}
	}
	c := &Caller{CorrelationID: r.Header.Get(wire.HeaderCorrelation)}
	if !saneCorrelation.MatchString(c.CorrelationID) {
		c.CorrelationID = s.deps.NewID()
	}
	if c.source = r.Header.Get(wire.HeaderSource); c.source != state.SourceClick && c.source != state.SourceHotkey {
		c.source = state.SourceAPI
	}
	r = r.WithContext(withCaller(r.Context(), c))
	setHeaders(w.Header(), r, c, s.deps.Version.Version, s.deps.Version.API)
	defer func() {
		if w.finish != nil {
			w.finish() // after a panic too: it ends the wait of a repeat
		}
	}()
	defer s.recoverPanic(w, r)
	if err := s.admit(r, info, c); err != nil {
		s.writeFault(w, r, err)
		return
	}
	s.route(w, r, info)
}

// LastCall is when a request last came or was answered; the zero time when none did.
func (s *Server) LastCall() time.Time {
	if n := s.lastCall.Load(); n != 0 {
		return time.Unix(0, n)
	}
	return time.Time{}
}

// Streams is how many subscribers are connected.
func (s *Server) Streams() int { return int(s.streams.Load()) }

// route finds the operation. The mux's own answers (404, 405, a redirect to a tidier path) are not ours and never go out.
func (s *Server) route(w *statusWriter, r *http.Request, info *connInfo) {
	p := r.URL.Path
	if !strings.HasPrefix(p, "/api/") {
		if info.tcp && s.deps.UI != nil {
			s.deps.UI.ServeHTTP(w, r)
			return
		}
		s.writeFault(w, r, fault.New(fault.RouteNotFound, "there is no such route"))
		return
	}
	if path.Clean(p) != p || r.Method == http.MethodConnect {
		s.writeFault(w, r, fault.New(fault.RouteNotFound, "there is no such route"))
		return
	}
	if s.legacy(w, r) {
		return
	}
	if _, pattern := s.mux.Handler(r); pattern == "" || r.Method == http.MethodHead {
		s.noRoute(w, r)
		return
	}
	s.mux.ServeHTTP(w, r)
}

// noRoute tells an unknown path from an unknown method.
func (s *Server) noRoute(w http.ResponseWriter, r *http.Request) {
	var allowed []string
	for _, m := range []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete} {
		probe := r.Clone(r.Context())
		probe.Method = m
		if _, pattern := s.mux.Handler(probe); pattern != "" {
			allowed = append(allowed, m)
		}
	}
	if len(allowed) == 0 {
		s.writeFault(w, r, fault.New(fault.RouteNotFound, "there is no such route"))
		return
	}
	w.Header().Set("Allow", strings.Join(allowed, ", "))
	s.writeFault(w, r, fault.New(fault.MethodNotAllowed, "the route does not take this method").WithDetail("allow", allowed))
}

// revision reads If-Match. ok is false when the caller did not send one.
func (m IfMatch) revision() (rev int, ok bool) {
	for _, c := range m.Revision {
		if c >= '0' && c <= '9' {
			rev, ok = rev*10+int(c-'0'), true
		}
	}
	return rev, ok
}

// IfMatch is embedded (so it must be exported) in the parameters of a revisioned operation (decisions C13).
type IfMatch struct {
	Revision string `header:"If-Match" pattern:"^\"[0-9]{1,9}\"$" doc:"the ETag of the resource as it was seen; another revision answers REVISION_CONFLICT"`
}

func (d *Deps) wall() time.Time { return d.Now().Time }

func (d *Deps) fill() {
	if d.Now == nil {
		d.Now = clock.Now
	}
	if d.NewID == nil {
		d.NewID = clock.NewID
	}
	if d.Log == nil {
		d.Log = slog.New(slog.DiscardHandler)
	}
	if d.Keepalive == 0 {
		d.Keepalive = 30 * time.Second
	}
	if d.TCPIdle == 0 {
		d.TCPIdle = 30 * time.Minute
	}
}
