package registry_test

import (
	"bytes"
	"context"
	"io/fs"
	"log/slog"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"showhow/daemon/connector/registry"
	"showhow/daemon/sandbox"
	"showhow/daemon/wire"
	"showhow/internal/clock"
	"showhow/store"
)

// A connector that does not work says why: at an address, what is wrong with that; of a program, how it ended and what it wrote
// last. That is in the answer alone, without the secrets that the program was given.
func TestAConnectorSaysWhyItDoesNotWork(t *testing.T) {
	if err := sandbox.Probe(); err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	db, err := store.Open(t.Context(), store.Options{Dir: filepath.Join(dir, "data"), Memory: filepath.Join(dir, "memory")})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var log bytes.Buffer
	r := registry.New(registry.Options{Store: db.Connectors(), Now: clock.Now, Private: filepath.Join(dir, "data"),
		Log:    slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})),
		Mask:   func(s string) string { return strings.ReplaceAll(s, "found-by-a-rule", "[masked]") },
		Secret: func(context.Context, string) (string, error) { return "kestrel-1\nkestrel-second-line", nil }})
	defer r.Close()
	dead := httptest.NewServer(nil)
	dead.Close()
	program := func(command ...string) wire.MCPServerCreateRequest {
		return wire.MCPServerCreateRequest{Transport: "local_bridge", LocalBridge: &wire.MCPLocalBridge{Command: command,
			Credentials: map[string]string{"KEY": "key"}}}
	}
	for name, tt := range map[string]struct {
		wire.MCPServerCreateRequest
		reason string
		output []string
	}{
		"dead": {wire.MCPServerCreateRequest{Transport: "remote_http", EndpointURL: dead.URL}, "nothing listens at its address", nil},
		"missing": {program("no-such-program", "kestrel-args"), "its program no-such-program, or one that it runs, is not in its sandbox",
			[]string{"no-such-program: "}},
		"script": {program("sh", "/nowhere/index.sh"), "its program sh", []string{"/nowhere/index.sh"}},
		"fails": {program("sh", "-c", `echo "key $KEY found-by-a-rule" >&2; printf '\033[31mmarten: no such folder\033[0m\n' >&2; exit 3`),
			"its program sh ended with exit code 3", []string{"key ••• [masked]", "marten: no such folder"}},
		"quiet": {program("sh", "-c", "exit 0"), "ended at once and without an error", nil},
		"talks": {program("sh", "-c", `i=0; while [ $i -lt 5000 ]; do echo "line $i kestrel-second-line" >&2; i=$((i+1)); done; exit 1`),
			"exit code 1", []string{"line 4990 •••", "line 4999 •••"}},
		"hangs": {program("sh", "-c", "echo marten: listening on port 3000 >&2; exec sleep 60"), "runs, and does not answer by MCP",
			[]string{"marten: listening on port 3000"}},
	} {
		tt.Provider, tt.DisplayName, tt.SchemaVersion = "custom_remote", name, 1
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		if name == "hangs" {
			ctx, cancel = context.WithTimeout(t.Context(), 2*time.Second)
		}
		made, err := r.Register(ctx, tt.MCPServerCreateRequest)
		cancel()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if _, err := r.Server(t.Context(), name); err != nil {
			t.Errorf("%s is not registered: %v", name, err)
		}
		test, err := r.SmokeTest(t.Context(), made.Server.Registry.ServerID, wire.MCPSmokeTestRequest{MaxDurationMs: 1500})
		if err != nil || test.TransportOK || test.AuthOK || test.ToolDiscoveryOK || test.Status != "failed" {
			t.Errorf("%s: %+v %v", name, test, err)
		}
		for _, got := range []*wire.MCPTrouble{made.Trouble, test.Trouble} {
			if got == nil || !strings.Contains(got.Reason, tt.reason) || len(got.Output) > 10 {
				t.Errorf("%s: %+v", name, got)
				continue
			}
			all := strings.Join(got.Output, "\n")
			for _, line := range tt.output {
				if !strings.Contains(all, line) {
					t.Errorf("%s: %q is not in %q", name, line, all)
				}
			}
			if strings.Contains(all+got.Reason, "kestrel") || strings.Contains(all, "found-by-a-rule") || strings.Contains(all, "\x1b") {
				t.Errorf("%s: %q", name, all)
			}
		}
		if !strings.Contains(test.Summary, tt.reason) {
			t.Errorf("%s: %s", name, test.Summary)
		}
	}
	if strings.Contains(log.String(), "marten") {
		t.Error("it was logged:", log.String())
	}
	// The command itself is stored, so the line that only an output has is looked for.
	must(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		b, err := os.ReadFile(path)
		for _, said := range []string{"line 4999", "key ••• "} {
			if bytes.Contains(b, []byte(said)) {
				t.Errorf("%s holds %q", path, said)
			}
		}
		return err
	}))
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
