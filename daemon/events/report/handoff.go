package report

import (
	"showhow/daemon/wire"
	"showhow/internal/clock"
)

// Handoff is what the next operator needs to know about a session.
func Handoff(r wire.RuntimeSessionReport) wire.RuntimeHandoff {
	return wire.RuntimeHandoff{ArtifactKind: "openclaw_operator_handoff", SchemaVersion: schema, GeneratedAt: r.GeneratedAt,
		SessionID: r.SessionID, Task: r.Task, Handoff: r.Handoff, Outcome: r.Outcome, LastCheckpoint: r.LastCheckpoint,
		MissingCapabilities: r.MissingCapabilities, ResumeCommands: resumeCommands(r.SessionID)}
}

// resumeCommands work in any folder of the machine that has the session. An id needs no quotes.
func resumeCommands(sessionID string) []string {
	return []string{"showhow events handoff " + sessionID, "showhow events inspect --session " + sessionID,
		"showhow events report --session " + sessionID, "showhow events governance"}
}

// Bundle is everything of a session in one file, for import elsewhere.
func Bundle(e Evidence, reporter string, artifact map[string]any, now clock.Time) wire.RuntimeHandoffBundle {
	r := Session(e, now)
	return wire.RuntimeHandoffBundle{ArtifactKind: "openclaw_operator_handoff_bundle", SchemaVersion: schema, SessionID: e.SessionID,
		ReportedBy: reporter, SourceArtifact: artifact, SessionReport: r, Handoff: Handoff(r), Envelopes: e.Envelopes, Feedback: e.Feedback}
}

// Import is the result of importing an operator's session.
func Import(e Evidence, artifact map[string]any) wire.RuntimeImportReport {
	return wire.RuntimeImportReport{ArtifactKind: "openclaw_import", SchemaVersion: schema, SessionID: e.SessionID, SourceArtifact: artifact,
		Envelopes: e.Envelopes, Feedback: e.Feedback}
}

// Stage is the stage of a session.
func Stage(r wire.RuntimeSessionReport) string {
	switch {
	case r.Handoff.State == "open":
		return "handed_off"
	case r.Outcome != nil:
		return "finished"
	}
	return "reported"
}
