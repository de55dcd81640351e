package door_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"showhow/daemon/canonical"
	"showhow/daemon/connector/door"
	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// An approval for a project counts in every session of that agent that works for it, also after the daemon was
// restarted, and nowhere else; it ends with the project's binding, and when the person ends it.
func TestAnApprovalForAProject(t *testing.T) {
	dir := t.TempDir()
	h := newHouse(t, dir)
	h.bound.Store("acme", true)
	h.bound.Store("other", true)
	s := h.serve("write_note")
	h.connect("Notes", s)
	args := map[string]any{"n": 1}
	asks := func(cs *mcp.ClientSession, decision string) wire.MCPAskFirstDispatchRecord {
		t.Helper()
		d, done := h.asked(cs, "notes__write_note", args)
		h.decide(d.DispatchID, decision, false)
		<-done
		return d
	}
	goes := func(cs *mcp.ClientSession) {
		t.Helper()
		res, err := cs.CallTool(t.Context(), &mcp.CallToolParams{Name: "notes__write_note", Arguments: args})
		if err != nil || res.IsError {
			t.Fatalf("%v %v", res, err)
		}
	}
	d, done := h.asked(h.inProject("codex", "nobody-bound", nil), "notes__write_note", args) // a name without a binding is no project
	if _, err := h.desk.Decide(t.Context(), d.DispatchID, wire.MCPAskFirstDecisionRequest{Decision: "approve_for_project", SchemaVersion: 1},
		"user"); !fault.Is(err, fault.InvalidRequest) || d.ProjectID != "" {
		t.Errorf("%+v %v", d, err)
	}
	h.decide(d.DispatchID, "deny", false)
	<-done
	for _, nobody := range []string{"terminal", "agent"} { // who was not identified shares its name with all who were not
		d, done := h.asked(h.as(door.Guest{Agent: nobody, Names: []string{}, Project: "acme"}, nil), "notes__write_note", args)
		if _, err := h.desk.Decide(t.Context(), d.DispatchID, wire.MCPAskFirstDecisionRequest{Decision: "approve_for_project", SchemaVersion: 1},
			"user"); !fault.Is(err, fault.InvalidRequest) || d.ProjectID != "" {
			t.Errorf("%s: %+v %v", nobody, d, err)
		}
		h.decide(d.DispatchID, "deny", false)
		<-done
	}
	if d := asks(h.inProject("codex", "acme", nil), "approve_for_project"); d.ProjectID != "acme" {
		t.Errorf("%+v", d)
	}
	goes(h.inProject("codex", "acme", nil))
	for _, elsewhere := range []*mcp.ClientSession{h.inProject("codex", "other", nil), h.agent("codex", nil),
		h.inProject("claude-code", "acme", nil)} {
		asks(elsewhere, "deny")
	}
	h.close()
	h = newHouse(t, dir)
	h.bound.Store("acme", true)
	cs := h.inProject("codex", "acme", nil)
	goes(cs)
	l, err := h.desk.Grants(t.Context())
	if err != nil || len(l.Grants) != 1 || l.Grants[0].ProjectID != "acme" || !strings.Contains(l.Grants[0].Words, "acme") {
		t.Fatalf("%+v %v", l, err)
	}
	if _, err := h.desk.EndGrant(t.Context(), l.Grants[0].DispatchID); err != nil {
		t.Fatal(err)
	}
	asks(cs, "approve_for_project")
	goes(cs)
	h.bound.Delete("acme")
	asks(cs, "deny") // the session still names the project
	if err := h.desk.ProjectsChanged(t.Context()); err != nil {
		t.Fatal(err)
	}
	if l, err := h.desk.Grants(t.Context()); err != nil || len(l.Grants) != 0 {
		t.Errorf("%+v %v", l, err)
	}
	canonical.Must(t, filepath.Join(dir, "memory"))
}
