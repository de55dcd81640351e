package ability

import (
	"slices"

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

var capabilityID = lazyre.New(`^[a-z0-9](?:[a-z0-9_-]|\.[a-z0-9_-])*$`)

// build makes the bridge's entries from the manifests. One manifest that breaks the schema fails the whole: routers keep the
// last good bridge rather than get a partial one.
func (w *world) buildBridge() ([]BridgeEntry, error) {
	out := make([]BridgeEntry, 0, len(w.abilities))
	owner := map[string]bool{}
	for _, a := range w.abilities {
		if problem := manifestProblem(a); problem != "" {
			return nil, fault.Newf(fault.BridgeRebuildFailed, "a capability manifest is not valid: %s", problem).WithDetail("ability_id",
				a.AbilityID)
		}
		if owner[a.CapabilityID] {
			return nil, fault.New(fault.BridgeRebuildFailed, "two abilities have the same capability").WithDetail("ability_id", a.AbilityID)
		}
		owner[a.CapabilityID] = true
		out = append(out, w.bridgeEntry(a))
	}
	return out, nil
}

// manifestProblem names the bound of baseline 1.1B that the manifest breaks, "" for none.
func manifestProblem(a Ability) string {
	m := a.Manifest
	switch {
	case m.CapabilityID != a.CapabilityID || len(m.CapabilityID) > 160 || !capabilityID.MatchString(m.CapabilityID):
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

func (w *world) bridgeEntry(a Ability) BridgeEntry {
	status, code := w.healthStatus(a)
	m := a.Manifest
	return BridgeEntry{CapabilityID: a.CapabilityID, Family: m.Family, Title: m.Title, Aliases: first(m.Aliases, 20),
		ActionVerbs: first(m.ActionVerbs, 20),
		RouteTier:   tiers[m.SurfaceOrder[0]], RequiresSupervision: m.RequiresSupervision, DryRunSupported: m.DryRunSupported,
		RoutingEligible: m.RoutingEligible && wanted(a), HealthStatus: status, HealthReasonCode: code, OriginOwner: "doc3",
		MetadataRef: metadataPath(a.CapabilityID), UpdatedAt: a.UpdatedAt, SchemaVersion: 1}
}

func manifestPath(capability string) string {
	return "system/capabilities/manifests/" + capability + ".json"
}
func metadataPath(capability string) string {
	return "system/capabilities/metadata/" + capability + ".json"
}
