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

	"showhow/capture"
	"showhow/internal/clock"
	"showhow/internal/fault"
	"showhow/store/keys"
)

// Options locate the store and inject its dependencies. Only Dir is required.
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

// database is the SQLite file with its single writer connection and its readers. It does not know what is stored,
// except for observations, whose commits it groups.
type database struct {
	opt  Options
	lock *os.File // held while open

	wdb, r *sql.DB
	w      *sql.Conn     // the one writer connection
	turn   chan struct{} // holding its token is the right to use w
	level  syncLevel     // what PRAGMA synchronous of w is now
	gate   gate          // readers
	closed chan struct{}
	once   sync.Once

	appends appendQueue
	retry   chan struct{} // Run: a projection or a purge failed
	walGrew chan struct{} // Run: the log is worth a checkpoint

	committed func(ctx context.Context, events, files bool) // called after each Update with what it put into the outbox
}

// connect opens the writer connection and the readers' pool.
//
// Run checkpoints the log, off the writer's path; wal_autocheckpoint (pages) is the fallback.
func (s *database) connect(ctx context.Context) (err error) {
	path, err := filepath.Abs(filepath.Join(s.opt.Dir, dbName))
	if err != nil {
		return err
	}
	u := url.URL{Path: filepath.ToSlash(path)}
	dsn := "file:" + u.EscapedPath() + "?_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)&_pragma=foreign_keys(1)" +
		"&_pragma=fullfsync(1)&_pragma=temp_store(2)&_pragma=secure_delete(1)&_pragma=trusted_schema(0)&_pragma=wal_autocheckpoint(8000)"
	if s.wdb, err = openDB(dsn + "&_txlock=immediate&_pragma=synchronous(2)"); err != nil {
		return err
	}
	if s.w, err = s.wdb.Conn(ctx); err != nil {
		return err
	}
	if s.r, err = openDB(dsn + "&_pragma=query_only(1)"); err != nil {
		return err
	}
	s.r.SetMaxOpenConns(4)
	s.r.SetMaxIdleConns(4)
	s.r.SetConnMaxIdleTime(time.Minute) // each keeps up to 2 MB of pages
	return nil
}

// alwaysCheck is the size up to which a database is checked at every start; the check takes about 20 ms.
const alwaysCheck = 16 << 20

// examine refuses a database that is not ours, initialises a new one, and checks for damage after an unclean shutdown
// or if the check is cheap.
func (s *database) examine(ctx context.Context, unclean bool) error {
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

var errClosed = fault.New(fault.Cancelled, "the store is closed")

// Dir is the data directory, Memory the root of the canonical files.
func (s *database) Dir() string    { return s.opt.Dir }
func (s *database) Memory() string { return s.opt.Memory }
