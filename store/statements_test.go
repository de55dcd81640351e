package store

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"testing"
)

// keptConn opens a database of its own, with a table of three numbers.
func keptConn(t *testing.T) *sql.Conn {
	t.Helper()
	db, err := openDB("file:" + filepath.Join(t.TempDir(), "x.db") + "?_pragma=journal_mode(WAL)")
	must(t, err)
	t.Cleanup(func() { must(t, db.Close()) })
	c, err := db.Conn(t.Context())
	must(t, err)
	t.Cleanup(func() { c.Close() })
	for _, q := range []string{`CREATE TABLE numbers(n INTEGER PRIMARY KEY) STRICT`, `INSERT INTO numbers(n) VALUES(1),(2),(3)`} {
		_, err := c.ExecContext(t.Context(), q)
		must(t, err)
	}
	return c
}

// kept is the statements that a connection keeps.
func kept(t *testing.T, c *sql.Conn) (texts map[string]*keptStatement) {
	t.Helper()
	must(t, c.Raw(func(raw any) error {
		texts = raw.(*keepingConn).kept
		return nil
	}))
	return texts
}

func sum(ctx context.Context, c *sql.Conn) (n int, err error) {
	return n, c.QueryRowContext(ctx, `SELECT sum(n) FROM numbers`).Scan(&n)
}

func TestAStatementIsPreparedOnce(t *testing.T) {
	c := keptConn(t)
	for range 2 {
		if n, err := sum(t.Context(), c); err != nil || n != 6 {
			t.Fatalf("sum %d, %v", n, err)
		}
	}
	first := kept(t, c)[`SELECT sum(n) FROM numbers`]
	if first == nil {
		t.Fatal("the statement is not kept")
	}
	_, err := c.ExecContext(t.Context(), `ALTER TABLE numbers ADD COLUMN name TEXT`)
	must(t, err)
	_, err = c.ExecContext(t.Context(), `INSERT INTO numbers(n) VALUES(4)`)
	must(t, err)
	if n, err := sum(t.Context(), c); err != nil || n != 10 {
		t.Errorf("sum %d after the schema changed, %v", n, err)
	}
	if kept(t, c)[`SELECT sum(n) FROM numbers`] != first {
		t.Error("it was prepared again")
	}
}

// A query inside the loop over the rows of the same query must not disturb it.
func TestAStatementIsNotSharedByTwo(t *testing.T) {
	c := keptConn(t)
	const query = `SELECT n FROM numbers WHERE n>=? ORDER BY n`
	read := func(from int) *sql.Rows {
		rows, err := c.QueryContext(t.Context(), query, from)
		must(t, err)
		return rows
	}
	var got []string
	outer := read(1)
	for outer.Next() {
		var n, m int
		must(t, outer.Scan(&n))
		inner := read(n)
		for inner.Next() {
			must(t, inner.Scan(&m))
			got = append(got, fmt.Sprint(n, m))
		}
		must(t, inner.Err())
		must(t, inner.Close())
	}
	must(t, outer.Err())
	if fmt.Sprint(got) != "[1 1 1 2 1 3 2 2 2 3 3 3]" {
		t.Errorf("read %v", got)
	}
	if n := len(kept(t, c)); n != 2 { // this one, and the INSERT
		t.Errorf("%d statements are kept", n)
	}
}

// PRAGMA synchronous, for one, takes effect when it is prepared.
func TestAPragmaIsNotKept(t *testing.T) {
	c := keptConn(t)
	for _, level := range []int{1, 2, 1} {
		_, err := c.ExecContext(t.Context(), fmt.Sprintf("PRAGMA synchronous=%d", level))
		must(t, err)
		var got int
		must(t, c.QueryRowContext(t.Context(), `PRAGMA synchronous`).Scan(&got))
		if got != level {
			t.Errorf("synchronous is %d, not %d", got, level)
		}
	}
}

func TestKeptStatementsAreBounded(t *testing.T) {
	c := keptConn(t)
	for i := range 3 * keptAtMost {
		var n int
		must(t, c.QueryRowContext(t.Context(), fmt.Sprintf(`SELECT n+%d FROM numbers`, i)).Scan(&n))
		if _, err := sum(t.Context(), c); err != nil {
			t.Fatal(err)
		}
	}
	left := kept(t, c)
	if len(left) != keptAtMost || left[`SELECT sum(n) FROM numbers`] == nil {
		t.Errorf("%d statements are kept, and the one used most is: %v", len(left), left[`SELECT sum(n) FROM numbers`] != nil)
	}
}

func TestAStatementThatFailedIsNotKept(t *testing.T) {
	c := keptConn(t)
	for range 2 {
		if _, err := c.ExecContext(t.Context(), `INSERT INTO numbers(n) VALUES(?)`, 1); err == nil {
			t.Fatal("the same number was inserted again")
		}
	}
	if kept(t, c)[`INSERT INTO numbers(n) VALUES(?)`] != nil {
		t.Error("it is kept")
	}
	_, err := c.ExecContext(t.Context(), `INSERT INTO numbers(n) VALUES(?)`, 4)
	must(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := sum(ctx, c); err == nil {
		t.Error("a cancelled call was answered")
	}
	if n, err := sum(t.Context(), c); err != nil || n != 10 {
		t.Errorf("sum %d, %v", n, err)
	}
}
