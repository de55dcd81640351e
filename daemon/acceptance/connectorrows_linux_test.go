package acceptance_test

import (
	"encoding/json"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	canonicalschemas "showhow/daemon/canonical"
	"showhow/daemon/client"
	"showhow/internal/fault"
)

// The rows of R9 0.11C about connectors, each on a whole daemon with a service that misbehaves when it is told to.

// faulty is a service that answers as trouble says; nil lets it work.
type faulty struct {
	trouble atomic.Pointer[func(http.ResponseWriter)]
	hits    atomic.Int32
}

func (f *faulty) answer(status int, header ...string) {
	do := func(w http.ResponseWriter) {
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(status)
	}
	f.trouble.Store(&do)
}

func (w *world) faulty(name string) (*faulty, string) {
	w.t.Helper()
	f := &faulty{}
	s := mcp.NewServer(&mcp.Implementation{Name: "fixture", Version: "1"}, nil)
	s.AddTool(&mcp.Tool{Name: "read_note", InputSchema: map[string]any{"type": "object"}}, says)
	h := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, nil)
	ts := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if do := f.trouble.Load(); do != nil && r.Method == http.MethodPost {
			f.hits.Add(1)
			(*do)(rw)
			return
		}
		h.ServeHTTP(rw, r)
	}))
	w.t.Cleanup(func() { w.stop(); ts.CloseClientConnections(); ts.Close() })
	r := got(w.c.RegisterConnector(w.t.Context(), client.ConnectorCreate{Provider: "custom_remote", DisplayName: name, EndpointURL: ts.URL,
		Transport: "remote_http"}))(w.t)
	return f, r.Server.Registry.ServerID
}

// called is the code that a call of a tool ended with; "" when it worked.
func called(t *testing.T, cs *mcp.ClientSession, tool string) (code string, details map[string]any) {
	t.Helper()
	res, err := cs.CallTool(t.Context(), &mcp.CallToolParams{Name: tool})
	must(t, err)
	if !res.IsError {
		return "", nil
	}
	var said struct {
		Error map[string]any `json:"error"`
	}
	b, err := json.Marshal(res.StructuredContent)
	must(t, err)
	must(t, json.Unmarshal(b, &said))
	code, _ = said.Error["code"].(string)
	return code, said.Error
}

func (w *world) connector(id string) client.Connector {
	w.t.Helper()
	l := got(w.c.Connectors(w.t.Context()))(w.t)
	i := slices.IndexFunc(l.Servers, func(x client.Connector) bool { return x.Registry.ServerID == id })
	if i < 0 {
		w.t.Fatal("there is no connector " + id)
	}
	return l.Servers[i]
}

// R9 0.11C, MCP throttling/backoff; 0.6E: it is throttled, not degraded, and is left alone for as long as it asked.
func TestConnector_R9_MCPThrottlingBackoff(t *testing.T) {
	t.Parallel()
	w := begin(t)
	f, id := w.faulty("notes")
	cs := w.atDoor("codex")
	f.answer(http.StatusTooManyRequests, "Retry-After", "90")
	for range 4 { // more than a failing service needs to be degraded
		code, details := called(t, cs, "notes__read_note")
		ms, _ := details["retry_after_ms"].(float64)
		if code != string(fault.ConnectorThrottled) || ms < 80_000 || ms > 90_000 {
			t.Errorf("%s %v", code, details)
		}
	}
	if n := f.hits.Load(); n == 0 || n > 3 { // what the client's one attempt sends; the later calls did not reach it
		t.Errorf("it was asked %d times", n)
	}
	x := w.connector(id)
	if h := x.Health; h.ThrottleState.State != "rate_limited" || h.HealthStatus != "healthy" || h.FailureCountRolling != 0 ||
		h.BackoffUntil == nil {
		t.Errorf("%+v", h)
	}
	if !slices.Equal(x.BadgeStates, []string{"connected"}) {
		t.Error(x.BadgeStates)
	}
	r := got(w.c.ConnectorReceipts(t.Context(), id, "", 10))(t).Receipts[0]
	if r.Call == nil || r.Call.ErrorCode != string(fault.ConnectorThrottled) {
		t.Errorf("%+v", r)
	}
	canonicalschemas.Must(t, w.o.Config.Memory)
}

// R9 0.11C, connector auth expiry: the agent learns what the person can do, the card says so, and signing in is offered.
func TestConnector_R9_AuthExpiry(t *testing.T) {
	t.Parallel()
	w := begin(t)
	f, id := w.faulty("notes")
	cs := w.atDoor("codex")
	if code, _ := called(t, cs, "notes__read_note"); code != "" {
		t.Fatal(code)
	}
	f.answer(http.StatusUnauthorized, "WWW-Authenticate", `Bearer error="invalid_token"`)
	if code, _ := called(t, cs, "notes__read_note"); code != string(fault.MCPAuthChallengeRequired) {
		t.Error(code)
	}
	x := w.connector(id)
	if !slices.Contains(x.BadgeStates, "auth_required") || slices.Contains(x.BadgeStates, "connected") ||
		!slices.Contains(x.AvailableActions, "connect_auth") || x.Health.FailureCountRolling != 0 {
		t.Errorf("%v %v %+v", x.BadgeStates, x.AvailableActions, x.Health)
	}
}

// R9 0.11C, partial deployment degraded states: one of two services fails, and the other does not notice.
func TestConnector_R9_PartialDeployment(t *testing.T) {
	t.Parallel()
	w := begin(t)
	f, broken := w.faulty("broken")
	_, whole := w.faulty("whole")
	cs := w.atDoor("codex")
	f.answer(http.StatusInternalServerError)
	for range 3 {
		if code, _ := called(t, cs, "broken__read_note"); code != string(fault.ConnectorUnreachable) {
			t.Error(code)
		}
		if code, _ := called(t, cs, "whole__read_note"); code != "" {
			t.Error(code)
		}
	}
	if x := w.connector(broken); !slices.Equal(x.BadgeStates, []string{"degraded"}) || x.Health.HealthReasonCode == "" {
		t.Errorf("%v %+v", x.BadgeStates, x.Health)
	}
	if x := w.connector(whole); !slices.Equal(x.BadgeStates, []string{"connected"}) {
		t.Error(x.BadgeStates)
	}
	if got := toolNames(t, cs); len(got) < 2 {
		t.Error(got)
	}
	f.trouble.Store(nil)
	if code, _ := called(t, cs, "broken__read_note"); code != "" || !slices.Equal(w.connector(broken).BadgeStates, []string{"connected"}) {
		t.Error("one success does not heal it", code)
	}
}

// A service that is only recorded is not tested, and a test that fails says so by its code.
func TestConnector_SmokeTestCodes(t *testing.T) {
	t.Parallel()
	w := begin(t)
	r := got(w.c.RegisterConnector(t.Context(), client.ConnectorCreate{Provider: "provider_native", DisplayName: "Elsewhere",
		Transport: "provider_native"}))(t)
	_, err := w.c.TestConnector(t.Context(), client.ConnectorTest{ServerID: r.Server.Registry.ServerID})
	refused(t, err, fault.MCPServerNotActive)
	f, id := w.faulty("notes")
	f.answer(http.StatusInternalServerError)
	if x := got(w.c.TestConnector(t.Context(), client.ConnectorTest{ServerID: id}))(t); x.ErrorCode != string(fault.MCPSmokeTestFailed) ||
		x.Status != "failed" || x.ToolDiscoveryOK || x.ReceiptID == "" {
		t.Errorf("%+v", x)
	}
}

// mcp_named_responses_consistent: every route of 0.2D's table takes and answers what the table names.
func TestConnector_RoutesAsTheTableNamesThem(t *testing.T) {
	t.Parallel()
	b, err := os.ReadFile("../../docs/openapi.json")
	must(t, err)
	var doc struct {
		Paths map[string]map[string]struct {
			Body struct {
				Content map[string]struct{ Schema ref } `json:"content"`
			} `json:"requestBody"`
			Responses map[string]struct {
				Content map[string]struct{ Schema ref } `json:"content"`
			} `json:"responses"`
		} `json:"paths"`
	}
	must(t, json.Unmarshal(b, &doc))
	n := 0
	for line := range strings.Lines(table) {
		row := strings.Fields(line)
		if len(row) != 4 {
			continue
		}
		n++
		op, ok := doc.Paths["/api/mcp"+row[1]][strings.ToLower(row[0])]
		takes, answers := op.Body.Content["application/json"].Schema.name(), ""
		for code, r := range op.Responses {
			if code[0] == '2' {
				answers = r.Content["application/json"].Schema.name()
			}
		}
		if !ok || takes != strings.Trim(row[2], "-") || answers != row[3] {
			t.Errorf("%s %s: takes %q, answers %q", row[0], row[1], takes, answers)
		}
	}
	if n != 21 {
		t.Errorf("%d routes", n)
	}
}

type ref struct {
	To string `json:"$ref"`
}

func (r ref) name() string { return strings.TrimPrefix(r.To, "#/components/schemas/") }

// The callback's query is checked by signin's tests; policy/update takes target and decision under a name of ours.
const table = `
GET /servers - MCPServerListResponse
POST /servers/register MCPServerCreateRequest MCPServerMutationResponse
PATCH /servers/{serverId} MCPServerPatchRequest MCPServerMutationResponse
DELETE /servers/{serverId} - MCPServerDeleteResponse
GET /servers/{serverId}/health - MCPConnectionHealth
GET /servers/{serverId}/auth/status - MCPServerAuthStatus
POST /servers/{serverId}/auth/start MCPAuthStartRequest MCPAuthStartResponse
GET /servers/{serverId}/auth/callback - MCPServerAuthStatus
POST /servers/{serverId}/auth/refresh MCPAuthRefreshRequest MCPServerAuthStatus
POST /servers/{serverId}/auth/revoke MCPAuthRevokeRequest MCPAuthRevokeResponse
POST /servers/{serverId}/smoke-test MCPSmokeTestRequest MCPSmokeTestResponse
GET /auth-profiles - MCPAuthProfileListResponse
POST /auth-profiles MCPAuthProfileCreateRequest MCPAuthProfile
PATCH /auth-profiles/{authProfileId} MCPAuthProfilePatchRequest MCPAuthProfile
DELETE /auth-profiles/{authProfileId} - MCPAuthProfileDeleteResponse
POST /policy/update MCPPolicyUpdateRequest MCPEffectivePolicy
GET /receipts - MCPReceiptListResponse
GET /ask-first/pending - MCPAskFirstPendingListResponse
POST /ask-first/{dispatchId}/approve MCPAskFirstDecisionRequest MCPAskFirstDecisionResponse
POST /ask-first/{dispatchId}/deny MCPAskFirstDecisionRequest MCPAskFirstDecisionResponse
POST /auth/challenge/respond MCPAuthChallengeRespondRequest MCPAuthChallengeRespondResponse
`

// R11.2-38, for any wrapper: its `set` is a ConfigurationIntent, and the wrapper itself writes no file. The row names a
// wrapper that Showhow does not ship, so one is made of its name, and one of another.
func TestR11_2_38_AWrappersSetIsAConfigurationIntent(t *testing.T) {
	t.Parallel()
	w := begin(t)
	a, _ := w.installed()
	for i, name := range []string{"legal_tables_configure", "desk-wrapper"} {
		dir := t.TempDir()
		program := w.program(dir)
		script := filepath.Join(dir, name)
		must(t, os.WriteFile(script, []byte("#!/bin/sh\n[ \"$1\" = set ] || exit 2\nexec "+program+" ability configure "+a.SkillSlug+
			" \"$2=$3\"\n"), 0o700))
		agent := got(w.c.AddAgent(t.Context(), name))(t)
		before := written(t, w.o.Roots.Home, dir, w.o.Config.Memory)
		cmd := exec.Command(script, "set", "table"+strconv.Itoa(i), "contracts")
		cmd.Dir, cmd.Env = dir, append(w.environment(), "SHOWHOW_TOKEN="+agent.Token)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		applied := w.receipts(client.ReceiptFilter{Kind: "config.intent.applied"})
		if len(applied) != i+1 {
			t.Fatalf("%s: %d intents were applied", name, len(applied))
		}
		docs := got(w.c.Configuration(t.Context(), a.AbilityID))(t).Documents
		if len(docs) != 1 {
			t.Fatalf("%+v", docs)
		}
		at := strings.TrimPrefix(docs[0].Path, "system/")
		file := canonical(w, at, func(d client.ConfigDocument) bool { return d.Config["table"+strconv.Itoa(i)] == "contracts" })
		if file.Revision != i+1 {
			t.Errorf("%s: %+v", name, file)
		}
		for f := range written(t, w.o.Roots.Home, dir, w.o.Config.Memory) {
			// The memory root is the daemon's: what it projects there, and that a write past it is put back, is R11.2-37.
			if _, was := before[f]; !was && !strings.HasPrefix(f, w.memory("")) {
				t.Errorf("%s wrote %s", name, f)
			}
		}
	}
}

// written are the files below the folders.
func written(t *testing.T, dirs ...string) map[string]bool {
	t.Helper()
	out := map[string]bool{}
	for _, dir := range dirs {
		must(t, filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				out[p] = true
			}
			return nil
		}))
	}
	return out
}
