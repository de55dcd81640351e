package contract

import "showhow/internal/clock"

// The origins of feedback.
const (
	Projected = "projected" // from an event
	Direct    = "direct"    // a person's own word
)

// Project makes feedback from an envelope. ok is false for an event that is only evidence: a started session says
// nothing about its result.
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
