package acceptance_test

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

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
	call := func(tool string, q map[string]any) map[string]any {
		t.Helper()
		r := got(s.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: q}))(t)
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
	secret := call("showhow", map[string]any{"from_kind": "receipt", "purpose": "researching_history"})
	none := call("showhow", map[string]any{"from_kind": "file", "from_id": "there-is-none"})
	if toJSON(t, secret) != toJSON(t, none) || secret["ok"] != false {
		t.Errorf("%v", secret)
	}
	mine := got(w.c.CallContract(ctx, "showhow", map[string]any{"from_kind": "receipt", "purpose": "researching_history"}))(t)
	if mine["ok"] != true || !strings.Contains(toJSON(t, mine), "receipt_id") {
		t.Errorf("%v", mine)
	}
	bot := w.agent("bot")
	_, err := bot.CallContract(ctx, "showhow_channel", map[string]any{})
	refused(t, err, fault.Forbidden)
	_, err = bot.CallContract(ctx, "showhow", map[string]any{"verb": "DROP"})
	refused(t, err, fault.InvalidRequest)
	told := toJSON(t, got(bot.CallContract(ctx, "tool_telemetry", nil))(t))
	if strings.Contains(told, "scout") || !strings.Contains(told, "no_information") {
		t.Error(told)
	}
	_, err = client.Unix(w.o.Roots.Socket(), client.WithToken("wrong")).CallContract(ctx, "health", nil)
	refused(t, err, fault.Unauthorized)
}

func toJSON(t *testing.T, v any) string {
	t.Helper()
	return string(got(json.Marshal(v))(t))
}
