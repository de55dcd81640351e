package store

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"
	"strconv"

	"showhow/internal/fault"
)

//go:embed migrations/*.sql
var migrationFiles embed.FS

// applicationID marks a database file as Showhow's ("Show" in ASCII).
const applicationID = 0x53686f77

// migration is one numbered step of the schema: migrations/0002_learn.sql is number 2.
type migration struct {
	number int
	name   string
	sql    string
}

// migrations lists the embedded files in order of their numbers.
func migrations() ([]migration, error) {
	names, err := fs.Glob(migrationFiles, "migrations/*.sql") // sorted by name
	if err != nil {
		return nil, err
	}
	out := make([]migration, 0, len(names))
	for _, file := range names {
		b, err := migrationFiles.ReadFile(file)
		if err != nil {
			return nil, err
		}
		name := file[len("migrations/"):]
		number, err := strconv.Atoi(name[:4])
		if err != nil {
			return nil, fmt.Errorf("migration %s has no number: %w", name, err)
		}
		out = append(out, migration{number, name, string(b)})
	}
	return out, nil
}

// found marks a new database as ours, in one transaction with its first table: a database with tables and without the
// mark belongs to somebody else.
func (s *database) found(ctx context.Context) error {
	return s.write(ctx, syncFull, func(tx *Tx) error {
		_, err := tx.exec(fmt.Sprintf(`PRAGMA application_id=%d;
			CREATE TABLE schema_migrations(number INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at TEXT NOT NULL) STRICT`,
			applicationID))
		return err
	})
}

// applied reads the numbers of the migrations that were applied to the database.
func applied(ctx context.Context, c *sql.Conn) (map[int]bool, error) {
	rows, err := c.QueryContext(ctx, `SELECT number FROM schema_migrations`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	done := map[int]bool{}
	for rows.Next() {
		var n int
		if err := rows.Scan(&n); err != nil {
			return nil, err
		}
		done[n] = true
	}
	return done, rows.Err()
}

// migrate brings the schema up to date: each missing migration once, in its own transaction. A database with a
// migration that this program does not know was written by a newer version.
func (s *database) migrate(ctx context.Context) error {
	all, err := migrations()
	if err != nil {
		return err
	}
	done, err := applied(ctx, s.w)
	if err != nil {
		return err
	}
	known := map[int]bool{}
	var missing []migration
	for _, m := range all {
		known[m.number] = true
		if !done[m.number] {
			missing = append(missing, m)
		}
	}
	for n := range done {
		if !known[n] {
			return fault.New(fault.StoreNewer, "the data was written by a newer version of Showhow").
				WithHint("install the newer version again; there is no downgrade")
		}
	}
	if len(done) > 0 && len(missing) > 0 {
		if err := s.backup(ctx, missing[0]); err != nil {
			return fmt.Errorf("backup before migration %s: %w", missing[0].name, err)
		}
	}
	for _, m := range missing {
		if err := s.apply(ctx, m); err != nil {
			return fmt.Errorf("migration %s: %w", m.name, err)
		}
	}
	return nil
}

func (s *database) apply(ctx context.Context, m migration) error {
	return s.write(ctx, syncFull, func(tx *Tx) error {
		if _, err := tx.exec(m.sql); err != nil {
			return err
		}
		if err := checkForeignKeys(ctx, tx); err != nil {
			return err
		}
		if _, err := tx.exec(`INSERT INTO schema_migrations(number, name, applied_at) VALUES(?,?,?)`,
			m.number, m.name, s.opt.Now().String()); err != nil {
			return err
		}
		_, err := tx.exec(fmt.Sprintf(`PRAGMA user_version=%d`, m.number))
		return err
	})
}

// checkForeignKeys reads the result rows of the check: the pragma itself never fails.
func checkForeignKeys(ctx context.Context, tx *Tx) error {
	rows, err := tx.tx.QueryContext(ctx, `PRAGMA foreign_key_check`)
	if err != nil {
		return err
	}
	defer rows.Close()
	if rows.Next() {
		return fault.New(fault.StoreCorrupt, "rows of the database refer to rows that do not exist")
	}
	return rows.Err()
}
