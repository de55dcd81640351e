package registry

import (
	"context"
	"log/slog"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"showhow/daemon/connector"
	"showhow/daemon/connector/health"
	"showhow/daemon/connector/link"
	"showhow/daemon/connector/policy"
	"showhow/daemon/journal"
	"showhow/daemon/m365"
	"showhow/daemon/wire"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

// Options configures a Registry.
type Options struct {
	Store connector.Store
	// Secret reads one of the person's credentials by name, for an environment, a header or an API key.
	Secret func(ctx context.Context, name string) (string, error)
	// Token is the access token of an auth profile, renewed where that is allowed; "" when it has none. Nil means that
	// nobody signs in.
	Token func(ctx context.Context, p connector.Profile, server connector.Entry) (string, error)
	// Renew renews an auth profile's tokens after the service refused an access token; an error says that a person has to
	// sign in.
	Renew func(ctx context.Context, p connector.Profile, server connector.Entry, refused string) error
	// M365 does the operations of Microsoft 365. Nil means that it is not reached from here.
	M365 *m365.Service
	// Scan scans the texts of tools that agents would read. Nil means that nobody does.
	Scan func(ctx context.Context, server string, tools []connector.Definition) ([]wire.ScanFinding, error)
	// Linked returns the abilities that use a connector, by connector id. Nil means none.
	Linked func(ctx context.Context) (map[string][]wire.MCPLinkedAbilityRef, error)
	// Packages installs what commands such as npx would fetch. Nil means that nobody does.
	Packages Packages
	// Client prepares the client of every service, for methods of extensions. Nil means that there are none.
	Client func(*mcp.Client) error
	// Reads returns what a reader takes a name for, whose letters may only look like others. Nil means that nobody checks.
	Reads func(name string) string
	// Asking are Showhow's own tools that ask first, which a policy can turn off. Nil means that there are none.
	Asking func() ([]connector.Definition, error)
	// Agents are the names of agents that may call, for switches of one agent's. Nil means that nobody checks.
	Agents func(ctx context.Context) ([]string, error)
	// Mask leaves out what looks like a secret in a program's output. Nil means that nobody does.
	Mask func(text string) string
	// Private is a folder that no connector may use, nor one that contains it: Showhow's own data.
	Private string
	Now     func() clock.Time
	NewID   func() string
	Log     *slog.Logger
}

// Packages stores the packages of local servers; *parcel.Shelf implements it. Install and Sweep are called one at a time,
// and Sweep after each Install.
type Packages interface {
	// Source is the address of the registry that a bridge's package would come from.
	Source(ctx context.Context, b wire.MCPLocalBridge) (string, error)
	Install(ctx context.Context, b wire.MCPLocalBridge) (wire.MCPLocalBridge, error)
	Check(p wire.MCPLocalPackage) error
	Sweep(used []wire.MCPLocalPackage) error
}

// Registry provides every operation on what is registered. Permission to call is the caller's business.
type Registry struct {
	*shelf
	targets
	write    sync.Mutex // one change at a time
	installs sync.Mutex // one installation at a time, until its connector is registered
}

// shelf is the read side: what is registered, in memory.
type shelf struct {
	o     Options
	heard func(id string, from *link.Link, l link.Listed) // stores what a server lists unasked

	load  sync.Once
	loadE error

	mu       sync.RWMutex
	servers  map[string]*connector.Server // never changed in place
	profiles map[string]connector.Profile
	book     policy.Book
	health   map[string]connector.Health
	links    lines
	leaving  string // the connector that is being removed: no call of it begins
	closed   bool
	watchers []func() // called after a change of what agents may see
	fares    []func() // called after a change of a connector's health
	updates  []func(server, uri string)
	due      map[string]clock.Time // when a service is probed next, by its id
	wanted   map[string][]string   // the missing scopes that a service named, by its id
}

// New makes a registry. It reads the store on first use.
func New(o Options) *Registry {
	if o.Now == nil {
		o.Now = clock.Now
	}
	if o.NewID == nil {
		o.NewID = clock.NewID
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	r := &Registry{shelf: &shelf{o: o, servers: map[string]*connector.Server{}, profiles: map[string]connector.Profile{},
		book: policy.Book{Policies: map[string]connector.PolicyRow{}}, health: map[string]connector.Health{}, links: lines{}}}
	r.heard, r.targets = r.keep, targets{r.shelf}
	return r
}

// ready reads the store, once.
func (r *shelf) ready(ctx context.Context) error {
	r.load.Do(func() {
		r.loadE = r.o.Store.View(context.WithoutCancel(ctx), func(tx connector.Tx) error {
			servers, err := connector.All[connector.Server](tx, connector.KindServer)
			if err != nil {
				return err
			}
			profiles, err := connector.All[connector.Profile](tx, connector.KindProfile)
			if err != nil {
				return err
			}
			policies, err := connector.All[connector.PolicyRow](tx, connector.KindPolicy)
			if err != nil {
				return err
			}
			if r.book.Switches, err = connector.All[connector.Switch](tx, connector.KindSwitch); err != nil {
				return err
			}
			all, err := connector.All[connector.Health](tx, connector.KindHealth)
			if err != nil {
				return err
			}
			for i := range servers {
				r.servers[servers[i].ID()] = &servers[i]
			}
			for _, p := range profiles {
				r.profiles[p.AuthProfileID] = p
			}
			for _, p := range policies {
				r.book.Policies[policy.Key(p.Target)] = p
			}
			for _, h := range all {
				r.health[h.ServerID] = h
			}
			return nil
		})
	})
	return r.loadE
}

// Close ends every connection.
func (r *shelf) Close() {
	r.mu.Lock()
	links := slices.Collect(maps.Values(r.links))
	clear(r.links)
	r.closed = true
	r.mu.Unlock()
	var all sync.WaitGroup
	for _, l := range links {
		all.Go(l.Close)
	}
	all.Wait()
}

// Watch calls f after every change of what agents may see. f must not block.
func (r *shelf) Watch(f func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.watchers = append(r.watchers, f)
}

// WatchHealth calls f after a change of a connector's health. f must not block.
func (r *shelf) WatchHealth(f func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.fares = append(r.fares, f)
}

func (r *shelf) changed() {
	r.mu.RLock()
	all := slices.Clone(r.watchers)
	r.mu.RUnlock()
	for _, f := range all {
		f()
	}
}

// WantedScopes returns the scopes that a service asked for when it refused the credentials.
func (r *shelf) WantedScopes(id string) []string {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return slices.Clone(r.wanted[id])
}

// WatchResources calls f when a service reports a change of a subscribed resource. f must not block.
func (r *shelf) WatchResources(f func(server, uri string)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.updates = append(r.updates, f)
}

func (r *shelf) updated(id, uri string) {
	r.mu.RLock()
	all := slices.Clone(r.updates)
	r.mu.RUnlock()
	for _, f := range all {
		f(id, uri)
	}
}

func (r *shelf) fared() {
	r.mu.RLock()
	all := slices.Clone(r.fares)
	r.mu.RUnlock()
	for _, f := range all {
		f()
	}
}

// Server returns one connector; fault.NotFound when there is none.
func (r *shelf) Server(ctx context.Context, id string) (connector.Server, error) {
	if err := r.ready(ctx); err != nil {
		return connector.Server{}, err
	}
	r.mu.RLock()
	defer r.mu.RUnlock()
	if s := r.servers[id]; s != nil {
		return *s, nil
	}
	return connector.Server{}, fault.New(fault.NotFound, "there is no connector of this name").WithHint("`showhow connector list` names them")
}

// Servers returns all connectors, by id.
func (r *shelf) Servers(ctx context.Context) ([]*connector.Server, error) {
	if err := r.ready(ctx); err != nil {
		return nil, err
	}
	r.mu.RLock()
	defer r.mu.RUnlock()
	return slices.SortedFunc(maps.Values(r.servers), func(a, b *connector.Server) int {
		if a.ID() < b.ID() {
			return -1
		}
		return 1
	}), nil
}

// Link returns the connection to a connector as registered now, which may differ from what the caller saw. A connector
// that was turned off or removed meanwhile gives a link that refuses every call.
func (r *shelf) Link(s *connector.Server) *link.Link { return r.LinkFor(s, "") }

// LinkFor is Link for an agent's calls.
func (r *shelf) LinkFor(s *connector.Server, agent string) *link.Link {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.servers[s.ID()]
	if r.closed || now == nil || !now.Entry.Enabled || r.leaving == now.ID() {
		return link.Closed()
	}
	id, entry := now.ID(), now.Entry
	at := lane{id, agent}
	if !connector.MayAsk(entry) {
		at.agent = ""
	}
	if l := r.links[at]; l != nil {
		return l
	}
	var l *link.Link
	l = link.New(link.Spec{Entry: entry, Log: r.o.Log,
		Headers: func(ctx context.Context) (http.Header, error) { return r.headers(ctx, entry) },
		Secrets: func(ctx context.Context) (map[string]string, error) { return r.environment(ctx, entry) },
		Check:   func() error { return r.unchanged(entry) },
		Updated: func(uri string) { r.updated(id, uri) },
		Moved:   func() *link.Link { return r.LinkFor(s, agent) },
		Client:  r.o.Client,
		Native:  nativeOf(r, entry),
		Renew:   renewalOf(r, entry),
		Listed: func(listed link.Listed) {
			go r.heard(id, l, listed) // the link waits for nobody
		}})
	r.links[at] = l
	return l
}

// unlink closes a connector's connections: the next call makes another.
func (r *shelf) unlink(id string) {
	r.mu.Lock()
	all := r.links.detach(id)
	r.mu.Unlock()
	for _, l := range all {
		l.Close()
	}
}

// headers are the headers that a service requires in every request.
func (r *shelf) headers(ctx context.Context, e connector.Entry) (http.Header, error) {
	h := http.Header{}
	for name, secret := range e.HeaderSecrets {
		v, err := r.secret(ctx, secret)
		if err != nil {
			return nil, err
		}
		h.Set(name, v)
	}
	p, ok := r.profileOf(e)
	if !ok {
		return h, nil
	}
	token := ""
	var err error
	switch {
	case p.AuthMode == "api_key" && p.SecretRef != "":
		token, err = r.secret(ctx, p.SecretRef)
	case p.AuthMode != "none" && r.o.Token != nil:
		token, err = r.o.Token(ctx, p, e)
	}
	if err != nil {
		return nil, err
	}
	if token != "" {
		h.Set("Authorization", "Bearer "+token)
	}
	return h, nil
}

// unchanged refuses a package that differs from what was installed.
func (r *shelf) unchanged(e connector.Entry) error {
	if e.LocalBridge == nil || e.LocalBridge.Package == nil || r.o.Packages == nil {
		return nil
	}
	return r.o.Packages.Check(*e.LocalBridge.Package)
}

func (r *shelf) environment(ctx context.Context, e connector.Entry) (map[string]string, error) {
	out := map[string]string{}
	if e.LocalBridge == nil {
		return out, nil
	}
	for name, secret := range e.LocalBridge.Credentials {
		v, err := r.secret(ctx, secret)
		if err != nil {
			return nil, err
		}
		out[name] = v
	}
	return out, nil
}

func (r *shelf) secret(ctx context.Context, name string) (string, error) {
	if r.o.Secret == nil {
		return "", fault.New(fault.AdapterUnavailable, "there is no keychain here, and secrets are kept nowhere else")
	}
	return r.o.Secret(ctx, name)
}

func (r *shelf) profileOf(e connector.Entry) (connector.Profile, bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	p, ok := r.profiles[e.AuthProfileID]
	return p, ok && e.AuthProfileID != ""
}

// Decide decides whether a tool may be called.
func (r *shelf) Decide(s *connector.Server, d *connector.Definition, agent string, granted *connector.PolicyRow) policy.Answer {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return policy.Decide(r.book, policy.Question{Agent: agent, Provider: s.Entry.Provider, Server: s.ID(), Tool: d.Name, Class: d.Class,
		Granted: granted}, r.o.Now())
}

// HealthOf is a connector's health.
func (r *shelf) HealthOf(s *connector.Server) connector.Health {
	r.mu.RLock()
	h, ok := r.health[s.ID()]
	r.mu.RUnlock()
	if !ok {
		h = health.New(s.ID(), s.Entry.InteractionMode != "background_service")
	}
	h.AuthState = r.authState(s.Entry, h)
	if !s.Entry.Enabled {
		h.HealthStatus = "disabled"
	}
	if h.ToolHealth == nil {
		h.ToolHealth = map[string]connector.ToolHealth{}
	}
	if health.Waiting(h, r.o.Now()) == 0 && h.ThrottleState.State != "none" { // the time it asked for is over
		h.ThrottleState = health.New("", true).ThrottleState
	}
	return h
}

// authState is the profile's state, unless the service refused its credentials.
func (r *shelf) authState(e connector.Entry, h connector.Health) string {
	p, ok := r.profileOf(e)
	switch {
	case !ok:
		return h.AuthState
	case p.AuthMode == "none", p.AuthMode == "api_key" && !connector.Trouble(h.AuthState):
		return "healthy"
	case connector.Trouble(p.Status) || !connector.Trouble(h.AuthState):
		return p.Status
	}
	return h.AuthState
}

// RecordOutcome records the outcome of an attempt. It is stored when it changes the health.
func (r *shelf) RecordOutcome(ctx context.Context, id string, o health.Outcome) {
	r.mu.Lock()
	s := r.servers[id]
	if s == nil {
		r.mu.Unlock()
		return
	}
	before, ok := r.health[id]
	if !ok {
		before = health.New(id, s.Entry.InteractionMode != "background_service")
	}
	if len(o.Scopes) > 0 {
		if r.wanted == nil {
			r.wanted = map[string][]string{}
		}
		r.wanted[id] = o.Scopes
	}
	after := health.After(before, o, r.o.Now(), rand.Float64())
	r.health[id] = after
	r.mu.Unlock()
	if ok && health.Same(before, after) {
		return
	}
	defer r.fared()
	err := r.o.Store.Update(context.WithoutCancel(ctx), func(tx connector.Tx) error {
		if err := tx.PutRecord(connector.KindHealth, id, after); err != nil {
			return err
		}
		if before.HealthStatus != after.HealthStatus {
			if err := tx.Emit(journal.Event{Kind: journal.MCPHealth, Payload: map[string]any{"server_id": id,
				"health_status": after.HealthStatus, "was": before.HealthStatus}}); err != nil {
				return err
			}
		}
		return r.putHealth(tx)
	})
	if err != nil {
		r.o.Log.Warn("a connector's health could not be kept", "code", string(fault.CodeOf(err)))
	}
}
