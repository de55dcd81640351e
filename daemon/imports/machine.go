package imports

import (
	"slices"

	"showhow/internal/fault"
)

// State is where an import stands (DOC3 0C.20). It is serialised, so it is a string.
type State string

const (
	UploadPending    State = "upload_pending"
	Uploaded         State = "uploaded"
	Scanning         State = "scanning"
	ScanFailed       State = "scan_failed"
	ScanComplete     State = "scan_complete"
	Staging          State = "staging"
	StageFailed      State = "stage_failed"
	ReadyForReview   State = "ready_for_review"
	InstallQueued    State = "install_queued"
	InstallFailed    State = "install_failed"
	InstalledPrivate State = "installed_private"
	Approved         State = "approved"
	Rejected         State = "rejected"
	Discarded        State = "discarded"
	Expired          State = "expired"
)

// States lists every state in the mission's order.
var States = []State{UploadPending, Uploaded, Scanning, ScanFailed, ScanComplete, Staging, StageFailed, ReadyForReview,
	InstallQueued, InstallFailed, InstalledPrivate, Approved, Rejected, Discarded, Expired}

// transitions is the graph of DOC3 0C.20, word for word.
var transitions = map[State][]State{
	UploadPending:    {Uploaded},
	Uploaded:         {Scanning},
	Scanning:         {ScanComplete, ScanFailed, Expired},
	ScanComplete:     {Staging, Discarded},
	Staging:          {ReadyForReview, StageFailed, Discarded},
	ReadyForReview:   {InstallQueued, Approved, Rejected, Discarded},
	InstallQueued:    {InstalledPrivate, InstallFailed},
	ScanFailed:       {Scanning},
	StageFailed:      {Staging},
	InstallFailed:    {InstallQueued},
	InstalledPrivate: {},
	Approved:         {},
	Rejected:         {},
	Discarded:        {},
	Expired:          {},
}

// retries are the hops that only a retry of this kind makes.
var retries = map[State]string{ScanFailed: RetryScan, StageFailed: RetryStage, InstallFailed: RetryInstall}

// Kinds of retries.
const (
	RetryScan    = "scan"
	RetryStage   = "stage"
	RetryInstall = "install"
)

// Terminal reports whether the state has no way out.
func (s State) Terminal() bool { return len(transitions[s]) == 0 }

// CanGo reports whether an import may go from one state to another; retry is the kind of the retry that asks, or "".
func CanGo(from, to State, retry string) bool {
	return slices.Contains(transitions[from], to) && retries[from] == retry
}

func checkHop(from, to State, retry string) error {
	if CanGo(from, to, retry) {
		return nil
	}
	f := fault.Newf(fault.InvalidImportTransition, "an import that is %s cannot become %s", from, to).
		WithDetail("from", string(from)).WithDetail("to", string(to))
	if kind := retries[from]; kind != "" {
		f = f.WithHint("`showhow skill imports retry` tries its " + kind + " again")
	}
	return f
}

// Action is something the caller may do next with an import; the UI shows these and works nothing out itself.
type Action string

const (
	CanStage   Action = "stage"
	CanApprove Action = "approve"
	CanInstall Action = "install_private"
	CanReject  Action = "reject"
	CanDiscard Action = "discard"
	CanRetry   Action = "retry"
)

func actions(r Record) []Action {
	switch r.StageState {
	case ScanComplete:
		return []Action{CanStage, CanDiscard}
	case ReadyForReview:
		return []Action{CanApprove, CanInstall, CanReject, CanDiscard}
	case InstallFailed:
		return []Action{CanRetry}
	case ScanFailed, StageFailed:
		if r.ExpiresAt != nil { // else its upload was refused, or is gone
			return []Action{CanRetry}
		}
	}
	return []Action{}
}
