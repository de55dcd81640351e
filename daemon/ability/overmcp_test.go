package ability_test

import (
	"os"
	"path/filepath"
	"testing"

	"showhow/daemon/ability"
)

// An agent that reads skills over MCP gets no copies, those that it has are taken away by the ledger, and its skills
// stay usable; back on copies they are put back. What somebody changed is set aside, never deleted.
func TestTheCopiesOfAnAgentAreAChoice(t *testing.T) {
	h := newHouse(t)
	h.install(request("change-an-order"))
	h.install(request("close-a-case"))
	openclaw, claude := h.path(0, "change-an-order"), h.path(1, "change-an-order")
	if !h.there(openclaw) || !h.there(claude) {
		t.Fatal("no copies to begin with")
	}
	over := func(first, second bool) {
		h.opt.Targets[0].OverMCP, h.opt.Targets[1].OverMCP = first, second
		h.restart()
	}
	over(false, true)
	if !h.there(openclaw) || h.there(claude) {
		t.Error("the copies of the agent that reads over MCP are not taken away, or others are")
	}
	h.install(request("count-lines"))
	if h.there(h.path(1, "count-lines")) || !h.there(h.path(0, "count-lines")) {
		t.Error("a new skill is copied where none belongs, or not where it belongs")
	}
	changed := filepath.Join(h.path(0, "close-a-case"), "SKILL.md")
	h.ok(os.Chmod(changed, 0o600))
	h.ok(os.WriteFile(changed, []byte("mine"), 0o600))
	over(true, true)
	if h.there(openclaw) {
		t.Error("a copy stays")
	}
	aside, err := filepath.Glob(filepath.Join(h.opt.MemoryRoot, "system", "learning", "set-aside", "close-a-case.openclaw.*", "SKILL.md"))
	h.ok(err)
	if len(aside) != 1 {
		t.Error("a changed copy is not set aside")
	}
	if e := h.entry("change-an-order"); !e.UsableNow {
		t.Errorf("a skill without copies is not usable over MCP: %s", e.ReasonUnusable)
	}
	over(false, false)
	if !h.there(openclaw) || !h.there(claude) {
		t.Error("the copies do not come back")
	}
	if e := h.entry("change-an-order"); !e.UsableNow {
		t.Errorf("%s", e.ReasonUnusable)
	}
}

// A skill that only agents over MCP may use needs no copy; one that no agent gets is not usable.
func TestASkillForAnAgentOverMCPAlone(t *testing.T) {
	h := newHouse(t)
	h.opt.Targets[1].OverMCP = true
	h.restart()
	r := request("change-an-order")
	r.Permissions = &ability.Permissions{Agents: []string{"claude"}}
	h.install(r)
	if e := h.entry("change-an-order"); !e.UsableNow || h.there(h.path(0, "change-an-order")) || h.there(h.path(1, "change-an-order")) {
		t.Errorf("%+v", e)
	}
}
