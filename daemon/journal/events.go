package journal

// Events of agents' runtime events. Payloads hold ids and counts, never what was sent.
const (
	RuntimeReceived EventKind = "events.runtime.received" // payload delivery_id, reported_by, kept, projected
	RuntimeDeleted  EventKind = "events.runtime.deleted"  // a session's events, to the last byte; payload envelopes
	RuntimePurged   EventKind = "events.runtime.purged"   // the sealed originals; payload originals
	ReportsWritten  EventKind = "events.reports.written"  // payload files
	FeedbackSignal  EventKind = "events.feedback.signal"  // feedback on an installed ability; payload ability_id, status, score, feedback_id
)
