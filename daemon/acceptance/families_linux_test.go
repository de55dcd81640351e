package acceptance_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"showhow/daemon/client"
	"showhow/internal/fault"
)

// The skills that come with Showhow, through the official MCP client: an agent finds each with a person's words, reads
// it at the door and reports a checkpoint; a person, and no agent, switches one off, and it is gone.
func TestFamilies_AtTheDaemonsDoor(t *testing.T) {
	t.Parallel()
	w := begin(t)
	cs := w.atDoor("scout")
	call := func(tool string, args map[string]any, into any) *mcp.CallToolResult {
		t.Helper()
		res, err := cs.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: args})
		must(t, err)
		if into != nil {
			b, _ := json.Marshal(res.StructuredContent)
			must(t, json.Unmarshal(b, into))
		}
		return res
	}
	find := func(task string) (slug string, usable bool) {
		t.Helper()
		var seen client.LookupResult
		call("lookup_skills", map[string]any{"task": task}, &seen)
		if len(seen.Matches) == 0 {
			return "", false
		}
		return seen.Matches[0].SkillSlug, seen.Matches[0].UsableNow
	}
	for task, want := range map[string]string{"track changes in a Word document": "showhow-word",
		"get the tables out of this PDF": "showhow-pdf", "write down a task for Friday": "showhow-notes"} {
		slug, usable := find(task)
		if slug != want {
			t.Errorf("%q finds %q, want %s", task, slug, want)
			continue
		}
		e := got(w.c.Ability(t.Context(), slug))(t)
		if !e.BuiltIn || e.UsableNow != usable || !usable && e.ReasonUnusable == "" {
			t.Errorf("%s: %+v", slug, e)
		}
		if !usable { // what it needs is not installed here
			continue
		}
		md, err := cs.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "skill://" + slug + "/SKILL.md"})
		must(t, err)
		if !strings.HasPrefix(md.Contents[0].Text, "---\nname: "+slug) {
			t.Errorf("%s", md.Contents[0].Text)
		}
		if res := call("verify_checkpoint", map[string]any{"skill": slug, "checkpoint": "cp-01", "status": "reached"}, nil); res.IsError {
			t.Errorf("%s: %+v", slug, res.Content)
		}
	}
	agent := w.agent("helper")
	_, err := agent.Deactivate(t.Context(), "showhow-word")
	refused(t, err, fault.Forbidden)
	off := got(w.c.Deactivate(t.Context(), "showhow-word"))(t)
	if off.Ability.UsableNow || off.Ability.ReasonCode != "disabled" {
		t.Errorf("%+v", off)
	}
	if slug, usable := find("track changes in a Word document"); usable {
		t.Errorf("%s is found as usable", slug)
	}
	if _, err := cs.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "skill://showhow-word/SKILL.md"}); err == nil {
		t.Error("an agent still reads it")
	}
	if r := w.receipts(client.ReceiptFilter{AbilityID: off.Ability.AbilityID, Kind: "ability.route.disabled"}); len(r) != 1 {
		t.Errorf("%d receipts", len(r))
	}
	_, err = w.c.DeleteAbility(t.Context(), "showhow-word")
	refused(t, err, fault.InstallLaneDenied)
}
