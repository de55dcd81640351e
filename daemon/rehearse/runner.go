package rehearse

import (
	"context"

	"showhow/internal/fault"
)

// Runner starts and keeps validation runs. Make it with New; Close waits for what it started.
type Runner struct{}

var errSoon = fault.New(fault.UnsupportedInBuild, "validation is not part of this build")

// Start begins a run and returns it as running; ValidationInProgress when one is under way for the proposal.
func (r *Runner) Start(ctx context.Context, req Request) (ValidationRun, error) {
	return ValidationRun{}, errSoon
}

// Perform does what a request asks and keeps nothing; cancelling ctx ends it with the result cancelled.
func (r *Runner) Perform(ctx context.Context, req Request) Result { return Result{} }

// Wait returns the run once it has ended, or ctx's error.
func (r *Runner) Wait(ctx context.Context, runID string) (ValidationRun, error) {
	return ValidationRun{}, errSoon
}

// Cancel ends a running run with the result cancelled and returns it; an ended run is returned as it is.
func (r *Runner) Cancel(ctx context.Context, runID string) (ValidationRun, error) {
	return ValidationRun{}, errSoon
}

// Get returns one run with its steps.
func (r *Runner) Get(ctx context.Context, runID string) (ValidationRun, []ValidationStepResult, error) {
	return ValidationRun{}, nil, errSoon
}

// List returns a proposal's runs, newest first, their steps, and how many runs there are.
func (r *Runner) List(ctx context.Context, proposalID string, page, pageSize int) ([]ValidationRun, []ValidationStepResult, int, error) {
	return nil, nil, 0, errSoon
}

// Standing says what the runs on this revision and hash add up to.
func (r *Runner) Standing(ctx context.Context, proposalID string, revision int, contentHash string) (Standing, error) {
	return Standing{}, errSoon
}

// Recover marks runs that a crash left running as cancelled (decisions A9) and returns them.
func (r *Runner) Recover(ctx context.Context) ([]ValidationRun, error) { return nil, errSoon }

// Close cancels what runs and waits for it.
func (r *Runner) Close() error { return nil }
