package remote

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"github.com/zitadel/oidc/v3/pkg/oidc"

	"showhow/internal/plain"
)

// registration is what RFC 7591 has that matters here; everything else is ignored.
type registration struct {
	ClientID     string   `json:"client_id,omitempty"`
	ClientSecret string   `json:"client_secret,omitempty"`
	IssuedAt     int64    `json:"client_id_issued_at,omitempty"`
	ExpiresAt    *int64   `json:"client_secret_expires_at,omitempty"` // 0: never
	Name         string   `json:"client_name,omitempty"`
	Redirects    []string `json:"redirect_uris"`
	AuthMethod   string   `json:"token_endpoint_auth_method,omitempty"`
	Grants       []string `json:"grant_types,omitempty"`
	Responses    []string `json:"response_types,omitempty"`
	Scope        string   `json:"scope,omitempty"`
}

// redirectAllowed says whether codes may be sent to an address: https, or http on loopback (RFC 8252), as it stands.
func redirectAllowed(s string) bool {
	u, err := url.Parse(s)
	if err != nil || len(s) > 500 || u.Host == "" || u.User != nil || u.Fragment != "" || strings.Contains(s, "#") || u.Opaque != "" {
		return false
	}
	if strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r > '~' || r == '\\' || r == '*' }) {
		return false
	}
	return u.Scheme == "https" || u.Scheme == "http" && loopback(u.Hostname())
}

// register takes a program's registration (RFC 7591). It lets nobody in: a person does.
func (h *house) register(w http.ResponseWriter, r *http.Request) {
	if wait, ok := h.limits.take(h.s.o.Now().Time, "register "+addressOf(r), registerRate); !ok {
		slowDown(w, wait)
		return
	}
	var q registration
	if !readJSON(r, &q) {
		refuse(w, http.StatusBadRequest, "invalid_client_metadata", "the body is a JSON object of at most 16 KiB")
		return
	}
	if len(q.Redirects) == 0 || len(q.Redirects) > maxRedirect || slices.ContainsFunc(q.Redirects,
		func(u string) bool { return !redirectAllowed(u) }) {
		refuse(w, http.StatusBadRequest, "invalid_redirect_uri",
			"one to five addresses: https, or http on loopback; no fragment, user or wildcard")
		return
	}
	if q.AuthMethod == "" {
		q.AuthMethod = "client_secret_basic"
	}
	if !slices.Contains([]string{"none", "client_secret_basic", "client_secret_post"}, q.AuthMethod) {
		refuse(w, http.StatusBadRequest, "invalid_client_metadata",
			"token_endpoint_auth_method is none, client_secret_basic or client_secret_post")
		return
	}
	if len(q.Grants) > 0 && !slices.Contains(q.Grants, "authorization_code") ||
		len(q.Responses) > 0 && !slices.Contains(q.Responses, "code") {
		refuse(w, http.StatusBadRequest, "invalid_client_metadata", "only the authorization code is granted here")
		return
	}
	now := h.s.o.Now()
	c := Client{ClientID: "cl_" + h.s.o.NewID(), Name: nameShown(q.Name), Redirects: q.Redirects, AuthMethod: q.AuthMethod, CreatedAt: now,
		From: addressOf(r)}
	secret := ""
	if q.AuthMethod != "none" {
		secret = newToken("cs_")
		c.SecretHash = hashOf(secret)
	}
	full := false
	err := h.s.o.Store.Update(r.Context(), func(tx Tx) error {
		all, err := tx.RemoteClients()
		if err != nil {
			return err
		}
		callers, err := tx.RemoteCallers()
		if err != nil {
			return err
		}
		live := map[string]bool{}
		for _, o := range callers {
			live[o.ClientID] = live[o.ClientID] || o.RevokedAt == nil
		}
		count, unused, its := 0, 0, 0
		for _, o := range all {
			if o.Machine == "" && !live[o.ClientID] && now.Sub(o.CreatedAt.Time) > unusedLife {
				if err := tx.DeleteRemoteClient(o.ClientID); err != nil {
					return err
				}
				continue
			}
			count++
			if !live[o.ClientID] {
				if unused++; o.From == c.From {
					its++
				}
			}
		}
		if full = count >= maxClients || unused >= maxUnused || its >= h.share(maxUnusedOf, maxUnused)(c.From); full {
			return nil
		}
		return tx.PutRemoteClient(c)
	})
	switch {
	case err != nil:
		h.failed(w, err)
	case full:
		slowDown(w, unusedLife)
	default:
		q.ClientID, q.ClientSecret, q.IssuedAt, q.Name = c.ClientID, secret, now.Unix(), c.Name
		q.Grants, q.Responses, q.Scope = []string{"authorization_code", "refresh_token"}, []string{"code"}, ""
		if secret != "" {
			q.ExpiresAt = new(int64)
		}
		say(w, http.StatusCreated, q)
	}
}

// nameShown is what a program calls itself, as a person may be shown it: one line of ordinary signs.
func nameShown(s string) string {
	s = plain.Clip(plain.Squeeze(strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, s)), 60)
	if s == "" {
		return "a program without a name"
	}
	return s
}

// machine gives a machine its token (section 10.5).
func (h *house) machine(w http.ResponseWriter, r *http.Request) {
	if h.slowed(w, r) {
		return
	}
	var q struct {
		Grant    string `json:"grant_type"`
		ID       string `json:"client_id"`
		Secret   string `json:"client_secret"`
		Scope    string `json:"scope"`
		Resource string `json:"resource"`
	}
	if !readJSON(r, &q) || q.Grant != "client_credentials" {
		refuse(w, http.StatusBadRequest, "invalid_request", "the body is a JSON object with grant_type client_credentials")
		return
	}
	c, ok, err := h.s.client(r.Context(), q.ID)
	if err != nil {
		h.failed(w, err)
		return
	}
	if !ok || c.Machine == "" || !sameSecret(c.SecretHash, q.Secret) {
		h.wrong(r)
		refuse(w, http.StatusUnauthorized, "invalid_client", "there is no such machine with this secret")
		return
	}
	out, err := h.machineGrant(r.Context(), c, strings.Fields(q.Scope), q.Resource)
	if known := (*oidc.Error)(nil); errors.As(err, &known) {
		refuse(w, http.StatusBadRequest, string(known.ErrorType), known.Description)
		return
	}
	if err != nil {
		h.failed(w, err)
		return
	}
	say(w, http.StatusOK, out)
}
