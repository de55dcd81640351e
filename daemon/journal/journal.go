// Package journal defines receipts for people and audits, lifecycle events for streams, and the interface for the
// files that mirror the database for other programs.
//
// Guarantee: a state change, its receipt and its event are written in one transaction, or none of them is. Receipts
// and events hold ids, codes and counts, never captured or typed text.
package journal

import (
	"showhow/daemon/wire"
	"showhow/internal/clock"
)

// ReceiptKind equals the event kind where an event goes with the receipt.
type ReceiptKind = EventKind

const (
	SessionStarted   EventKind = "learn.session.started"
	SessionArmed     EventKind = "learn.session.armed"
	SessionPaused    EventKind = "learn.session.paused"
	SessionResumed   EventKind = "learn.session.resumed"
	SessionStopped   EventKind = "learn.session.stopped"
	SessionCancelled EventKind = "learn.session.cancelled"
	SessionState     EventKind = "learn.session.state" // any other hop of 0C.1A; payload from, to
	SessionDeleted             = wire.EventSessionDeleted
	SessionEnded               = wire.EventSessionEnded
	ScopeChanged     EventKind = "learn.scope.changed"
	BoundaryMarked   EventKind = "learn.boundary.marked"
	CaptureStarted   EventKind = "learn.capture.started"
	CapturePaused    EventKind = "learn.capture.paused"
	CaptureResumed   EventKind = "learn.capture.resumed"
	CaptureStopped   EventKind = "learn.capture.stopped"
	ObservationGone  EventKind = "learn.observation.deleted"
	RawPurged        EventKind = "learn.raw.purged"
	TestPolicySet    EventKind = "learn.test_policy.set"

	ProposalCreated    EventKind = "learn.proposal.created"
	QuestionsRequested EventKind = "learn.proposal.questions_requested"
	QuestionsAnswered  EventKind = "learn.proposal.questions_answered"
	ProposalRevised    EventKind = "learn.proposal.revised"
	ModelConsented     EventKind = "learn.model.consented" // a draft's texts may go to the model on another machine; payload endpoint
	ModelAsked         EventKind = "learn.model.asked"     // a draft's texts went to a model
	ProposalRejected   EventKind = "learn.proposal.rejected"
	ProposalApproved   EventKind = "learn.proposal.approved"
	ValidationStarted  EventKind = "learn.validation.started"
	ValidationStep     EventKind = "learn.validation.step"    // one step or checkpoint of a rehearsal was judged
	ValidationWaiting  EventKind = "learn.validation.waiting" // it waits for the person, or no longer
	ValidationDone     EventKind = "learn.validation.completed"
	InstallStarted     EventKind = "learn.install.started"
	InstallCompleted   EventKind = "learn.install.completed"
	InstallStep        EventKind = "learn.install.step" // a step of an installation was begun, or failed; payload step, state
	InstallFailed      EventKind = "learn.install.failed"

	BridgeRebuildStarted   EventKind = "bridge.rebuild.started"
	BridgeRebuildCompleted EventKind = "bridge.rebuild.completed"
	BridgeRebuildFailed    EventKind = "bridge.rebuild.failed"
	SnapshotUpdated        EventKind = "ability.snapshot.updated"
	RouteEnabled           EventKind = "ability.route.enabled"
	RouteDisabled          EventKind = "ability.route.disabled"
	AbilityQuarantined     EventKind = "ability.quarantined"
	AbilityUnquarantined   EventKind = "ability.unquarantined"
	AbilityPromoted        EventKind = "ability.promoted"
	AbilityRemoved         EventKind = "ability.removed"
	AbilityApproved        EventKind = "ability.approved" // trust renewed for content that a person looked at
	AbilityDrifted         EventKind = "ability.drifted"  // its files changed after they were approved
	AbilityRestored        EventKind = "ability.restored" // the approved content was put back
	AbilityRejected        EventKind = "ability.rejected" // a person reviewed unapproved content and rejected it
	AbilityAdopted         EventKind = "ability.adopted"  // a skill that another program put into an agent's folder was copied here
	AbilityPermissions     EventKind = "ability.permissions.changed"

	CapabilityHealthChanged EventKind = "capability.health.changed" // payload status, was
	CapabilityQuarantined   EventKind = "capability.quarantined"    // by its failures
	ReprobeSucceeded        EventKind = "capability.reprobe.succeeded"
	CanaryAllowed           EventKind = "canary.allowed" // a person's consent to automatic checks
	CanaryWithdrawn         EventKind = "canary.withdrawn"
	ProjectBound            EventKind = "project.bound"
	ProjectUnbound          EventKind = "project.unbound"
	CanaryLooked            EventKind = "canary.looked" // payload result, code, step_id, repairs

	CheckpointReached EventKind = "checkpoint.reached"
	CheckpointSkipped EventKind = "checkpoint.skipped"
	CheckpointFailed  EventKind = "checkpoint.failed"
	FrictionRecorded  EventKind = "ability.friction"         // a skipped checkpoint, for analysing friction (R11.2-19)
	RepairCandidate   EventKind = "ability.repair_candidate" // a failed checkpoint, for repair (R11.2-20)

	TriggerTested       EventKind = "skill.trigger.tested"
	ConfigIntentApplied EventKind = "config.intent.applied"
	DirectWriteReverted EventKind = "canonical.write.reverted" // something else wrote a file that only Showhow writes; payload path
	AgentAdded          EventKind = "agent.added"
	AgentRevoked        EventKind = "agent.revoked"
	RemoteOn            EventKind = "remote.on" // callers from elsewhere are let in; payload url
	RemoteOff           EventKind = "remote.off"
	RemoteCallerAllowed EventKind = "remote.caller.allowed" // by a person; payload caller_id, scopes
	RemoteCallerDenied  EventKind = "remote.caller.denied"
	RemoteCallerRevoked EventKind = "remote.caller.revoked"
	RemoteTokenReused   EventKind = "remote.token.reused" // a code or refresh token came twice: the caller was shut out
	RemoteSignedIn      EventKind = "remote.signed_in"
	RemoteKeyRotated    EventKind = "remote.key.rotated"
	RemoteA2A           EventKind = "remote.a2a"          // A2A was turned on or off; payload on
	RemoteTaskAsked     EventKind = "remote.task.asked"   // a caller asks for a skill's run; payload task_id, skill
	RemoteTaskAllowed   EventKind = "remote.task.allowed" // by a person, once
	RemoteTaskDenied    EventKind = "remote.task.denied"
	RemoteTaskEnded     EventKind = "remote.task.ended"    // payload also run_id, state
	HookInstalled       EventKind = "agent.hook.installed" // our entry was written into an agent's own settings
	HookRemoved         EventKind = "agent.hook.removed"
	JournalOn           EventKind = "observe.journal.on" // the consent to keep an agent's runs for a day
	JournalOff          EventKind = "observe.journal.off"
	RunsDeleted         EventKind = "observe.runs.deleted" // by the person, before their time
	RunPurged           EventKind = "observe.run.purged"
	MigrationBackfill   EventKind = "migration_backfill"
)

// Event is one lifecycle event. Seq is its position in the outbox and the SSE id; the store assigns it.
type Event struct {
	Seq           int64          `json:"-"`
	Kind          EventKind      `json:"event_kind" maxLength:"80"`
	SessionID     string         `json:"session_id,omitempty" format:"uuid"`
	Payload       map[string]any `json:"payload"`
	Timestamp     clock.Time     `json:"timestamp" format:"date-time"`
	SchemaVersion int            `json:"schema_version" enum:"1"`
}

// Writer is what every capability's transaction can do besides its own records. File operations take effect after
// commit, in outbox order; paths are relative to the memory root, with slashes.
type Writer interface {
	AddReceipt(Receipt) error            // also appended to system/learning/receipts.jsonl
	Emit(Event) error                    // lifecycle event: outbox, streams
	PutFile(path string, v any) error    // replace the canonical JSON file by v
	AppendLine(path string, v any) error // append v to a canonical JSONL file
	RemoveFile(path string) error
	MoveFile(from, to string) error
}
