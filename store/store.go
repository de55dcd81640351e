package store

import (
	"context"
	"path/filepath"

	"showhow/capture"
)

// Store is an open data directory. Its parts own their state: the database with its single writer, the canonical
// files, the purges.
type Store struct {
	rooms
	*database
	*projection
	*purger
	watchers watchers
	calls    callQueue // receipts of connectors' calls
}

// rooms provides the storages that the capabilities declare.
type rooms struct{ store *Store }

var _ capture.Log = (*Store)(nil)

// Open opens or creates the data directory: it locks it, brings the schema up to date, finishes what a crash
// interrupted (purges, canonical files), and only then returns.
//
// Failures are faults: DATA_DIR_LOCKED, DATA_DIR_FOREIGN, STORE_NEWER, STORE_CORRUPT, STORE_READ_ONLY, STORE_FULL.
func Open(ctx context.Context, opt Options) (*Store, error) {
	db := &database{
		opt:     opt.withDefaults(),
		turn:    make(chan struct{}, 1),
		level:   syncFull,
		closed:  make(chan struct{}),
		retry:   make(chan struct{}, 1),
		walGrew: make(chan struct{}, 1),
	}
	s := &Store{
		database:   db,
		projection: &projection{database: db, projector: make(chan struct{}, 1)},
		purger:     &purger{database: db, purging: make(chan struct{}, 1)},
		calls:      callQueue{database: db, more: make(chan struct{}, 1)},
	}
	s.rooms = rooms{s}
	db.committed, s.calls.project = s.tell, s.projectCommitted
	if err := s.open(ctx); err != nil {
		s.Close()
		return nil, s.asFault(err)
	}
	return s, nil
}

func (s *Store) open(ctx context.Context) (err error) {
	if err := prepareDir(s.opt.Dir); err != nil {
		return err
	}
	if s.lock, err = lockDir(s.opt.Dir); err != nil {
		return err
	}
	if err := looksLikeSQLite(filepath.Join(s.opt.Dir, dbName)); err != nil {
		return err
	}
	if err := closeDatabaseFiles(s.opt.Dir); err != nil {
		return err
	}
	unclean := leftLog(s.opt.Dir)
	if err := s.connect(ctx); err != nil {
		return err
	}
	if err := s.examine(ctx, unclean); err != nil {
		return err
	}
	if err := s.migrate(ctx); err != nil {
		return err
	}
	if err := s.appends.load(ctx, s.w); err != nil {
		return err
	}
	if err := s.openMemory(); err != nil {
		return err
	}
	if err := s.finishPurges(ctx); err != nil {
		return err
	}
	return s.catchUp(ctx)
}

// tell wakes those who wait for events, and writes the canonical files that a transaction changed.
func (s *Store) tell(ctx context.Context, events, files bool) {
	if events {
		s.watchers.wake()
	}
	if files {
		s.projectCommitted(ctx)
	}
}

// Close waits for the running transaction, checkpoints the log and releases the data directory.
func (s *Store) Close() (err error) {
	s.once.Do(func() {
		close(s.closed)
		s.turn <- struct{}{}
		s.appends.close()
		if s.r != nil {
			s.r.Close()
		}
		if s.w != nil {
			s.w.Close()
		}
		if s.wdb != nil {
			err = s.wdb.Close() // the last connection: SQLite checkpoints and removes the log
		}
		if s.root != nil {
			s.root.Close()
		}
		if s.lock != nil {
			unlockFile(s.lock)
			s.lock.Close()
		}
		<-s.turn
	})
	return err
}
