package store

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
)

// checkpointAt is the size of the log at which Run checkpoints it.
const checkpointAt = 4 << 20

// logGrew wakes Run if the log is large enough for a checkpoint.
func (s *database) logGrew() {
	if info, err := os.Stat(filepath.Join(s.opt.Dir, dbName+"-wal")); err == nil && info.Size() >= checkpointAt {
		nudge(s.walGrew)
	}
}

// checkpoint moves the log into the database, in two steps: the long one in parallel with the writer, then the rest
// with the writer waiting, so that the log can be truncated. It does not wait for readers; the next checkpoint will
// get further.
func (s *database) checkpoint(ctx context.Context) error {
	if _, err := s.gate.enter(ctx); err != nil {
		return err
	}
	_, err := s.r.ExecContext(ctx, `PRAGMA wal_checkpoint(PASSIVE)`)
	s.gate.leave()
	if err != nil {
		return err
	}
	if err := s.take(ctx); err != nil {
		return err
	}
	defer s.give()
	_, err = s.truncateLog(ctx)
	return err
}

// truncateLog is called by the holder of the writer connection.
func (s *database) truncateLog(ctx context.Context) (busy bool, err error) {
	if _, err := s.w.ExecContext(ctx, `PRAGMA busy_timeout=0`); err != nil {
		return false, err
	}
	defer s.w.ExecContext(context.WithoutCancel(ctx), `PRAGMA busy_timeout=5000`)
	var log, done int64
	// The pragma returns a row and does not fail: only its first column says whether the log was truncated.
	err = s.w.QueryRowContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`).Scan(&busy, &log, &done)
	return busy, err
}

func noRows(err error) bool { return errors.Is(err, sql.ErrNoRows) }

// nudge sends without blocking: one value in the channel is enough.
func nudge(ch chan struct{}) {
	select {
	case ch <- struct{}{}:
	default:
	}
}
