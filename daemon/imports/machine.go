package imports

import (
	"slices"

	"showhow/daemon/wire"
	"showhow/internal/fault"
)

// The states of an import.
const (
	UploadPending    = wire.ImportUploadPending
	Uploaded         = wire.ImportUploaded
	Scanning         = wire.ImportScanning
	ScanFailed       = wire.ImportScanFailed
	ScanComplete     = wire.ImportScanComplete
	Staging          = wire.ImportStaging
	StageFailed      = wire.ImportStageFailed
	ReadyForReview   = wire.ImportReadyForReview
	InstallQueued    = wire.ImportInstallQueued
	InstallFailed    = wire.ImportInstallFailed
	InstalledPrivate = wire.ImportInstalledPrivate
	Approved         = wire.ImportApproved
	Rejected         = wire.ImportRejected
	Discarded        = wire.ImportDiscarded
	Expired          = wire.ImportExpired
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

// retries are the transitions that only a retry of this kind makes.
var retries = map[State]string{ScanFailed: RetryScan, StageFailed: RetryStage, InstallFailed: RetryInstall}

// Kinds of retries.
const (
	RetryScan    = "scan"
	RetryStage   = "stage"
	RetryInstall = "install"
)

// Terminal reports whether the state is final.
func Terminal(s State) bool { return len(transitions[s]) == 0 }

// CanGo reports whether an import may go from one state to another; retry is the kind of a retry, or "".
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
		if r.ExpiresAt != nil { // otherwise its upload was refused, or is gone
			return []Action{CanRetry}
		}
	}
	return []Action{}
}
