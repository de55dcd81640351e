package imports

import (
	"context"
	"errors"

	"showhow/daemon/skill/archive"
	"showhow/internal/fault"
)

// Stages unpacks scanned skills for a person's review.
type Stages struct{ *records }

// Stage unpacks a scanned skill into its own folder, where it waits for a person. The upload is not needed any more.
func (s *Stages) Stage(ctx context.Context, m Meta, r StageRequest) (StageResponse, error) {
	defer s.work()()
	item, _, err := s.update(ctx, m, r.ImportID, func(c *change) error {
		if err := c.seen(); err != nil {
			return err
		}
		if r.RequestedPackID != "" {
			c.item.SkillPack = r.RequestedPackID
		}
		if r.StageNotes != "" {
			c.item.Notes = r.StageNotes
		}
		return c.enter(Staging, "", "")
	})
	if err != nil {
		return StageResponse{}, err
	}
	return s.staged(ctx, m, item)
}

// staged performs the staging of an import and records the outcome.
func (s *Stages) staged(ctx context.Context, m Meta, item Item) (StageResponse, error) {
	if err := s.at("staging"); err != nil {
		return StageResponse{}, err
	}
	work := context.WithoutCancel(ctx)
	err := s.materialize(ctx, item)
	if err == nil {
		err = s.at("materialized")
	}
	if fault.Is(err, fault.SkillImportUploadExpired) {
		_, _, failed := s.update(work, m, item.ImportID, func(c *change) error {
			c.item.LastErrorCode = string(fault.SkillImportUploadExpired)
			return errors.Join(c.enter(Discarded, "", "upload_expired"), s.drop(c))
		})
		return StageResponse{}, errors.Join(failed, with(err, item.ImportID))
	}
	if err != nil {
		_, _, failed := s.update(work, m, item.ImportID, func(c *change) error {
			c.item.failed(err)
			c.failedRetry(RetryStage)
			return c.enter(StageFailed, "", c.item.LastErrorCode)
		})
		return StageResponse{}, errors.Join(failed, with(err, item.ImportID))
	}
	item, receipt, err := s.update(work, m, item.ImportID, func(c *change) error {
		if err := s.drop(c); err != nil {
			return err
		}
		c.item.SourceRefKind, c.item.SourceRef, c.item.LastErrorCode = RefMaterialized, "staged:"+c.item.ImportID, ""
		return c.enter(ReadyForReview, "", c.item.Verdict)
	})
	if err != nil {
		return StageResponse{}, errors.Join(err, s.clear(item.ImportID))
	}
	if err := removeFile(s.uploadPath(item.Upload)); err != nil {
		s.o.Log.Warn("a staged upload could not be removed", "code", string(fault.CodeOf(err)))
	}
	return StageResponse{ImportRecord: shown(item.Record), MaterializedBundleRef: item.SourceRef, ReceiptID: receipt, SchemaVersion: 1}, nil
}

// materialize unpacks the upload again: what is staged is what was scanned, or nothing is.
func (s *Stages) materialize(ctx context.Context, item Item) error {
	if item.ExpiresAt == nil || !s.o.Now().Before(item.ExpiresAt.Time) || !exists(s.uploadPath(item.Upload)) {
		return expired()
	}
	b, err := s.open(ctx, item)
	if err != nil {
		return err
	}
	if b.Hash() != item.ContentHash {
		return changed()
	}
	if err := s.clear(item.ImportID); err != nil {
		return err
	}
	return archive.Stage(ctx, s.stagedDir(), item.ImportID, b.Bundle)
}
