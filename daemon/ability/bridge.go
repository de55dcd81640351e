package ability

import (
	"cmp"
	"reflect"
	"slices"

	"showhow/daemon/capability/health"
	"showhow/daemon/journal"
	"showhow/daemon/skill"
	"showhow/daemon/wire"
	"showhow/internal/clock"
	"showhow/internal/fault"
	"showhow/internal/lazyre"
)

// BridgePath, CatalogPath and AvailabilityPath are the canonical files, under the memory root.
const (
	BridgePath       = "system/capabilities/bridge_entries_current.json"
	CatalogPath      = "system/abilities/catalog_current.json"
	AvailabilityPath = "system/abilities/availability_current.json"
)

// tiers ranks control surfaces: a router prefers a low tier (baseline 1.1E: structured before simulated input).
var tiers = map[string]int{
	"native_openclaw_tool": 1, "app_api": 1,
	"bridge_tool": 2, "mcp_connector": 2, "mcp_server": 2, "wrapper_script": 2, "python_wrapper": 2,
	"native_openclaw_browser": 3, "applescript": 3,
	"page_knowledge_ui": 4, "keyboard_shortcut": 4, "midi_binding": 4,
	"raw_ui": 5,
}

// Tier is how semantic a control surface is: 1 the most, 5 the least; 0 for an unknown one.
func Tier(surface string) int { return tiers[surface] }

var capabilityID = lazyre.New(`^[a-z0-9](?:[a-z0-9_-]|\.[a-z0-9_-])*$`)

// buildBridge makes the bridge's entries from the manifests. One manifest that breaks the schema fails the whole:
// routers keep the last good bridge rather than get a partial one.
func (w *world) buildBridge() ([]BridgeEntry, error) {
	out := make([]BridgeEntry, 0, len(w.abilities))
	owner := map[string]bool{}
	for _, a := range w.abilities {
		if a.Manifest.CapabilityID != a.CapabilityID {
			return nil, invalidManifest(a, "capability_id")
		}
		for _, m := range a.manifests() {
			if problem := manifestProblem(m); problem != "" {
				return nil, invalidManifest(a, problem)
			}
			if owner[m.CapabilityID] {
				return nil, fault.New(fault.BridgeRebuildFailed, "two abilities have the same capability").WithDetail("ability_id", a.AbilityID)
			}
			owner[m.CapabilityID] = true
			out = append(out, w.bridgeEntry(a, m))
		}
	}
	return out, nil
}

func invalidManifest(a Ability, problem string) error {
	return fault.Newf(fault.BridgeRebuildFailed, "a capability manifest is not valid: %s", problem).WithDetail("ability_id", a.AbilityID)
}

// manifestProblem names the bound of baseline 1.1B that a manifest breaks, "" for none.
func manifestProblem(m skill.Manifest) string {
	switch {
	case len(m.CapabilityID) > 160 || !capabilityID.MatchString(m.CapabilityID):
		return "capability_id"
	case m.Family == "" || len([]rune(m.Family)) > 80:
		return "family"
	case !slices.Contains([]string{"native_openclaw_tool", "bridge_tool", "wrapper_script", "workflow_pattern", "promoted_skill"}, m.Kind):
		return "kind"
	case m.Title == "" || len([]rune(m.Title)) > 200:
		return "title"
	case len(m.SurfaceOrder) == 0 || slices.ContainsFunc(m.SurfaceOrder, func(c string) bool { return tiers[c] == 0 }):
		return "surface_order"
	case len(m.Verification) == 0:
		return "verification"
	case m.SchemaVersion != 1:
		return "schema_version"
	}
	return ""
}

func (w *world) bridgeEntry(a Ability, m skill.Manifest) BridgeEntry {
	status, code := w.healthStatus(a)
	return BridgeEntry{CapabilityID: m.CapabilityID, Family: m.Family, Title: m.Title, Aliases: first(m.Aliases, 20),
		ActionVerbs: first(m.ActionVerbs, 20),
		RouteTier:   tiers[m.SurfaceOrder[0]], RequiresSupervision: m.RequiresSupervision, DryRunSupported: m.DryRunSupported,
		RoutingEligible: m.RoutingEligible && wanted(a), HealthStatus: status, HealthReasonCode: code, OriginOwner: "doc3",
		MetadataRef: metadataPath(m.CapabilityID), UpdatedAt: a.UpdatedAt, SchemaVersion: 1}
}

func manifestPath(capability string) string {
	return "system/capabilities/manifests/" + capability + ".json"
}
func metadataPath(capability string) string {
	return "system/capabilities/metadata/" + capability + ".json"
}

// tellManifest emits what became of an ability's manifest: before is nil for a new ability.
func tellManifest(tx Tx, before *Ability, a Ability) error {
	kind := journal.ManifestCreated
	switch {
	case before != nil && before.CapabilityID != a.CapabilityID:
		if err := emitManifest(tx, journal.ManifestDeleted, *before); err != nil {
			return err
		}
	case before != nil && reflect.DeepEqual(before.Manifest, a.Manifest):
		return nil
	case before != nil:
		kind = journal.ManifestUpdated
	}
	return emitManifest(tx, kind, a)
}

func emitManifest(tx Tx, kind journal.EventKind, a Ability) error {
	return tx.Emit(journal.Event{Kind: kind, Payload: map[string]any{"capability_id": a.CapabilityID, "ability_id": a.AbilityID}})
}

// The canonical files of capability health (baseline 1.1C, 1.1D, 1.1F).
const (
	HealthPath = "system/capabilities/health_current.json"
	StatsPath  = "system/capabilities/stats_current.json"
	TracesPath = "system/capabilities/traces.jsonl"
)

// healthStatus is the capability's health: lasting, unlike usable_now (baseline 1.1D). The outcomes of its uses and
// trials come before what agents reported of checkpoints, and a person's switches never make it healthy.
func (w *world) healthStatus(a Ability) (status, code string) {
	_, code = w.unusable(a)
	switch {
	case a.Lane == LaneQuarantined:
		return "quarantined", cmp.Or(a.Health.Reason, code)
	case !a.Enabled:
		return "disabled", code
	case code != "":
		return "degraded", code
	case a.Health.Status == health.Degraded:
		return "degraded", a.Health.Reason
	}
	switch checkpointHealth(a, w.counts[a.AbilityID]) {
	case "no_data":
		if a.Health.Status == health.Healthy {
			return "healthy", ""
		}
		return "unknown", "no_data"
	case "weak":
		return "degraded", "checkpoint_health_weak"
	}
	return "healthy", ""
}

// ShownHealth is the part of an ability's health that everybody may see.
func (a Ability) ShownHealth() wire.AbilityHealth {
	h := a.Health
	return wire.AbilityHealth{Status: cmp.Or(string(h.Status), string(health.Unknown)), ReasonCode: h.Reason, StepID: h.Step, Code: h.Code,
		Since: h.Since, GoodCanaries: h.GoodCanaries, LastVerifiedAt: h.VerifiedAt,
		Suspect: h.Suspect(), Renamed: len(h.Renamed)}
}

// shownHealth is ShownHealth for a list; nil while nothing is known.
func shownHealth(a Ability) *wire.AbilityHealth {
	if a.Health.Status == "" && a.Health.VerifiedAt == nil {
		return nil
	}
	h := a.ShownHealth()
	return &h
}

// Stats counts the outcomes of the ability's uses and trials.
func (a Ability) Stats() CapabilityStats {
	t := a.Health.Totals
	return CapabilityStats{CapabilityID: a.CapabilityID, Passed: t.Passed, Failed: t.Failed, Inconclusive: t.Inconclusive,
		GoodCanaries: a.Health.GoodCanaries, LastUsedAt: a.LastUsedAt, LastFailedAt: a.Health.FailedAt, SchemaVersion: 1}
}

func (w *world) healthIndex(now clock.Time) HealthIndex {
	out := HealthIndex{Capabilities: []CapabilityHealth{}, UpdatedAt: now, SchemaVersion: 1}
	for _, a := range w.abilities {
		h := w.capabilityHealth(a)
		for _, m := range a.manifests() {
			h.CapabilityID = m.CapabilityID
			out.Capabilities = append(out.Capabilities, h)
		}
	}
	return out
}

// capabilityHealth maps health to the schema of 1.1D, which knows no "unknown": what nobody has observed counts as
// healthy.
func (w *world) capabilityHealth(a Ability) CapabilityHealth {
	status, code := w.healthStatus(a)
	c := CapabilityHealth{CapabilityID: a.CapabilityID, AbilityID: a.AbilityID, InstalledState: "present", HealthStatus: status,
		SessionAvailability: "supported",
		ReasonCodes:         []string{}, LastVerifiedAt: a.Health.VerifiedAt, SchemaVersion: 1}
	if status == "unknown" {
		c.HealthStatus = "healthy"
	}
	if !w.seen[a.AbilityID].bundle.there {
		c.InstalledState = "missing"
	}
	if _, why := w.unusable(a); why != "" {
		c.SessionAvailability = "unsupported"
	} else if status == "degraded" {
		c.SessionAvailability = "degraded"
	}
	for _, r := range []string{code, a.Health.Code} {
		if r != "" && !slices.Contains(c.ReasonCodes, r) {
			c.ReasonCodes = append(c.ReasonCodes, r)
		}
	}
	return c
}

func (w *world) statsIndex(now clock.Time) StatsIndex {
	out := StatsIndex{Capabilities: []CapabilityStats{}, UpdatedAt: now, SchemaVersion: 1}
	for _, a := range w.abilities {
		out.Capabilities = append(out.Capabilities, a.Stats())
	}
	return out
}

// writeHealth writes health and statistics beside what agents can use.
func (w *world) writeHealth(tx Tx, now clock.Time) error {
	if err := tx.PutFile(HealthPath, w.healthIndex(now)); err != nil {
		return err
	}
	return tx.PutFile(StatsPath, w.statsIndex(now))
}

// writeTrace appends the steps of a use or trial.
func writeTrace(tx Tx, a Ability, t *health.Trace) error {
	if t == nil || len(t.Steps) == 0 || len(t.SurfacesAttempted) == 0 {
		return nil
	}
	line := *t
	line.CapabilityID, line.AppID = a.CapabilityID, cmp.Or(line.AppID, a.Family)
	line.Goal = cmp.Or(line.Goal, a.Title)
	return tx.AppendLine(TracesPath, line)
}
