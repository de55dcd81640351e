package signin

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// callback is the loopback listener that a browser returns to during a sign-in.
type callback struct {
	s        *Service
	server   *http.Server
	state    string // its hash
	id       string
	host     string
	path     string
	redirect string
}

// listen opens a loopback port: that of a configured redirect_uri, or else any.
func (s *Service) listen(state, id, configured string) (*callback, error) {
	address, path := "127.0.0.1:0", "/callback"
	if configured != "" {
		u, err := url.Parse(configured)
		if err != nil || u.Scheme != "http" || u.Hostname() != "127.0.0.1" && u.Hostname() != "localhost" || u.Port() == "" {
			return nil, fault.New(fault.ConnectorAddress, "the configured redirect_uri is not a port of this computer").WithDetail("reason",
				"redirect_uri")
		}
		address, path = "127.0.0.1:"+u.Port(), u.Path
	}
	ln, err := net.Listen("tcp4", address)
	if err != nil {
		return nil, fault.Wrap(err, fault.AdapterUnavailable, "the port that the browser comes back to cannot be opened").
			WithHint("is another sign-in under way?")
	}
	c := &callback{s: s, state: state, id: id, path: path, host: ln.Addr().String(), redirect: configured}
	if configured == "" {
		c.redirect = "http://" + c.host + path
	} else if u, err := url.Parse(configured); err == nil {
		c.host = u.Host
	}
	c.server = &http.Server{Handler: c, ReadHeaderTimeout: 5 * time.Second, MaxHeaderBytes: 32 << 10}
	s.mu.Lock()
	s.doors[state] = c
	s.mu.Unlock()
	go func() { _ = c.server.Serve(ln) }()
	time.AfterFunc(life, c.close)
	return c, nil
}

func (c *callback) close() {
	c.s.mu.Lock()
	delete(c.s.doors, c.state)
	c.s.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if c.server.Shutdown(ctx) != nil {
		c.server.Close()
	}
}

// shut closes the port of a finished sign-in, once its response is written.
func (s *Service) shut(state string) {
	s.mu.Lock()
	c := s.doors[state]
	s.mu.Unlock()
	if c != nil {
		go c.close()
	}
}

// Close ends every pending sign-in.
func (s *Service) Close() {
	s.mu.Lock()
	var all []*callback
	for _, c := range s.doors {
		all = append(all, c)
	}
	s.mu.Unlock()
	for _, c := range all {
		c.close()
	}
}

// ServeHTTP takes the one request that ends a sign-in. Any other request is refused before it is read.
func (c *callback) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Content-Type-Options", "nosniff")
	q := r.URL.Query()
	if r.Method != http.MethodGet || r.Host != c.host || r.URL.Path != c.path || len(q["state"]) != 1 {
		http.Error(w, "not found", http.StatusNotFound)
		return
	}
	if hashed(q.Get("state")) != c.state { // another site's page, or an older answer: this sign-in continues
		c.answer(w, r, fault.New(fault.MCPOAuthStateInvalid, "this answer belongs to no sign-in that is open"))
		return
	}
	_, err := c.s.Callback(r.Context(), c.id, wire.MCPAuthCallbackQuery{Code: q.Get("code"), State: q.Get("state"), Error: q.Get("error"),
		Issuer: q.Get("iss")})
	c.answer(w, r, err)
}

func (c *callback) answer(w http.ResponseWriter, r *http.Request, err error) {
	status, text := http.StatusOK, "You are signed in. You can close this page."
	if err != nil {
		f := fault.From(err)
		status, text = f.Code.Spec().HTTP, f.Message+"."
	}
	if strings.Contains(r.Header.Get("Accept"), "application/json") {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(map[string]any{"signed_in": err == nil, "code": string(fault.CodeOf(err))})
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, "<!doctype html><html lang=en><meta charset=utf-8><title>Showhow</title><p>"+text+"</p></html>\n")
}
