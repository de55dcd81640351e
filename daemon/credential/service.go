package credential

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"

	"showhow/daemon/journal"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

// Options configures a Service.
type Options struct {
	Store    Store
	Keychain Keychain // nil means that there is none; nothing is stored elsewhere
	// UsedBy returns the installed skills that may have each credential, by the credential's name. Nil means none.
	UsedBy func(ctx context.Context) (map[string][]string, error)
	Now    func() clock.Time
}

// Service provides every operation on credentials. Permission to call is the caller's business.
type Service struct {
	o  Options
	mu sync.Mutex // one change at a time: keychain and name belong together
}

// New makes a service.
func New(o Options) *Service {
	if o.UsedBy == nil {
		o.UsedBy = func(context.Context) (map[string][]string, error) { return nil, nil }
	}
	if o.Now == nil {
		o.Now = clock.Now
	}
	return &Service{o: o}
}

func noKeychain() error {
	return fault.New(fault.AdapterUnavailable, "there is no keychain here, and secrets are kept nowhere else").
		WithHint("start one in your session (gnome-keyring, KWallet), then `showhow daemon restart`")
}

// Available reports whether there is a keychain at all.
func (s *Service) Available() bool { return s.o.Keychain != nil }

// Get reads a value for the run that it is delivered to.
func (s *Service) Get(ctx context.Context, name string) (string, error) {
	if s.o.Keychain == nil {
		return "", noKeychain()
	}
	v, err := s.o.Keychain.Get(ctx, name)
	if fault.Is(err, fault.NotFound) {
		err = fault.New(fault.NotFound, "a credential that the run needs is not in the keychain").WithDetail("credential", name).
			WithHint("store it: showhow credential set " + name)
	}
	return v, err
}

// List lists every credential that was stored here or that an installed skill may have.
func (s *Service) List(ctx context.Context) ([]Credential, error) {
	used, err := s.o.UsedBy(ctx)
	if err != nil {
		return nil, err
	}
	var rows []Row
	if err := s.o.Store.View(ctx, func(tx Tx) (err error) { rows, err = tx.Credentials(); return err }); err != nil {
		return nil, err
	}
	all := map[string]Credential{}
	for _, r := range rows {
		if owner, name, ok := pendingOf(r.Name); ok {
			c := all[name]
			c.Name, c.Pending = name, append(c.Pending, owner)
			all[name] = c
			continue
		}
		pending := all[r.Name].Pending
		all[r.Name] = Credential{Name: r.Name, StoredAt: r.StoredAt.Ptr(), Revision: r.Revision, Pending: pending}
	}
	for name := range used {
		c := all[name]
		c.Name = name
		all[name] = c
	}
	out := []Credential{}
	asked := s.o.Keychain != nil
	for _, name := range slices.Sorted(maps.Keys(all)) {
		c := all[name]
		c.Variable, c.UsedBy, c.State = Variable(name), slices.Clone(used[name]), Unknown
		if c.UsedBy == nil {
			c.UsedBy = []string{}
		}
		if asked { // a keychain that does not answer once is not waited for again
			c.State, asked = s.state(ctx, name)
		}
		out = append(out, c)
	}
	return out, nil
}

func (s *Service) state(ctx context.Context, name string) (state string, answers bool) {
	_, err := s.o.Keychain.Get(ctx, name)
	switch {
	case err == nil:
		return Stored, true
	case fault.Is(err, fault.NotFound):
		return Missing, true
	}
	return Unknown, false
}

// One is a credential's record; revision 0 when it was not stored here.
func (s *Service) One(ctx context.Context, name string) (r Row, err error) {
	r.Name = name
	err = s.o.Store.View(ctx, func(tx Tx) error {
		row, ok, err := tx.Credential(name)
		if ok {
			r = row
		}
		return err
	})
	return r, err
}

// Set stores or replaces a value.
func (s *Service) Set(ctx context.Context, name, value string, rev *int) (Credential, error) {
	if Variable(name) == "" {
		return Credential{}, fault.New(fault.InvalidRequest, "a credential of this name could not be delivered").
			WithHint("its name becomes an environment variable: letters, digits, _ - and ., and none that decides what is run")
	}
	return s.set(ctx, name, value, rev, "A credential was stored in the keychain.")
}

func (s *Service) set(ctx context.Context, name, value string, rev *int, summary string) (Credential, error) {
	if value == "" || strings.ContainsRune(value, 0) {
		return Credential{}, fault.New(fault.InvalidRequest, "a credential is a text that is not empty and has no zero byte")
	}
	var r Row
	err := s.change(ctx, name, rev, func(old Row, had bool) error {
		r = old
		return s.o.Keychain.Set(ctx, name, value)
	}, func(tx Tx) error {
		now := s.o.Now()
		if r.Revision == 0 {
			r.Name, r.CreatedAt = name, now
		}
		r.Revision++
		r.StoredAt = now
		if err := tx.PutCredential(r); err != nil {
			return err
		}
		return tell(tx, journal.CredentialStored, summary, name)
	})
	return Credential{Name: name, Variable: Variable(name), State: Stored, UsedBy: []string{}, StoredAt: r.StoredAt.Ptr(),
		Revision: r.Revision}, err
}

// Remove removes a value from the keychain, also one that another program stored.
func (s *Service) Remove(ctx context.Context, name string, rev *int) error {
	return s.change(ctx, name, rev, func(_ Row, had bool) error {
		err := s.o.Keychain.Delete(ctx, name)
		if fault.Is(err, fault.NotFound) && had {
			err = nil // the value is gone already; only the name was left
		}
		return err
	}, func(tx Tx) error {
		if err := tx.DeleteCredential(name); err != nil {
			return err
		}
		return tell(tx, journal.CredentialRemoved, "A credential was removed from the keychain.", name)
	})
}

// change changes the keychain and records that.
func (s *Service) change(ctx context.Context, name string, rev *int, chain func(old Row, had bool) error, record func(Tx) error) error {
	if s.o.Keychain == nil {
		return noKeychain()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	old, err := s.One(ctx, name)
	if err != nil {
		return err
	}
	if rev != nil && *rev != old.Revision {
		return fault.New(fault.RevisionConflict, "the credential was changed meanwhile").WithHint("look at it again and repeat").WithDetail(
			"current_revision", old.Revision)
	}
	if err := chain(old, old.Revision > 0); err != nil {
		return err
	}
	return s.o.Store.Update(ctx, record)
}

func tell(tx Tx, kind journal.EventKind, summary, name string) error {
	if err := tx.AddReceipt(journal.Receipt{Kind: kind, Summary: summary, Reason: name}); err != nil {
		return err
	}
	return tx.Emit(journal.Event{Kind: kind, Payload: map[string]any{"name": name}})
}
