package own_test

import (
	"slices"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"showhow/daemon/wire"
)

// An agent that the approval does not name is told that there is a skill, and nothing confirms what it guesses of its words.
func TestNoGuessOfAnotherAgentsSkillIsConfirmed(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.install("water-the-garden", "codex")
	mine, other := h.agent("codex", nil), h.agent("claude", nil)
	for _, task := range []string{"water the garden", "water the garden, but never the paper", "something else"} {
		args := map[string]any{"skill": "water-the-garden", "task": task}
		if _, code := call[wire.AbilityExplainMatchResponse](t, mine, "explain_match", args); code != "" {
			t.Errorf("%s: %s", task, code)
		}
		_, shown := call[any](t, other, "show_skill", map[string]any{"skill": "water-the-garden"})
		if said, code := call[wire.AbilityExplainMatchResponse](t, other, "explain_match", args); code != shown || code != "TRUST_REQUIRED" {
			t.Errorf("%s: %q, %q from show_skill: %+v", task, code, shown, said)
		}
	}
	is := func(m wire.AbilityLookupMatch) bool { return m.SkillSlug == "water-the-garden" }
	for cs, reasons := range map[*mcp.ClientSession]bool{mine: true, other: false} {
		f, _ := call[found](t, cs, "lookup_skills", map[string]any{"task": "water the garden"})
		i := slices.IndexFunc(f.Matches, is)
		if i < 0 || (len(f.Matches[i].MatchReasons) > 0) != reasons {
			t.Errorf("%v: %+v", reasons, f)
		}
	}
}
