package own_test

import (
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"showhow/daemon/mcp/skills"
)

// withSkills lets a client ask for a skill's entry.
func withSkills(c *mcp.Client) error {
	return mcp.AddSendingCustomMethod[*skills.GetParams, *skills.GetResult](c, skills.MethodGet)
}

func getSkill(t *testing.T, cs *mcp.ClientSession, uri string) (*skills.GetResult, error) {
	return mcp.CallCustomMethod[*skills.GetParams, *skills.GetResult](t.Context(), cs, skills.MethodGet, &skills.GetParams{URI: uri})
}

// For an agent that gets skills as copies, the lists are empty; its tools work, and what it names is read. (SEP-2640: a server
// MUST answer skills/get for every skill it serves, whether or not it appears in its list.)
func TestAnAgentThatGetsCopiesOnly(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.install("change-an-order")
	h.files = "codex"
	for name, want := range map[string]int{"codex": 0, "claude": 1} {
		cs := h.agent(name, nil)
		p, err := cs.ListPrompts(t.Context(), nil)
		h.ok(err)
		r, err := cs.ListResources(t.Context(), nil)
		h.ok(err)
		if len(p.Prompts) != want || len(r.Resources) != 3*want {
			t.Errorf("%s: %d prompts, %d resources", name, len(p.Prompts), len(r.Resources))
		}
		f, _ := call[found](t, cs, "lookup_skills", map[string]any{"task": "change an order"})
		if len(f.Matches) != 1 || !f.Matches[0].UsableNow {
			t.Errorf("%s: %+v", name, f)
		}
		const uri = "skill://change-an-order/SKILL.md"
		if _, err := cs.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if g, err := getSkill(t, cs, uri); err != nil || !strings.Contains(string(g.Skill), uri) {
			t.Errorf("%s: %+v %v", name, g, err)
		}
	}
}
