package remote

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/zitadel/oidc/v3/pkg/oidc"
	"github.com/zitadel/oidc/v3/pkg/op"

	"showhow/internal/fault"
)

// oauth decides what is granted. Package op parses the requests, checks redirect addresses and response types, and
// words the answers.
type oauth struct {
	op.UnimplementedServer
	h *house
}

func (h *house) newOAuth() http.Handler {
	e := op.Endpoints{Authorization: op.NewEndpoint(authorizePath), Token: op.NewEndpoint(tokenPath), Revocation: op.NewEndpoint(revokePath)}
	return op.RegisterServer(oauth{h: h}, e, op.WithServerCORSOptions(nil))
}

// metadata is RFC 8414's and OpenID's document.
func (h *house) metadata() any {
	u := h.settings.URL
	methods := []oidc.AuthMethod{oidc.AuthMethodNone, oidc.AuthMethodBasic, oidc.AuthMethodPost}
	return struct {
		oidc.DiscoveryConfiguration
		ISS bool `json:"authorization_response_iss_parameter_supported"`
	}{oidc.DiscoveryConfiguration{
		Issuer: u, AuthorizationEndpoint: u + authorizePath, TokenEndpoint: u + tokenPath, RevocationEndpoint: u + revokePath,
		RegistrationEndpoint: u + registerPath, JwksURI: u + jwksPath,
		ScopesSupported:        h.scopes(),
		ResponseTypesSupported: []string{"code"}, ResponseModesSupported: []string{"query"},
		GrantTypesSupported:   []oidc.GrantType{oidc.GrantTypeCode, oidc.GrantTypeRefreshToken, oidc.GrantTypeClientCredentials},
		SubjectTypesSupported: []string{"public"}, IDTokenSigningAlgValuesSupported: []string{"ES256"},
		TokenEndpointAuthMethodsSupported: methods, RevocationEndpointAuthMethodsSupported: methods,
		CodeChallengeMethodsSupported: []oidc.CodeChallengeMethod{oidc.CodeChallengeMethodS256},
	}, true}
}

// resource is RFC 9728's document of one resource.
func (h *house) resource(path string) any {
	return map[string]any{"resource": h.settings.URL + path, "authorization_servers": []string{h.settings.URL},
		"scopes_supported": scopesOf(path), "bearer_methods_supported": []string{"header"}, "resource_name": "Showhow"}
}

// client is a Client as package op sees it.
type client struct {
	Client
	home string
}

func (c client) GetID() string                       { return c.ClientID }
func (c client) RedirectURIs() []string              { return c.Redirects }
func (c client) PostLogoutRedirectURIs() []string    { return nil }
func (c client) ApplicationType() op.ApplicationType { return op.ApplicationTypeNative }
func (c client) ResponseTypes() []oidc.ResponseType {
	return []oidc.ResponseType{oidc.ResponseTypeCode}
}
func (c client) LoginURL(id string) string            { return c.home + consentPath + "?id=" + id }
func (c client) AccessTokenType() op.AccessTokenType  { return op.AccessTokenTypeBearer }
func (c client) IDTokenLifetime() time.Duration       { return 0 }
func (c client) DevMode() bool                        { return false }
func (c client) IsScopeAllowed(string) bool           { return true } // Authorize tells which it does not know
func (c client) IDTokenUserinfoClaimsAssertion() bool { return false }
func (c client) ClockSkew() time.Duration             { return 0 }

func (c client) AuthMethod() oidc.AuthMethod { return oidc.AuthMethod(c.Client.AuthMethod) }

func (c client) GrantTypes() []oidc.GrantType {
	if c.Machine != "" {
		return []oidc.GrantType{oidc.GrantTypeClientCredentials}
	}
	return []oidc.GrantType{oidc.GrantTypeCode, oidc.GrantTypeRefreshToken}
}

func (c client) RestrictAdditionalIdTokenScopes() func([]string) []string     { return none }
func (c client) RestrictAdditionalAccessTokenScopes() func([]string) []string { return none }

func none([]string) []string { return nil }

func (s *Service) client(ctx context.Context, id string) (c Client, ok bool, err error) {
	err = s.o.Store.View(ctx, func(tx Tx) error { c, ok, err = tx.RemoteClient(id); return err })
	if ok && c.Machine == "" && !c.LetIn && s.o.Now().Sub(c.CreatedAt.Time) > unusedLife {
		ok = false
	}
	return c, ok, err
}

// down hides what went wrong here from the caller.
func (o oauth) down(err error) error {
	var known *oidc.Error
	if errors.As(err, &known) {
		return err
	}
	o.h.s.o.Log.Warn("a remote caller's sign-in failed", "code", string(fault.CodeOf(err)))
	return oidc.ErrServerError().WithDescription("try again later")
}

func (o oauth) known(ctx context.Context, id string) (client, error) {
	c, ok, err := o.h.s.client(ctx, id)
	if err != nil {
		return client{}, o.down(err)
	}
	if !ok || id == "" {
		return client{}, oidc.ErrInvalidClient().WithDescription("no such client is registered")
	}
	return client{c, o.h.settings.URL}, nil
}

// VerifyAuthRequest finds the client.
func (o oauth) VerifyAuthRequest(ctx context.Context, r *op.Request[oidc.AuthRequest]) (*op.ClientRequest[oidc.AuthRequest], error) {
	c, err := o.known(ctx, r.Data.ClientID)
	if err != nil {
		return nil, err
	}
	if c.Machine != "" {
		return nil, oidc.ErrUnauthorizedClient().WithDescription("a machine signs in with its secret")
	}
	// the port of a loopback address is the client's to choose, nothing else
	if r.Data.RedirectURI != "" && !redirectAllowed(r.Data.RedirectURI) {
		return nil, oidc.ErrInvalidRequestRedirectURI().WithDescription("the redirect_uri is not one that could be registered")
	}
	if len(r.Data.Scopes) == 0 {
		r.Data.Scopes = identity[:1] // the least scope of the resource
	}
	return &op.ClientRequest[oidc.AuthRequest]{Request: r, Client: c}, nil
}

func invalidTarget() error {
	return &oidc.Error{ErrorType: "invalid_target", Description: "the resource is none of this server's, or not the one that was granted"}
}

// Authorize makes the request wait for a person.
func (o oauth) Authorize(ctx context.Context, r *op.ClientRequest[oidc.AuthRequest]) (*op.Redirect, error) {
	q, named := r.Data, ""
	switch target := r.Form.Get("resource"); target {
	case "", o.h.settings.URL, o.h.settings.URL + "/":
	default:
		named = strings.TrimPrefix(target, o.h.settings.URL)
		if named == target || !slices.Contains(o.h.resources(), named) {
			return nil, invalidTarget()
		}
	}
	switch {
	case q.RequestParam != "" || r.Form.Get("request_uri") != "":
		return nil, oidc.ErrRequestNotSupported()
	case q.CodeChallengeMethod != oidc.CodeChallengeMethodS256:
		return nil, oidc.ErrInvalidRequest().WithDescription("PKCE with code_challenge_method S256 is required")
	case len(q.CodeChallenge) != 43:
		return nil, oidc.ErrInvalidRequest().WithDescription("code_challenge is not that of S256")
	case q.ResponseMode != "" && q.ResponseMode != "query":
		return nil, oidc.ErrInvalidRequest().WithDescription("the answer is in the query alone")
	case len(q.State) > 2000:
		return nil, oidc.ErrInvalidRequest().WithDescription("the state is too long")
	case slices.Contains(q.Prompt, oidc.PromptNone):
		return nil, oidc.ErrInteractionRequired().WithDescription("a person is always asked")
	}
	path, scopes, ok := asked(q.Scopes, named)
	if !slices.Contains(o.h.resources(), path) {
		return nil, oidc.ErrInvalidScope().WithDescription("callers are not answered at %s here", path)
	}
	if !ok {
		return nil, oidc.ErrInvalidScope().WithDescription("one sign-in is for one address: at %s it may ask for %s, and needs the first; "+
			"sign in once more for another address", path, strings.Join(scopesOf(path), ", "))
	}
	c := r.Client.(client)
	id, cookie, ok := o.h.wait(c.Client, q, scopes, o.h.settings.URL+path, fromOf(ctx))
	if !ok {
		return nil, &oidc.Error{ErrorType: "temporarily_unavailable", Description: "too many sign-ins wait for a person"}
	}
	to := op.NewRedirect(c.LoginURL(id))
	to.Header.Set("Set-Cookie", cookie.String())
	return to, nil
}

// VerifyClient authenticates a client at the token and revocation endpoints.
func (o oauth) VerifyClient(ctx context.Context, r *op.Request[op.ClientCredentials]) (op.Client, error) {
	c, err := o.known(ctx, r.Data.ClientID)
	if err != nil {
		return nil, err
	}
	if r.Data.ClientAssertion != "" || c.Client.AuthMethod != "none" && !sameSecret(c.SecretHash, r.Data.ClientSecret) {
		return nil, oidc.ErrInvalidClient().WithDescription("the client's secret is wrong")
	}
	return c, nil
}

func granted(access, refresh string, life time.Duration, scopes []string) *op.Response {
	r := op.NewResponse(&oidc.AccessTokenResponse{AccessToken: access, RefreshToken: refresh, TokenType: oidc.BearerToken,
		ExpiresIn: uint64(life / time.Second), Scope: scopes})
	r.Header.Set("Cache-Control", "no-store")
	return r
}

// CodeExchange gives tokens for a code, once.
func (o oauth) CodeExchange(ctx context.Context, r *op.ClientRequest[oidc.AccessTokenRequest]) (*op.Response, error) {
	no := oidc.ErrInvalidGrant().WithDescription("the code is wrong, was used, has expired or belongs to another request")
	x, again := o.h.redeem(r.Data.Code)
	if again != "" { // somebody else has it too
		return nil, cmpErr(o.h.s.end(ctx, again, tokenReused, "A code came a second time: the caller was shut out."), no, o)
	}
	if x == nil || x.client != r.Client.GetID() || x.redirect != r.Data.RedirectURI {
		return nil, no
	}
	if len(r.Data.CodeVerifier) < 43 || len(r.Data.CodeVerifier) > 128 {
		return nil, no
	}
	if err := op.AuthorizeCodeChallenge(r.Data.CodeVerifier, &oidc.CodeChallenge{Challenge: x.challenge,
		Method: oidc.CodeChallengeMethodS256}); err != nil {
		return nil, no
	}
	if target := r.Form.Get("resource"); !isTarget(o.h.settings.URL, target, x.caller.Resource) {
		return nil, invalidTarget()
	}
	var access, refresh string
	err := o.h.s.o.Store.Update(ctx, func(tx Tx) error {
		c, ok, err := tx.RemoteCaller(x.caller.CallerID)
		if err != nil {
			return err
		}
		if !ok || c.RevokedAt != nil {
			return no
		}
		if access, refresh, err = o.h.s.issue(tx, &c, c.Scopes, c.Scopes); err != nil {
			return err
		}
		return o.h.s.note(tx, signedIn, "A caller from elsewhere signed in.", c.Name, map[string]any{"caller_id": c.CallerID})
	})
	if err != nil {
		return nil, o.down(err)
	}
	return granted(access, refresh, accessLife, x.caller.Scopes), nil
}

// isTarget reports whether a token request's resource is the granted one, at the server with that address.
func isTarget(home, named, resource string) bool {
	return named == "" || named == resource || named == home || named == home+"/"
}

func cmpErr(err error, otherwise error, o oauth) error {
	if err != nil {
		return o.down(err)
	}
	return otherwise
}

// RefreshToken exchanges a refresh token. The old one is remembered until it expires: if it comes again, somebody has
// a copy, and the caller is shut out.
func (o oauth) RefreshToken(ctx context.Context, r *op.ClientRequest[oidc.RefreshTokenRequest]) (*op.Response, error) {
	no := oidc.ErrInvalidGrant().WithDescription("the refresh token is wrong, was used, has expired or was revoked")
	var access, refresh, reused string
	var scopes []string
	err := o.h.s.o.Store.Update(ctx, func(tx Tx) error {
		reused = ""
		t, ok, err := tx.RemoteToken(nameOf(r.Data.RefreshToken))
		if err != nil {
			return err
		}
		if !ok || !t.Refresh || !t.ExpiresAt.After(o.h.s.o.Now().Time) {
			return no
		}
		c, ok, err := tx.RemoteCaller(t.CallerID)
		if err != nil {
			return err
		}
		if !ok || c.RevokedAt != nil || c.ClientID != r.Client.GetID() {
			return no
		}
		if t.Used {
			reused = c.CallerID
			return no
		}
		if !isTarget(o.h.settings.URL, r.Form.Get("resource"), c.Resource) {
			return invalidTarget()
		}
		if scopes = t.Scopes; len(r.Data.Scopes) > 0 {
			path, here := strings.CutPrefix(c.Resource, o.h.settings.URL)
			_, want, ok := asked(r.Data.Scopes, path)
			if !here || !ok || !within(want, t.Scopes) {
				return oidc.ErrInvalidScope().WithDescription("a refresh never widens; sign in again and ask for the scope")
			}
			scopes = want
		}
		t.Used = true
		if err := tx.PutRemoteToken(t); err != nil {
			return err
		}
		access, refresh, err = o.h.s.issue(tx, &c, scopes, t.Scopes)
		return err
	})
	if reused != "" {
		return nil, cmpErr(o.h.s.end(ctx, reused, tokenReused, "A refresh token came a second time: the caller was shut out."), no, o)
	}
	if err != nil {
		return nil, o.down(err)
	}
	return granted(access, refresh, accessLife, scopes), nil
}

// machineGrant is the token of a machine. resource is the one that the request names, "" for none.
func (h *house) machineGrant(ctx context.Context, m Client, want []string, resource string) (*oidc.AccessTokenResponse, error) {
	var c Caller
	var ok bool
	if err := h.s.o.Store.View(ctx, func(tx Tx) (err error) { c, ok, err = tx.RemoteCaller(m.Machine); return err }); err != nil {
		return nil, err
	}
	scopes := c.Scopes
	if len(want) > 0 {
		scopes = want
	}
	if !ok || c.RevokedAt != nil || !within(scopes, c.Scopes) {
		return nil, oidc.ErrInvalidScope().WithDescription("these scopes were not granted")
	}
	if !isTarget(h.settings.URL, resource, c.Resource) {
		return nil, invalidTarget()
	}
	token, err := h.machineToken(ctx, c, scopes)
	return &oidc.AccessTokenResponse{AccessToken: token, TokenType: oidc.BearerToken, ExpiresIn: uint64(machineLife / time.Second),
		Scope: scopes}, err
}

// ClientCredentialsExchange is machineGrant at the token endpoint.
func (o oauth) ClientCredentialsExchange(ctx context.Context, r *op.ClientRequest[oidc.ClientCredentialsRequest]) (*op.Response, error) {
	out, err := o.h.machineGrant(ctx, r.Client.(client).Client, r.Data.Scope, r.Form.Get("resource"))
	if err != nil {
		return nil, o.down(err)
	}
	return op.NewResponse(out), nil
}

// Revocation ends a token (RFC 7009); a refresh token takes the access tokens with it. It does not tell whether there
// was one.
func (o oauth) Revocation(ctx context.Context, r *op.ClientRequest[oidc.RevocationRequest]) (*op.Response, error) {
	cut := ""
	err := o.h.s.o.Store.Update(ctx, func(tx Tx) error {
		t, ok, err := tx.RemoteToken(nameOf(r.Data.Token))
		if err != nil || !ok {
			return err
		}
		c, ok, err := tx.RemoteCaller(t.CallerID)
		if err != nil || !ok || c.ClientID != r.Client.GetID() {
			return err
		}
		cut = c.CallerID
		if t.Refresh {
			return tx.DeleteRemoteTokens(c.CallerID)
		}
		return tx.DeleteRemoteToken(t.Hash)
	})
	if err != nil {
		return nil, o.down(err)
	}
	if cut != "" {
		o.h.cut(cut)
	}
	return op.NewResponse(json.RawMessage("{}")), nil
}
