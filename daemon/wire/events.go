package wire

import "showhow/internal/clock"

// What an agent's runtime sends, by the runtime event contract. Showhow keeps the exact original sealed; everything
// readable is redacted.

// RuntimeEventPosted is an event as a runtime sends it; keys that are not named here are kept only in the sealed
// original.
type RuntimeEventPosted struct {
	SchemaVersion       string         `json:"schema_version,omitempty" enum:"1.1"`
	EventID             string         `json:"event_id,omitempty" maxLength:"160" doc:"omitted: derived from what was sent, so that a repeat is one event"`
	EventKind           string         `json:"event_kind" enum:"session_started,session_feedback"`
	OccurredAt          string         `json:"occurred_at,omitempty" maxLength:"60" doc:"ISO 8601; without an offset UTC; omitted: when it came"`
	SessionID           string         `json:"session_id" minLength:"1" maxLength:"160" pattern:"^[A-Za-z0-9][A-Za-z0-9._:-]*$"`
	Task                string         `json:"task" minLength:"1" maxLength:"2000"`
	Steps               []string       `json:"steps,omitempty" maxItems:"1000"`
	SelectedSkillIDs    []string       `json:"selected_skill_ids,omitempty" maxItems:"100"`
	MissingCapabilities []string       `json:"missing_capabilities,omitempty" maxItems:"100"`
	Metadata            map[string]any `json:"metadata,omitempty"`
	Status              string         `json:"status,omitempty" enum:"success,failure,partial,cancelled,unknown" doc:"required of session_feedback"`
	Score               *float64       `json:"score,omitempty" minimum:"0" maximum:"1" doc:"required of session_feedback"`
	Comment             string         `json:"comment,omitempty" maxLength:"4000"`
}

// RuntimeEnvelopePosted is an envelope as a runtime sends it.
type RuntimeEnvelopePosted struct {
	ContractName    string             `json:"contract_name" enum:"openclaw_appleseed.runtime_event"`
	ContractVersion string             `json:"contract_version" enum:"1.0"`
	EnvelopeID      string             `json:"envelope_id,omitempty" maxLength:"160"`
	RecordedAt      string             `json:"recorded_at,omitempty" maxLength:"60"`
	Source          string             `json:"source,omitempty" maxLength:"160" doc:"an agent names itself or an installation of itself: openclaw, openclaw-local"`
	Metadata        map[string]any     `json:"metadata,omitempty"`
	Event           RuntimeEventPosted `json:"event"`
}

// RuntimeBatchPosted is several events with one header.
type RuntimeBatchPosted struct {
	ContractName    string               `json:"contract_name" enum:"openclaw_appleseed.runtime_event"`
	ContractVersion string               `json:"contract_version" enum:"1.0"`
	RecordedAt      string               `json:"recorded_at,omitempty" maxLength:"60"`
	Source          string               `json:"source,omitempty" maxLength:"160"`
	Metadata        map[string]any       `json:"metadata,omitempty"`
	Events          []RuntimeEventPosted `json:"events" minItems:"1" maxItems:"500"`
}

// RuntimeOperatorSessionPosted is an operator's session as a runtime exports it.
type RuntimeOperatorSessionPosted struct {
	ArtifactKind  string           `json:"artifact_kind" enum:"openclaw_operator_session"`
	SchemaVersion string           `json:"schema_version" enum:"1.0"`
	Source        string           `json:"source,omitempty" maxLength:"160"`
	RecordedAt    string           `json:"recorded_at,omitempty" maxLength:"60"`
	Session       map[string]any   `json:"session" doc:"session_id, task, started_at, operator, selected_skill_ids"`
	Timeline      []map[string]any `json:"timeline,omitempty" maxItems:"1000" doc:"checkpoint_id, occurred_at, step, status, missing_capabilities"`
	Outcome       map[string]any   `json:"outcome,omitempty" doc:"occurred_at, status, score, comment"`
	Handoff       map[string]any   `json:"handoff,omitempty" doc:"summary, next_action"`
}

// RuntimeEvent is a kept event: redacted, complete.
type RuntimeEvent struct {
	SchemaVersion       string         `json:"schema_version" enum:"1.1"`
	EventID             string         `json:"event_id" maxLength:"160"`
	EventKind           string         `json:"event_kind" enum:"session_started,session_feedback"`
	OccurredAt          clock.Time     `json:"occurred_at" format:"date-time"`
	SessionID           string         `json:"session_id" maxLength:"160"`
	Task                string         `json:"task"`
	Status              string         `json:"status,omitempty" enum:"success,failure,partial,cancelled,unknown"`
	Score               *float64       `json:"score,omitempty" minimum:"0" maximum:"1"`
	Comment             string         `json:"comment,omitempty"`
	Steps               []string       `json:"steps,omitempty"`
	SelectedSkillIDs    []string       `json:"selected_skill_ids,omitempty"`
	MissingCapabilities []string       `json:"missing_capabilities,omitempty"`
	Metadata            map[string]any `json:"metadata,omitempty"`
}

// RuntimeEnvelope is a kept envelope.
type RuntimeEnvelope struct {
	ContractName    string         `json:"contract_name" enum:"openclaw_appleseed.runtime_event"`
	ContractVersion string         `json:"contract_version" enum:"1.0"`
	EnvelopeID      string         `json:"envelope_id" maxLength:"160"`
	RecordedAt      clock.Time     `json:"recorded_at" format:"date-time"`
	Source          string         `json:"source"`
	Metadata        map[string]any `json:"metadata,omitempty"`
	Event           RuntimeEvent   `json:"event"`
}

// ProjectedFeedbackRecord is what an event says about how a session went, with its origin. Direct feedback comes from
// a person and has no envelope.
type ProjectedFeedbackRecord struct {
	FeedbackID          string      `json:"feedback_id" maxLength:"160"`
	Origin              string      `json:"origin" enum:"projected,direct"`
	SessionID           string      `json:"session_id" maxLength:"160"`
	Task                string      `json:"task"`
	Status              string      `json:"status" enum:"success,failure,partial,cancelled,unknown"`
	Score               float64     `json:"score" minimum:"0" maximum:"1"`
	Comment             string      `json:"comment,omitempty"`
	SelectedSkillIDs    []string    `json:"selected_skill_ids"`
	MissingCapabilities []string    `json:"missing_capabilities"`
	OccurredAt          clock.Time  `json:"occurred_at" format:"date-time"`
	ReportedBy          string      `json:"reported_by" doc:"the agent that sent it, or user"`
	ContractName        string      `json:"contract_name,omitempty"`
	ContractVersion     string      `json:"contract_version,omitempty"`
	SourceEnvelopeID    string      `json:"source_envelope_id,omitempty"`
	SourceEventID       string      `json:"source_event_id,omitempty"`
	ProjectedAt         *clock.Time `json:"projected_at,omitempty" format:"date-time"`
	SchemaVersion       string      `json:"schema_version" enum:"1.0"`
}

// RuntimeFeedbackRequest is a person's own feedback on an agent's session.
type RuntimeFeedbackRequest struct {
	Post
	SessionID           string   `json:"session_id" minLength:"1" maxLength:"160" pattern:"^[A-Za-z0-9][A-Za-z0-9._:-]*$"`
	Task                string   `json:"task,omitempty" maxLength:"2000" doc:"omitted: the session's"`
	Status              string   `json:"status" enum:"success,failure,partial,cancelled,unknown"`
	Score               float64  `json:"score" minimum:"0" maximum:"1"`
	Comment             string   `json:"comment,omitempty" maxLength:"4000"`
	SelectedSkillIDs    []string `json:"selected_skill_ids,omitempty" maxItems:"100" doc:"omitted: the session's"`
	MissingCapabilities []string `json:"missing_capabilities,omitempty" maxItems:"100"`
}

// RuntimeEventTaken is the result for one event.
type RuntimeEventTaken struct {
	EnvelopeID string `json:"envelope_id"`
	EventID    string `json:"event_id"`
	EventKind  string `json:"event_kind"`
	SessionID  string `json:"session_id"`
	Duplicate  bool   `json:"duplicate" doc:"it was kept before; nothing changed"`
	FeedbackID string `json:"feedback_id,omitempty" doc:"of the feedback that it was projected into"`
}

// RuntimeEventsTaken acknowledges a delivery.
type RuntimeEventsTaken struct {
	DeliveryID    string              `json:"delivery_id,omitempty" format:"uuid" doc:"of the sealed original; none when all of it was kept before"`
	Shape         string              `json:"shape" enum:"envelope,list,batch,openclaw_operator_session,openclaw_operator_handoff_bundle"`
	Received      int                 `json:"received"`
	Kept          int                 `json:"kept"`
	Duplicates    int                 `json:"duplicates"`
	Projected     int                 `json:"projected" doc:"feedback records that are new"`
	SessionIDs    []string            `json:"session_ids"`
	Events        []RuntimeEventTaken `json:"events"`
	Written       []string            `json:"written" doc:"report files that changed, relative to the memory root"`
	SchemaVersion int                 `json:"schema_version" enum:"1"`
}

// RuntimeEventEntry is one envelope and its projection.
type RuntimeEventEntry struct {
	Envelope   RuntimeEnvelope          `json:"envelope"`
	ReportedBy string                   `json:"reported_by"`
	ReceivedAt clock.Time               `json:"received_at" format:"date-time"`
	DeliveryID string                   `json:"delivery_id"`
	Evidence   string                   `json:"evidence" enum:"verified,differs,purged" doc:"whether the sealed original, read again just now, still says this"`
	Feedback   *ProjectedFeedbackRecord `json:"projected_feedback,omitempty"`
}

// RuntimeEventList is a page of the raw-to-projected chain, oldest first.
type RuntimeEventList struct {
	Items         []RuntimeEventEntry `json:"items"`
	Total         int                 `json:"total"`
	Page          int                 `json:"page"`
	PageSize      int                 `json:"page_size"`
	SchemaVersion int                 `json:"schema_version" enum:"1"`
}

// RuntimeSession is a session of an agent's runtime, as its events describe it.
type RuntimeSession struct {
	SessionID     string     `json:"session_id"`
	Task          string     `json:"task"`
	ReportedBy    string     `json:"reported_by"`
	Source        string     `json:"source"`
	Stage         string     `json:"stage" enum:"reported,handed_off,finished" doc:"handed_off: somebody is to go on with it"`
	Status        string     `json:"status,omitempty" doc:"of the newest feedback"`
	Score         *float64   `json:"score,omitempty"`
	Envelopes     int        `json:"envelopes"`
	FirstSeenAt   clock.Time `json:"first_seen_at" format:"date-time"`
	LastSeenAt    clock.Time `json:"last_seen_at" format:"date-time"`
	SchemaVersion int        `json:"schema_version" enum:"1"`
}

// RuntimeSessionList is a page of sessions, newest first.
type RuntimeSessionList struct {
	Items         []RuntimeSession `json:"items"`
	Total         int              `json:"total"`
	Page          int              `json:"page"`
	PageSize      int              `json:"page_size"`
	SchemaVersion int              `json:"schema_version" enum:"1"`
}

// RuntimeSessionDeleted says what was deleted, to the last byte.
type RuntimeSessionDeleted struct {
	Envelopes     int `json:"envelopes"`
	SchemaVersion int `json:"schema_version" enum:"1"`
}

// RuntimeReportsRequest asks for reports to be written as files.
type RuntimeReportsRequest struct {
	Post
	Kind      string `json:"kind" enum:"inspect,session,handoff,governance"`
	SessionID string `json:"session_id,omitempty" maxLength:"160" doc:"of which session; omitted: the newest. Governance is about all"`
}

// RuntimeReportsWritten lists the files that hold the reports, relative to the memory root.
type RuntimeReportsWritten struct {
	Files         []string `json:"files"`
	SchemaVersion int      `json:"schema_version" enum:"1"`
}
