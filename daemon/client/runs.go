package client

import (
	"context"
	"slices"
	"time"

	"showhow/internal/fault"
)

// ValidationRun returns one validation run with its steps so far.
func (c ProposalService) ValidationRun(ctx context.Context, proposalID, runID string) (ValidationRun, []ValidationStepResult, error) {
	l, err := c.ValidationRuns(ctx, proposalID, PageQuery{Page: 1, PageSize: 20})
	if err != nil {
		return ValidationRun{}, nil, err
	}
	i := slices.IndexFunc(l.Runs, func(r ValidationRun) bool { return r.ValidationRunID == runID })
	if i < 0 {
		return ValidationRun{}, nil, fault.New(fault.NotFound, "the run is no longer there")
	}
	return l.Runs[i], slices.DeleteFunc(l.Steps, func(s ValidationStepResult) bool { return s.ValidationRunID != runID }), nil
}

// ValidationEnded waits until a run has ended, or ctx has; then it returns the latest state and ctx's error.
func (c ProposalService) ValidationEnded(ctx context.Context, proposalID, runID string) (ValidationRun, []ValidationStepResult, error) {
	tick := time.NewTicker(25 * time.Millisecond)
	defer tick.Stop()
	for {
		run, steps, err := c.ValidationRun(ctx, proposalID, runID)
		if err != nil && !fault.From(err).Code.Spec().Retryable || err == nil && run.Status != "running" {
			return run, steps, err
		}
		select {
		case <-ctx.Done():
			return run, steps, ctx.Err()
		case <-tick.C:
		}
	}
}
