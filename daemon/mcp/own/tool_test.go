package own_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A refusal names the argument and does not repeat what was submitted.
func TestARefusalDoesNotQuoteArguments(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	cs := h.agent("claude", nil)
	const secret = "hunter2-hunter2"
	good := func(name string, v any) map[string]any {
		args := map[string]any{"skill": "x", "checkpoint": "cp-01", "status": "reached"}
		args[name] = v
		return args
	}
	for hint, args := range map[string]map[string]any{
		"status is not": good("status", secret), "surface is not": good("surface", secret), "skill is not": good("skill", []string{secret}),
		"evidence is not": good("evidence", strings.Repeat(secret, 100)), "takes only checkpoint": good(secret, secret),
		"skill is missing": {"checkpoint": secret, "status": "reached"}} {
		res, err := cs.CallTool(t.Context(), &mcp.CallToolParams{Name: "verify_checkpoint", Arguments: args})
		h.ok(err)
		b, _ := json.Marshal(res)
		if !res.IsError || strings.Contains(string(b), secret) || !strings.Contains(string(b), hint) {
			t.Errorf("%s: %.300s", hint, b)
		}
	}
}
