package contract

import "showhow/internal/clock"

// Where feedback is from.
const (
	Projected = "projected" // from an event
	Direct    = "direct"    // a person's own word
)

// Project makes feedback of an envelope. ok is false for an event that is evidence alone: a session that started says nothing of how it
// went.
func Project(e Envelope, reporter string, now clock.Time) (f Feedback, ok bool) {
	ev := e.Event
	if ev.EventKind != SessionFeedback || ev.Score == nil {
		return Feedback{}, false
	}
	return Feedback{FeedbackID: derive("feedback", ev.EventID), Origin: Projected, SessionID: ev.SessionID, Task: ev.Task, Status: ev.Status,
		Score: *ev.Score, Comment: ev.Comment, SelectedSkillIDs: ev.SelectedSkillIDs, MissingCapabilities: ev.MissingCapabilities,
		OccurredAt: ev.OccurredAt, ReportedBy: reporter, ContractName: e.ContractName, ContractVersion: e.ContractVersion,
		SourceEnvelopeID: e.EnvelopeID, SourceEventID: ev.EventID, ProjectedAt: &now, SchemaVersion: ArtifactSchema}, true
}
