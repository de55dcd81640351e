package remote

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4"

	"showhow/internal/fault"
)

// Paths of the authorization server (sections 10.2, 10.5, 10.6 and 10.9 of the contract, RFC 8414 and RFC 9728).
const (
	authorizePath = "/oauth/authorize"
	tokenPath     = "/oauth/token"
	revokePath    = "/oauth/revoke"
	registerPath  = "/oauth/register"
	consentPath   = "/oauth/consent"
	machinePath   = "/auth/machine/token"
	wellKnown     = "/.well-known/"
	serverPath    = wellKnown + "oauth-authorization-server"
	openidPath    = wellKnown + "openid-configuration"
	resourcePath  = wellKnown + "oauth-protected-resource"
	jwksPath      = wellKnown + "jwks.json"
	requesterPath = wellKnown + "showhow-requester-key.json"
	cardPath      = wellKnown + "agent-card.json"
)

// routes is the table of everything that is answered; nothing else is.
func (h *house) routes() *http.ServeMux {
	mux := http.NewServeMux()
	for _, p := range []string{"GET " + authorizePath, "POST " + authorizePath, "POST " + tokenPath, "POST " + revokePath} {
		mux.Handle(p, h.oauth)
	}
	mux.HandleFunc("POST "+registerPath, h.register)
	mux.HandleFunc("GET "+consentPath, h.consent)
	mux.HandleFunc("POST "+machinePath, h.machine)
	mux.HandleFunc("GET /health", func(w http.ResponseWriter, _ *http.Request) { say(w, http.StatusOK, map[string]string{"status": "ok"}) })
	public := func(p string, answer func(ctx context.Context) (any, error)) {
		mux.HandleFunc("GET "+p, func(w http.ResponseWriter, r *http.Request) {
			out, err := answer(r.Context())
			if err != nil {
				h.failed(w, err)
				return
			}
			w.Header().Set("Cache-Control", "public, max-age=3600")
			say(w, http.StatusOK, out)
		})
	}
	for _, p := range []string{serverPath, openidPath} {
		public(p, func(context.Context) (any, error) { return h.metadata(), nil })
	}
	for _, p := range []string{mcpPath, contractPath} {
		public(resourcePath+p, func(context.Context) (any, error) { return h.resource(p), nil })
		mux.HandleFunc(p, func(w http.ResponseWriter, r *http.Request) { h.serve(w, r, p) })
	}
	if h.s.speaks() {
		public(resourcePath+a2aPath, func(context.Context) (any, error) { return h.resource(a2aPath), nil })
		public(cardPath, func(ctx context.Context) (any, error) { return h.s.o.A2A.Card(ctx, h.place()) })
		mux.HandleFunc(a2aPath, func(w http.ResponseWriter, r *http.Request) { h.serve(w, r, a2aPath) })
	}
	public(jwksPath, func(ctx context.Context) (any, error) {
		ks, err := h.s.signingKeys(ctx, false)
		out := jose.JSONWebKeySet{Keys: []jose.JSONWebKey{}}
		for _, k := range ks {
			out.Keys = append(out.Keys, k.public())
		}
		return out, err
	})
	public(requesterPath, func(ctx context.Context) (any, error) { return h.s.requester(ctx) })
	return mux
}

// problem is an error as OAuth words it.
type problem struct {
	Error       string `json:"error"`
	Description string `json:"error_description,omitempty"`
}

func say(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // the caller has gone
}

// refuse also ends the connection: who is refused keeps no place.
func refuse(w http.ResponseWriter, status int, code, what string) {
	w.Header().Set("Connection", "close")
	say(w, status, problem{code, what})
}

func (h *house) failed(w http.ResponseWriter, err error) {
	h.s.o.Log.Warn("a remote caller's request failed", "code", string(fault.CodeOf(err)))
	refuse(w, http.StatusInternalServerError, "server_error", "try again later")
}

// ServeHTTP guards everything: Host and Origin (DNS rebinding, other sites), rates, sizes and the form of OAuth's
// requests, before any of it is parsed.
func (h *house) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	hd := w.Header()
	hd.Set("Cache-Control", "no-store")
	hd.Set("X-Content-Type-Options", "nosniff")
	hd.Set("Referrer-Policy", "no-referrer")
	hd.Set("X-Frame-Options", "DENY")
	hd.Set("Cross-Origin-Resource-Policy", "same-origin")
	hd.Set("Content-Security-Policy",
		"default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'")
	if h.byPerson(r) {
		p := &worded{ResponseWriter: w}
		defer p.end(h.host)
		w = p
	}
	if !strings.EqualFold(r.Host, h.host) || r.URL.IsAbs() && !strings.EqualFold(r.URL.Host, h.host) {
		refuse(w, http.StatusMisdirectedRequest, "invalid_request", "this host name is not served here")
		return
	}
	browsed := r.URL.Path == authorizePath || r.URL.Path == consentPath // a person's browser comes from the program's page
	for _, o := range r.Header.Values("Origin") {
		if o != h.settings.URL {
			refuse(w, http.StatusForbidden, "invalid_request", "requests from other origins are refused")
			return
		}
	}
	for _, site := range r.Header.Values("Sec-Fetch-Site") {
		if site != "same-origin" && site != "none" && !(browsed && r.Method == http.MethodGet && r.Header.Get("Sec-Fetch-Mode") == "navigate") {
			refuse(w, http.StatusForbidden, "invalid_request", "requests from other sites are refused")
			return
		}
	}
	if path.Clean(r.URL.Path) != r.URL.Path || r.URL.RawPath != "" || r.Header.Get("Upgrade") != "" {
		refuse(w, http.StatusNotFound, "invalid_request", "there is no such address")
		return
	}
	if slices.Contains(h.resources(), r.URL.Path) {
		h.router().ServeHTTP(w, r)
		return
	}
	if wait, ok := h.limits.take(h.s.o.Now().Time, "any "+addressOf(r), anonymousRate); !ok {
		slowDown(w, wait)
		return
	}
	r = r.WithContext(context.WithValue(r.Context(), fromKey{}, addressOf(r)))
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(bodyTime)) // where it cannot be set, the size bounds it
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	switch r.URL.Path {
	case authorizePath:
		w = &issued{ResponseWriter: w, issuer: h.settings.URL, host: h.host}
		if !single(w, r) {
			return
		}
	case tokenPath, revokePath:
		if r.URL.RawQuery != "" {
			refuse(w, http.StatusBadRequest, "invalid_request", "parameters belong into the body, where no log has them")
			return
		}
		if !single(w, r) || h.slowed(w, r) {
			return
		}
		w = &counted{ResponseWriter: w, wrong: func() { h.wrong(r) }}
	}
	h.router().ServeHTTP(w, r)
}

// bodyTime is how long a body may take to arrive.
const bodyTime = 15 * time.Second

type fromKey struct{}

// fromOf is the address that a request came from.
func fromOf(ctx context.Context) string {
	from, _ := ctx.Value(fromKey{}).(string)
	return from
}

// single parses the form and refuses a parameter that is there twice, which two programs could read differently.
func single(w http.ResponseWriter, r *http.Request) bool {
	if r.ParseForm() != nil {
		refuse(w, http.StatusBadRequest, "invalid_request", "the form cannot be read")
		return false
	}
	for name, values := range r.Form {
		if len(values) > 1 && name != "resource" || len(values) > 1 && len(slices.Compact(slices.Clone(values))) > 1 {
			refuse(w, http.StatusBadRequest, "invalid_request", "a parameter is there more than once")
			return false
		}
	}
	return true
}

func slowDown(w http.ResponseWriter, wait time.Duration) {
	retryAfter(w, wait)
	refuse(w, http.StatusTooManyRequests, "temporarily_unavailable", tooMany)
}

const tooMany = "too many requests; see Retry-After"

func retryAfter(w http.ResponseWriter, wait time.Duration) {
	w.Header().Set("Retry-After", strconv.Itoa(int(wait/time.Second)+1))
}

// slowed answers an address that guessed too often.
func (h *house) slowed(w http.ResponseWriter, r *http.Request) bool {
	wait, ok := h.limits.empty(h.s.o.Now().Time, "wrong "+addressOf(r), wrongRate)
	if !ok {
		slowDown(w, wait)
	}
	return !ok
}

func (h *house) wrong(r *http.Request) {
	h.limits.take(h.s.o.Now().Time, "wrong "+addressOf(r), wrongRate)
}

// counted counts refusals.
type counted struct {
	http.ResponseWriter
	wrong func()
}

func (c *counted) WriteHeader(status int) {
	if status >= 400 && status < 500 {
		c.wrong()
	}
	c.ResponseWriter.WriteHeader(status)
}

// issued adds the issuer to what a client is sent back with (RFC 9207): it can tell who answers.
type issued struct {
	http.ResponseWriter
	issuer, host string
}

func (i *issued) WriteHeader(status int) {
	if u, err := url.Parse(i.Header().Get("Location")); err == nil && status == http.StatusFound && u.Host != "" &&
		!(u.Host == i.host && u.Path == consentPath) {
		q := u.Query()
		q.Set("iss", i.issuer)
		u.RawQuery = q.Encode()
		i.Header().Set("Location", u.String())
	}
	i.ResponseWriter.WriteHeader(status)
}

// serve lets a caller with a valid token through to a resource.
func (h *house) serve(w http.ResponseWriter, r *http.Request, at string) {
	need := scopesOf(at)[0]
	refuse := refuse
	if at == a2aPath {
		refuse = h.s.o.A2A.Refuse
	}
	slowDown := func(w http.ResponseWriter, wait time.Duration) {
		retryAfter(w, wait)
		refuse(w, http.StatusTooManyRequests, "temporarily_unavailable", tooMany)
	}
	challenge := func(status int, code, what string) {
		c := `Bearer resource_metadata="` + h.settings.URL + resourcePath + at + `", scope="` + need + `"`
		if code != "" {
			c += `, error="` + code + `", error_description="` + what + `"`
		} else {
			code = "invalid_token"
		}
		w.Header().Set("WWW-Authenticate", c)
		refuse(w, status, code, what)
	}
	auth := r.Header.Values("Authorization")
	if len(auth) == 0 {
		if wait, ok := h.limits.take(h.s.o.Now().Time, "any "+addressOf(r), anonymousRate); !ok {
			slowDown(w, wait)
			return
		}
		challenge(http.StatusUnauthorized, "", "a token is needed")
		return
	}
	scheme, token, _ := strings.Cut(auth[0], " ")
	x, ok, err := shown{}, false, error(nil)
	if len(auth) == 1 && strings.EqualFold(scheme, "Bearer") {
		x, ok, err = h.check(r.Context(), token, h.settings.URL+at)
	}
	switch {
	case err != nil:
		h.failed(w, err)
		return
	case !ok:
		if wait, ok := h.limits.take(h.s.o.Now().Time, "wrong "+addressOf(r), wrongRate); !ok {
			slowDown(w, wait)
			return
		}
		challenge(http.StatusUnauthorized, "invalid_token", "the token is wrong, has expired, was revoked or is for another resource")
		return
	case !slices.Contains(x.scopes, need):
		challenge(http.StatusForbidden, "insufficient_scope", "sign in again and ask for the scope")
		return
	}
	c := x.caller
	if wait, ok := h.limits.take(h.s.o.Now().Time, "caller "+c.CallerID, callerRate); !ok {
		slowDown(w, wait)
		return
	}
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Now().Add(bodyTime))
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxMessage))
	if err != nil {
		refuse(w, http.StatusRequestEntityTooLarge, "invalid_request", "the message is too large, or did not arrive")
		return
	}
	_ = control.SetReadDeadline(time.Time{}) // an answer may stream for long
	ctx, ended := h.began(r.Context(), x)
	defer ended()
	if err := h.s.Live(ctx, c.CallerID); err != nil { // shut out while the message arrived, when no request was known to end
		refuse(w, http.StatusUnauthorized, "invalid_token", "the caller was shut out")
		return
	}
	r = r.WithContext(ctx)
	r.Body = io.NopCloser(bytes.NewReader(body))
	r.Header.Del("Authorization") // nobody behind this needs it
	r.Header.Del("Origin")
	g := Guest{CallerID: c.CallerID, Agent: c.Name, Writes: slices.Contains(x.scopes, ScopeWrite) || at == mcpPath,
		Connectors: slices.Contains(x.scopes, ScopeConnectors), Runs: slices.Contains(x.scopes, ScopeRun)}
	switch at {
	case mcpPath:
		h.s.o.MCP(g).ServeHTTP(w, r)
	case a2aPath:
		h.s.o.A2A.Handler(g, h.place()).ServeHTTP(w, r)
	default:
		h.s.o.Contract(g).ServeHTTP(w, r)
	}
}

// readJSON reads a small JSON body.
func readJSON(r *http.Request, into any) bool {
	if kind, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";"); !strings.EqualFold(strings.TrimSpace(kind), "application/json") {
		return false
	}
	b, err := io.ReadAll(r.Body)
	return err == nil && json.Unmarshal(b, into) == nil
}
