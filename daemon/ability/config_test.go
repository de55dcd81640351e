package ability_test

import (
	"strings"
	"testing"

	"showhow/daemon/ability"
	"showhow/daemon/journal"
	"showhow/internal/clock"
	"showhow/internal/fault"
)

func intent(target string, payload map[string]any) ability.ConfigIntent {
	return ability.ConfigIntent{IntentID: clock.NewID(), Target: target, CapabilityID: "desk.export_orders", Payload: payload,
		RequestedBy: "wrapper", CorrelationID: "c1", CreatedAt: clock.Now(), SchemaVersion: 1}
}

// R11.2-37: configuration goes through an intent; EC alone writes the file.
func TestR11_2_37_ConfigIntentIsTheWriter(t *testing.T) {
	h := newHouse(t)
	h.install(request("export-orders"))
	in := intent("skill_config", map[string]any{"format": "csv", "columns": []any{"id", "total"}})
	doc, err := h.s.ApplyConfigIntent(h.ctx(), in, false)
	h.ok(err)
	var file ability.ConfigDocument
	if !h.file(doc.Path, &file) || file.Config["format"] != "csv" || !strings.HasPrefix(doc.Path, "system/skills/config/") {
		t.Errorf("%+v %+v", doc, file)
	}
	if again, err := h.s.ApplyConfigIntent(h.ctx(), in, false); err != nil || again.Revision != doc.Revision {
		t.Errorf("applied twice: %+v %v", again, err)
	}
	in.Payload = map[string]any{"format": "pdf"}
	if _, err := h.s.ApplyConfigIntent(h.ctx(), in, false); !fault.Is(err, fault.IdempotencyMismatch) {
		t.Error(err)
	}
	doc, err = h.s.ApplyConfigIntent(h.ctx(), intent("skill_config", map[string]any{"format": nil, "limit": 5}), false)
	h.ok(err)
	if _, there := doc.Config["format"]; there || doc.Config["limit"] != 5 || doc.Config["columns"] == nil || doc.Revision != 2 {
		t.Errorf("%+v", doc)
	}
	if h.events()[journal.ConfigIntentApplied] != 2 || h.receipts()[journal.ConfigIntentApplied] != 2 {
		t.Errorf("%v", h.events())
	}
}

func TestConfigIntentRefusals(t *testing.T) {
	h := newHouse(t)
	h.install(request("export-orders"))
	deep := map[string]any{}
	for m, i := deep, 0; i < 10; i++ {
		next := map[string]any{}
		m["a"], m = next, next
	}
	for name, c := range map[string]struct {
		in     ability.ConfigIntent
		byUser bool
		code   fault.Code
	}{
		"agent, preference": {intent("user_preference", map[string]any{"a": 1}), false, fault.Forbidden},
		"agent, policy":     {intent("connector_policy", map[string]any{"a": 1}), false, fault.Forbidden},
		"agent, packs":      {intent("support_pack_binding", map[string]any{"a": 1}), false, fault.Forbidden},
		"unknown target":    {intent("anything", map[string]any{"a": 1}), true, fault.InvalidRequest},
		"empty":             {intent("skill_config", nil), true, fault.InvalidRequest},
		"odd key":           {intent("skill_config", map[string]any{"../a": 1}), true, fault.InvalidRequest},
		"deep":              {intent("skill_config", deep), true, fault.InvalidRequest},
		"large":             {intent("skill_config", map[string]any{"a": strings.Repeat("x", 70_000)}), true, fault.InvalidRequest},
		"path as id": {func() ability.ConfigIntent {
			i := intent("skill_config", map[string]any{"a": 1})
			i.CapabilityID = "../../x"
			return i
		}(), true, fault.InvalidRequest},
		"unknown capability": {func() ability.ConfigIntent {
			i := intent("skill_config", map[string]any{"a": 1})
			i.CapabilityID = "desk.other"
			return i
		}(), true, fault.NotFound},
	} {
		if _, err := h.s.ApplyConfigIntent(h.ctx(), c.in, c.byUser); !fault.Is(err, c.code) {
			t.Errorf("%s: %v", name, err)
		}
	}
	doc, err := h.s.ApplyConfigIntent(h.ctx(), intent("user_preference", map[string]any{"a": 1}), true)
	if err != nil || doc.Config["a"] != 1 {
		t.Errorf("%+v %v", doc, err)
	}
}
