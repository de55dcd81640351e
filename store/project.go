package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"

	"golang.org/x/sync/errgroup"

	"showhow/daemon/journal"
	"showhow/internal/fault"
)

// The projector makes the canonical files equal to the rows that describe them (files, lines). It works from state,
// not from a log of operations: writing a file again gives the same bytes, so a crash at any point costs a repetition
// and nothing else.

// fileRow is the desired state of a canonical file, and its last observed state on disk.
type fileRow struct {
	path    string
	kind    string // json, jsonl, text
	seq     int64
	body    sql.NullString
	gone    bool
	start   int64 // the change that last emptied the path
	disk    diskState
	pending int64 // the newest change in the outbox, 0 when there is none
}

// diskState describes a file as the projector left it. A JSON file is identified by its hash, a JSONL file by its
// lines.
type diskState struct {
	seq   int64 // of the content; 0: never written
	size  int64
	mtime int64
	hash  string
}

const fileColumns = `f.path, f.kind, f.seq, f.body, f.gone, f.start, f.disk_seq, f.disk_size, f.disk_mtime, f.disk_hash`

// fileRows reads the rows that query selects: fileColumns and the newest pending sequence.
func (tx *Tx) fileRows(query string, args ...any) ([]fileRow, error) {
	rows, err := tx.tx.QueryContext(tx.ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []fileRow
	for rows.Next() {
		var f fileRow
		if err := rows.Scan(&f.path, &f.kind, &f.seq, &f.body, &f.gone, &f.start, &f.disk.seq, &f.disk.size, &f.disk.mtime, &f.disk.hash,
			&f.pending); err != nil {
			return nil, err
		}
		out = append(out, f)
	}
	return out, rows.Err()
}

const pendingFiles = `SELECT ` + fileColumns + `, max(o.seq) FROM outbox o JOIN files f ON f.path=o.path
	GROUP BY o.path ORDER BY min(o.seq) LIMIT ?`

// filesPerPass bounds a pass, and with it the read transaction and the memory it needs.
const filesPerPass = 64

// Project writes every canonical file that has changed since it was last written; the changes of one file in outbox order,
// several files at once. A file that cannot be written stays pending and does not delay the others.
func (s *projection) Project(ctx context.Context) error {
	select {
	case s.projector <- struct{}{}:
		defer func() { <-s.projector }()
	case <-ctx.Done():
		return ctx.Err()
	}
	for {
		var rows []fileRow
		err := s.View(ctx, func(tx *Tx) (err error) {
			rows, err = tx.fileRows(pendingFiles, filesPerPass)
			return err
		})
		if err != nil || len(rows) == 0 {
			return err
		}
		if err := s.projectRows(ctx, rows); err != nil {
			return err
		}
	}
}

// filesAtOnce is how many files of a pass are written at once. Nearly all of a file's time is its sync, and a file system
// takes syncs that wait for it together into one commit.
const filesAtOnce = 8

func (s *projection) projectRows(ctx context.Context, rows []fileRow) error {
	dirs, errs := &dirSet{}, make([]error, len(rows))
	var g errgroup.Group
	g.SetLimit(filesAtOnce)
	for i := range rows {
		g.Go(func() error {
			errs[i] = s.projectFile(ctx, &rows[i], dirs)
			return nil // the others are written all the same
		})
	}
	_ = g.Wait()
	failed := errors.Join(errs...)
	done := rows[:0]
	for i, f := range rows {
		if errs[i] == nil {
			done = append(done, f)
		}
	}
	if err := dirs.sync(s.root); err != nil {
		return errors.Join(failed, ioFault(err, "a canonical folder cannot be synced"))
	}
	if err := s.markProjected(ctx, done); err != nil {
		return s.asFault(err)
	}
	return failed
}

// markProjected records what is on the disk and removes the changes from the outbox. NORMAL is enough: if a power
// loss reverts the mark, the projector writes the same bytes again.
func (s *projection) markProjected(ctx context.Context, done []fileRow) error {
	if len(done) == 0 {
		return nil
	}
	return s.write(ctx, syncNormal, func(tx *Tx) error {
		for _, f := range done {
			_, err := tx.exec(`UPDATE files SET disk_seq=?, disk_size=?, disk_mtime=?, disk_hash=? WHERE path=?`,
				f.disk.seq, f.disk.size, f.disk.mtime, f.disk.hash, f.path)
			if err != nil {
				return err
			}
			if _, err := tx.exec(`DELETE FROM outbox WHERE path=? AND seq<=?`, f.path, f.pending); err != nil {
				return err
			}
			if _, err := tx.exec(`DELETE FROM files WHERE path=? AND gone=1 AND disk_seq=0`, f.path); err != nil {
				return err
			}
		}
		return nil
	})
}

// projectCommitted projects after a commit. The commit stands whatever happens here: a failure is logged and retried.
func (s *projection) projectCommitted(ctx context.Context) {
	if err := s.Project(context.WithoutCancel(ctx)); err != nil {
		s.opt.Logger.Error("canonical files are behind the database", "code", fault.CodeOf(err))
		nudge(s.retry)
	}
}

// catchUp compares every canonical file with the database at start, rebuilds what is missing or not ours, and
// projects what a crash left pending; what cannot be written now is left to Run. A file whose size and time are as we
// left them is not read.
func (s *projection) catchUp(ctx context.Context) error {
	var stale []string
	var moved []fileRow // equal, but with another size or time than recorded: a restored copy
	from := ""
	for {
		var rows []fileRow
		err := s.View(ctx, func(tx *Tx) (err error) {
			rows, err = tx.fileRows(`SELECT `+fileColumns+`, 0 FROM files f WHERE gone=0 AND path>?
				AND NOT EXISTS(SELECT 1 FROM outbox o WHERE o.path=f.path) ORDER BY path LIMIT 500`, from)
			return err
		})
		if err != nil {
			return err
		}
		if len(rows) == 0 {
			break
		}
		for _, f := range rows {
			if s.untouched(f) {
				continue
			}
			if s.equal(ctx, f) != nil || s.observeDisk(&f, f.disk.hash) != nil {
				stale = append(stale, f.path)
				continue
			}
			moved = append(moved, f)
		}
		from = rows[len(rows)-1].path
	}
	if err := s.markProjected(ctx, moved); err != nil {
		return err
	}
	if len(stale) > 0 {
		if err := s.rebuild(ctx, stale); err != nil {
			return err
		}
	}
	s.projectCommitted(ctx)
	return nil
}

// rebuild makes the projector write these files again, and adds a receipt.
func (s *projection) rebuild(ctx context.Context, paths []string) error {
	s.opt.Logger.Warn("canonical files are rebuilt from the database", "files", len(paths))
	return s.write(ctx, syncFull, func(tx *Tx) error {
		for _, p := range paths {
			if _, err := tx.changed(p); err != nil {
				return err
			}
		}
		return tx.AddReceipt(journal.Receipt{
			Kind:    journal.MigrationBackfill,
			Reason:  "missing_or_changed",
			Summary: fmt.Sprintf("Canonical files rebuilt from the database: %d.", len(paths)),
		})
	})
}

// projection maintains the canonical files: the parts of the database that other programs read.
type projection struct {
	*database
	root      *os.Root      // the memory root: no path or link leads out of it
	projector chan struct{} // holding its token is the right to write canonical files
	puts      putBacks
}

func (s *projection) openMemory() (err error) {
	if err := os.MkdirAll(s.opt.Memory, 0o700); err != nil {
		return ioFault(err, "the memory root cannot be created")
	}
	if s.root, err = os.OpenRoot(s.opt.Memory); err != nil {
		return ioFault(err, "the memory root cannot be opened")
	}
	return nil
}
