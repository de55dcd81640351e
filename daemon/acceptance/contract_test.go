package acceptance_test

import (
	"bytes"
	"context"
	"encoding/json"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"showhow/daemon/client"
	"showhow/internal/fault"
)

// atContract is a client of the official SDK at a daemon's contract, with a token or none.
func (w *world) atContract(token string) *mcp.ClientSession {
	w.t.Helper()
	tr := &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "unix", w.o.Roots.Socket())
	}}
	w.t.Cleanup(tr.CloseIdleConnections)
	h := &http.Client{Transport: bearer{tr, token}}
	s := got(mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(w.t.Context(),
		&mcp.StreamableClientTransport{Endpoint: "http://showhow/contract", HTTPClient: h, DisableStandaloneSSE: true}, nil))(w.t)
	w.t.Cleanup(func() { s.Close() })
	return s
}

type bearer struct {
	next  http.RoundTripper
	token string
}

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	if b.token != "" {
		r.Header.Set("Authorization", "Bearer "+b.token)
	}
	return b.next.RoundTrip(r)
}

// published is a schema that the daemon's own get_protocol_spec names.
func published(t *testing.T, s *mcp.ClientSession, name string) *jsonschema.Schema {
	t.Helper()
	r := got(s.CallTool(t.Context(), &mcp.CallToolParams{Name: "get_protocol_spec"}))(t)
	var spec map[string]json.RawMessage
	must(t, json.Unmarshal([]byte(r.Content[0].(*mcp.TextContent).Text), &spec))
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	must(t, c.AddResource(name, got(jsonschema.UnmarshalJSON(bytes.NewReader(spec[name])))(t)))
	return got(c.Compile(name))(t)
}

// fits validates what passes at the contract.
func fits(t *testing.T, schema *jsonschema.Schema, raw string) {
	t.Helper()
	if err := schema.Validate(got(jsonschema.UnmarshalJSON(strings.NewReader(raw)))(t)); err != nil {
		t.Errorf("%v\n%s", err, raw)
	}
}

// An agent that was let in finds a skill, reads it and reports a checkpoint under the contract; what is the person's own
// it gets no information about, and neither does it get another tool than its grant has.
func TestTheWireContract(t *testing.T) {
	w := begin(t)
	ctx := t.Context()
	a := w.owns()
	token := got(w.c.AddAgent(ctx, "scout"))(t).Token
	s := w.atContract(token)
	names := []string{}
	for _, x := range got(s.ListTools(ctx, nil))(t).Tools {
		names = append(names, x.Name)
	}
	if all := strings.Join(names, " "); !strings.Contains(all, "showhow_write") || strings.Contains(all, "showhow_channel") || len(names) > 8 {
		t.Errorf("%v", names)
	}
	asked, answered := published(t, s, "request_schema"), published(t, s, "response_schema")
	call := func(tool string, q map[string]any) map[string]any {
		t.Helper()
		fits(t, asked, toJSON(t, q))
		r := got(s.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: q}))(t)
		fits(t, answered, r.Content[0].(*mcp.TextContent).Text)
		var out map[string]any
		must(t, json.Unmarshal([]byte(r.Content[0].(*mcp.TextContent).Text), &out))
		return out
	}
	found := call("showhow", map[string]any{"from_kind": "recall", "ask": "sort the receipts of a folder by month"})
	r, _ := found["result"].(map[string]any)
	if found["ok"] != true || r["found"] != true || !strings.Contains(toJSON(t, found), a.AbilityID) {
		t.Fatalf("%v", found)
	}
	file := call("showhow", map[string]any{"from_kind": "file", "from_id": a.SkillSlug})
	if file["ok"] != true || file["is_retrieved_content"] != true || !strings.Contains(toJSON(t, file), a.ApprovedHash) {
		t.Errorf("%v", file)
	}
	told := call("showhow_write", map[string]any{"verb": "INSERT", "from_kind": "checkpoint", "payload": map[string]any{
		"ability": a.SkillSlug, "checkpoint": "cp-01", "status": "reached"}})
	if told["verb"] != "INSERT" || told["cognitive_mode"] == nil {
		t.Errorf("%v", told)
	}
	secret := call("showhow", map[string]any{"from_kind": "receipt", "purpose": "researching_history"})
	none := call("showhow", map[string]any{"from_kind": "file", "from_id": "there-is-none"})
	if toJSON(t, secret) != toJSON(t, none) || secret["ok"] != false {
		t.Errorf("%v", secret)
	}
	mine := got(w.c.CallContract(ctx, "showhow", map[string]any{"from_kind": "receipt", "purpose": "researching_history"}))(t)
	fits(t, answered, toJSON(t, mine))
	if mine["ok"] != true || !strings.Contains(toJSON(t, mine), "receipt_id") {
		t.Errorf("%v", mine)
	}
	bot := w.agent("bot")
	_, err := bot.CallContract(ctx, "showhow_channel", map[string]any{})
	refused(t, err, fault.Forbidden)
	_, err = bot.CallContract(ctx, "showhow", map[string]any{"verb": "DROP"})
	refused(t, err, fault.InvalidRequest)
	counted := toJSON(t, got(bot.CallContract(ctx, "tool_telemetry", nil))(t))
	if strings.Contains(counted, "scout") || !strings.Contains(counted, "no_information") {
		t.Error(counted)
	}
	_, err = client.Unix(w.o.Roots.Socket(), client.WithToken("wrong")).CallContract(ctx, "health", nil)
	refused(t, err, fault.Unauthorized)
	w.statuses(token)
}

// statuses are those of section 11.1, for a caller that speaks HTTP itself; what is JSON and fits no schema has the API's own.
func (w *world) statuses(token string) {
	tr := &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "unix", w.o.Roots.Socket())
	}}
	defer tr.CloseIdleConnections()
	for _, x := range []struct {
		token, body string
		want        int
	}{
		{token, `{"tool":"showhow","request":{"from_kind":"ability"},"schema_version":1}`, http.StatusOK},
		{token, `{"tool":"showhow_channel","request":{},"schema_version":1}`, http.StatusForbidden},
		{token, `{"tool":"showhow","request":{"verb":"DROP"},"schema_version":1}`, http.StatusUnprocessableEntity},
		{token, `{"tool":"showhow","arguments":{"from_kind":"ability"},"schema_version":1}`, http.StatusUnprocessableEntity},
		{token, `{"tool":`, http.StatusBadRequest},
		{"wrong", `{"tool":"showhow","request":{},"schema_version":1}`, http.StatusUnauthorized},
	} {
		r := got(http.NewRequestWithContext(w.t.Context(), http.MethodPost, "http://showhow/api/contract/call", strings.NewReader(x.body)))(w.t)
		r.Header.Set("Content-Type", "application/json")
		res := got((&http.Client{Transport: bearer{tr, x.token}}).Do(r))(w.t)
		res.Body.Close()
		if res.StatusCode != x.want {
			w.t.Errorf("%s: %d, want %d", x.body, res.StatusCode, x.want)
		}
	}
}

func toJSON(t *testing.T, v any) string {
	t.Helper()
	return string(got(json.Marshal(v))(t))
}
