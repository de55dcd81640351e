package ability

// Target is a folder that agents read skills from.
type Target struct {
	Name string // openclaw, claude, agents: safe to show
	Dir  string // absolute
	// OverMCP says that the agent reads skills over MCP: its folder gets no copies.
	OverMCP bool
}

// copied reports whether the target gets a copy of an ability with these permissions.
func (t Target) copied(p Permissions) bool { return !t.OverMCP && p.Admits(t.Name) }

// Trigger is the reason for rebuilding availability (DOC3 0C.11B).
type Trigger string

const (
	TriggerInstallCompleted Trigger = "install_completed"
	TriggerInstallFailed    Trigger = "install_failed"
	TriggerActivation       Trigger = "activation_changed"
	TriggerQuarantine       Trigger = "quarantine_changed"
	TriggerPromoted         Trigger = "promoted"
	TriggerRemoved          Trigger = "removed"
	TriggerApproved         Trigger = "approved"
	TriggerCapabilityHealth Trigger = "capability_health_changed"
	TriggerConnectorHealth  Trigger = "connector_health_changed"
	TriggerBridgeRebuilt    Trigger = "bridge_rebuilt" // never used: the bridge is written with the snapshot, in one commit
	TriggerProjectBinding   Trigger = "project_binding_changed"
	TriggerNightly          Trigger = "nightly"
	TriggerStart            Trigger = "start"
	TriggerObserved         Trigger = "observed" // something on this machine was found changed while answering
	TriggerUsed             Trigger = "used"     // a checkpoint was verified or an agent used it
)
