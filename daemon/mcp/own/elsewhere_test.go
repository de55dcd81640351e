package own_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"showhow/daemon/ability"
	"showhow/daemon/wire"
	"showhow/internal/clock"
)

// A caller on another computer has what was opened to it. Of everything else it does not learn that it is there, by no
// way in; and what the person configured it never has.
func TestACallerFromElsewhereHasWhatWasOpenedToIt(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.install("for-agents-here")
	h.install("for-one-here", "codex")
	h.install("water-the-garden", "codex", "remote/scout")
	h.install("for-all-elsewhere", "remote/*")
	for _, c := range []string{"for_agents_here", "water_the_garden"} {
		_, err := h.abilities.ApplyConfigIntent(t.Context(), ability.ConfigIntent{IntentID: clock.NewID(), Target: "skill_config",
			CapabilityID: "desk." + c, Payload: map[string]any{"account": "1234567"}, RequestedBy: "wrapper", CorrelationID: "c1",
			CreatedAt: clock.Now(), SchemaVersion: 1}, true)
		h.ok(err)
	}
	type availability struct {
		Skills []struct {
			Skill      string
			UsableNow  bool `json:"usable_now"`
			Configured map[string]any
		}
	}
	for who, want := range map[string][]string{
		"remote/scout": {"for-all-elsewhere", "water-the-garden"}, "remote/other": {"for-all-elsewhere"},
		"codex": {"for-agents-here", "for-all-elsewhere", "for-one-here", "water-the-garden"}} {
		cs := h.agent(who, nil)
		a, _ := call[availability](t, cs, "skill_availability", nil)
		has, prompts := []string{}, []string{}
		for _, s := range a.Skills {
			if has = append(has, s.Skill); strings.HasPrefix(who, "remote/") && (s.Configured != nil || !s.UsableNow) {
				t.Errorf("%s: %+v", who, s)
			}
		}
		ps, err := cs.ListPrompts(t.Context(), nil)
		h.ok(err)
		for _, p := range ps.Prompts {
			prompts = append(prompts, p.Name)
		}
		slices.Sort(has)
		slices.Sort(prompts)
		if !slices.Equal(has, want) || !slices.Equal(prompts, want) {
			t.Errorf("%s has %v, and prompts %v", who, has, prompts)
		}
	}
	cs := h.agent("remote/other", nil)
	for tool, args := range map[string]map[string]any{
		"show_skill": {}, "explain_match": {"task": "water the garden"}, "skill_availability": {},
		"verify_checkpoint": {"checkpoint": "cp-01", "status": "reached"}} {
		code := map[string]string{}
		for _, skill := range []string{"water-the-garden", "there-is-none"} {
			args["skill"] = skill
			_, code[skill] = call[any](t, cs, tool, args)
		}
		if code["water-the-garden"] == "" || code["water-the-garden"] != code["there-is-none"] {
			t.Errorf("%s: %v", tool, code)
		}
	}
	if f, _ := call[found](t, cs, "lookup_skills", map[string]any{"task": "water the garden"}); slices.ContainsFunc(f.Matches,
		func(m wire.AbilityLookupMatch) bool { return m.SkillSlug == "water-the-garden" }) {
		t.Errorf("%+v", f)
	}
	if r, err := cs.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "skill://water-the-garden/SKILL.md"}); err == nil {
		t.Errorf("%+v", r)
	}
}
