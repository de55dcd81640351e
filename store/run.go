package store

import (
	"context"
	"errors"
	"time"

	"showhow/internal/fault"
)

const (
	retryFirst = time.Second
	retryMost  = 30 * time.Second
	tidyEvery  = 10 * time.Minute
)

// Run maintains the store until ctx ends: it retries failed projections and purges, checkpoints the log in parallel
// with the writer, and prunes the outbox. Nothing is lost without it; the log then grows to 32 MB before the writer
// checkpoints.
func (s *Store) Run(ctx context.Context) error {
	tidy := time.NewTicker(tidyEvery)
	defer tidy.Stop()
	wait := retryFirst
	var again, settle <-chan time.Time
	for {
		var err error
		var what string
		select {
		case <-ctx.Done():
			return nil
		case <-s.closed:
			return nil
		case <-s.retry:
			again, wait = time.After(wait), min(2*wait, retryMost)
			continue
		case <-again:
			again = nil
			what, err = "again", errors.Join(s.finishPurges(ctx), s.Project(ctx))
			if err != nil {
				nudge(s.retry)
			} else {
				wait = retryFirst
			}
		case <-s.calls.more:
			if settle == nil {
				settle = time.After(settleEvery)
			}
			continue
		case <-settle:
			settle = nil
			what, err = "receipts", s.calls.flush(ctx)
			if err != nil {
				nudge(s.calls.more)
			}
		case <-s.walGrew:
			what, err = "checkpoint", s.checkpoint(ctx)
		case <-tidy.C:
			what, err = "tidy", s.tidy(ctx)
		}
		if err != nil && ctx.Err() == nil {
			s.opt.Logger.Error("store upkeep failed", "what", what, "code", fault.CodeOf(s.asFault(err)))
		}
	}
}

func (s *Store) tidy(ctx context.Context) error {
	if err := s.finishPurges(ctx); err != nil {
		return err
	}
	if err := s.Project(ctx); err != nil {
		return err
	}
	return s.pruneOutbox(ctx, keepEvents)
}
