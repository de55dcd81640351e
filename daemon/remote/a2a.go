package remote

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/go-jose/go-jose/v4"

	"showhow/daemon/journal"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// speaks reports whether callers are answered in A2A.
func (s *Service) speaks() bool {
	x := s.a2a.Load()
	return x != nil && x.On && s.o.A2A.Handler != nil
}

// Command is what performs callers' tasks; empty: nothing does.
func (s *Service) Command() []string {
	if x := s.a2a.Load(); x != nil {
		return slices.Clone(x.Command)
	}
	return nil
}

// LiveInA2A returns an error if a caller is not let in now, or not answered in A2A.
func LiveInA2A(ctx context.Context, s *Service, id string) error {
	if !s.speaks() {
		return fault.New(fault.RemoteOff, "callers are not answered in A2A").WithHint("turn it on first: showhow remote a2a on")
	}
	return s.Live(ctx, id)
}

// SetA2A turns A2A on or off. What callers ask to have run ends with it, and with a change of what performs it.
func (s *Service) SetA2A(ctx context.Context, r wire.RemoteA2A) (wire.RemoteStatus, error) {
	s.turning.Lock()
	defer s.turning.Unlock()
	if slices.ContainsFunc(r.Command, func(a string) bool { return strings.ContainsRune(a, 0) }) || len(r.Command) > 0 && r.Command[0] == "" {
		return wire.RemoteStatus{}, fault.New(fault.InvalidRequest, "the command is empty").
			WithHint("name the agent's program: showhow remote a2a on -- PROGRAM")
	}
	if !r.On {
		s.a2a.Store(&r) // first: whether it can be written down or not
		s.reroute()
	}
	err := s.o.Store.Update(ctx, func(tx Tx) error {
		x, _, err := tx.RemoteSettings()
		if err != nil {
			return err
		}
		x.A2A, x.ChangedAt = r, s.o.Now()
		said := "Callers from elsewhere are answered in A2A."
		if !r.On {
			said = "Callers from elsewhere are not answered in A2A any more."
		}
		if err := s.note(tx, journal.RemoteA2A, said, "", map[string]any{"on": r.On, "runs": len(r.Command) > 0}); err != nil {
			return err
		}
		return tx.PutRemoteSettings(x)
	})
	if err != nil {
		return wire.RemoteStatus{}, err
	}
	s.a2a.Store(&r)
	s.reroute()
	return s.Status(ctx)
}

// reroute serves what is on now, and ends the tasks of what was on before.
func (s *Service) reroute() {
	if h := s.open(); h != nil {
		h.handler.Store(h.routes())
	}
	if s.o.A2A.Close != nil {
		s.o.A2A.Close()
	}
}

// Note writes a receipt and an event about what a caller does.
func (s *Service) Note(ctx context.Context, kind journal.EventKind, summary, reason string, payload map[string]any) error {
	return s.o.Store.Update(ctx, func(tx Tx) error { return s.note(tx, kind, summary, reason, payload) })
}

func (h *house) router() http.Handler { return h.handler.Load() }

// resources lists the paths that tokens can be for.
func (h *house) resources() []string {
	out := []string{mcpPath, contractPath}
	if h.s.speaks() {
		out = append(out, a2aPath)
	}
	return out
}

// scopes lists those of all resources.
func (h *house) scopes() (out []string) {
	for _, p := range h.resources() {
		out = append(out, scopesOf(p)...)
	}
	return out
}

func (h *house) place() Place {
	u := h.settings.URL
	p := Place{URL: u + a2aPath, Authorize: u + authorizePath, Token: u + tokenPath, Scopes: map[string]string{},
		Need: scopesOf(a2aPath)[:1], Sign: h.sign}
	for _, s := range scopesOf(a2aPath) {
		p.Scopes[s] = About(s)
	}
	return p
}

// sign signs by the key that signs tokens now; the header says where its public part is.
func (h *house) sign(ctx context.Context, payload []byte) (protected, signature string, err error) {
	ks, err := h.s.signingKeys(ctx, false)
	if err != nil {
		return "", "", err
	}
	o := (&jose.SignerOptions{}).WithType("JOSE").WithHeader("jku", h.settings.URL+jwksPath)
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.ES256, Key: jose.JSONWebKey{Key: ks[0].key, KeyID: ks[0].id}}, o)
	if err != nil {
		return "", "", err
	}
	jws, err := signer.Sign(payload)
	if err != nil {
		return "", "", err
	}
	text, err := jws.DetachedCompactSerialize()
	protected, signature, _ = strings.Cut(text, "..")
	return protected, signature, err
}
