package api

import (
	"crypto/subtle"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"

	"showhow/daemon/access"
	"showhow/daemon/api/caller"
	"showhow/daemon/api/presence"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// admit is the guard. It runs before routing and before the body is read, so that a refused caller learns nothing
// else.
func (s *Server) admit(r *http.Request, info *connInfo, c *caller.Caller) error {
	if info.refused {
		return fault.New(fault.Forbidden, "this daemon serves another user of the machine").
			WithHint("do it as the user whose daemon it is")
	}
	if info.tcp {
		return s.admitTCP(r, info, c)
	}
	return s.admitSocket(r, info, c)
}

// refusePage tells a person whose browser is refused, in words.
func refusePage(w http.ResponseWriter, f *fault.Error) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(f.Code.Spec().HTTP)
	fmt.Fprintf(w, "Showhow does not open this page: %s.\n\nWhat to do: %s.\n", f.Message, f.Hint)
}

// admitTCP: loopback is not trust. Any page in any browser can send requests here, so Host, Origin and fetch metadata
// must be those of our own page, and a token is required except for the page itself and the exchange that yields the
// token.
func (s *Server) admitTCP(r *http.Request, info *connInfo, c *caller.Caller) error {
	if err := sameOrigin(r, info.address); err != nil {
		return err
	}
	if !strings.HasPrefix(r.URL.Path, "/api/") || (r.Method == http.MethodPost && r.URL.Path == exchangePath) {
		c.Principal = access.Principal{Kind: access.User}
		return nil
	}
	token, err := bearer(r)
	if err != nil {
		return err
	}
	if access.IsAgentToken(token) {
		return s.admitAgent(r, token, c)
	}
	l, ok := s.browser.logins.check(token)
	if token == "" || !ok {
		return fault.New(fault.Unauthorized, "a valid login is required").WithHint("run `showhow open` to get a new one")
	}
	s.browser.gate.touch()
	c.Principal, c.TTY, c.Expires = access.Principal{Kind: access.User}, l.tty, l.expires
	c.Confirmation = r.Header.Get(wire.HeaderConfirmation)
	if r.Header.Get(wire.HeaderPresence) != "" {
		return presence.Rejected("presence cannot be claimed on this transport")
	}
	return nil
}

// sameOrigin refuses DNS rebinding (Host), other sites and other ports of this machine (Origin, Sec-Fetch-Site).
// "localhost" is refused too: one name, one origin, one place for the page's storage.
func sameOrigin(r *http.Request, address string) error {
	refuse := func(what string) error {
		return fault.New(fault.OriginRefused, what).WithHint("open the address that `showhow open` printed")
	}
	if r.Host != address {
		return refuse("this host name is not ours")
	}
	if o := r.Header.Values("Origin"); len(o) > 1 || (len(o) == 1 && o[0] != "http://"+address) {
		return refuse("requests from other origins are refused")
	}
	for _, site := range r.Header.Values("Sec-Fetch-Site") {
		if site != "same-origin" && site != "none" {
			return refuse("requests from other sites are refused")
		}
	}
	return nil
}

// admitSocket: the kernel says who connected; a token can only reduce the caller's rights (a named agent), never raise
// them.
func (s *Server) admitSocket(r *http.Request, info *connInfo, c *caller.Caller) error {
	c.Principal, c.TTY, c.OverSocket, c.Families = info.principal, info.tty, true, info.families
	c.Window, c.PID = info.window, info.pid
	if o := r.Header.Values("Origin"); len(o) > 1 || (len(o) == 1 && !windowOrigins[o[0]] && !ownOrigin(r, o[0])) {
		return fault.New(fault.OriginRefused, "requests from other origins are refused")
	}
	token, err := bearer(r)
	if err != nil {
		return err
	}
	if token != "" {
		return s.admitAgent(r, token, c)
	}
	c.Confirmation = r.Header.Get(wire.HeaderConfirmation)
	if p := r.Header.Get(wire.HeaderPresence); p != "" {
		return s.admitDemo(p, c)
	}
	return nil
}

// windowOrigins are the origins of the desktop window's page, whose asset handler forwards requests to the socket.
var windowOrigins = map[string]bool{"wails://wails": true, "http://wails.localhost": true, "wails://wails.localhost": true}

// ownOrigin reports whether a request for the door comes from the address of this computer that it is sent to. Programs that reach the
// socket through a port of their own send that, as MCP's transport has it. A page of another site, also one whose name leads here, has
// another.
func ownOrigin(r *http.Request, origin string) bool {
	host := (&url.URL{Host: r.Host}).Hostname()
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return false
	}
	return doorAt(r.URL.Path) && origin == "http://"+r.Host
}

// admitDemo: `showhow demo` confirms in the person's place, but only on the fresh data directory that it made itself,
// which it proves by the secret that it gave to the daemon it started (decisions D2).
func (s *Server) admitDemo(shown string, c *caller.Caller) error {
	secret, ok := strings.CutPrefix(shown, "demo ")
	grant := s.deps.DemoGrant
	if !ok || len(grant) < 32 || subtle.ConstantTimeCompare([]byte(secret), []byte(grant)) != 1 {
		return presence.Rejected("this presence is not accepted here")
	}
	c.Principal, c.Demo = access.Principal{Kind: access.User}, true
	return nil
}

// admitAgent accepts an agent's token on either transport.
func (s *Server) admitAgent(r *http.Request, token string, c *caller.Caller) error {
	no := fault.New(fault.Unauthorized, "the token is not valid").WithHint("`showhow agent list` shows the agents; a token is shown only once")
	if !access.IsAgentToken(token) || s.deps.Access == nil {
		return no
	}
	a, ok, err := s.deps.Access.AgentByToken(r.Context(), access.HashToken(token))
	if err != nil {
		return err
	}
	if !ok || a.RevokedAt != nil {
		return no
	}
	c.Principal = access.Principal{Kind: access.Agent, Name: a.Name}
	return nil
}

// bearer reads the Authorization header; "" when there is none.
func bearer(r *http.Request) (string, error) {
	h := r.Header.Values("Authorization")
	switch {
	case len(h) == 0:
		return "", nil
	case len(h) > 1:
		return "", fault.New(fault.Unauthorized, "one Authorization header is enough")
	}
	scheme, token, _ := strings.Cut(h[0], " ")
	if !strings.EqualFold(scheme, "Bearer") || token == "" || len(token) > 200 {
		return "", fault.New(fault.Unauthorized, "the Authorization header must hold a bearer token")
	}
	return token, nil
}

// setHeaders: responses are for the caller only, never cached, framed or sniffed.
func setHeaders(h http.Header, r *http.Request, c *caller.Caller, version string, api int) {
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("X-Frame-Options", "DENY")
	csp := "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
	if !strings.HasPrefix(r.URL.Path, "/api/") {
		csp = "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; object-src 'none'"
	}
	h.Set("Content-Security-Policy", csp)
	h.Set(wire.HeaderCorrelation, c.CorrelationID)
	h.Set(wire.HeaderVersion, fmt.Sprintf("%s %d", version, api))
}
