package signin

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/oauth2"

	"showhow/daemon/connector"
	"showhow/daemon/connector/registry"
	"showhow/daemon/wire"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

// Keychain stores tokens. Get returns fault.NotFound for an unknown name.
type Keychain interface {
	Get(ctx context.Context, name string) (string, error)
	Set(ctx context.Context, name, value string) error
	Delete(ctx context.Context, name string) error
}

// KeychainService is the service name of the tokens in the operating system's keychain.
const KeychainService = "showhow-connectors"

// Options configures a Service.
type Options struct {
	Store    connector.Store
	Registry func() *registry.Registry
	Keychain Keychain // nil means that there is none, and nobody can sign in
	Secret   func(ctx context.Context, name string) (string, error)
	Now      func() clock.Time
	NewID    func() string
	Log      *slog.Logger
}

// Service signs people in.
type Service struct {
	o       Options
	refresh sync.Mutex // one renewal at a time: a refresh token is often good once

	mu    sync.Mutex
	doors map[string]*callback // open for a sign-in, by the hash of its state
}

// New makes a service.
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
	return &Service{o: o, doors: map[string]*callback{}}
}

// life is how long a sign-in may take.
const life = 10 * time.Minute

// pending is a sign-in under way. The verifier is in the keychain.
type pending struct {
	ServerID  string     `json:"server_id"`
	ProfileID string     `json:"auth_profile_id"`
	Issuer    string     `json:"issuer"`
	Endpoint  string     `json:"token_endpoint"`
	Revoke    string     `json:"revocation_endpoint,omitempty"`
	SaysIss   bool       `json:"says_iss"` // the server promised to name itself in its answer
	ClientID  string     `json:"client_id"`
	Redirect  string     `json:"redirect_uri"`
	Resource  string     `json:"resource"`
	Named     string     `json:"named,omitempty"` // the resource as the service names it
	Scopes    []string   `json:"scopes"`
	Method    string     `json:"token_endpoint_auth_method,omitempty"`
	Local     bool       `json:"local"`
	Plain     bool       `json:"plain,omitempty"` // the server takes no resource parameter
	ExpiresAt clock.Time `json:"expires_at"`
}

// tokens is the keychain's record.
type tokens struct {
	Access   string    `json:"access_token"`
	Refresh  string    `json:"refresh_token,omitempty"`
	Expiry   time.Time `json:"expiry,omitzero"`
	Endpoint string    `json:"token_endpoint"`
	Revoke   string    `json:"revocation_endpoint,omitempty"`
	Issuer   string    `json:"issuer"`
	ClientID string    `json:"client_id"`
	Secret   string    `json:"client_secret,omitempty"`
	Method   string    `json:"token_endpoint_auth_method,omitempty"`
	Resource string    `json:"resource"`
	Named    string    `json:"named,omitempty"`
	Local    bool      `json:"local,omitempty"`
	Plain    bool      `json:"plain,omitempty"`
	Renewed  time.Time `json:"renewed,omitzero"` // when the access token was last renewed
}

func hashed(text string) string {
	h := sha256.Sum256([]byte(text))
	return hex.EncodeToString(h[:])
}

// refOf is the keychain name of an auth profile's tokens for one resource.
func refOf(profile, resource string) string { return "token/" + profile + "/" + hashed(resource)[:16] }

func random() string {
	b := make([]byte, 32)
	rand.Read(b)
	return base64.RawURLEncoding.EncodeToString(b)
}

func (s *Service) keychain() error {
	if s.o.Keychain == nil {
		return fault.New(fault.AdapterUnavailable, "there is no keychain here, and tokens are kept nowhere else").
			WithHint("start one in your session (gnome-keyring, KWallet), then `showhow daemon restart`")
	}
	return nil
}

// Start begins a sign-in.
func (s *Service) Start(ctx context.Context, id string, q wire.MCPAuthStartRequest) (wire.MCPAuthStartResponse, error) {
	out := wire.MCPAuthStartResponse{ServerID: id, CorrelationID: s.o.NewID(), SchemaVersion: 1}
	srv, err := s.o.Registry().Server(ctx, id)
	if err != nil {
		return out, err
	}
	if srv.Entry.Transport != "remote_http" || !srv.Entry.Enabled {
		return out, fault.New(fault.MCPServerNotActive, "nobody signs in to this connector").WithHint("sign-ins are for services at an address")
	}
	p, err := s.given(ctx, &srv)
	if err != nil {
		return out, err
	}
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	at, err := s.place(ctx, srv.Entry, p, q.ConfirmIssuer)
	if h := s.o.Registry().HealthOf(&srv); errors.Is(err, errNowhere) && h.HealthStatus == "healthy" && !connector.Trouble(h.AuthState) {
		return out, fault.New(fault.MCPServerNotActive, "nobody signs in to this connector: it works without").
			WithHint("it names no place to sign in; some services take an API key: showhow connector add --key")
	}
	if missing := s.keychain(); missing != nil { // said only where one is needed
		return out, missing
	}
	if err == nil && srv.Entry.AuthProfileID == "" {
		p, err = s.newProfile(ctx, &srv)
	}
	if err != nil {
		return out, err
	}
	state, verifier := random(), oauth2.GenerateVerifier()
	open, err := s.listen(hashed(state), id, p.RedirectURI)
	if err != nil {
		return out, err
	}
	w := pending{ServerID: id, ProfileID: p.AuthProfileID, Issuer: at.meta.Issuer, Endpoint: at.meta.TokenEndpoint, Revoke: at.revoke,
		SaysIss: at.saysIss, Redirect: open.redirect, Resource: at.resource, Named: at.named, Local: at.local, Plain: at.plain,
		Scopes:    scopesFor(q, p, append(at.wanted, s.o.Registry().WantedScopes(id)...), at.scopes),
		ExpiresAt: s.o.Now().Plus(life)}
	secret := ""
	if w.ClientID, secret, err = s.client(ctx, p, at, open.redirect); err == nil {
		w.Method = at.method(secret)
		err = s.begin(ctx, state, verifier, secret, w, out.CorrelationID)
	}
	if err != nil {
		open.close()
		return out, err
	}
	cfg := oauth2.Config{ClientID: w.ClientID, RedirectURL: w.Redirect, Scopes: w.Scopes,
		Endpoint: oauth2.Endpoint{AuthURL: at.meta.AuthorizationEndpoint}}
	out.AuthURL = cfg.AuthCodeURL(state, append(w.forResource(), oauth2.S256ChallengeOption(verifier))...)
	out.AuthorizationURL, out.AuthProfileID, out.Issuer, out.ExpiresAt = out.AuthURL, p.AuthProfileID, w.Issuer, w.ExpiresAt
	out.OAuthStateRef, out.PKCEVerifierRef = "state:"+hashed(state)[:16], "verifier:"+hashed(state)[:16]
	return out, nil
}

// given is the connector's auth profile, if it has one.
func (s *Service) given(ctx context.Context, srv *connector.Server) (connector.Profile, error) {
	if srv.Entry.AuthProfileID == "" {
		return connector.Profile{}, nil
	}
	p, err := s.o.Registry().Profile(ctx, srv.Entry.AuthProfileID)
	if err == nil && p.AuthMode != "oauth2_delegated" {
		err = fault.New(fault.MCPServerNotActive, "nobody signs in with this auth profile").WithHint("its mode is " + p.AuthMode)
	}
	return p, err
}

// newProfile makes the connector's auth profile, once it is known where a person signs in.
func (s *Service) newProfile(ctx context.Context, srv *connector.Server) (connector.Profile, error) {
	r := s.o.Registry()
	p, err := r.AddProfile(ctx, wire.MCPAuthProfileCreateRequest{Provider: srv.Entry.Provider, AuthMode: "oauth2_delegated",
		RefreshPolicy: "auto_if_refresh_token", SchemaVersion: 1})
	if err != nil {
		return p, err
	}
	_, err = r.Patch(ctx, srv.ID(), wire.MCPServerPatchRequest{AuthProfileID: &p.AuthProfileID, SchemaVersion: 1}, nil)
	return p, err
}

// begin stores what the answer will be checked against.
func (s *Service) begin(ctx context.Context, state, verifier, secret string, w pending, correlation string) error {
	ref := hashed(state)
	held, err := json.Marshal([]string{verifier, secret})
	if err != nil {
		return err
	}
	if err := s.o.Keychain.Set(ctx, "signin/"+ref, string(held)); err != nil {
		return err
	}
	return s.o.Store.Update(ctx, func(tx connector.Tx) error {
		if err := tx.PutRecord(connector.KindSignIn, ref, w); err != nil {
			return err
		}
		return tx.AddConnectorReceipt(connector.NewReceipt(s.o.NewID(), "auth_start", w.ServerID, "ok", "A sign-in was begun.", correlation,
			s.o.Now()))
	})
}

const beginAgain = "begin again: showhow connector login NAME"

// take ends a sign-in: whatever the outcome, its state cannot be used again.
func (s *Service) take(ctx context.Context, state string) (w pending, verifier, secret string, err error) {
	ref := hashed(state)
	ok := false
	err = s.o.Store.Update(ctx, func(tx connector.Tx) (err error) {
		if w, ok, err = connector.One[pending](tx, connector.KindSignIn, ref); err != nil || !ok {
			return err
		}
		return tx.DeleteRecord(connector.KindSignIn, ref)
	})
	if err != nil || !ok {
		return w, "", "", orElse(err, fault.New(fault.MCPOAuthStateInvalid, "this answer belongs to no sign-in that is open").
			WithHint(beginAgain))
	}
	held, err := s.o.Keychain.Get(ctx, "signin/"+ref)
	_ = s.o.Keychain.Delete(ctx, "signin/"+ref)
	var pair []string
	if err != nil || json.Unmarshal([]byte(held), &pair) != nil || len(pair) != 2 {
		return w, "", "", orElse(err, fault.New(fault.MCPOAuthStateInvalid, "what the sign-in was begun with is gone").WithHint(beginAgain))
	}
	if !s.o.Now().Before(w.ExpiresAt.Time) {
		return w, "", "", fault.New(fault.MCPOAuthCallbackExpired, "the sign-in took longer than ten minutes").
			WithHint(beginAgain)
	}
	return w, pair[0], pair[1], nil
}

func orElse(err, other error) error {
	if err != nil {
		return err
	}
	return other
}

// Callback processes the authorization server's answer.
func (s *Service) Callback(ctx context.Context, id string, q wire.MCPAuthCallbackQuery) (wire.MCPServerAuthStatus, error) {
	var none wire.MCPServerAuthStatus
	if err := s.keychain(); err != nil {
		return none, err
	}
	w, verifier, secret, err := s.take(ctx, q.State)
	if err != nil {
		return none, err
	}
	defer s.shut(hashed(q.State))
	err = s.finish(ctx, id, q, w, verifier, secret)
	status, text := "ok", "A person signed in to a connector."
	if err != nil {
		status, text = "failed", "A sign-in to a connector failed."
	}
	rec := connector.NewReceipt(s.o.NewID(), "auth_callback", w.ServerID, status, text, "", s.o.Now())
	if kept := s.o.Store.Update(ctx, func(tx connector.Tx) error { return tx.AddConnectorReceipt(rec) }); kept != nil || err != nil {
		return none, orElse(err, kept)
	}
	go s.test(w.ServerID)
	return s.o.Registry().AuthStatus(ctx, w.ServerID)
}

// test smoke-tests the connector, now that somebody is signed in.
func (s *Service) test(id string) {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	if _, err := s.o.Registry().SmokeTest(ctx, id, wire.MCPSmokeTestRequest{ServerID: id, SchemaVersion: 1}); err != nil {
		s.o.Log.Warn("a connector could not be looked at after a sign-in", "code", string(fault.CodeOf(err)))
	}
}

func (s *Service) finish(ctx context.Context, id string, q wire.MCPAuthCallbackQuery, w pending, verifier, secret string) error {
	switch {
	case id != w.ServerID:
		return fault.New(fault.MCPOAuthStateInvalid, "this answer belongs to another connector's sign-in").WithHint(beginAgain)
	case q.Issuer != "" && !w.from(q.Issuer), q.Issuer == "" && w.SaysIss:
		return fault.New(fault.MCPOAuthStateInvalid, "the answer comes from another authorization server than the one that was asked").
			WithHint(beginAgain)
	case q.Error != "" || q.Code == "":
		return exchangeFailed("refused", "the authorization server did not sign you in")
	}
	cfg := oauth2.Config{ClientID: w.ClientID, ClientSecret: secret, RedirectURL: w.Redirect, Endpoint: oauth2.Endpoint{TokenURL: w.Endpoint,
		AuthStyle: styleOf(w.Method)}}
	client, err := clientFor(w.Endpoint, w.Local)
	if err != nil {
		return err
	}
	tok, err := cfg.Exchange(context.WithValue(ctx, oauth2.HTTPClient, client), q.Code,
		append(w.forResource(), oauth2.VerifierOption(verifier))...)
	if err != nil {
		return exchangeFailed("exchange", "the authorization server gave no tokens")
	}
	granted := w.Scopes
	if said, ok := tok.Extra("scope").(string); ok && said != "" {
		granted = strings.Fields(said)
	}
	return s.keep(ctx, w.ProfileID, granted, tokens{Access: tok.AccessToken, Refresh: tok.RefreshToken, Expiry: tok.Expiry,
		Endpoint: w.Endpoint,
		Revoke:   w.Revoke, Issuer: w.Issuer, ClientID: w.ClientID, Secret: secret, Method: w.Method, Resource: w.Resource,
		Named: w.Named, Local: w.Local, Plain: w.Plain})
}

func exchangeFailed(reason, text string) error {
	return fault.New(fault.MCPOAuthExchangeFailed, text).WithDetail("reason", reason).WithHint(beginAgain)
}

// keep stores tokens in the keychain, and their public attributes in the profile.
func (s *Service) keep(ctx context.Context, profile string, scopes []string, t tokens, receipts ...connector.Receipt) error {
	p, err := s.o.Registry().Profile(ctx, profile)
	if err != nil {
		return err
	}
	b, err := json.Marshal(t)
	if err != nil {
		return err
	}
	ref := refOf(profile, t.Resource)
	if err := s.o.Keychain.Set(ctx, ref, string(b)); err != nil {
		return err
	}
	p.TokenRef, p.Status, p.LastAuthErrorCode, p.ExpiresAt, p.RefreshAt = ref, "healthy", "", nil, nil
	if scopes != nil {
		p.Scopes = slices.Clone(scopes)
	}
	if !t.Expiry.IsZero() {
		p.ExpiresAt = clock.At(t.Expiry).Ptr()
		p.RefreshAt = clock.At(t.Expiry.Add(-time.Minute)).Ptr()
	}
	return s.o.Registry().PutProfile(ctx, p, receipts...)
}

// load reads the tokens of a profile for a resource; ok is false when there are none.
func (s *Service) load(ctx context.Context, profile, resource string) (t tokens, ok bool, err error) {
	text, err := s.o.Keychain.Get(ctx, refOf(profile, resource))
	switch {
	case fault.Is(err, fault.NotFound):
		return t, false, nil
	case err != nil:
		return t, false, err
	}
	return t, json.Unmarshal([]byte(text), &t) == nil, nil
}

// Token is the access token for one connector. An expired token is renewed if the profile allows renewal without a
// person.
func (s *Service) Token(ctx context.Context, p connector.Profile, e connector.Entry) (string, error) {
	if e.M365 != nil && p.AuthMode == "oauth2_client_credentials" {
		return s.application(ctx, p, e)
	}
	if s.o.Keychain == nil || p.TokenRef == "" {
		if e.M365 != nil { // Microsoft answers nobody
			return "", s.trouble(ctx, p, orStatus(p.Status))
		}
		return "", nil
	}
	resource := resourceOf(e.EndpointURL)
	t, ok, err := s.load(ctx, p.AuthProfileID, resource)
	if err != nil || !ok {
		return "", err
	}
	if t.Expiry.IsZero() || s.o.Now().Before(t.Expiry.Add(-10*time.Second)) {
		return t.Access, nil
	}
	if p.RefreshPolicy != "auto_if_refresh_token" || t.Refresh == "" || p.Status == "revoked" {
		return "", s.trouble(ctx, p, "expired")
	}
	s.refresh.Lock()
	defer s.refresh.Unlock()
	if t, ok, err = s.load(ctx, p.AuthProfileID, resource); err != nil || !ok { // another call may have renewed it
		return "", err
	}
	if s.o.Now().Before(t.Expiry.Add(-10 * time.Second)) {
		return t.Access, nil
	}
	if t, err = s.renew(ctx, p, e.ServerID, t); err != nil {
		return "", err
	}
	return t.Access, nil
}

// trouble records that a person has to sign in.
func (s *Service) trouble(ctx context.Context, p connector.Profile, status string) error {
	if p.Status != status {
		p.Status = status
		rec := connector.NewReceipt(s.o.NewID(), "auth_refresh", "", "blocked", "A connector's sign-in is over.", "", s.o.Now())
		if err := s.o.Registry().PutProfile(context.WithoutCancel(ctx), p, rec); err != nil {
			return err
		}
	}
	return fault.New(fault.MCPAuthChallengeRequired, "the sign-in is over, and a person has to sign in again").
		WithHint("showhow connector login NAME")
}

// renew exchanges a refresh token. s.refresh is held.
func (s *Service) renew(ctx context.Context, p connector.Profile, server string, t tokens) (tokens, error) {
	client, err := clientFor(t.Endpoint, t.Local)
	if err != nil {
		return t, err
	}
	form := url.Values{"grant_type": {"refresh_token"}, "refresh_token": {t.Refresh}}
	if !t.Plain {
		form.Set("resource", audience(t.Named, t.Resource))
	}
	who := t.identify(form)
	var got struct {
		Access  string `json:"access_token"`
		Refresh string `json:"refresh_token"`
		Expires int64  `json:"expires_in"`
	}
	if err := post(ctx, client, t.Endpoint, who, form, &got); err != nil || got.Access == "" {
		if ctx.Err() != nil {
			return t, fault.Wrap(ctx.Err(), fault.Cancelled, "the renewal was cancelled")
		}
		return t, s.trouble(ctx, p, "challenge_required")
	}
	t.Access, t.Expiry, t.Renewed = got.Access, time.Time{}, s.o.Now().Time
	if got.Refresh != "" {
		t.Refresh = got.Refresh
	}
	if got.Expires > 0 {
		t.Expiry = s.o.Now().Add(time.Duration(got.Expires) * time.Second)
	}
	rec := connector.NewReceipt(s.o.NewID(), "auth_refresh", server, "ok", "A connector's tokens were renewed.", "", s.o.Now())
	return t, s.keep(context.WithoutCancel(ctx), p.AuthProfileID, nil, t, rec)
}

// Refresh renews the tokens at a person's request.
func (s *Service) Refresh(ctx context.Context, id string, force bool) (wire.MCPServerAuthStatus, error) {
	var none wire.MCPServerAuthStatus
	if err := s.keychain(); err != nil {
		return none, err
	}
	srv, p, err := s.both(ctx, id)
	if err != nil {
		return none, err
	}
	t, ok, err := s.load(ctx, p.AuthProfileID, resourceOf(srv.Entry.EndpointURL))
	if err != nil {
		return none, err
	}
	if p.RefreshPolicy == "deny" || !ok || t.Refresh == "" {
		return none, fault.New(fault.MCPOAuthRefreshNotOK,
			"these tokens cannot be renewed").WithHint("sign in again: showhow connector login NAME")
	}
	if force || t.Expiry.IsZero() || s.o.Now().After(t.Expiry.Add(-time.Minute)) {
		s.refresh.Lock()
		_, err = s.renew(ctx, p, id, t)
		s.refresh.Unlock()
		if err != nil {
			return none, err
		}
	}
	return s.o.Registry().AuthStatus(ctx, id)
}

func (s *Service) both(ctx context.Context, id string) (connector.Server, connector.Profile, error) {
	srv, err := s.o.Registry().Server(ctx, id)
	if err != nil {
		return srv, connector.Profile{}, err
	}
	if srv.Entry.AuthProfileID == "" {
		return srv, connector.Profile{}, fault.New(fault.NotFound, "nobody is signed in to this connector").
			WithHint("showhow connector login " + id)
	}
	p, err := s.o.Registry().Profile(ctx, srv.Entry.AuthProfileID)
	return srv, p, err
}

// Revoke deletes the tokens here, and revokes them at the authorization server when the person asks for it and the
// server supports it.
func (s *Service) Revoke(ctx context.Context, id string, q wire.MCPAuthRevokeRequest) (wire.MCPAuthRevokeResponse, error) {
	out := wire.MCPAuthRevokeResponse{ServerID: id, Status: "noop", SchemaVersion: 1}
	srv, p, err := s.both(ctx, id)
	if fault.Is(err, fault.NotFound) && srv.ID() != "" {
		return out, nil
	}
	if err != nil {
		return out, err
	}
	if err := s.keychain(); err != nil {
		return out, err
	}
	resource := resourceOf(srv.Entry.EndpointURL)
	t, ok, err := s.load(ctx, p.AuthProfileID, resource)
	if err != nil {
		return out, err
	}
	if !ok {
		if p.Status == "revoked" {
			out.Status = "already_revoked"
		}
		return out, nil
	}
	told := "ok"
	if q.RevokeRemote && t.Revoke != "" {
		for kind, token := range map[string]string{"refresh_token": t.Refresh, "access_token": t.Access} {
			if token == "" {
				continue
			}
			client, err := clientFor(t.Revoke, t.Local)
			if err == nil {
				form := url.Values{"token": {token}, "token_type_hint": {kind}}
				err = post(ctx, client, t.Revoke, t.identify(form), form, nil)
			}
			if err != nil {
				told = "degraded" // the local tokens are deleted all the same
			}
		}
	}
	if err := s.o.Keychain.Delete(ctx, refOf(p.AuthProfileID, resource)); err != nil && !fault.Is(err, fault.NotFound) {
		return out, err
	}
	p.Status, p.TokenRef, p.ExpiresAt, p.RefreshAt = "revoked", "", nil, nil
	rec := connector.NewReceipt(s.o.NewID(), "auth_revoke", id, told, "A connector's tokens were given up.", "", s.o.Now())
	out.Revoked, out.Status, out.ReceiptID = true, "revoked", rec.ReceiptID
	if err := s.o.Registry().PutProfile(ctx, p, rec); err != nil {
		return out, err
	}
	if q.KeepAuthProfile != nil && !*q.KeepAuthProfile {
		none := ""
		if _, err := s.o.Registry().Patch(ctx, id, wire.MCPServerPatchRequest{AuthProfileID: &none, SchemaVersion: 1}, nil); err != nil {
			return out, err
		}
		if _, err := s.o.Registry().DeleteProfile(ctx, p.AuthProfileID); err != nil && !fault.Is(err, fault.MCPAuthProfileInUse) {
			return out, err
		}
	}
	return out, nil
}

// challengePrefix starts the id of a connector's challenge: there is one at a time.
const challengePrefix = "challenge:"

// Respond answers a service's challenge. Approving leads to a sign-in, which Start begins.
func (s *Service) Respond(ctx context.Context, q wire.MCPAuthChallengeRespondRequest) (wire.MCPAuthChallengeRespondResponse, error) {
	out := wire.MCPAuthChallengeRespondResponse{ChallengeID: q.ChallengeID, SchemaVersion: 1}
	id, ok := strings.CutPrefix(q.ChallengeID, challengePrefix)
	if !ok {
		return out, fault.New(fault.NotFound, "no service asks for this").WithHint("`showhow connector list` shows which do")
	}
	r := s.o.Registry()
	if q.SelectedAuthProfileID != "" && q.Decision != "deny" {
		if _, err := r.Patch(ctx, id, wire.MCPServerPatchRequest{AuthProfileID: &q.SelectedAuthProfileID, SchemaVersion: 1}, nil); err != nil {
			return out, err
		}
	}
	out.ServerID = id
	switch q.Decision {
	case "approve":
		out.Resolution, out.NextStep, out.Accepted = "approved", "await_user_signin", true
	case "retry":
		test, err := r.SmokeTest(ctx, id, wire.MCPSmokeTestRequest{ServerID: id, SchemaVersion: 1})
		if err != nil {
			return out, err
		}
		out.Resolution, out.NextStep, out.Accepted, out.Resolved = "retried", "retry_connection", true, test.AuthOK
	default:
		off := false
		if _, err := r.Patch(ctx, id, wire.MCPServerPatchRequest{Enabled: &off, SchemaVersion: 1}, nil); err != nil {
			return out, err
		}
		out.Resolution, out.NextStep, out.Resolved = "denied", "closed", true
	}
	var err error
	out.AuthStatus, err = r.AuthStatus(ctx, id)
	return out, err
}

var _ http.Handler = (*callback)(nil)
