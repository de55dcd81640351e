// Package calendar is a service that requires a sign-in and is its own authorization server: whoever presses Allow
// there is signed in. Only tests use it.
package calendar

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type service struct {
	mu    sync.Mutex
	codes map[string]url.Values // what each was asked for with
	good  map[string]bool       // access tokens
}

// Serve serves the calendar until the program ends, and returns its address.
func Serve() (address string, err error) {
	s := &service{codes: map[string]url.Values{}, good: map[string]bool{}}
	server := mcp.NewServer(&mcp.Implementation{Name: "calendar", Version: "1"}, nil)
	server.AddTool(&mcp.Tool{Name: "list_events", Description: "Lists what is planned.", InputSchema: map[string]any{"type": "object"}},
		func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: string(r.Params.Arguments)}}}, nil
		})
	inner := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	base, mux := "http://"+l.Addr().String(), http.NewServeMux()
	mux.HandleFunc("/mcp", func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		ok := s.good[strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")]
		s.mu.Unlock()
		if !ok {
			w.Header().Set("WWW-Authenticate", `Bearer resource_metadata="`+base+`/.well-known/oauth-protected-resource/mcp"`)
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		inner.ServeHTTP(w, r)
	})
	mux.HandleFunc("/.well-known/oauth-protected-resource/mcp", func(w http.ResponseWriter, _ *http.Request) {
		write(w, map[string]any{"resource": base + "/mcp", "authorization_servers": []string{base}, "scopes_supported": []string{"events"}})
	})
	mux.HandleFunc("/.well-known/oauth-authorization-server", func(w http.ResponseWriter, _ *http.Request) {
		write(w, map[string]any{"issuer": base, "authorization_endpoint": base + "/authorize", "token_endpoint": base + "/token",
			"registration_endpoint": base + "/register", "revocation_endpoint": base + "/revoke", "jwks_uri": base + "/jwks",
			"response_types_supported": []string{"code"}, "code_challenge_methods_supported": []string{"S256"}})
	})
	mux.HandleFunc("/register", func(w http.ResponseWriter, r *http.Request) {
		m := map[string]any{}
		_ = json.NewDecoder(r.Body).Decode(&m)
		m["client_id"] = "showhow"
		w.WriteHeader(http.StatusCreated)
		write(w, m)
	})
	mux.HandleFunc("/authorize", s.authorize)
	mux.HandleFunc("/token", s.token)
	mux.HandleFunc("/revoke", func(_ http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.good, r.FormValue("token"))
	})
	srv := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	go srv.Serve(l)
	return base + "/mcp", nil
}

func write(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v)
}

// authorize is the page where a person approves.
func (s *service) authorize(w http.ResponseWriter, r *http.Request) {
	q, code := r.URL.Query(), rand.Text()
	back, err := url.Parse(q.Get("redirect_uri"))
	if err != nil || q.Get("state") == "" {
		http.Error(w, "this is no sign-in", http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	s.codes[code] = q
	s.mu.Unlock()
	back.RawQuery = url.Values{"code": {code}, "state": {q.Get("state")}}.Encode()
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprintf(w, `<!doctype html><html lang="en"><title>Calendar</title><h1>Calendar</h1><p>May Showhow see your events?</p>`+
		`<p><a href="%s">Allow</a></p></html>`, strings.ReplaceAll(back.String(), "&", "&amp;"))
}

// token exchanges a code, once, for the tokens requested with exactly these parameters.
func (s *service) token(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	asked := s.codes[r.FormValue("code")]
	delete(s.codes, r.FormValue("code"))
	sum := sha256.Sum256([]byte(r.FormValue("code_verifier")))
	if asked == nil || asked.Get("code_challenge") != base64.RawURLEncoding.EncodeToString(sum[:]) ||
		asked.Get("redirect_uri") != r.FormValue("redirect_uri") {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	token := rand.Text()
	s.good[token] = true
	write(w, map[string]any{"access_token": token, "token_type": "Bearer", "expires_in": 3600, "refresh_token": rand.Text(),
		"scope": "events"})
}
