package ability_test

import (
	"strings"
	"testing"

	"showhow/daemon/ability"
	"showhow/daemon/journal"
	"showhow/daemon/skill"
)

// Bundles that were made before the one enumeration of control surfaces keep their bytes and their approval.
func TestOldSurfacesAreMapped(t *testing.T) {
	h := newHouse(t)
	r := request("export-orders", strings.Repeat("export the open orders ", 10))
	res := h.install(r)
	old := func(tx ability.Tx) error {
		all, err := tx.Abilities()
		if err != nil {
			return err
		}
		a := all[0]
		a.ControlSurfaces = []string{"native_openclaw_browser", "native_openclaw_exec"}
		a.Manifest.SurfaceOrder = []string{"native_openclaw_exec"}
		a.Metadata = map[string]any{"control_surface_notes": []any{map[string]any{"surface": "native_openclaw_exec", "notes": "Uses jq."}}}
		return tx.PutAbility(a)
	}
	h.ok(h.opt.Store.Update(h.ctx(), old))
	h.restart()
	e := h.entry(res.AbilityID)
	if got := strings.Join(e.PreferredControlSurfaces, " "); got != "native_openclaw_browser wrapper_script" {
		t.Errorf("surfaces: %s", got)
	}
	if len([]rune(e.TriggerPhrases[0])) > 120 {
		t.Errorf("a trigger phrase has %d characters", len([]rune(e.TriggerPhrases[0])))
	}
	if e.Trust != ability.TrustApproved || e.ApprovedHash != r.ContentHash || !e.UsableNow {
		t.Errorf("the approval did not last: %+v", e)
	}
	var m skill.Manifest
	if !h.file("system/capabilities/manifests/desk.export_orders.json", &m) || m.SurfaceOrder[0] != "wrapper_script" {
		t.Errorf("manifest: %v", m.SurfaceOrder)
	}
}

func TestShellSurface(t *testing.T) {
	with := request("a").Bundle
	without, err := skill.New("a", with.Files[:1])
	if err != nil {
		t.Fatal(err)
	}
	for want, b := range map[string]skill.Bundle{"wrapper_script": with, "native_openclaw_tool": without} {
		if got := ability.ShellSurface(b); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// Promoting changes a lane; its receipt must not say that other accounts have the skill now.
func TestPromotingSaysWhatHappens(t *testing.T) {
	h := newHouse(t)
	res := h.install(request("export-orders"))
	before := h.tree()
	_, err := h.s.PromoteShared(h.ctx(), res.AbilityID, nil)
	h.ok(err)
	for path := range h.tree() {
		if _, was := before[path]; !was {
			t.Errorf("%s is new", path)
		}
	}
	for _, r := range lines[journal.Receipt](h, "system/learning/receipts.jsonl") {
		if r.Kind == journal.AbilityPromoted && strings.Contains(r.Summary, "everybody") {
			t.Errorf("the receipt says %q", r.Summary)
		}
	}
}

// What is in the shared lane is what the filter Bundle finds (0B.9); out of the lane it is what it was.
func TestPromotedIsASource(t *testing.T) {
	h := newHouse(t)
	res := h.install(request("export-orders"))
	source := func(want string) {
		t.Helper()
		c, err := h.s.Catalog(h.ctx())
		h.ok(err)
		if got := h.entry(res.AbilityID).Source; got != want || len(c.Items) != 1 || c.Items[0].Source != want {
			t.Errorf("source %q, catalog %+v, want %q", got, c.Items, want)
		}
	}
	source("learned")
	_, err := h.s.PromoteShared(h.ctx(), res.AbilityID, nil)
	h.ok(err)
	source("promoted")
	_, err = h.s.Quarantine(h.ctx(), res.AbilityID, "it fails", nil)
	h.ok(err)
	source("learned")
}
