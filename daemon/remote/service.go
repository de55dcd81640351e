package remote

import (
	"cmp"
	"context"
	"log/slog"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"showhow/daemon/journal"
	"showhow/daemon/wire"
	"showhow/internal/clock"
	"showhow/internal/fault"
	"showhow/internal/plain"
)

// Kinds of the record.
const (
	turnedOn      = journal.RemoteOn
	turnedOff     = journal.RemoteOff
	callerAllowed = journal.RemoteCallerAllowed
	callerDenied  = journal.RemoteCallerDenied
	callerRevoked = journal.RemoteCallerRevoked
	tokenReused   = journal.RemoteTokenReused
	keyRotated    = journal.RemoteKeyRotated
	signedIn      = journal.RemoteSignedIn
)

// Service lets remote callers in.
type Service struct {
	o Options

	turning sync.Mutex // one at a time turns it on or off
	a2a     atomic.Pointer[wire.RemoteA2A]

	mu      sync.Mutex
	house   *house // nil while it is off
	problem string // why it is not there although it is on
}

// New makes a service; nothing listens yet.
func New(o Options) *Service {
	if o.Now == nil {
		o.Now = clock.Now
	}
	if o.NewID == nil {
		o.NewID = clock.NewID
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Changed == nil {
		o.Changed = func() {}
	}
	return &Service{o: o}
}

// Open listens if a person turned it on. What hinders it is told by Status; the daemon starts without it.
func (s *Service) Open(ctx context.Context) error {
	s.turning.Lock()
	defer s.turning.Unlock()
	x, err := s.settings(ctx)
	if err != nil {
		return err
	}
	s.a2a.Store(&x.A2A)
	if !x.On {
		return nil
	}
	s.reopen(ctx, x)
	return nil
}

// reopen listens by settings that a person confirmed. What hinders it is told by Status.
func (s *Service) reopen(ctx context.Context, x Settings) {
	h, err := s.raise(ctx, x)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.house, s.problem = h, ""; err != nil {
		s.problem = fault.From(err).Message
		s.o.Log.Warn("remote callers cannot be let in", "code", string(fault.CodeOf(err)))
	}
}

// raise builds a house, if its key is nobody else's.
func (s *Service) raise(ctx context.Context, x Settings) (*house, error) {
	if x.CertFile != "" {
		if _, err := ReadCertified(x.CertFile, x.KeyFile); err != nil {
			return nil, err
		}
	}
	return s.build(ctx, x)
}

// Close ends every request and listener.
func (s *Service) Close() {
	s.turning.Lock()
	defer s.turning.Unlock()
	s.shutHouse()
}

func (s *Service) shutHouse() {
	s.mu.Lock()
	h := s.house
	s.house = nil
	s.mu.Unlock()
	if h != nil {
		h.close()
	}
}

// Listening reports whether remote callers can come in now.
func (s *Service) Listening() bool { return s.open() != nil }

func (s *Service) open() *house {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.house
}

func (s *Service) settings(ctx context.Context) (x Settings, err error) {
	err = s.o.Store.View(ctx, func(tx Tx) error { x, _, err = tx.RemoteSettings(); return err })
	return x, err
}

// Check returns what is confirmed and then used, or why it would be refused: before a person is asked.
func (s *Service) Check(r wire.RemoteOn) (wire.RemoteOn, error) {
	x, err := s.chosen(Settings{}, r)
	r.Addresses, r.URL = x.Addresses, x.URL
	return r, err
}

// chosen are the settings with what a request names.
func (s *Service) chosen(x Settings, r wire.RemoteOn) (Settings, error) {
	x.On, x.Addresses, x.URL, x.CertFile, x.KeyFile = true, slices.Clone(r.Addresses), r.URL, r.CertFile, r.KeyFile
	return x, s.check(&x)
}

// On lets remote callers in at the named addresses, instead of at those named before.
func (s *Service) On(ctx context.Context, r wire.RemoteOn) (wire.RemoteStatus, error) {
	s.turning.Lock()
	defer s.turning.Unlock()
	x, err := s.settings(ctx)
	if err != nil {
		return wire.RemoteStatus{}, err
	}
	if x, err = s.chosen(x, r); err != nil {
		return wire.RemoteStatus{}, err
	}
	s.mu.Lock()
	old := s.house
	s.house = nil
	s.mu.Unlock()
	if old != nil {
		old.close()                                                // its addresses may be among the new ones
		s.evict(func(c Caller) bool { return c.RevokedAt == nil }) // nothing of it would end with a token
	}
	h, err := s.raise(ctx, x)
	if err == nil {
		x = h.settings // with the ports that were free
		err = s.o.Store.Update(ctx, func(tx Tx) error {
			now, _, err := tx.RemoteSettings()
			if err != nil {
				return err
			}
			x.Keys, x.LastKey, x.Names, x.ChangedAt = now.Keys, now.LastKey, now.Names, s.o.Now()
			if err := s.note(tx, turnedOn, "Callers from elsewhere were allowed at "+strings.Join(x.Addresses, ", ")+".", x.URL,
				map[string]any{"url": x.URL}); err != nil {
				return err
			}
			return tx.PutRemoteSettings(x)
		})
	}
	if err != nil {
		if h != nil {
			h.close()
		}
		if old != nil { // as it was
			s.reopen(context.WithoutCancel(ctx), old.settings)
		}
		return wire.RemoteStatus{}, err
	}
	s.mu.Lock()
	s.house, s.problem = h, ""
	s.mu.Unlock()
	return s.Status(ctx)
}

// Off lets nobody in any more. Callers and their tokens are kept for the next time, those that were revoked excepted.
func (s *Service) Off(ctx context.Context) (wire.RemoteStatus, error) {
	s.turning.Lock()
	defer s.turning.Unlock()
	s.shutHouse() // first: whether it can be written down or not, nobody is let in
	s.evict(func(c Caller) bool { return c.RevokedAt == nil })
	err := s.o.Store.Update(ctx, func(tx Tx) error {
		x, ok, err := tx.RemoteSettings()
		if err != nil || !ok || !x.On {
			return err
		}
		x.On, x.ChangedAt = false, s.o.Now()
		if err := s.note(tx, turnedOff, "Callers from elsewhere are not let in any more.", x.URL, nil); err != nil {
			return err
		}
		return tx.PutRemoteSettings(x)
	})
	s.mu.Lock()
	if s.problem = ""; err != nil {
		s.problem = "it was closed, but the daemon could not write that down: turn it off again"
	}
	s.mu.Unlock()
	if err != nil {
		return wire.RemoteStatus{}, err
	}
	return s.Status(ctx)
}

// Status tells who may come in, and who asks.
func (s *Service) Status(ctx context.Context) (wire.RemoteStatus, error) {
	out := wire.RemoteStatus{Addresses: []string{}, Callers: []wire.RemoteCaller{}, Waiting: []wire.RemoteRequest{},
		Tasks: []wire.RemoteTask{}, SchemaVersion: 1}
	err := s.o.Store.View(ctx, func(tx Tx) error {
		x, _, err := tx.RemoteSettings()
		if err != nil {
			return err
		}
		out.On, out.URL, out.CertFile, out.KeyFile, out.A2A = x.On, x.URL, x.CertFile, x.KeyFile, x.A2A
		out.Addresses = append(out.Addresses, x.Addresses...)
		all, err := tx.RemoteCallers()
		if err != nil {
			return err
		}
		for _, c := range all {
			out.Callers = append(out.Callers, c.RemoteCaller)
		}
		clients, err := tx.RemoteClients()
		out.Clients = len(clients)
		return err
	})
	s.mu.Lock()
	h := s.house
	out.Problem = s.problem
	s.mu.Unlock()
	if h != nil {
		out.Waiting = h.waiting()
		if s.speaks() {
			out.Tasks = s.o.A2A.Waiting()
		}
		h.used(out.Callers)
	}
	return out, err
}

// Asked is the sign-in that a decision is about: it waits, and to let it in the decision has the code that the browser
// shows.
func (s *Service) Asked(request string, d wire.RemoteDecision) (wire.RemoteRequest, error) {
	_, r, _, err := s.asked(request, d)
	return r, err
}

func (s *Service) asked(request string, d wire.RemoteDecision) (*house, wire.RemoteRequest, Caller, error) {
	h := s.open()
	if h == nil {
		return nil, wire.RemoteRequest{}, Caller{}, off()
	}
	r, c, ok := h.named(request, d)
	switch {
	case ok && len(d.Scopes) > 0 && (!within(d.Scopes, r.Scopes) || !slices.Contains(d.Scopes, r.Scopes[0])):
		return h, r, c, fault.New(fault.InvalidRequest, "these are not scopes that it asked for").
			WithHint("it asks for " + strings.Join(r.Scopes, ", ") + "; it needs the first at least")
	case ok:
		return h, r, c, nil
	case d.Allow || d.Code != "":
		return h, r, c, fault.New(fault.NotFound, "no sign-in with this code waits").
			WithHint("type the code that the page in your own browser shows; after five wrong ones the sign-in is over: begin it again")
	}
	return h, r, c, fault.New(fault.NotFound, "no such sign-in waits").
		WithHint("`showhow remote list` shows those that do; each waits for ten minutes")
}

// Decide answers a sign-in that waits.
func (s *Service) Decide(ctx context.Context, request string, d wire.RemoteDecision) (wire.RemoteStatus, error) {
	h, r, c, err := s.asked(request, d)
	if err != nil {
		return wire.RemoteStatus{}, err
	}
	if !d.Allow {
		if err := s.o.Store.Update(ctx, func(tx Tx) error {
			return s.note(tx, callerDenied, "A caller from elsewhere was not let in.", plain.Clip(r.ClientName, 60), nil)
		}); err != nil {
			return wire.RemoteStatus{}, err
		}
		h.decide(r.RequestID, nil)
		return s.Status(ctx)
	}
	scopes := r.Scopes
	if len(d.Scopes) > 0 {
		scopes = d.Scopes
	}
	c.Name, c.Scopes = wanted(r, d), slices.Clone(scopes)
	if c, err = s.admit(ctx, c, nil); err != nil {
		return wire.RemoteStatus{}, err
	}
	h.decide(r.RequestID, &c)
	return s.Status(ctx)
}

// admit stores a caller that a person let in. The same program's earlier grant for the same resource ends.
func (s *Service) admit(ctx context.Context, c Caller, machine *Client) (Caller, error) {
	var ended []string
	now := s.o.Now()
	err := s.o.Store.Update(ctx, func(tx Tx) error {
		ended = nil
		all, err := tx.RemoteCallers()
		if err != nil {
			return err
		}
		x, _, err := tx.RemoteSettings()
		if err != nil {
			return err
		}
		live := 0
		c.Name = named(c, x, all)
		for i := range all {
			o := &all[i]
			if o.RevokedAt != nil {
				continue
			}
			if machine == nil && o.ClientID == c.ClientID && o.Resource == c.Resource {
				ended = append(ended, o.CallerID)
				if err := s.shut(tx, o, now); err != nil {
					return err
				}
				continue
			}
			live++
		}
		if live >= maxCallers {
			return fault.Newf(fault.InvalidRequest, "%d callers are let in, which is the most", live).
				WithHint("shut one out first: showhow remote revoke ID")
		}
		for i := 0; len(all)-i >= maxRecords && i < len(all); i++ { // the oldest that are out
			if all[i].RevokedAt != nil {
				x.Names = append(x.Names, all[i].Name)
				if err := tx.DeleteRemoteCaller(all[i].CallerID); err != nil {
					return err
				}
				if err := tx.PutRemoteSettings(x); err != nil {
					return err
				}
			}
		}
		c.CallerID, c.ApprovedAt, c.Revision = s.o.NewID(), now, 1
		if machine != nil {
			machine.Machine = c.CallerID
			if err := tx.PutRemoteClient(*machine); err != nil {
				return err
			}
		} else if err := s.letIn(tx, c.ClientID); err != nil {
			return err
		}
		if err := s.note(tx, callerAllowed, "A caller from elsewhere was let in.", c.Name,
			map[string]any{"caller_id": c.CallerID, "scopes": c.Scopes}); err != nil {
			return err
		}
		return tx.PutRemoteCaller(c)
	})
	if h := s.open(); h != nil && err == nil {
		h.cut(ended...)
	}
	return c, err
}

// wanted is the name that a decision asks for.
func wanted(r wire.RemoteRequest, d wire.RemoteDecision) string {
	return "remote/" + slug(plain.Clip(cmp.Or(d.Name, r.ClientName), 40))
}

// named is the name that a caller gets. No name is given twice: policies that were made for one that is out would hold
// for the next. Only the same program, that is still let in and signs in again, keeps its own.
func named(c Caller, x Settings, all []Caller) string {
	taken := map[string]bool{}
	for _, n := range x.Names {
		taken[n] = true
	}
	own := ""
	for _, o := range all {
		taken[o.Name] = true
		if o.RevokedAt == nil && !c.Machine && o.ClientID == c.ClientID && o.Resource == c.Resource {
			own = o.Name
		}
	}
	name := c.Name
	for n := 2; taken[name] && name != own; n++ {
		name = c.Name + "-" + itoa(n)
	}
	return name
}

// Called is the name that a caller would get now, and where it would be good; machine is nil for a sign-in that waits.
func (s *Service) Called(ctx context.Context, request string, d wire.RemoteDecision, machine *wire.RemoteMachineAdd) (name, at string,
	err error) {
	var c Caller
	if machine != nil {
		c.Name, c.Machine = "remote/"+machine.Name, true
		if at, err = machinePathOf(*machine); err != nil {
			return "", "", err
		}
	} else {
		_, r, asks, err := s.asked(request, d)
		if err != nil {
			return "", "", err
		}
		c, at = asks, pathOf(asks.Resource)
		c.Name = wanted(r, d)
	}
	err = s.o.Store.View(ctx, func(tx Tx) error {
		x, _, err := tx.RemoteSettings()
		if err != nil {
			return err
		}
		all, err := tx.RemoteCallers()
		name = named(c, x, all)
		return err
	})
	return name, at, err
}

// pathOf is the path of a resource's URL.
func pathOf(resource string) string {
	u, err := url.Parse(resource)
	if err != nil {
		return ""
	}
	return u.Path
}

// resourcePathOf is the path of a resource that a person names.
func resourcePathOf(name string) string {
	switch name {
	case "mcp":
		return mcpPath
	case "a2a":
		return a2aPath
	}
	return contractPath
}

// letIn marks a registration that is used from now on.
func (s *Service) letIn(tx Tx, clientID string) error {
	c, ok, err := tx.RemoteClient(clientID)
	if err != nil {
		return err
	}
	if !ok {
		return fault.New(fault.NotFound, "the program's registration has expired").WithHint("begin the sign-in again")
	}
	c.LetIn, c.From = true, ""
	return tx.PutRemoteClient(c)
}

// shut takes a caller's access away.
func (s *Service) shut(tx Tx, c *Caller, now clock.Time) error {
	c.RevokedAt, c.Revision = now.Ptr(), c.Revision+1
	if err := tx.DeleteRemoteTokens(c.CallerID); err != nil {
		return err
	}
	return tx.PutRemoteCaller(*c)
}

// Caller is one caller.
func (s *Service) Caller(ctx context.Context, id string) (c Caller, err error) {
	err = s.o.Store.View(ctx, func(tx Tx) error {
		all, err := tx.RemoteCallers()
		for _, o := range all {
			if o.CallerID == id || o.RevokedAt == nil && (o.Name == id || o.Name == "remote/"+id) {
				c = o
			}
		}
		return err
	})
	if err == nil && c.CallerID == "" {
		err = fault.New(fault.NotFound, "no such caller was let in").WithHint("`showhow remote list` shows them")
	}
	return c, err
}

// Revoke shuts a caller out, at once and for all of its tokens.
func (s *Service) Revoke(ctx context.Context, id string) (wire.RemoteRevoked, error) {
	c, err := s.Caller(ctx, id)
	if err != nil {
		return wire.RemoteRevoked{}, err
	}
	return wire.RemoteRevoked{CallerID: c.CallerID, Revoked: c.RevokedAt == nil}, s.end(ctx, c.CallerID, callerRevoked,
		"A caller from elsewhere was shut out.")
}

// end revokes a caller, for a reason that the record keeps.
func (s *Service) end(ctx context.Context, id string, kind journal.EventKind, why string) error {
	var name string
	err := s.o.Store.Update(ctx, func(tx Tx) error {
		name = ""
		c, ok, err := tx.RemoteCaller(id)
		if err != nil || !ok || c.RevokedAt != nil {
			return err
		}
		if c.Machine {
			if err := tx.DeleteRemoteClient(c.ClientID); err != nil {
				return err
			}
		}
		if err := s.shut(tx, &c, s.o.Now()); err != nil {
			return err
		}
		name = c.Name
		return s.note(tx, kind, why, c.Name, map[string]any{"caller_id": id})
	})
	if h := s.open(); h != nil {
		h.cut(id)
	}
	if err != nil || name == "" || s.o.Forget == nil {
		return err
	}
	return s.o.Forget(context.WithoutCancel(ctx), name)
}

// machinePathOf is the one address that a machine is for, if its scopes are those of it.
func machinePathOf(r wire.RemoteMachineAdd) (string, error) {
	path := resourcePathOf(r.Resource)
	if _, _, ok := asked(r.Scopes, path); !ok || !within(r.Scopes, scopesOf(path)) {
		return path, fault.New(fault.InvalidRequest, "these scopes are not those of "+path).
			WithHint(path + " takes " + strings.Join(scopesOf(path), ", ") + "; the first is needed at least")
	}
	return path, nil
}

// AddMachine lets in a program that signs in with a secret of its own.
func (s *Service) AddMachine(ctx context.Context, r wire.RemoteMachineAdd) (wire.RemoteMachine, error) {
	path, err := machinePathOf(r)
	if err != nil {
		return wire.RemoteMachine{}, err
	}
	x, err := s.settings(ctx)
	if err != nil {
		return wire.RemoteMachine{}, err
	}
	if !x.On {
		return wire.RemoteMachine{}, off()
	}
	if path == a2aPath && !s.speaks() {
		return wire.RemoteMachine{}, fault.New(fault.RemoteOff, "callers are not answered in A2A").
			WithHint("turn it on first: showhow remote a2a on")
	}
	secret := newToken("ms_")
	m := Client{ClientID: "mc_" + s.o.NewID(), Name: r.Name, AuthMethod: "client_secret_post", SecretHash: hashOf(secret),
		CreatedAt: s.o.Now(), LetIn: true}
	c := Caller{ClientID: m.ClientID}
	c.Name, c.ClientName, c.Machine, c.Scopes, c.Resource = "remote/"+r.Name, r.Name, true, slices.Clone(r.Scopes), x.URL+path
	if c, err = s.admit(ctx, c, &m); err != nil {
		return wire.RemoteMachine{}, err
	}
	return wire.RemoteMachine{RemoteCaller: c.RemoteCaller, ClientID: m.ClientID, ClientSecret: secret, TokenURL: x.URL + machinePath,
		SchemaVersion: 1}, nil
}

func off() error {
	return fault.New(fault.RemoteOff, "callers from elsewhere are not let in").WithHint("turn it on first: showhow remote on --help")
}

// Rotate makes a new signing key. The old one is published until what it signed has expired.
func (s *Service) Rotate(ctx context.Context) (wire.RemoteKeys, error) {
	out := wire.RemoteKeys{KeyIDs: []string{}, SchemaVersion: 1}
	if s.open() == nil {
		return out, off()
	}
	ks, err := s.signingKeys(ctx, true)
	for _, k := range ks {
		out.KeyIDs = append(out.KeyIDs, k.id)
	}
	return out, err
}

// note writes a receipt and an event.
func (s *Service) note(tx Tx, kind journal.EventKind, summary, reason string, payload map[string]any) error {
	now := s.o.Now()
	if err := tx.AddReceipt(journal.Receipt{Kind: kind, Summary: summary, Reason: reason, CreatedAt: now}); err != nil {
		return err
	}
	if payload == nil {
		payload = map[string]any{}
	}
	return tx.Emit(journal.Event{Kind: kind, Timestamp: now, Payload: payload})
}
