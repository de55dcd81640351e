package state

import (
	"slices"

	"showhow/capture"
)

// FillLists turns null lists of a session into empty ones.
func FillLists(sess *Session) {
	for _, l := range []*[]string{&sess.ActiveTraceIDs, &sess.ActiveObservationBatchIDs, &sess.AdaptersArmed, &sess.ExampleIDs,
		&sess.Scope.Apps, &sess.Scope.Sites, &sess.Scope.Folders, &sess.Scope.Shells, &sess.Scope.Devices, &sess.TargetAppWhitelist} {
		if *l == nil {
			*l = []string{}
		}
	}
	if sess.Adapters == nil {
		sess.Adapters = []capture.Kind{}
	}
	if sess.Withheld == nil {
		sess.Withheld = []capture.Withheld{}
	}
}

// UIState is PendingAbilityUiState (DOC3 0C.6 with decisions E12).
func UIState(sess Session) string {
	switch sess.State {
	case Idle, Armed, Capturing, Paused:
		return "capturing"
	case AwaitingQuestions:
		return "awaiting_input"
	case Stopped, Reviewing, DraftingProposal:
		return "drafting"
	case TestingProposal:
		return "testing"
	case ReadyForReview:
		return "ready_for_review"
	case InstallingPrivate, InstalledPrivate:
		return "private_active"
	}
	return "revision_required"
}

// Outcome is the outcome of a session (DOC3 0C.16E), "in_progress" before it is known.
func Outcome(sess Session) string {
	switch {
	case sess.State == Rejected || sess.State == Cancelled || sess.State == Quarantined:
		return string(sess.State)
	case sess.State == InstalledPrivate:
		return "" // no outcome of DOC3 0C.16E: never approved, and no longer open; the state says what it is
	case sess.Ended:
		return "approved"
	}
	return "in_progress"
}

var actionsOf = map[State][]Action{
	Armed:             {CanStart, CanScope, CanCancel},
	Capturing:         {CanPause, CanStop, CanMark, CanScope, CanTrim, CanCancel},
	Paused:            {CanResume, CanStop, CanMark, CanScope, CanTrim, CanCancel},
	Stopped:           {CanPropose, CanTrim, CanExample, CanCancel},
	Reviewing:         {CanPropose, CanTrim, CanExample, CanCancel},
	AwaitingQuestions: {CanAnswer, CanPropose, CanTrim, CanExample, CanPutAside, CanCancel},
	DraftingProposal:  {CanAnswer, CanValidate, CanRevise, CanExample, CanPutAside, CanCancel},
	TestingProposal:   {CanCancelRun, CanRevise, CanCancel},
	ReadyForReview:    {CanInstall, CanApprove, CanReject, CanAnswer, CanValidate, CanRevise, CanExample, CanPutAside},
	InstalledPrivate:  {CanApprove, CanValidate},
	Approved:          {CanValidate},
	Quarantined:       {CanRevise, CanCancel},
}

// AllowedActions lists the actions allowed next. Rights and gates are checked when an action is requested.
func AllowedActions(sess Session) []Action {
	if MirrorsImport(sess) {
		if sess.Ended {
			return []Action{CanDelete}
		}
		return []Action{}
	}
	out := slices.Clone(actionsOf[sess.State])
	if sess.State == Paused && sess.TimedOut {
		out = nil
	}
	if sess.State != InstallingPrivate {
		out = append(out, CanDelete)
	}
	return out
}

// Notices returns the sentences that anyone looking at the session should read.
func Notices(sess Session) []string {
	out := []string{}
	observes := sess.ObservationMode != ObserveNone
	if observes && sess.Scope.Empty() && slices.Contains([]State{Armed, Capturing, Paused}, sess.State) {
		out = append(out, "Nothing may be watched yet: everything is withheld until you name an app, site, folder, shell or device.")
	}
	if sess.State == Paused {
		if text := pauseNotices[sess.PauseReason]; text != "" {
			out = append(out, text)
		}
	}
	if sess.ValuePolicy == capture.Literal && len(sess.LiteralApps) > 0 {
		out = append(out, "What you type in the named apps is kept readable. Passwords, codes and card numbers never are.")
	}
	if sess.PurgeWarnedAt != nil && sess.RawPurgedAt == nil {
		out = append(out, "Nobody has touched this session for weeks: its raw observations will be purged in a few days. Opening a draft, or "+
			"keeping them, prevents it.")
	}
	switch {
	case sess.TakenUpBy != "":
		out = append(out, "The draft was taken up again: another session goes on with it.")
	case sess.RawPurgedAt != nil:
		out = append(out, "The raw observations have been purged; draft and skill stay.")
	case IsPutAside(sess):
		out = append(out, "The draft was put aside. It waits among the pending ones, with what was demonstrated, for 30 days.")
	}
	return out
}

var pauseNotices = map[PauseReason]string{
	PausedNoIndicator: "Paused: nothing showed you any more that capture was on. Open the window or run `showhow learn " +
		"status`, then resume. " +
		"As long as nothing was done, opening the page in Showhow's browser is enough.",
	PausedTimeout:   "Paused after four hours of capture.",
	PausedIdle:      "Paused: nothing happened for 15 minutes.",
	PausedLocked:    "Paused: the screen was locked.",
	PausedSwitched:  "Paused: the user was switched.",
	PausedSuspended: "Paused: the computer went to sleep.",
	PausedRestart:   "Paused: the daemon was restarted. What was captured before is safe.",
	PausedAdapter:   "Paused: an adapter failed. `showhow doctor` says what would fix it.",
	PausedStore:     "Paused: an observation could not be stored. `showhow doctor` says what would fix it.",
}
