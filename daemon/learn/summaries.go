package learn

import (
	"showhow/daemon/journal"
)

// summaries are the sentences of receipts; they name no one and nothing observed.
var summaries = map[journal.EventKind]string{
	journal.SessionStarted:     "Learning began.",
	journal.SessionArmed:       "Observation is armed.",
	journal.SessionPaused:      "Learning is paused.",
	journal.SessionResumed:     "Learning goes on.",
	journal.SessionStopped:     "The demonstration is over.",
	journal.SessionCancelled:   "It was discarded.",
	journal.SessionState:       "Learning moved on.",
	journal.SessionDeleted:     "The demonstration and what was observed were deleted.",
	journal.SessionEnded:       "Learning has ended.",
	journal.ScopeChanged:       "What may be observed was changed.",
	journal.BoundaryMarked:     "A boundary was marked.",
	journal.CaptureStarted:     "Observation began.",
	journal.CapturePaused:      "Observation is paused.",
	journal.CaptureResumed:     "Observation goes on.",
	journal.CaptureStopped:     "Observation stopped.",
	journal.ObservationGone:    "An observation was deleted.",
	journal.RawPurged:          "Raw observations were purged.",
	journal.TestPolicySet:      "The rehearsal policy was set.",
	journal.ProposalCreated:    "A draft was made.",
	journal.QuestionsRequested: "Questions were asked.",
	journal.QuestionsAnswered:  "Questions were answered.",
	journal.ProposalRevised:    "The draft was revised.",
	journal.ModelConsented:     "The person allowed a model on another machine to see the draft's texts.",
	journal.ModelAsked:         "A model was asked to word the draft's texts better.",
	journal.ProposalRejected:   "The draft was rejected.",
	journal.ProposalApproved:   "The draft was approved.",
	journal.MigrationBackfill:  "An import of an older version was given its session.",
	journal.InstallStarted:     "An installation was requested.",
	journal.InstallCompleted:   "The skill was installed.",
	journal.InstallFailed:      "The installation failed and was undone.",
}
