package signin

import (
	"context"
	"encoding/json"
	"net/url"
	"time"

	"github.com/modelcontextprotocol/go-sdk/oauthex"
	"golang.org/x/oauth2"

	"showhow/daemon/connector"
	"showhow/daemon/connector/link"
	"showhow/daemon/m365"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

// place is where a person signs in: for Microsoft 365 where its cloud has its accounts (DOC3 0.2E), for any other service
// what it says itself.
func (s *Service) place(ctx context.Context, e connector.Entry, p connector.Profile, agreed string) (*found, error) {
	if e.M365 == nil {
		return s.discover(ctx, e, agreed)
	}
	authorize, token, err := m365.Authority(e.EndpointURL, p.TenantID)
	if err != nil {
		return nil, err
	}
	u, err := link.Address(e.EndpointURL)
	if err != nil {
		return nil, err
	}
	out := &found{resource: resourceOf(e.EndpointURL), local: link.Local(u), plain: true,
		meta: &oauthex.AuthServerMeta{AuthorizationEndpoint: authorize, TokenEndpoint: token,
			TokenEndpointAuthMethodsSupported: []string{asPost, asNobody}},
		wanted: append([]string{"offline_access"}, e.M365.RequestedScopes...)} // offline_access: a refresh token
	out.named = out.resource
	for _, address := range []string{authorize, token} {
		if _, err := clientFor(address, out.local); err != nil {
			return nil, err
		}
	}
	at, err := url.Parse(authorize)
	if err == nil {
		out.meta.Issuer = at.Scheme + "://" + at.Host
	}
	return out, err
}

// forResource names the resource to the authorization server, where it takes that.
func (w pending) forResource() []oauth2.AuthCodeOption {
	if w.Plain {
		return nil
	}
	return []oauth2.AuthCodeOption{oauth2.SetAuthURLParam("resource", audience(w.Named, w.Resource))}
}

// from reports whether an answer's issuer may be the server that was asked. Microsoft's names the tenant that the person
// belongs to, which is not known before.
func (w pending) from(issuer string) bool {
	if !w.Plain {
		return issuer == w.Issuer
	}
	u, err := url.Parse(issuer)
	return err == nil && u.Scheme+"://"+u.Host == w.Issuer
}

func orStatus(status string) string {
	if connector.Trouble(status) {
		return status
	}
	return "challenge_required"
}

// renewedOnce is how long tokens that were just renewed are not renewed again when they are refused: a call has one
// attempt, also if it began by renewing what was over.
const renewedOnce = 30 * time.Second

// Renew renews tokens after the service refused an access token that was not over: once, and only if the auth profile
// allows it. Where another call has renewed them meanwhile, there is nothing to do.
func (s *Service) Renew(ctx context.Context, p connector.Profile, e connector.Entry, refused string) error {
	if s.o.Keychain == nil {
		return s.trouble(ctx, p, "challenge_required")
	}
	s.refresh.Lock()
	defer s.refresh.Unlock()
	t, ok, err := s.load(ctx, p.AuthProfileID, resourceOf(e.EndpointURL))
	if err != nil || ok && t.Access != refused {
		return err
	}
	if p.AuthMode == "oauth2_client_credentials" {
		_, err := s.asApplication(ctx, p, e)
		return err
	}
	if now, err := s.o.Registry().Profile(ctx, p.AuthProfileID); err == nil {
		p = now
	}
	if justRenewed := ok && !t.Renewed.IsZero() && s.o.Now().Sub(t.Renewed) < renewedOnce; justRenewed {
		return s.trouble(ctx, p, "challenge_required") // what this very call renewed was refused, too
	}
	if !ok || t.Refresh == "" || p.RefreshPolicy != "auto_if_refresh_token" || p.Status == "revoked" {
		return s.trouble(ctx, p, orStatus(p.Status))
	}
	_, err = s.renew(ctx, p, e.ServerID, t)
	return err
}

// application is the access token of an application, which signs in by itself (background_service).
func (s *Service) application(ctx context.Context, p connector.Profile, e connector.Entry) (string, error) {
	if err := s.keychain(); err != nil {
		return "", err
	}
	s.refresh.Lock()
	defer s.refresh.Unlock()
	t, ok, err := s.load(ctx, p.AuthProfileID, resourceOf(e.EndpointURL))
	if err != nil {
		return "", err
	}
	if ok && s.o.Now().Before(t.Expiry.Add(-time.Minute)) {
		return t.Access, nil
	}
	return s.asApplication(ctx, p, e)
}

// asApplication signs an application in. s.refresh is held.
func (s *Service) asApplication(ctx context.Context, p connector.Profile, e connector.Entry) (string, error) {
	at, err := s.place(ctx, e, p, "")
	if err != nil {
		return "", err
	}
	secret := ""
	if s.o.Secret != nil && p.SecretRef != "" {
		if secret, err = s.o.Secret(ctx, p.SecretRef); err != nil {
			return "", err
		}
	}
	client, err := clientFor(at.meta.TokenEndpoint, at.local)
	if err != nil {
		return "", err
	}
	u, err := url.Parse(e.EndpointURL)
	if err != nil {
		return "", err
	}
	form := url.Values{"grant_type": {"client_credentials"}, "client_id": {p.ClientID}, "client_secret": {secret},
		"scope": {u.Scheme + "://" + u.Host + "/.default"}}
	var got struct {
		Access  string `json:"access_token"`
		Expires int64  `json:"expires_in"`
	}
	if err := post(ctx, client, at.meta.TokenEndpoint, nil, form, &got); err != nil || got.Access == "" {
		if ctx.Err() != nil {
			return "", fault.Wrap(ctx.Err(), fault.Cancelled, "the sign-in was cancelled")
		}
		return "", s.trouble(ctx, p, "challenge_required")
	}
	t := tokens{Access: got.Access, Expiry: s.o.Now().Add(time.Duration(got.Expires) * time.Second), Endpoint: at.meta.TokenEndpoint,
		ClientID: p.ClientID, Resource: at.resource, Local: at.local, Plain: true}
	b, err := json.Marshal(t)
	if err == nil {
		err = s.o.Keychain.Set(ctx, refOf(p.AuthProfileID, at.resource), string(b))
	}
	if err != nil {
		return "", err
	}
	p.TokenRef, p.Status, p.LastAuthErrorCode = refOf(p.AuthProfileID, at.resource), "healthy", ""
	p.ExpiresAt, p.RefreshAt = clock.At(t.Expiry).Ptr(), nil
	rec := connector.NewReceipt(s.o.NewID(), "auth_refresh", e.ServerID, "ok", "An application signed in to a connector.", "", s.o.Now())
	return t.Access, s.o.Registry().PutProfile(context.WithoutCancel(ctx), p, rec)
}
