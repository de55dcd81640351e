package imports

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"

	"showhow/daemon/ability"
	"showhow/daemon/journal"
	"showhow/daemon/skill/archive"
	"showhow/internal/fault"
)

// Upkeep repairs what a crash, an older version or time left.
type Upkeep struct{ *records }

// Recover repairs what a crash or an older version left: work in flight has failed and can be retried (decisions A9),
// an installation takes its saga's outcome, files without a record are removed. It runs before serving.
func (s *Upkeep) Recover(ctx context.Context) error {
	defer s.alone()()
	if err := errors.Join(s.backfill(ctx), s.backfillSessions(ctx)); err != nil {
		return fault.From(err)
	}
	var all []Item
	err := s.o.Store.View(ctx, func(tx Tx) (err error) { all, _, err = tx.Imports(Filter{}); return err })
	if err != nil {
		return err
	}
	for _, i := range all {
		if err := s.recoverOne(ctx, i); err != nil {
			return err
		}
	}
	if err := archive.Sweep(s.stagedDir()); err != nil {
		return err
	}
	if err := s.sweepParts(); err != nil {
		return err
	}
	return s.tidy(ctx)
}

// partPrefix begins the name of a file that is being received.
const partPrefix = ".part-"

// sweepParts removes what was being received when the daemon ended: nothing arrives before it serves.
func (s *Upkeep) sweepParts() error {
	parts, err := filepath.Glob(filepath.Join(s.uploadDir(), partPrefix+"*"))
	for _, p := range parts {
		err = errors.Join(err, removeFile(p))
	}
	return err
}

func (s *Upkeep) recoverOne(ctx context.Context, i Item) error {
	fail := func(to State, kind string) error {
		_, _, err := s.update(ctx, Meta{}, i.ImportID, func(c *change) error {
			c.item.LastErrorCode = restarted
			c.failedRetry(kind)
			return c.enter(to, "", "daemon_restart")
		})
		return err
	}
	switch i.StageState {
	case Scanning:
		return fail(ScanFailed, RetryScan)
	case Staging:
		return errors.Join(s.clear(i.ImportID), fail(StageFailed, RetryStage))
	case InstallQueued, ReadyForReview:
		if i.SagaID == "" {
			return nil
		}
		out, err := s.o.Installer.Saga(ctx, i.SagaID)
		if err != nil && !fault.Is(err, fault.NotFound) {
			return err
		}
		if err == nil && out.State == ability.SagaCompleted {
			return s.recovered(ctx, i, out)
		}
		if i.StageState == InstallQueued {
			return fail(InstallFailed, RetryInstall)
		}
		_, _, err = s.update(ctx, Meta{}, i.ImportID, func(c *change) error {
			c.item.SagaID, c.item.Lane, c.item.LastErrorCode = "", "", restarted
			return nil
		})
		return err
	}
	return nil
}

// recovered records an installation that the saga's own recovery finished.
func (s *Upkeep) recovered(ctx context.Context, i Item, out ability.SagaOutcome) error {
	to := InstalledPrivate
	if i.StageState == ReadyForReview {
		to = Approved
	}
	_, _, err := s.update(ctx, Meta{}, i.ImportID, func(c *change) error {
		c.item.AbilityID, c.item.LastErrorCode = out.Result.AbilityID, ""
		return c.enter(to, "", "daemon_restart")
	})
	return err
}

// Run tidies periodically until ctx ends.
func (s *Upkeep) Run(ctx context.Context, every time.Duration) error {
	t := time.NewTicker(every)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-t.C:
			if err := s.Tidy(ctx); err != nil && ctx.Err() == nil {
				s.o.Log.Warn("imports could not be tidied up", "code", string(fault.CodeOf(err)))
			}
		}
	}
}

// Tidy ends what has expired and removes files that no record needs.
func (s *Upkeep) Tidy(ctx context.Context) error {
	defer s.alone()()
	return s.tidy(ctx)
}

func (s *Upkeep) tidy(ctx context.Context) error {
	var uploads []Stored
	if err := s.o.Store.View(ctx, func(tx Tx) (err error) { uploads, err = tx.Uploads(); return err }); err != nil {
		return err
	}
	for _, u := range uploads {
		if s.o.Now().Before(u.ExpiresAt.Time) {
			continue
		}
		if err := s.expire(ctx, u); err != nil {
			return err
		}
	}
	return errors.Join(s.sweepUploads(ctx), s.sweepStaged(ctx))
}

// expire ends an upload. An import that was scanned and never staged ends with it: the mission's graph leads from
// there to discarded only. One that failed stays, and its retry finds the upload expired.
func (s *Upkeep) expire(ctx context.Context, u Stored) error {
	if !u.Gone && u.ImportID != "" {
		item, err := s.get(ctx, u.ImportID)
		if err != nil && !fault.Is(err, fault.SkillImportNotFound) {
			return err
		}
		if err == nil && item.StageState == ScanComplete {
			_, _, err = s.update(ctx, Meta{}, item.ImportID, func(c *change) error {
				c.item.LastErrorCode, c.item.ExpiresAt = string(fault.SkillImportUploadExpired), nil
				return c.enter(Discarded, "", "upload_expired")
			})
			if err != nil {
				return err
			}
		}
	}
	err := s.o.Store.Update(ctx, func(tx Tx) error {
		if !u.Gone {
			if err := s.lost(tx, Meta{}, u, "upload_expired"); err != nil {
				return err
			}
			if err := tellUpload(tx, Meta{}, journal.ImportUploadExpired, "An upload has expired.", u.TempArtifactRef); err != nil {
				return err
			}
		}
		return tx.DeleteUpload(u.TempArtifactRef)
	})
	if err != nil {
		return err
	}
	return removeFile(s.uploadPath(u.TempArtifactRef))
}

// sweepUploads removes files of uploads that are gone, or were never recorded.
func (s *Upkeep) sweepUploads(ctx context.Context) error {
	return s.sweep(ctx, s.uploadDir(), func(tx Tx, name string) (bool, error) {
		u, ok, err := tx.Upload(strings.TrimSuffix(name, ".zip"))
		return ok && !u.Gone, err
	})
}

// sweepStaged removes folders of imports that need none.
func (s *Upkeep) sweepStaged(ctx context.Context) error {
	return s.sweep(ctx, s.stagedDir(), func(tx Tx, name string) (bool, error) {
		i, ok, err := tx.Import(name)
		needed := i.StageState == ReadyForReview || i.StageState == InstallQueued || i.StageState == InstallFailed
		return ok && needed, err
	})
}

func (s *Upkeep) sweep(ctx context.Context, dir string, keep func(Tx, string) (bool, error)) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fault.Wrap(err, fault.Internal, "the folder of imports cannot be read")
	}
	return s.o.Store.View(ctx, func(tx Tx) error {
		for _, e := range entries {
			if strings.HasPrefix(e.Name(), partPrefix) { // an upload may be arriving
				if info, err := e.Info(); err != nil || s.o.Now().Sub(info.ModTime()) < time.Hour {
					continue
				}
			}
			needed, err := keep(tx, e.Name())
			if err != nil {
				return err
			}
			if !needed {
				if err := os.RemoveAll(filepath.Join(dir, e.Name())); err != nil {
					return fault.Wrap(err, fault.Internal, "a file of an import could not be removed")
				}
			}
		}
		return nil
	})
}
