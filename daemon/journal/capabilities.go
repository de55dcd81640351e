package journal

// Events of baseline 0.3 that routers follow besides capability.health.changed, capability.quarantined and
// capability.reprobe.succeeded. Of that list teach.* and browser.relay.detached have no source here.
const (
	ManifestCreated EventKind = "capability.manifest.created" // payload capability_id, ability_id
	ManifestUpdated EventKind = "capability.manifest.updated"
	ManifestDeleted EventKind = "capability.manifest.deleted"
	SkillImported   EventKind = "skill.imported"      // an import was installed; payload import_id
	SkillPromoted   EventKind = "skill.promoted"      // to the shared lane; payload ability_id, capability_id
	MCPHealth       EventKind = "mcp.health.changed"  // payload server_id, health_status, was
	MCPPolicy       EventKind = "mcp.policy.changed"  // payload server_id, receipt_id
	MCPReceipt      EventKind = "mcp.receipt.created" // payload server_id, kind, receipt_id
)
