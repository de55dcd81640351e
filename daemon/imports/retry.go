package imports

import (
	"context"

	"showhow/internal/fault"
)

// Retries repeats failed work.
type Retries struct {
	*records
	scans     *Scans
	stages    *Stages
	decisions *Decisions
}

// Retry repeats what failed. Only a person may retry an installation: it is the one that was decided, of the same
// content.
func (s *Retries) Retry(ctx context.Context, m Meta, r RetryRequest) (ActionResponse, error) {
	defer s.alone()()
	if r.RetryKind == RetryInstall {
		item, err := s.get(ctx, r.ImportID)
		if err == nil && item.StageState == InstallFailed {
			err = s.unchanged(ctx, item)
		}
		if err != nil {
			return ActionResponse{}, err
		}
	}
	to := map[string]State{RetryScan: Scanning, RetryStage: Staging, RetryInstall: InstallQueued}[r.RetryKind]
	item, _, err := s.update(ctx, m, r.ImportID, func(c *change) error {
		if err := c.seen(); err != nil {
			return err
		}
		if retries[c.item.StageState] != r.RetryKind {
			return fault.Newf(fault.InvalidImportTransition, "an import that is %s has no %s to try again", c.item.StageState, r.RetryKind).
				WithDetail("from", string(c.item.StageState)).WithDetail("to", string(to))
		}
		c.item.RetryCount++
		if r.RetryKind == RetryInstall {
			c.item.SagaID = s.o.NewID()
		}
		return c.enter(to, r.RetryKind, "retry")
	})
	if err != nil {
		return ActionResponse{}, err
	}
	switch r.RetryKind {
	case RetryScan:
		out, err := s.scans.scanned(ctx, m, retrying(item))
		return ActionResponse{ImportRecord: out.ImportRecord, ReceiptID: out.ReceiptID, SchemaVersion: 1}, err
	case RetryStage:
		out, err := s.stages.staged(ctx, m, retrying(item))
		return ActionResponse{ImportRecord: out.ImportRecord, ReceiptID: out.ReceiptID, SchemaVersion: 1}, err
	}
	return s.decisions.install(ctx, m, item)
}

// retrying gives an import whose upload is gone an expiry in the past.
func retrying(item Item) Item {
	if item.ExpiresAt == nil {
		item.ExpiresAt = &item.CreatedAt
	}
	return item
}
