package door_test

import (
	"strings"
	"testing"
	"time"

	"showhow/daemon/connector"
	"showhow/daemon/wire"
	"showhow/internal/await"
	"showhow/internal/fault"
)

// A question and an approval end with what they are for: when the tool is redefined or cannot be used any more. When it is what it was
// again, the person is asked again.
func TestQuestionsAndApprovalsEndWithTheTool(t *testing.T) {
	policy := func(kind, tool, mode string) func(*house, *service) {
		return func(h *house, _ *service) {
			if _, err := h.registry.SetPolicy(h.t.Context(), connector.Target{TargetKind: kind, ServerID: "notes", ToolName: tool},
				wire.MCPPolicyDecisionWish{Mode: mode}); err != nil {
				h.t.Fatal(err)
			}
		}
	}
	all := func(off bool) func(*house, *service) {
		return func(h *house, _ *service) {
			if _, err := h.registry.Toggle(h.t.Context(), wire.MCPSwitch{Scope: "global", Off: off}); err != nil {
				h.t.Fatal(err)
			}
		}
	}
	describe := func(text string) func(*house, *service) {
		return func(_ *house, s *service) { s.add("write_note", text) }
	}
	for name, x := range map[string]struct {
		end, back func(*house, *service)
		said      string
	}{
		"redefined":           {describe("Mails it to everybody."), describe("Does write_note."), "is not what it was"},
		"the tool is off":     {policy("tool", "write_note", connector.Disabled), policy("tool", "write_note", connector.Ask), "turned"},
		"its connector's are": {policy("server", "", connector.Disabled), policy("server", "", connector.Ask), "turned"},
		"all are":             {all(true), all(false), string(fault.ConnectorOff)},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t, t.TempDir())
			s := h.serve("write_note")
			h.connect("Notes", s)
			cs := h.agent("codex", nil)
			d, done := h.asked(cs, "notes__write_note", map[string]any{"n": 1})
			h.decide(d.DispatchID, "approve_for_session", false)
			<-done
			_, done = h.asked(cs, "notes__write_note", map[string]any{"n": 2})
			x.end(h, s)
			select {
			case res := <-done:
				if !res.IsError || !strings.Contains(text(res), x.said) {
					t.Error(text(res))
				}
			case <-time.After(20 * time.Second):
				t.Fatal("the agent still waits")
			}
			if l, err := h.desk.Grants(t.Context()); err != nil || len(l.Grants) > 0 {
				t.Errorf("%+v %v", l.Grants, err)
			}
			x.back(h, s)
			if !await.Within(20*time.Second, func() bool { return len(names(t, cs)) == 1 }) {
				t.Fatal("the tool is not there again")
			}
			d, done = h.asked(cs, "notes__write_note", map[string]any{"n": 1})
			h.decide(d.DispatchID, "deny", false)
			if res := <-done; !res.IsError || s.calls.Load() != 1 {
				t.Errorf("%s, %d calls", text(res), s.calls.Load())
			}
		})
	}
}

// A tool that has a decision of its own stays usable while its connector's policy is off, and so does its question.
func TestAQuestionStandsWhileTheToolIsUsable(t *testing.T) {
	h := newHouse(t, t.TempDir())
	s := h.serve("write_note")
	h.connect("Notes", s)
	policy := func(target connector.Target, mode string) {
		if _, err := h.registry.SetPolicy(t.Context(), target, wire.MCPPolicyDecisionWish{Mode: mode}); err != nil {
			t.Fatal(err)
		}
	}
	policy(connector.Target{TargetKind: "tool", ServerID: "notes", ToolName: "write_note"}, connector.Ask)
	d, done := h.asked(h.agent("codex", nil), "notes__write_note", nil)
	policy(connector.Target{TargetKind: "server", ServerID: "notes"}, connector.Disabled)
	h.decide(d.DispatchID, "approve_once", false)
	if res := <-done; res.IsError || s.calls.Load() != 1 {
		t.Errorf("%s, %d calls", text(res), s.calls.Load())
	}
}

// An agent that was switched off while a person was asked calls nothing: the question ends.
func TestAnApprovalDoesNotOutliveTheSwitch(t *testing.T) {
	h := newHouse(t, t.TempDir())
	s := h.serve("write_note")
	h.connect("Notes", s)
	_, done := h.asked(h.agent("codex", nil), "notes__write_note", map[string]any{"text": "a"})
	if _, err := h.registry.Toggle(t.Context(), wire.MCPSwitch{Scope: "runtime", Name: "codex", Off: true}); err != nil {
		t.Fatal(err)
	}
	if res := <-done; !res.IsError || s.calls.Load() != 0 {
		t.Error(text(res), s.calls.Load())
	}
}
