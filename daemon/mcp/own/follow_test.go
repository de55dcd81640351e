package own_test

import (
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"showhow/daemon/ability"
	"showhow/daemon/capability/health"
)

// An agent follows the skill that it opens, whichever way, and none that a look-up only lists: its calls to the
// connector count for that one.
func TestAnAgentFollowsWhatItOpens(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.install("change-an-order")
	h.install("change-an-order-again")
	failures := func(skill string) int {
		t.Helper()
		a, _, err := h.abilities.Health(t.Context(), skill)
		h.ok(err)
		return a.Health.Totals.Failed
	}
	for agent, open := range map[string]func(cs *mcp.ClientSession) error{
		"shows": func(cs *mcp.ClientSession) error {
			_, code := call[any](t, cs, "show_skill", map[string]any{"skill": "change-an-order"})
			if code != "" {
				t.Error(code)
			}
			return nil
		},
		"reads": func(cs *mcp.ClientSession) error {
			_, err := cs.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "skill://change-an-order/SKILL.md"})
			return err
		},
		"prompts": func(cs *mcp.ClientSession) error {
			_, err := cs.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "change-an-order"})
			return err
		},
	} {
		cs, before := h.agent(agent, nil), failures("change-an-order")
		calls := func() int {
			h.ok(h.abilities.NoteCalled(t.Context(), ability.Called{Agent: agent, Connector: "tracker", Tool: "tracker__find",
				Result: health.Failed, Code: "tool_failed"}))
			return failures("change-an-order") - before
		}
		if f, _ := call[found](t, cs, "lookup_skills", map[string]any{"task": "change an order"}); len(f.Matches) != 2 {
			t.Fatalf("%+v", f.Matches)
		}
		if n := calls(); n != 0 {
			t.Errorf("%s: a call counts for what was only listed", agent)
		}
		h.ok(open(cs))
		if n := calls(); n != 1 {
			t.Errorf("%s: %d calls count", agent, n)
		}
	}
	if n := failures("change-an-order-again"); n != 0 {
		t.Errorf("%d calls count for the skill that nobody opened", n)
	}
}
