// Package store is the one writer of everything durable: SQLite in WAL mode, one writer connection, numbered migrations, an
// outbox in commit order, and the projections of the canonical files.
//
// Capabilities declare the storage interface they need; the methods here implement them, one file per capability
// (learn.go, ability.go, ...), all on Tx and the document helpers in docs.go.
package store

import (
	"context"
	"database/sql"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"time"

	_ "modernc.org/sqlite"

	"showhow/internal/clock"
)

// Options say where the store is and what it depends on. Only Dir is required.
type Options struct {
	Dir    string            // the data directory
	Memory string            // root of the canonical files; default <Dir>/memory
	Now    func() clock.Time // default clock.Now
	NewID  func() string     // default clock.NewID
	Logger *slog.Logger      // default: nothing is logged
}

// Store is an open data directory.
type Store struct {
	opt    Options
	log    *slog.Logger
	wdb, r *sql.DB
	w      *sql.Conn     // the one writer connection
	turn   chan struct{} // whoever holds its token may use w
	level  syncLevel     // what PRAGMA synchronous of w is now
}

const dbName = "showhow.db"

// readLimit is how long a read transaction may last (decisions B13: a purge waits for it).
const readLimit = time.Second

// Open opens or makes the data directory.
func Open(ctx context.Context, opt Options) (*Store, error) {
	if opt.Memory == "" {
		opt.Memory = filepath.Join(opt.Dir, "memory")
	}
	if opt.Now == nil {
		opt.Now = clock.Now
	}
	if opt.NewID == nil {
		opt.NewID = clock.NewID
	}
	if opt.Logger == nil {
		opt.Logger = slog.New(slog.DiscardHandler)
	}
	if err := os.MkdirAll(opt.Dir, 0o700); err != nil {
		return nil, err
	}
	s := &Store{opt: opt, log: opt.Logger, turn: make(chan struct{}, 1), level: syncFull}
	if err := s.connect(ctx); err != nil {
		s.Close()
		return nil, err
	}
	if err := s.migrate(ctx); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

func (s *Store) connect(ctx context.Context) (err error) {
	u := url.URL{Scheme: "file", Path: filepath.ToSlash(filepath.Join(s.opt.Dir, dbName))}
	dsn := u.String() + "?_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)&_pragma=foreign_keys(1)&_pragma=temp_store(2)&_pragma=secure_delete(1)"
	if s.wdb, err = sql.Open("sqlite", dsn+"&_txlock=immediate&_pragma=synchronous(2)"); err != nil {
		return err
	}
	if s.r, err = sql.Open("sqlite", dsn+"&_pragma=query_only(1)"); err != nil {
		return err
	}
	s.r.SetMaxOpenConns(4)
	s.w, err = s.wdb.Conn(ctx)
	return err
}

// Close closes the database.
func (s *Store) Close() error {
	if s.w != nil {
		s.w.Close()
	}
	if s.r != nil {
		s.r.Close()
	}
	if s.wdb != nil {
		return s.wdb.Close()
	}
	return nil
}

// Tx is one transaction. A read-only one fails on writes.
type Tx struct {
	ctx           context.Context
	tx            *sql.Tx
	s             *Store
	events, files int // how many of each it put into the outbox
}

// Update runs fn in the single write transaction and commits at synchronous=FULL; an error of fn rolls back.
// fn must not call Update or Append.
func (s *Store) Update(ctx context.Context, fn func(*Tx) error) error {
	return s.write(ctx, syncFull, fn)
}

// View runs fn in a read transaction, which must be over within a second.
func (s *Store) View(ctx context.Context, fn func(*Tx) error) error {
	ctx, cancel := context.WithTimeout(ctx, readLimit)
	defer cancel()
	t, err := s.r.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer t.Rollback()
	return fn(&Tx{ctx: ctx, tx: t, s: s})
}

// syncLevel is what a commit survives.
type syncLevel int

const (
	syncNormal syncLevel = 1 // a killed process
	syncFull   syncLevel = 2 // a power loss too
)

// write runs fn in a transaction of the writer connection.
func (s *Store) write(ctx context.Context, level syncLevel, fn func(*Tx) error) error {
	select {
	case s.turn <- struct{}{}:
		defer func() { <-s.turn }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if s.level != level {
		if _, err := s.w.ExecContext(ctx, fmt.Sprintf("PRAGMA synchronous=%d", level)); err != nil {
			return err
		}
		s.level = level
	}
	t, err := s.w.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer t.Rollback()
	if err := fn(&Tx{ctx: ctx, tx: t, s: s}); err != nil {
		return err
	}
	return t.Commit()
}
