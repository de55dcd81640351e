// Package store is the one writer of everything durable: SQLite in WAL mode, one writer connection, numbered migrations, an
// outbox in commit order, and the projections of the canonical files.
//
// Capabilities declare the storage interface they need; the methods here implement them, one file per capability
// (learn.go, ability.go, ...), all on Tx and the document helpers in docs.go.
package store

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"
	"path/filepath"
	"sort"

	_ "modernc.org/sqlite"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Store is an open data directory.
type Store struct {
	w, r   *sql.DB
	memory string
}

// Open opens or makes the database in dir. memory is the root of the canonical files.
func Open(ctx context.Context, dir, memory string) (*Store, error) {
	dsn := "file:" + filepath.Join(dir, "showhow.db") + "?_pragma=journal_mode(WAL)&_pragma=foreign_keys(1)&_pragma=busy_timeout(5000)&_pragma=temp_store(2)&_pragma=secure_delete(1)"
	w, err := sql.Open("sqlite", dsn+"&_txlock=immediate&_pragma=synchronous(2)")
	if err != nil {
		return nil, err
	}
	w.SetMaxOpenConns(1)
	r, err := sql.Open("sqlite", dsn+"&_pragma=query_only(1)")
	if err != nil {
		return nil, err
	}
	s := &Store{w: w, r: r, memory: memory}
	names, _ := fs.Glob(migrations, "migrations/*.sql")
	sort.Strings(names)
	for _, n := range names {
		b, _ := migrations.ReadFile(n)
		if _, err := w.ExecContext(ctx, string(b)); err != nil {
			return nil, fmt.Errorf("migration %s: %w", n, err)
		}
	}
	return s, nil
}

// Close closes the database.
func (s *Store) Close() error { s.r.Close(); return s.w.Close() }

// Tx is one transaction. A read-only one fails on writes.
type Tx struct {
	ctx context.Context
	tx  *sql.Tx
}

// Update runs fn in the single write transaction and commits at synchronous=FULL; an error of fn rolls back.
func (s *Store) Update(ctx context.Context, fn func(*Tx) error) error { return run(ctx, s.w, fn) }

// View runs fn in a read transaction, which must be short.
func (s *Store) View(ctx context.Context, fn func(*Tx) error) error { return run(ctx, s.r, fn) }

func run(ctx context.Context, db *sql.DB, fn func(*Tx) error) error {
	t, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer t.Rollback()
	if err := fn(&Tx{ctx, t}); err != nil {
		return err
	}
	return t.Commit()
}
