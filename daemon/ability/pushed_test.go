package ability_test

import (
	"context"
	"slices"
	"testing"

	"showhow/daemon/ability"
	"showhow/daemon/skill"
	"showhow/daemon/wire"
	"showhow/internal/clock"
)

// What a taught skill may use is what a copy of it asks for elsewhere: the tools that the scanner finds. Hosts and credentials
// that only the scanner found are granted to nobody.
func TestATaughtSkillMayUseTheToolsThatItAsksFor(t *testing.T) {
	h := newHouse(t)
	h.opt.Scan = func(context.Context, skill.Bundle) (ability.Scanned, error) {
		return ability.Scanned{Verdict: ability.ScanVerdict{Verdict: "review"},
			Permissions: ability.Permissions{Tools: []string{"shell"}, Domains: []string{"found.example.com"},
				Credentials: []string{"FOUND"}}}, nil
	}
	h.restart()
	r := request("change-an-order", "Change an order")
	r.RequiredSites = []string{"shown.example.com"}
	p := h.entry(h.install(r).AbilityID).Permissions
	if !slices.Contains(p.Tools, "shell") || !slices.Equal(p.Domains, []string{"shown.example.com"}) || len(p.Credentials) > 0 {
		t.Errorf("%+v", p)
	}
	c, err := h.s.Catalog(h.ctx())
	h.ok(err)
	if k := c.Items[0].Scan; k == nil || k.Verdict != "review" {
		t.Errorf("the list says %+v of it", k)
	}
}

// Where a skill was pushed to holds for its later versions, until it is pulled from somewhere itself.
func TestAPushIsKeptWithTheSkill(t *testing.T) {
	h := newHouse(t)
	r := request("change-an-order", "Change an order")
	a := h.entry(h.install(r).AbilityID)
	from := func() wire.ImportProvenance {
		t.Helper()
		all, err := h.s.Origins(h.ctx())
		h.ok(err)
		return all[0].From
	}
	to := wire.ImportProvenance{Kind: "registry", Reference: "r.example.com/a:1", Digest: "sha256:1", HereHash: a.ApprovedHash}
	for _, sent := range []bool{true, false} {
		receipt, err := h.s.Pushed(h.ctx(), ability.Push{AbilityID: a.AbilityID, To: to, Sent: sent})
		h.ok(err)
		if (receipt != "") != sent || from() != to {
			t.Errorf("sent %v: receipt %q, from %+v", sent, receipt, from())
		}
	}
	r.SagaID = clock.NewID()
	h.install(r)
	if from() != to {
		t.Errorf("after a new version: %+v", from())
	}
	pulled := wire.ImportProvenance{Kind: "registry", Reference: "r.example.com/a:2", Digest: "sha256:2"}
	r.SagaID, r.Metadata = clock.NewID(), map[string]any{"provenance": pulled}
	h.install(r)
	if from() != pulled {
		t.Errorf("after a pull: %+v", from())
	}
	h.restart()
}
