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

	"showhow/daemon/access"
	"showhow/daemon/api/caller"
	"showhow/daemon/api/engine"
	"showhow/daemon/api/presence"
	"showhow/daemon/api/routes"
	"showhow/daemon/learn/state"
	"showhow/daemon/wire"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

// Server answers the API on every transport with one handler behind one guard.
type Server struct {
	deps     Deps
	log      *slog.Logger
	engine   *engine.Engine
	legacy   routes.LegacyRoutes
	ancestry *caller.Ancestry
	browser  *browserAccess
	lastCall atomic.Int64 // Unix nanoseconds
	lastAct  atomic.Int64 // the same of requests that do something
}

// New makes a server; nothing listens yet.
func New(d Deps) *Server {
	d.fill()
	s := &Server{
		deps: d, log: d.Log, legacy: routes.LegacyRoutes{Learn: d.Learn, Now: d.Now},
		ancestry: caller.NewAncestry(d.AgentPIDs, d.AncestryUntil),
		browser:  newBrowserAccess(d.wall, d.LoginFile, d.Log),
	}
	s.engine = engine.New(engine.Options{Log: d.Log, Now: d.Now, Memory: d.Access, Confirm: presence.New(d.wall, d.NewID),
		Keepalive: d.Keepalive, HoldOpen: s.browser.gate.stream, Names: routes.Names})
	s.routes(s.engine)
	return s
}

// routes gives every group of routes its dependencies and nothing else. Their order is that of the document.
func (s *Server) routes(g *engine.Engine) {
	d := s.deps
	routes.SessionRoutes{Learn: d.Learn}.Register(g)
	routes.ObservationRoutes{Learn: d.Learn, Events: d.Events, Live: d.Live, Records: d.Records}.Register(g)
	routes.ReceiptRoutes{Observed: d.Observed}.Register(g)
	routes.EventRoutes{Events: d.Runtime}.Register(g)
	routes.ImportRoutes{Imports: d.Imports}.Register(g)
	routes.RegistryRoutes{Registries: d.Registries}.Register(g)
	routes.ContractRoutes{Contract: d.Contract}.Register(g)
	routes.DataRoutes{Data: d.Data}.Register(g)
	routes.AgentRunRoutes{Runs: d.AgentRuns}.Register(g)
	routes.PracticeRoutes{Practices: d.Practices, Runs: d.AgentRuns}.Register(g)
	routes.MiningRoutes{Mining: d.Mining}.Register(g)
	routes.NoteRoutes{Notes: d.Notes}.Register(g)
	routes.DocumentRoutes{Documents: d.Documents}.Register(g)
	routes.PDFRoutes{PDF: d.PDF}.Register(g)
	routes.ProposalRoutes{Learn: d.Learn}.Register(g)
	routes.CapabilityRoutes{Abilities: d.Abilities, Health: d.Health, Canaries: d.Canaries, Learn: d.Learn}.Register(g)
	routes.InboxRoutes{Inbox: d.Inbox}.Register(g)
	routes.QuestionRoutes{Questions: d.Questions, Progress: d.Abilities}.Register(g)
	routes.RemoteRoutes{Remote: d.Remote, Tasks: d.Tasks}.Register(g)
	routes.ProjectRoutes{Projects: d.Projects}.Register(g)
	routes.AbilityRoutes{Abilities: d.Abilities, Learn: d.Learn, Credentials: d.Credentials}.Register(g)
	routes.CategoryRoutes{Categories: d.Categories}.Register(g)
	routes.CredentialRoutes{Credentials: d.Credentials}.Register(g)
	routes.ConnectorRoutes{Connectors: d.Connectors, AskFirst: d.AskFirst, SignIns: d.SignIns,
		Takeover: d.Takeover, Offered: d.Offered}.Register(g)
	routes.HistoryRoutes{Learn: d.Learn}.Register(g)
	accessRoutes{store: d.Access, browser: s.browser, tray: &tray{ancestry: s.ancestry, wall: d.wall}, screen: d.Screen, browse: d.Browse,
		pages: d.UI != nil, now: d.Now, newID: d.NewID}.register(g)
	daemonRoutes{version: d.Version, learn: d.Learn, browser: s.browser, now: d.Now, adapters: d.Adapters, doctor: d.Doctor,
		targets: d.Targets,
		stateOf: d.Status, stop: d.Stop, openBrowser: d.OpenBrowser}.register(g)
	routes.SettingsRoutes{Settings: d.Settings}.Register(g)
	routes.LeavingRoutes{Leaving: d.Leaving}.Register(g)
}

// connInfo is what the guard knows of a connection before reading from it.
type connInfo struct {
	tcp       bool
	address   string // of TCP: 127.0.0.1:PORT, the only Host we answer to
	principal access.Principal
	families  []string // see Caller
	tty       *caller.Terminal
	window    bool // our own window (window.go)
	pid       int  // of the process that connected; 0 unknown
	refused   bool // another user, or one unknown to the kernel
}

type connKey struct{}

// serve answers on l until ctx ends and returns when every request has been answered or cut off.
func (s *Server) serve(ctx context.Context, l net.Listener, inspect func(net.Conn) connInfo) error {
	base, cut := context.WithCancel(context.WithoutCancel(ctx))
	defer cut()
	base = engine.WithServing(base, ctx)
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
		t, cancel := context.WithTimeout(context.Background(), s.deps.Grace)
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

// ServeHTTP handles every request: trace id, headers, guard, then routing.
func (s *Server) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	info, ok := r.Context().Value(connKey{}).(*connInfo)
	if !ok {
		info = &connInfo{refused: true}
	}
	s.answer(rw, r, func(r *http.Request, c *caller.Caller) error { return s.admit(r, info, c) },
		func(w *engine.StatusWriter, r *http.Request) { s.route(w, r, info) })
}

// answer answers one request: admit says who asks, route finds the operation.
func (s *Server) answer(rw http.ResponseWriter, r *http.Request, admit func(*http.Request, *caller.Caller) error,
	route func(*engine.StatusWriter, *http.Request)) {
	w := &engine.StatusWriter{ResponseWriter: rw}
	s.lastCall.Store(s.deps.wall().UnixNano())
	defer func() { s.lastCall.Store(s.deps.wall().UnixNano()) }()
	c := &caller.Caller{CorrelationID: r.Header.Get(wire.HeaderCorrelation)}
	if !caller.ValidCorrelationID.MatchString(c.CorrelationID) {
		c.CorrelationID = s.deps.NewID()
	}
	if c.Source = r.Header.Get(wire.HeaderSource); c.Source != state.SourceClick && c.Source != state.SourceHotkey {
		c.Source = state.SourceAPI
	}
	r = r.WithContext(caller.With(r.Context(), c))
	setHeaders(w.Header(), r, c, s.deps.Version.Version, s.deps.Version.API)
	defer func() {
		if w.Finish != nil {
			w.Finish() // after a panic too: it ends the wait of a repeat
		}
	}()
	defer s.engine.RecoverPanic(w, r)
	if err := admit(r, c); err != nil {
		if f := fault.From(err); r.Method == http.MethodGet && strings.Contains(r.Header.Get("Accept"), "text/html") {
			refusePage(w, f)
			return
		}
		s.engine.WriteFault(w, r, err)
		return
	}
	if r.Method != http.MethodGet && c.Kind == access.User {
		s.lastAct.Store(s.deps.wall().UnixNano())
	}
	route(w, r)
}

// LastCall is when a request last arrived or was answered; the zero time when none did.
func (s *Server) LastCall() time.Time { return moment(&s.lastCall) }

// LastAct is the same for requests by which a person does something: a window or an icon that polls is nobody at work,
// and an agent is no person.
func (s *Server) LastAct() time.Time { return moment(&s.lastAct) }

func moment(at *atomic.Int64) time.Time {
	if n := at.Load(); n != 0 {
		return time.Unix(0, n)
	}
	return time.Time{}
}

// Streams is the number of connected subscribers.
func (s *Server) Streams() int { return int(s.engine.Streams.Load()) }

// route finds the operation. The mux's own answers (404, 405, a redirect to a cleaner path) never go out.
func (s *Server) route(w *engine.StatusWriter, r *http.Request, info *connInfo) {
	p := r.URL.Path
	if !strings.HasPrefix(p, "/api/") {
		if info.tcp && s.deps.UI != nil {
			s.deps.UI.ServeHTTP(w, r)
			return
		}
		if !info.tcp && s.deps.Door != nil && doorAt(p) {
			s.atDoor(w, r)
			return
		}
		if !info.tcp && s.deps.Contract != nil && p == contractPath {
			s.atContract(w, r)
			return
		}
		s.engine.WriteFault(w, r, fault.New(fault.RouteNotFound, "there is no such route"))
		return
	}
	if path.Clean(p) != p || r.Method == http.MethodConnect {
		s.engine.WriteFault(w, r, fault.New(fault.RouteNotFound, "there is no such route"))
		return
	}
	if s.legacy.Answer(s.engine, w, r) {
		return
	}
	if _, pattern := s.engine.Mux.Handler(r); pattern == "" || r.Method == http.MethodHead {
		s.noRoute(w, r)
		return
	}
	s.engine.Mux.ServeHTTP(w, r)
}

// noRoute distinguishes an unknown path from an unknown method.
func (s *Server) noRoute(w http.ResponseWriter, r *http.Request) {
	var allowed []string
	for _, m := range []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete} {
		probe := r.Clone(r.Context())
		probe.Method = m
		if _, pattern := s.engine.Mux.Handler(probe); pattern != "" {
			allowed = append(allowed, m)
		}
	}
	if len(allowed) == 0 {
		s.engine.WriteFault(w, r, fault.New(fault.RouteNotFound, "there is no such route"))
		return
	}
	w.Header().Set("Allow", strings.Join(allowed, ", "))
	s.engine.WriteFault(w, r, fault.New(fault.MethodNotAllowed, "the route does not take this method").WithDetail("allow", allowed))
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
	if d.Grace == 0 {
		d.Grace = 5 * time.Second
	}
	if d.TCPIdle == 0 {
		d.TCPIdle = 30 * time.Minute
	}
}
