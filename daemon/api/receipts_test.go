//go:build linux

package api

import (
	"context"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"showhow/adapters/receipts/report"
	"showhow/daemon/api/routes"
	"showhow/daemon/observe"
	"showhow/internal/fault"
)

// heard stands in for the intake, which has tests of its own.
type heard struct {
	routes.Observed
	mu   sync.Mutex
	from []string
	kept []string
}

func (h *heard) Take(_ context.Context, rs []report.Receipt) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, r := range rs {
		h.from = append(h.from, r.Agent)
	}
}

func (h *heard) SetJournal(_ context.Context, _ observe.Meta, agent string, _ bool) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.kept = append(h.kept, agent)
	return nil
}

func (h *heard) Agent(_ context.Context, name string) (observe.Agent, error) {
	return observe.Agent{Agent: name, Journal: true}, nil
}

func (h *heard) keeps() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.kept)
}

// taken are the agents whose receipts were taken since it was asked last.
func (h *heard) taken() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	from := strings.Join(h.from, " ")
	h.from = nil
	return from
}

func receiptRig(t *testing.T) (*rig, *heard) {
	h := &heard{}
	return newRig(t, func(d *Deps) { d.Observed = h }), h
}

func TestAnAgentReportsItsOwnWorkOnly(t *testing.T) {
	r, h := receiptRig(t)
	token := "Authorization: Bearer " + r.agentToken("scout")
	body := func(agent string) string {
		if agent != "" {
			agent = `"agent":"` + agent + `",`
		}
		return `{"receipts":[{` + agent + `"kind":"mcp_receipt","tool":"x"}]}`
	}
	r.do("POST", "/api/observe/receipts", body("scout"), token).ok(t, 200)
	r.do("POST", "/api/observe/receipts", body(""), token).ok(t, 200)
	if got := h.taken(); got != "scout scout" {
		t.Error(got)
	}
	r.do("POST", "/api/observe/receipts", body("claude-code"), token).want(t, fault.Forbidden)
	two := strings.Replace(body("scout"), "]", `,{"agent":"claude-code","kind":"mcp_receipt"}]`, 1)
	r.do("POST", "/api/observe/receipts", two, token).want(t, fault.Forbidden)
	if got := h.taken(); got != "" {
		t.Errorf("a forged receipt was taken: %s", got)
	}
	r.do("POST", "/api/observe/receipts", body("claude-code")).ok(t, 200) // the person speaks for everybody

	for name, c := range map[string]struct {
		env, agent string
		want       string // "" when refused
	}{
		"its own":         {"CODEX_SANDBOX=seatbelt", "codex", "codex"},
		"its own unnamed": {"CODEX_SANDBOX=seatbelt", "", "codex"},
		"another's":       {"CODEX_SANDBOX=seatbelt", "claude-code", ""},
		"by name":         {"AI_AGENT=Some-Agent", "some-agent", "some-agent"},
		"no name":         {"AGENT=/usr/bin/x", "claude-code", ""},
	} {
		t.Run(name, func(t *testing.T) {
			h.taken()
			out := r.child("call", []string{c.env, "API_METHOD=POST", "API_PATH=/api/observe/receipts", "API_BODY=" + body(c.agent)},
				&syscall.SysProcAttr{Setsid: true})
			if got := h.taken(); c.want == "" && !strings.Contains(out, string(fault.Forbidden)) || got != c.want {
				t.Errorf("%s: %s", got, out)
			}
		})
	}
}

func TestOnlyAPersonLetsRunsBeKept(t *testing.T) {
	r, h := receiptRig(t)
	const journal = "/api/observe/agents/codex/journal"
	r.do("PUT", journal, `{"enabled":true}`).want(t, fault.PresenceRequired)
	r.do("PUT", journal, `{"enabled":true}`, "Authorization: Bearer "+r.agentToken("codex")).want(t, fault.Forbidden)
	out := r.child("call", []string{"CODEX_SANDBOX=1", "API_METHOD=PUT", "API_PATH=" + journal, `API_BODY={"enabled":true}`},
		&syscall.SysProcAttr{Setsid: true})
	if !strings.Contains(out, string(fault.Forbidden)) {
		t.Error(out)
	}
	if kept := h.keeps(); len(kept) != 0 {
		t.Errorf("kept without a person: %v", kept)
	}
	r.do("PUT", journal, `{"enabled":false}`).ok(t, 200) // less is always fine
}
