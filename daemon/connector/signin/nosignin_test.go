package signin_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"showhow/daemon/connector/registry"
	"showhow/daemon/connector/signin"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// Of a connector that nobody signs in to that is said, not that a keychain is missing; it gets no auth profile. Where one signs
// in, the missing keychain is said.
func TestAConnectorWithoutASignIn(t *testing.T) {
	open := mcp.NewServer(&mcp.Implementation{Name: "open", Version: "1"}, nil)
	mux := http.NewServeMux() // at other addresses it has nothing
	mux.Handle("/mcp", mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return open }, nil))
	ts := httptest.NewServer(mux)
	t.Cleanup(ts.Close) // after the registry, whose connection stays open
	s, h := newSite(t), newHouse(t)
	without := signin.New(signin.Options{Store: h.store.Connectors(), Registry: func() *registry.Registry { return h.registry }})
	t.Cleanup(without.Close)
	program, err := h.registry.Register(t.Context(), wire.MCPServerCreateRequest{Provider: "custom_remote", DisplayName: "program",
		Transport: "local_bridge", LocalBridge: &wire.MCPLocalBridge{Command: []string{"true"}}, SchemaVersion: 1})
	if err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string]fault.Code{h.add("open", ts.URL+"/mcp"): fault.MCPServerNotActive,
		program.Server.Registry.ServerID: fault.MCPServerNotActive, h.add("tracker", s.URL+"/mcp"): fault.AdapterUnavailable,
		"nobody": fault.NotFound} {
		_, err := without.Start(t.Context(), id, wire.MCPAuthStartRequest{ServerID: id, SchemaVersion: 1})
		if !fault.Is(err, want) {
			t.Errorf("%s: %v, want %s", id, err, want)
		}
	}
	if _, err := h.Start(t.Context(), "open", wire.MCPAuthStartRequest{ServerID: "open"}); !fault.Is(err, fault.MCPServerNotActive) {
		t.Error(err)
	}
	if l, err := h.registry.Profiles(t.Context()); err != nil || len(l.AuthProfiles) > 0 {
		t.Errorf("%+v %v", l, err)
	}
}
