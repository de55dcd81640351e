package registry_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"showhow/daemon/connector"
	"showhow/daemon/connector/registry"
	"showhow/daemon/wire"
	"showhow/internal/clock"
	"showhow/store"
)

// watched is a store that tells of each change before it is stored, which may fail.
type watched struct {
	connector.Store
	before func() error
}

func (w *watched) Update(ctx context.Context, fn func(connector.Tx) error) error {
	if w.before != nil {
		if err := w.before(); err != nil {
			return err
		}
	}
	return w.Store.Update(ctx, fn)
}

// While a connector is being removed no call of it begins; when it stays after all, calls go on.
func TestNoCallBeginsDuringARemoval(t *testing.T) {
	dir := t.TempDir()
	db, err := store.Open(t.Context(), store.Options{Dir: filepath.Join(dir, "data"), Memory: filepath.Join(dir, "memory")})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	ts := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server {
		return mcp.NewServer(&mcp.Implementation{Name: "notes", Version: "1"}, nil)
	}, nil))
	defer ts.Close()
	w := &watched{Store: db.Connectors()}
	r := registry.New(registry.Options{Store: w, Now: clock.Now, Private: filepath.Join(dir, "data")})
	defer r.Close()
	made, err := r.Register(t.Context(), wire.MCPServerCreateRequest{Provider: "custom_remote", DisplayName: "Notes", EndpointURL: ts.URL,
		Transport: "remote_http", SchemaVersion: 1})
	if err != nil {
		t.Fatal(err)
	}
	id := made.Server.Registry.ServerID
	asks := wire.MCPServerPatchRequest{AllowElicitation: new(true), SchemaVersion: 1} // then each agent has a link of its own
	if _, err := r.Patch(t.Context(), id, asks, nil); err != nil {
		t.Fatal(err)
	}
	s, err := r.Server(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	for _, fails := range []error{errors.New("the disk is full"), nil} {
		asked := false
		w.before = func() error {
			asked = true
			if !r.LinkFor(&s, "codex").Over() {
				t.Error("a call can begin while the connector is removed")
			}
			return fails
		}
		if _, err := r.Delete(t.Context(), id); (err == nil) != (fails == nil) || !asked {
			t.Fatalf("%v, asked: %v", err, asked)
		}
		w.before = nil
		if l := r.LinkFor(&s, "codex"); l.Over() != (fails == nil) {
			t.Errorf("fails: %v, and its link is over: %v", fails, l.Over())
		}
	}
}
