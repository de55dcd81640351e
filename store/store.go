package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"time"

	_ "modernc.org/sqlite" // the driver

	"showhow/capture"
	"showhow/internal/clock"
	"showhow/internal/fault"
	"showhow/store/keys"
)

// Options say where the store is and what it depends on. Only Dir is required.
type Options struct {
	Dir    string            // the data directory
	Memory string            // root of the canonical files; default <Dir>/memory
	Keys   capture.Keyring   // whose keys a purge destroys; default: 0600 files in <Dir>/keys
	Now    func() clock.Time // default clock.Now
	NewID  func() string     // default clock.NewID
	Logger *slog.Logger      // default: nothing is logged
}

func (o Options) withDefaults() Options {
	if o.Memory == "" {
		o.Memory = filepath.Join(o.Dir, "memory")
	}
	if o.Keys == nil {
		o.Keys = keys.Files(filepath.Join(o.Dir, keysDir))
	}
	if o.Now == nil {
		o.Now = clock.Now
	}
	if o.NewID == nil {
		o.NewID = clock.NewID
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return o
}

// Store is an open data directory.
type Store struct {
	opt  Options
	lock *os.File // held while open
	root *os.Root // the memory root: no path or link leads out of it

	wdb, r *sql.DB
	w      *sql.Conn     // the one writer connection
	turn   chan struct{} // holding its token is the right to use w
	level  syncLevel     // what PRAGMA synchronous of w is now
	gate   gate          // readers
	closed chan struct{}
	once   sync.Once

	appends   appendQueue
	watchers  watchers
	projector chan struct{} // holding its token is the right to write canonical files
	purger    chan struct{} // holding its token is the right to purge
	retry     chan struct{} // Run: a projection or a purge failed
	walGrew   chan struct{} // Run: the log is worth a checkpoint

	reached func(step string) // tests: called after each step of a purge
}

// Open opens or makes the data directory: it locks it, brings the schema up to date, finishes what a crash interrupted
// (purges, canonical files), and only then returns.
//
// Failures are faults: DATA_DIR_LOCKED, DATA_DIR_FOREIGN, STORE_NEWER, STORE_CORRUPT, STORE_READ_ONLY, STORE_FULL.
func Open(ctx context.Context, opt Options) (*Store, error) {
	s := &Store{
		opt:       opt.withDefaults(),
		turn:      make(chan struct{}, 1),
		level:     syncFull,
		closed:    make(chan struct{}),
		projector: make(chan struct{}, 1),
		purger:    make(chan struct{}, 1),
		retry:     make(chan struct{}, 1),
		walGrew:   make(chan struct{}, 1),
	}
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

// connect opens the writer connection and the readers' pool.
//
// The log is checkpointed by Run, off the writer's path; wal_autocheckpoint (pages) is the net below it.
func (s *Store) connect(ctx context.Context) (err error) {
	path, err := filepath.Abs(filepath.Join(s.opt.Dir, dbName))
	if err != nil {
		return err
	}
	u := url.URL{Path: filepath.ToSlash(path)}
	dsn := "file:" + u.EscapedPath() + "?_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)&_pragma=foreign_keys(1)" +
		"&_pragma=fullfsync(1)&_pragma=temp_store(2)&_pragma=secure_delete(1)&_pragma=trusted_schema(0)&_pragma=wal_autocheckpoint(8000)"
	if s.wdb, err = sql.Open("sqlite", dsn+"&_txlock=immediate&_pragma=synchronous(2)"); err != nil {
		return err
	}
	if s.w, err = s.wdb.Conn(ctx); err != nil {
		return err
	}
	if s.r, err = sql.Open("sqlite", dsn+"&_pragma=query_only(1)"); err != nil {
		return err
	}
	s.r.SetMaxOpenConns(4)
	s.r.SetMaxIdleConns(4)
	s.r.SetConnMaxIdleTime(time.Minute) // each keeps up to 2 MB of pages
	return nil
}

// alwaysCheck is the size up to which a database is checked at every start; checking it takes about 20 ms.
const alwaysCheck = 16 << 20

// examine refuses a database that is not ours, founds a new one, and looks for damage after an unclean shutdown or where it is cheap.
func (s *Store) examine(ctx context.Context, unclean bool) error {
	var id, tables int64
	if err := s.w.QueryRowContext(ctx, `PRAGMA application_id`).Scan(&id); err != nil {
		return err
	}
	if err := s.w.QueryRowContext(ctx, `SELECT count(*) FROM sqlite_master`).Scan(&tables); err != nil {
		return err
	}
	if id != applicationID && (id != 0 || tables > 0) {
		return corrupt(fmt.Errorf("application id %#x", id))
	}
	if tables == 0 {
		return s.found(ctx)
	}
	info, err := os.Stat(filepath.Join(s.opt.Dir, dbName))
	if err != nil || (!unclean && info.Size() > alwaysCheck) {
		return err
	}
	var verdict string
	if err := s.w.QueryRowContext(ctx, `PRAGMA quick_check(1)`).Scan(&verdict); err != nil {
		return err
	}
	if verdict != "ok" {
		return corrupt(errors.New("quick_check failed"))
	}
	return nil
}

func (s *Store) openMemory() (err error) {
	if err := os.MkdirAll(s.opt.Memory, 0o700); err != nil {
		return ioFault(err, "the memory root cannot be made")
	}
	if s.root, err = os.OpenRoot(s.opt.Memory); err != nil {
		return ioFault(err, "the memory root cannot be opened")
	}
	return nil
}

var errClosed = fault.New(fault.Cancelled, "the store is closed")

// Close waits for the transaction under way, folds the log into the database and gives the data directory free.
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

// Dir is the data directory, Memory the root of the canonical files.
func (s *Store) Dir() string    { return s.opt.Dir }
func (s *Store) Memory() string { return s.opt.Memory }
