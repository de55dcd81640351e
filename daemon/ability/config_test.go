package ability_test

import (
	"os"
	"reflect"
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

// What intents configure is what agents are told: the more particular value wins, and null takes it back.
func TestConfigurationIsRead(t *testing.T) {
	h := newHouse(t)
	h.install(request("export-orders"))
	apply := func(target, capability string, payload map[string]any) {
		t.Helper()
		in := intent(target, payload)
		in.CapabilityID = capability
		_, err := h.s.ApplyConfigIntent(h.ctx(), in, true)
		h.ok(err)
	}
	seen := func() ability.AvailabilityEntry {
		t.Helper()
		e, err := h.s.AvailabilityOf(h.ctx(), "export-orders")
		h.ok(err)
		return e
	}
	const id = "desk.export_orders"
	apply("user_preference", "", map[string]any{"currency": "EUR", "format": "ods", "pages": 3})
	apply("skill_config", id, map[string]any{"format": "csv", "columns": []any{"id"}})
	apply("user_preference", id, map[string]any{"columns": []any{"id", "total"}})
	want := map[string]any{"currency": "EUR", "format": "csv", "pages": 3.0, "columns": []any{"id", "total"}}
	if e := seen(); !reflect.DeepEqual(e.Configured, want) {
		t.Errorf("%v", e.Configured)
	}
	apply("skill_config", id, map[string]any{"format": nil})
	if e := seen(); e.Configured["format"] != "ods" {
		t.Errorf("%v", e.Configured)
	}
	c, err := h.s.Configuration(h.ctx(), "export-orders")
	h.ok(err)
	if len(c.Documents) != 3 || c.CapabilityID != id || c.Values["currency"] != "EUR" {
		t.Errorf("%+v", c)
	}
	_, err = h.s.Configuration(h.ctx(), "nothing")
	h.wantCode(err, fault.AbilityNotFound)
	var file ability.AvailabilitySnapshot
	if !h.file("system/abilities/availability_current.json", &file) || file.Abilities[0].Configured["currency"] != "EUR" {
		t.Errorf("the canonical file is behind: %+v", file.Abilities)
	}
}

// A connector that the user denies keeps what uses it from running; so does a support pack that is gone.
func TestConfigurationForbids(t *testing.T) {
	h := newHouse(t)
	r := request("export-orders")
	r.SupportPackRefs = []string{"csv-tools"}
	r.Permissions = &ability.Permissions{Tools: []string{"Read", "mcp__tracker__create_issue"}}
	h.install(r)
	pack := t.TempDir()
	apply := func(target, capability string, payload map[string]any) (ability.AvailabilityEntry, error) {
		t.Helper()
		in := intent(target, payload)
		in.CapabilityID = capability
		if _, err := h.s.ApplyConfigIntent(h.ctx(), in, true); err != nil {
			return ability.AvailabilityEntry{}, err
		}
		return h.s.AvailabilityOf(h.ctx(), "export-orders")
	}
	for _, c := range []struct {
		target, capability string
		payload            map[string]any
		code               string
	}{
		{"connector_policy", "", map[string]any{"tracker": "deny", "other": "deny"}, "connector_denied"},
		{"connector_policy", "desk.export_orders", map[string]any{"tracker": "allow"}, ""},
		{"connector_policy", "desk.export_orders", map[string]any{"tracker": nil}, "connector_denied"},
		{"connector_policy", "", map[string]any{"tracker": nil}, ""},
		{"support_pack_binding", "", map[string]any{"csv-tools": pack}, ""},
	} {
		e, err := apply(c.target, c.capability, c.payload)
		h.ok(err)
		if e.ReasonCode != c.code || e.UsableNow != (c.code == "") {
			t.Errorf("%s %v: %q %s", c.target, c.payload, e.ReasonCode, e.ReasonUnusable)
		}
	}
	if e, err := h.s.AvailabilityOf(h.ctx(), "export-orders"); err != nil || e.SupportPacks["csv-tools"] != pack {
		t.Errorf("%v %v", e.SupportPacks, err)
	}
	h.ok(os.Remove(pack))
	if e, err := h.s.AvailabilityOf(h.ctx(), "export-orders"); err != nil || e.ReasonCode != "support_pack_missing" {
		t.Errorf("%s %v", e.ReasonCode, err)
	}
	for _, payload := range []map[string]any{{"csv-tools": "relative"}, {"csv-tools": 7}, {"csv-tools": pack}} {
		if _, err := apply("support_pack_binding", "", payload); !fault.Is(err, fault.InvalidRequest) {
			t.Errorf("%v: %v", payload, err)
		}
	}
	if _, err := apply("connector_policy", "", map[string]any{"tracker": "perhaps"}); !fault.Is(err, fault.InvalidRequest) {
		t.Error(err)
	}
}

func TestConfigurationKeepsNoSecret(t *testing.T) {
	h := newHouse(t)
	h.opt.Secret = func(s string) bool { return strings.Contains(s, "s3cr3t") }
	h.restart()
	h.install(request("export-orders"))
	for _, payload := range []map[string]any{{"a": "x s3cr3t"}, {"a": []any{"s3cr3t"}}, {"a": map[string]any{"b": "s3cr3t"}}} {
		_, err := h.s.ApplyConfigIntent(h.ctx(), intent("skill_config", payload), false)
		h.wantCode(err, fault.InvalidRequest)
	}
	c, err := h.s.Configuration(h.ctx(), "export-orders")
	h.ok(err)
	if len(c.Values) != 0 {
		t.Errorf("%+v", c)
	}
}
