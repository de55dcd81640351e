package signin

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	"showhow/daemon/connector"
	"showhow/internal/fault"
)

// Where a service may send a person, or Showhow, to sign in: https and no address of this machine or its local
// network, unless the service itself is on this machine.
func TestWhereASignInMayLead(t *testing.T) {
	for _, address := range []string{"http://example.com/token", "https://127.0.0.1/token", "https://localhost/token", "https://[::1]/token",
		"http://169.254.169.254/latest/meta-data", "https://169.254.169.254/x", "https://[fe80::1]/x", "https://0.0.0.0/x", "file:///etc/passwd",
		"javascript:alert(1)", "https://user:pass@example.com/x", "https://", "//example.com/x"} {
		if _, err := clientFor(address, false); err == nil {
			t.Errorf("%s was taken", address)
		}
	}
	if _, err := clientFor("http://169.254.169.254/x", true); err == nil {
		t.Error("a service on this machine leads to the network's own addresses")
	}
	if _, err := clientFor("https://login.example.com/token", false); err != nil {
		t.Error(err)
	}
}

// A service cannot have a person's browser opened at what is no web address, and never reaches a shell.
func TestHostileAuthorizationAddresses(t *testing.T) {
	for _, address := range []string{"javascript:alert(1)", "file:///bin/sh", "http://login.example.com/authorize",
		"https://login.example.com/$(id)`id`;id|id\n-x", "--help", "https://login.example.com:id/authorize", ""} {
		mux := http.NewServeMux()
		site := httptest.NewServer(mux)
		mux.HandleFunc("/.well-known/oauth-protected-resource/mcp", func(w http.ResponseWriter, _ *http.Request) {
			answer(w, map[string]any{"resource": site.URL + "/mcp", "authorization_servers": []string{site.URL}})
		})
		mux.HandleFunc("/.well-known/oauth-authorization-server", func(w http.ResponseWriter, _ *http.Request) {
			answer(w, map[string]any{"issuer": site.URL, "authorization_endpoint": address, "token_endpoint": site.URL + "/token",
				"response_types_supported": []string{"code"}, "code_challenge_methods_supported": []string{"S256"}})
		})
		s := New(Options{})
		_, err := s.discover(t.Context(), connector.Entry{EndpointURL: site.URL + "/mcp"}, "")
		if code := fault.CodeOf(err); code != fault.ConnectorAddress && code != fault.ConnectorUnreachable && code != fault.InvalidRequest {
			t.Errorf("%q: %v", address, err)
		}
		site.Close()
	}
}

func answer(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v)
}
