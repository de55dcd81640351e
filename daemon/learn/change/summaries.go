package change

import (
	"showhow/daemon/journal"
	"showhow/daemon/learn/state"
)

// summaryOf is the sentence of a receipt.
func summaryOf(kind journal.EventKind, reason string) string {
	if kind == journal.SessionCancelled && reason == state.ReasonPutAside {
		return "The draft was put aside."
	}
	if kind == journal.SessionStarted && reason == state.ReasonTakenUp {
		return "A draft that was put aside was taken up again."
	}
	if kind == journal.SessionStarted && reason == state.ReasonImport {
		return "A skill was brought in for review."
	}
	return summaries[kind]
}

// summaries are the sentences of receipts; they name no person and nothing observed.
var summaries = map[journal.EventKind]string{
	journal.SessionStarted:     "A demonstration was set up.",
	journal.SessionArmed:       "Everything is ready to watch.",
	journal.SessionPaused:      "It is paused.",
	journal.SessionResumed:     "It goes on.",
	journal.SessionStopped:     "The demonstration is over.",
	journal.SessionCancelled:   "It was discarded.",
	journal.SessionState:       "Learning moved on.",
	journal.SessionDeleted:     "The demonstration was deleted, with everything recorded in it.",
	journal.SessionEnded:       "Learning has ended.",
	journal.ScopeChanged:       "What may be watched was changed.",
	journal.BoundaryMarked:     "A step, a goal or an end was marked.",
	journal.CaptureStarted:     "Watching began.",
	journal.CapturePaused:      "Watching is paused.",
	journal.CaptureResumed:     "Watching goes on.",
	journal.CaptureStopped:     "Watching stopped.",
	journal.ObservationGone:    "Something recorded was deleted.",
	journal.RawPurged:          "What was recorded was deleted.",
	journal.TestPolicySet:      "How far tests may go was decided.",
	journal.ProposalCreated:    "A draft was written.",
	journal.QuestionsRequested: "Questions were asked.",
	journal.QuestionsAnswered:  "Questions were answered.",
	journal.ProposalRevised:    "The draft was revised.",
	journal.ModelConsented:     "You allowed a model on another computer to see the draft's texts.",
	journal.ModelAsked:         "A model was asked for better wording.",
	journal.ProposalRejected:   "The draft was rejected.",
	journal.ProposalApproved:   "The draft was approved.",
	journal.MigrationBackfill:  "An import of an older version was given its session.",
	journal.InstallStarted:     "An installation was requested.",
	journal.InstallCompleted:   "The skill was installed.",
	journal.InstallFailed:      "The installation failed, and everything it had done was undone.",
}
