package record

import (
	"context"

	"showhow/daemon/journal"
)

// The canonical files of runs; a run's line is written when it has ended.
const (
	RunsPath  = "system/learning/validation_runs.jsonl"
	StepsPath = "system/learning/validation_step_results.jsonl"
)

// Store stores runs.
type Store interface {
	Update(ctx context.Context, fn func(Tx) error) error
	View(ctx context.Context, fn func(Tx) error) error
}

// Tx is one transaction.
type Tx interface {
	journal.Writer

	PutRun(ValidationRun) error
	Run(id string) (ValidationRun, bool, error)
	Runs(proposalID string, page, pageSize int) ([]ValidationRun, int, error) // newest first
	RunsOf(proposalID string, revision int) ([]ValidationRun, error)          // oldest first
	RunningRuns(proposalID string) ([]ValidationRun, error)                   // "" for all
	PutStep(place int, s ValidationStepResult) error
	Steps(runID string) ([]ValidationStepResult, error) // in order

	PutEvidence(Evidence) error
	Evidence(runID string) ([]Evidence, error) // in order, without pictures
	EvidencePicture(runID string, id int64) (png []byte, ok bool, err error)
	PutCheckpointReceipt(journal.CheckpointReceipt) error
}
