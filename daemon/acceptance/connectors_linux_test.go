package acceptance_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	canonicalschemas "showhow/daemon/canonical"
	"showhow/daemon/client"
	"showhow/daemon/sandbox"
	"showhow/daemon/wire"
	"showhow/internal/await"
	"showhow/internal/fault"
)

// atDoor is the SDK's own client at the daemon's door, as an agent with a token.
func (w *world) atDoor(agent string) *mcp.ClientSession {
	w.t.Helper()
	return w.doorOf(agent, w.agent(agent))
}

// doorOf is atDoor for an agent that has its token already.
func (w *world) doorOf(agent string, c *client.Client) *mcp.ClientSession {
	w.t.Helper()
	in, say := io.Pipe()
	hear, out := io.Pipe()
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := c.Door(w.t.Context(), "", in, out); err != nil {
			w.t.Error(err)
		}
		out.Close()
	}()
	cs, err := mcp.NewClient(&mcp.Implementation{Name: agent}, nil).Connect(w.t.Context(), &mcp.IOTransport{Reader: hear, Writer: say}, nil)
	must(w.t, err)
	w.t.Cleanup(func() { cs.Close(); in.Close(); w.stop(); <-done })
	return cs
}

// toolNames are the tools of services that an agent is offered, beside Showhow's own.
func toolNames(t *testing.T, cs *mcp.ClientSession) (out []string) {
	t.Helper()
	l, err := cs.ListTools(t.Context(), nil)
	must(t, err)
	for _, x := range l.Tools {
		if strings.Contains(x.Name, "__") {
			out = append(out, x.Name)
		}
	}
	return out
}

// service is a connector at an address of this machine.
func (w *world) service(name string, tools ...string) string {
	w.t.Helper()
	s := mcp.NewServer(&mcp.Implementation{Name: "fixture", Version: "1"}, nil)
	for _, n := range tools {
		s.AddTool(&mcp.Tool{Name: n, Description: "Does " + n + ".", InputSchema: map[string]any{"type": "object"}}, says)
	}
	ts := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, nil))
	w.t.Cleanup(func() { w.stop(); ts.Close() })
	return got(w.c.RegisterConnector(w.t.Context(), client.ConnectorCreate{Provider: "custom_remote", DisplayName: name, EndpointURL: ts.URL,
		Transport: "remote_http"}))(w.t).Server.Registry.ServerID
}

// npmServer is a server from npm that nobody here wrote; a test that needs its sandbox and does not have it is skipped.
func npmServer(t *testing.T, name string) (modules, script string) {
	t.Helper()
	if err := sandbox.Probe(); err != nil {
		t.Skip(err)
	}
	modules = judges(t)
	script = filepath.Join(modules, "@modelcontextprotocol", name, "dist", "index.js")
	if _, err := os.Stat(script); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("the servers from npm are missing: build/setup.sh test")
		}
		t.Skip("the servers from npm are missing: build/setup.sh test")
	}
	return modules, script
}

// A third-party server from npm, in a sandbox that holds one folder: an agent reads, is asked before it writes, and
// sees nothing else of the disk.
func TestConnector_FilesystemServerInItsBox(t *testing.T) {
	t.Parallel()
	modules, server := npmServer(t, "server-filesystem")
	notes, err := os.MkdirTemp("", "notes")
	must(t, err)
	t.Cleanup(func() { os.RemoveAll(notes) })
	must(t, os.Chmod(notes, 0o777))
	must(t, os.WriteFile(filepath.Join(notes, "a.txt"), []byte("a note"), 0o644))
	must(t, os.Chmod(filepath.Join(notes, "a.txt"), 0o644)) // another test's daemon may have narrowed the umask
	w := begin(t)
	x := got(w.c.RegisterConnector(t.Context(), client.ConnectorCreate{Provider: "custom_remote", DisplayName: "Notes",
		Transport:   "local_bridge",
		LocalBridge: &client.LocalBridge{Command: []string{"node", server, notes}, Folders: []string{notes}, ReadFolders: []string{modules}}}))(t)
	if len(x.Server.Tools) < 10 || !slices.Contains(x.Server.BadgeStates, "connected") {
		t.Fatalf("%+v", x.Server)
	}
	cs := w.atDoor("codex")
	res, err := cs.CallTool(t.Context(), &mcp.CallToolParams{Name: "notes__read_text_file",
		Arguments: map[string]any{"path": notes + "/a.txt"}})
	must(t, err)
	if got := res.Content[0].(*mcp.TextContent).Text; got != "a note" {
		t.Error(got)
	}
	written := filepath.Join(notes, "b.txt")
	done := make(chan *mcp.CallToolResult, 1)
	go func() {
		res, err := cs.CallTool(t.Context(), &mcp.CallToolParams{Name: "notes__write_file", Arguments: map[string]any{"path": written,
			"content": "written"}})
		if err != nil {
			t.Error(err)
		}
		done <- res
	}()
	d := w.asked()
	if _, err := os.Stat(written); err == nil || d.Arguments["content"] != "written" {
		t.Errorf("%v %+v", err, d)
	}
	_, err = w.agent("helper").DecideCall(t.Context(), d.DispatchID, client.CallDecision{Decision: "approve_once"})
	refused(t, err, fault.Forbidden) // an agent approves nothing
	if r := got(w.c.DecideCall(t.Context(), d.DispatchID, client.CallDecision{Decision: "approve_once"}))(t); !r.Resumed {
		t.Errorf("%+v", r)
	}
	if res := <-done; res.IsError {
		t.Errorf("%+v", res.Content)
	}
	if b, err := os.ReadFile(written); err != nil || string(b) != "written" {
		t.Errorf("%q %v", b, err)
	}
	got(w.c.RemoveConnector(t.Context(), "notes"))(t)
	if got := toolNames(t, cs); len(got) != 0 {
		t.Error(got)
	}
	canonicalschemas.Must(t, w.o.Config.Memory)
}

// asked waits for a call that waits for a person.
func (w *world) asked() (d client.PendingCall) {
	w.t.Helper()
	if !await.Within(patience, func() bool {
		l := got(w.c.PendingCalls(w.t.Context()))(w.t)
		i := slices.IndexFunc(l.Dispatches, func(x client.PendingCall) bool { return x.Status == "pending" && x.CallerWaits })
		if i >= 0 {
			d = l.Dispatches[i]
		}
		return i >= 0
	}) {
		w.t.Fatal("nobody was asked")
	}
	return d
}

// sharing connects two services that share an auth profile.
func (w *world) sharing() (profile string, ids []string) {
	w.t.Helper()
	ctx := w.t.Context()
	p := got(w.c.AddAuthProfile(ctx, client.ConnectorAuthProfile{Provider: "custom_remote", AuthMode: "none", SharedProfile: true}))(w.t)
	for _, name := range []string{"one", "two"} {
		id := w.service(name, "read_x")
		got(w.c.PatchConnector(ctx, id, client.ConnectorPatch{AuthProfileID: &p.AuthProfileID}))(w.t)
		ids = append(ids, id)
	}
	return p.AuthProfileID, ids
}

func TestConnector_mcp_shared_auth_profile_delete_blocked(t *testing.T) {
	t.Parallel()
	w := begin(t)
	profile, ids := w.sharing()
	_, err := w.c.Raw(t.Context(), http.MethodDelete, "/api/mcp/auth-profiles/"+profile, nil)
	refused(t, err, fault.MCPAuthProfileInUse)
	if by, _ := fault.From(err).Details["blocked_by_server_ids"].([]any); len(by) != 2 {
		t.Error(fault.From(err).Details)
	}
	_, err = w.c.Raw(t.Context(), http.MethodDelete, "/api/mcp/auth-profiles/"+profile+"?force=true", nil) // rule 5: nothing forces it
	if err == nil {
		t.Error("it was forced")
	}
	b := got(w.c.Raw(t.Context(), http.MethodGet, "/api/mcp/auth-profiles", nil))(t)
	if !strings.Contains(string(b), profile) || len(ids) != 2 {
		t.Errorf("%s", b)
	}
}

func TestConnector_mcp_server_delete_retains_shared_profile(t *testing.T) {
	t.Parallel()
	w := begin(t)
	profile, ids := w.sharing()
	if r := got(w.c.RemoveConnector(t.Context(), ids[0]))(t); r.AuthProfileAction != "retained_shared" || !r.Deleted {
		t.Errorf("%+v", r)
	}
	if r := got(w.c.RemoveConnector(t.Context(), ids[1]))(t); r.AuthProfileAction != "retained_unreferenced" {
		t.Errorf("%+v", r)
	}
	if _, err := w.c.Raw(t.Context(), http.MethodDelete, "/api/mcp/auth-profiles/"+profile, nil); err != nil {
		t.Error(err)
	}
}

func TestConnector_mcp_ask_first_resume_correlation(t *testing.T) {
	t.Parallel()
	w := begin(t)
	w.service("notes", "write_x")
	cs := w.atDoor("codex")
	for _, decision := range []string{"approve_once", "deny"} {
		done := make(chan error, 1)
		go func() {
			_, err := cs.CallTool(t.Context(), &mcp.CallToolParams{Name: "notes__write_x"})
			done <- err
		}()
		d := w.asked()
		r := got(w.c.DecideCall(t.Context(), d.DispatchID, client.CallDecision{Decision: decision}))(t)
		must(t, <-done)
		if r.Dispatch.CorrelationID != d.CorrelationID {
			t.Errorf("%s: %s became %s", decision, d.CorrelationID, r.Dispatch.CorrelationID)
		}
		l := got(w.c.ConnectorReceipts(t.Context(), "notes", "", 50))(t)
		var kinds []string
		for _, x := range l.Receipts {
			if x.CorrelationID == d.CorrelationID {
				kinds = append(kinds, x.ReceiptKind)
			}
		}
		if !slices.Contains(kinds, "tool_call") || !slices.Contains(kinds, "ask_first_decision") {
			t.Errorf("%s: %v", decision, kinds)
		}
	}
}

// mcp_server_list_badge_truth: what badges say follows the record alone, and changes with it.
func TestConnector_mcp_server_list_badge_truth(t *testing.T) {
	t.Parallel()
	w := begin(t)
	id := w.service("notes", "read_x")
	badges := func() []string {
		l := got(w.c.Connectors(t.Context()))(t)
		return l.Servers[0].BadgeStates
	}
	if got := badges(); !slices.Equal(got, []string{"connected"}) {
		t.Error(got)
	}
	got(w.c.SetConnectorPolicy(t.Context(), client.ConnectorTarget{TargetKind: "server", ServerID: id}, "ask_first"))(t)
	if got := badges(); !slices.Equal(got, []string{"connected", "approval_required"}) {
		t.Error(got)
	}
	// What was decided for all of them is told beside it, whatever is switched off.
	if got := got(w.c.Connectors(t.Context()))(t).GlobalPolicy.Decision; got.Mode != "enabled" || got.UpdatedBy != "system" {
		t.Errorf("%+v", got)
	}
	got(w.c.SetConnectorPolicy(t.Context(), client.ConnectorTarget{TargetKind: "global"}, "ask_first"))(t)
	got(w.c.ToggleConnectors(t.Context(), client.ConnectorSwitch{Scope: "global", Off: true}))(t)
	if got := got(w.c.Connectors(t.Context()))(t).GlobalPolicy.Decision; got.Mode != "ask_first" || got.UpdatedBy != "user" {
		t.Errorf("%+v", got)
	}
	got(w.c.ToggleConnectors(t.Context(), client.ConnectorSwitch{Scope: "global"}))(t)
	got(w.c.SetConnectorPolicy(t.Context(), client.ConnectorTarget{TargetKind: "global"}, "enabled"))(t)
	off := false
	got(w.c.PatchConnector(t.Context(), id, client.ConnectorPatch{Enabled: &off}))(t)
	if got := badges(); !slices.Contains(got, "disabled") || slices.Contains(got, "connected") {
		t.Error(got)
	}
	got(w.c.RegisterConnector(t.Context(), client.ConnectorCreate{Provider: "provider_native", DisplayName: "Elsewhere",
		Transport: "provider_native", InteractionMode: "background_service"}))(t)
	l := got(w.c.Connectors(t.Context()))(t)
	if got := l.Servers[0].BadgeStates; !slices.Equal(got, []string{"deferred", "background_only"}) {
		t.Error(l.Servers[0].Registry.ServerID, got)
	}
}

// mcp_named_responses_consistent: every route of the table answers with the schema that it names, and refuses keys that nobody knows.
func TestConnector_mcp_named_responses_consistent(t *testing.T) {
	t.Parallel()
	w := begin(t)
	id := w.service("notes", "read_x")
	for _, tt := range []struct {
		method, path string
		body         any
		want         string // in the answer
	}{
		{"GET", "/api/mcp/servers", nil, `"linked_abilities":[]`}, {"GET", "/api/mcp/servers/" + id + "/health", nil, `"throttle_state"`},
		{"GET", "/api/mcp/servers/" + id + "/auth/status", nil, `"scopes_granted":[]`}, {"GET", "/api/mcp/auth-profiles", nil,
			`"auth_profiles":[]`},
		{"GET", "/api/mcp/receipts", nil, `"receipt_kind":"server_create"`}, {"GET", "/api/mcp/ask-first/pending", nil, `"dispatches":[]`},
		{"GET", "/api/mcp/health", nil, `"health":[`}, {"GET", "/api/mcp/presets", nil, `"preset_id":"files"`},
		{"POST", "/api/mcp/servers/" + id + "/smoke-test", wire.MCPSmokeTestRequest{ServerID: id, SchemaVersion: 1}, `"tool_discovery_ok":true`},
		{"POST", "/api/mcp/servers/" + id + "/auth/revoke", wire.MCPAuthRevokeRequest{ServerID: id, SchemaVersion: 1}, `"status":"noop"`},
	} {
		b, err := w.c.Raw(t.Context(), tt.method, tt.path, tt.body)
		if err != nil || !strings.Contains(string(b), tt.want) {
			t.Errorf("%s %s: %s %v", tt.method, tt.path, b, err)
		}
	}
	p := got(w.c.AddAuthProfile(t.Context(), client.ConnectorAuthProfile{Provider: "custom_remote", AuthMode: "none"}))(t)
	type keys = map[string]any
	for route, body := range map[string]keys{
		"POST /servers/register":                  {"provider": "custom_remote", "display_name": "x", "transport": "remote_http"},
		"PATCH /servers/" + id:                    {"display_name": "x"},
		"POST /servers/" + id + "/auth/start":     {"server_id": id},
		"POST /servers/" + id + "/auth/refresh":   {"server_id": id},
		"POST /servers/" + id + "/auth/revoke":    {"server_id": id},
		"POST /servers/" + id + "/smoke-test":     {"server_id": id},
		"POST /auth-profiles":                     {"provider": "custom_remote", "auth_mode": "none"},
		"PATCH /auth-profiles/" + p.AuthProfileID: {"refresh_policy": "deny"},
		"POST /policy/update":                     {"target": keys{"target_kind": "global"}, "decision": keys{"mode": "ask_first"}},
		"POST /ask-first/" + noUUID + "/approve":  {"decision": "approve_once"},
		"POST /ask-first/" + noUUID + "/deny":     {"decision": "deny"},
		"POST /auth/challenge/respond":            {"challenge_id": "x", "decision": "retry"},
	} {
		method, path, _ := strings.Cut(route, " ")
		for key, x := range map[string]struct {
			value any
			rule  string
		}{"nobody_knows": {true, "unknown_key"}, "schema_version": {2, "schema_version"}} {
			body["schema_version"] = 1
			body[key] = x.value
			_, err := w.c.Raw(t.Context(), method, "/api/mcp"+path, body)
			delete(body, key)
			if err == nil && path == "/policy/update" && key == "nobody_knows" {
				continue // the one body that the table names no strict schema for
			}
			if !fault.Is(err, fault.InvalidRequest) || !strings.Contains(fmt.Sprint(fault.From(err).Details["violations"]), x.rule) {
				t.Errorf("%s with %s: %v", route, key, err)
			}
		}
	}
}

const noUUID = "01980000-0000-7000-8000-000000000000"

func says(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: string(r.Params.Arguments)}}}, nil
}

// What a program wrote to its error output is in the first answer, and not in the one that is remembered for a repeat.
func TestConnector_AProgramsOutputIsNotRemembered(t *testing.T) {
	boxed(t)
	t.Parallel()
	w := begin(t)
	r := got(w.c.RegisterConnector(t.Context(), client.ConnectorCreate{Provider: "custom_remote", DisplayName: "broken",
		Transport: "local_bridge", LocalBridge: &client.LocalBridge{Command: []string{"sh", "-c", "echo no such folder >&2; exit 3"}}}))(t)
	if r.Trouble == nil || !slices.Equal(r.Trouble.Output, []string{"no such folder"}) || !strings.Contains(r.Trouble.Reason, "exit code 3") {
		t.Errorf("%+v", r.Trouble)
	}
	q := wire.MCPSmokeTestRequest{ServerID: "broken", ClientRequestID: "again", SchemaVersion: 1}
	for _, want := range []bool{true, false} {
		b, err := w.c.Raw(t.Context(), "POST", "/api/mcp/servers/broken/smoke-test", q)
		if err != nil || strings.Contains(string(b), `["no such folder"]`) != want || !strings.Contains(string(b), `exit code 3"`) {
			t.Errorf("%s %v", b, err)
		}
	}
}
