package signin

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/oauthex"
	"golang.org/x/oauth2"

	"showhow/daemon/connector"
	"showhow/daemon/connector/link"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// found is the result of discovery: where a person signs in.
type found struct {
	meta     *oauthex.AuthServerMeta
	resource string   // the resource that the tokens are stored under
	named    string   // as the service names itself, exactly
	scopes   []string // that the service has
	wanted   []string // that it named when it asked for a sign-in
	revoke   string
	saysIss  bool
	local    bool // the service is on this computer, and so may be what it names
	plain    bool // no resource parameter is sent
}

// resourceOf is a service's resource identifier in tokens (RFC 8707): its address without a trailing slash.
func resourceOf(endpoint string) string {
	u, err := url.Parse(endpoint)
	if err != nil {
		return endpoint
	}
	u.Fragment = ""
	u.Scheme, u.Host = strings.ToLower(u.Scheme), strings.ToLower(u.Host)
	return strings.TrimSuffix(u.String(), "/")
}

// clientFor makes a client for an address that a service named: https, or this computer when the service is on it.
func clientFor(raw string, local bool) (*http.Client, error) {
	u, err := link.Address(raw)
	if err != nil {
		return nil, err
	}
	if link.Local(u) && !local {
		return nil, fault.New(fault.ConnectorAddress, "the service wants Showhow to connect to this computer").WithDetail("reason",
			"forbidden_address")
	}
	return &http.Client{Transport: link.Transport(u), CheckRedirect: link.SameOrigin, Timeout: 20 * time.Second}, nil
}

// anywhere is a client for addresses that are not known beforehand: each is checked when requested.
func anywhere(local bool) *http.Client {
	return &http.Client{Timeout: 20 * time.Second, CheckRedirect: link.SameOrigin,
		Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
			c, err := clientFor(r.URL.String(), local)
			if err != nil {
				return nil, err
			}
			res, err := c.Transport.RoundTrip(r)
			if err == nil {
				res.Body = struct {
					io.Reader
					io.Closer
				}{io.LimitReader(res.Body, maxMetadata), res.Body}
			}
			return res, err
		})}
}

const maxMetadata = 256 << 10

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// discover finds where to sign in. agreed is the authorization server that the person was shown.
func (s *Service) discover(ctx context.Context, e connector.Entry, agreed string) (*found, error) {
	u, err := link.Address(e.EndpointURL)
	if err != nil {
		return nil, err
	}
	out := &found{resource: resourceOf(e.EndpointURL), local: link.Local(u)}
	out.named = out.resource
	client := anywhere(out.local)
	issuer := ""
	places, wanted := metadataURLs(ctx, client, u)
	out.wanted = wanted
	for _, at := range places {
		m, err := oauthex.GetProtectedResourceMetadata(ctx, at, e.EndpointURL, client)
		if err != nil && strings.HasSuffix(at, wellKnown) { // there a service speaks for its whole host
			m, err = oauthex.GetProtectedResourceMetadata(ctx, at, u.Scheme+"://"+u.Host, client)
		}
		if err != nil || m == nil || len(m.AuthorizationServers) == 0 {
			continue
		}
		issuer, out.scopes = m.AuthorizationServers[0], m.ScopesSupported
		if m.Resource != "" {
			out.named = m.Resource
		}
		break
	}
	if issuer == "" { // services of an older revision are their own authorization server
		issuer = u.Scheme + "://" + u.Host
	}
	at, err := url.Parse(issuer)
	if err != nil {
		return nil, nowhere()
	}
	if at.Host != u.Host && agreed != issuer {
		return nil, fault.New(fault.MCPAuthChallengeRequired, "the service has you sign in at another host: look at it, and agree").
			WithDetail("issuer", issuer).WithDetail("reason", "confirm_issuer").WithHint("the sign-in takes confirm_issuer")
	}
	out.meta, err = auth.GetAuthServerMetadata(ctx, issuer, client)
	if err != nil || out.meta == nil {
		return nil, nowhere()
	}
	for _, address := range []string{out.meta.AuthorizationEndpoint, out.meta.TokenEndpoint} {
		if _, err := clientFor(address, out.local); err != nil {
			return nil, err
		}
	}
	out.revoke, out.saysIss = out.meta.RevocationEndpoint, out.meta.AuthorizationResponseIssParameterSupported
	return out, nil
}

// errNowhere is within the error of a service that names no place to sign in.
var errNowhere = errors.New("no authorization server")

func nowhere() error {
	return fault.Wrap(errNowhere, fault.ConnectorUnreachable, "the service does not say where to sign in").
		WithDetail("reason", "no_authorization_server").WithHint("some services take an API key instead: showhow connector add --header")
}

const wellKnown = "/.well-known/oauth-protected-resource"

// metadataURLs lists where a service publishes its protected resource metadata: the URL in its challenge, then the
// well-known places. wanted are the scopes that the challenge asks for.
func metadataURLs(ctx context.Context, client *http.Client, u *url.URL) (out, wanted []string) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, u.String(), strings.NewReader("{}"))
	if err == nil {
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "application/json, text/event-stream")
		if res, err := client.Do(req); err == nil {
			res.Body.Close()
			challenges, _ := oauthex.ParseWWWAuthenticate(res.Header.Values("WWW-Authenticate"))
			for _, c := range challenges {
				if at := c.Params["resource_metadata"]; at != "" {
					out = append(out, at)
				}
				wanted = append(wanted, strings.Fields(c.Params["scope"])...)
			}
		}
	}
	base := u.Scheme + "://" + u.Host + wellKnown
	if p := strings.Trim(u.Path, "/"); p != "" {
		out = append(out, base+"/"+p)
	}
	return append(out, base), wanted
}

// audience is the resource that tokens are requested for.
func audience(named, resource string) string {
	if named == "" {
		return resource // begun or stored before the service published its own name
	}
	return named
}

// Client authentication methods at the token endpoint.
const (
	asNobody = "none"
	asBasic  = "client_secret_basic"
	asPost   = "client_secret_post"
)

// method is the authentication method to use with the authorization server; a client without a secret only sends its
// id.
func (f *found) method(secret string) string {
	takes := f.meta.TokenEndpointAuthMethodsSupported
	switch {
	case secret == "":
		return asNobody
	case len(takes) == 0, slices.Contains(takes, asBasic):
		return asBasic
	case slices.Contains(takes, asPost):
		return asPost
	}
	return asNobody
}

// registers is the authentication method to register with: without a secret wherever that is accepted.
func (f *found) registers() string {
	takes := f.meta.TokenEndpointAuthMethodsSupported
	if len(takes) == 0 || slices.Contains(takes, asNobody) {
		return asNobody
	}
	return f.method("one")
}

// styleOf maps a method to the oauth2 package's style.
func styleOf(method string) oauth2.AuthStyle {
	if method == asBasic {
		return oauth2.AuthStyleInHeader
	}
	return oauth2.AuthStyleInParams
}

// identify adds the client's identity to a request.
func (t tokens) identify(form url.Values) (basic *url.Userinfo) {
	form.Set("client_id", t.ClientID)
	switch {
	case t.Secret == "" || t.Method == asNobody:
	case t.Method == asBasic:
		return url.UserPassword(url.QueryEscape(t.ClientID), url.QueryEscape(t.Secret))
	default: // stored before methods were recorded
		form.Set("client_secret", t.Secret)
	}
	return nil
}

// client is Showhow's client at the authorization server: as configured, or else registered for this sign-in.
func (s *Service) client(ctx context.Context, p connector.Profile, at *found, redirect string) (id, secret string, err error) {
	if p.ClientID != "" {
		if strings.HasPrefix(p.ClientID, "https://") && !at.meta.ClientIDMetadataDocumentSupported {
			return "", "", fault.New(fault.MCPAuthChallengeRequired, "the authorization server reads no client id metadata document, and the "+
				"connector's client id is the address of one").WithDetail("reason", "client_id_address").
				WithHint("connect the service without --client-id, and Showhow registers there; or register a client there and name its id")
		}
		if p.SecretRef != "" && s.o.Secret != nil {
			secret, err = s.o.Secret(ctx, p.SecretRef)
		}
		return p.ClientID, secret, err
	}
	if at.meta.RegistrationEndpoint == "" {
		return "", "", fault.New(fault.MCPAuthChallengeRequired, "the authorization server wants to know Showhow beforehand").
			WithDetail("reason", "client_id_needed").WithHint("register a client there, and name it: showhow connector add --client-id ID")
	}
	r, err := oauthex.RegisterClient(ctx, at.meta.RegistrationEndpoint, &oauthex.ClientRegistrationMetadata{RedirectURIs: []string{redirect},
		ClientName: "Showhow", ApplicationType: "native", TokenEndpointAuthMethod: at.registers(), ResponseTypes: []string{"code"},
		GrantTypes: []string{"authorization_code", "refresh_token"}}, anywhere(at.local))
	if err != nil {
		return "", "", exchangeFailed("registration", "the authorization server does not take Showhow as a client")
	}
	return r.ClientID, r.ClientSecret, nil
}

// scopesFor chooses the scopes to request: the caller's, or else the auth profile's and those the service demands, or
// else all that the service offers.
func scopesFor(q wire.MCPAuthStartRequest, p connector.Profile, wanted, offered []string) []string {
	if len(q.RequestedScopesOverride) > 0 {
		return q.RequestedScopesOverride
	}
	out := slices.Clone(p.Scopes)
	for _, s := range wanted {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	if len(out) == 0 {
		return offered
	}
	return out
}

// post sends a form and reads JSON.
func post(ctx context.Context, c *http.Client, to string, who *url.Userinfo, form url.Values, v any) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, to, strings.NewReader(form.Encode()))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("Accept", "application/json")
	if who != nil {
		secret, _ := who.Password()
		req.SetBasicAuth(who.Username(), secret)
	}
	res, err := c.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode >= 300 {
		return exchangeFailed("status", "the authorization server said no")
	}
	if v == nil {
		return nil
	}
	return json.NewDecoder(io.LimitReader(res.Body, maxMetadata)).Decode(v)
}
