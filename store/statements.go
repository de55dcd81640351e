package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"slices"
	"strings"

	"modernc.org/sqlite"
)

// openDB opens a pool whose connections keep the statements they have prepared: preparing one takes longer than running it, and
// the same few hundred texts come again and again.
func openDB(dsn string) (*sql.DB, error) {
	c, err := sqlite.NewConnector(dsn)
	if err != nil {
		return nil, err
	}
	return sql.OpenDB(keepingConnector{c}), nil
}

type keepingConnector struct{ driver.Connector }

func (c keepingConnector) Connect(ctx context.Context) (driver.Conn, error) {
	plain, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	full, ok := plain.(fullConn)
	if !ok {
		return nil, fmt.Errorf("the driver's %T lacks a method", plain)
	}
	return &keepingConn{fullConn: full, kept: map[string]*keptStatement{}}, nil
}

// fullConn is what a connection of the driver can do and database/sql makes use of.
type fullConn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.QueryerContext
	driver.Pinger
	driver.SessionResetter
	driver.Validator
}

// keptAtMost bounds the statements of a connection, which take 2 to 3 KB each; the one unused for longest goes.
const keptAtMost = 64

// keepingConn is a connection that keeps its statements. database/sql calls it, and the rows it returns, from one goroutine at a
// time.
type keepingConn struct {
	fullConn
	kept map[string]*keptStatement // those not in use, by their text
	uses uint64
}

type keptStatement struct {
	stmt fullStatement
	text string
	last uint64 // when it was last used, in uses of the connection
}

type fullStatement interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
}

// keepable reports whether running a prepared statement again does the same as preparing it again. A PRAGMA may act while it is
// prepared; what changes the schema comes once.
func keepable(query string) bool {
	query = strings.TrimSpace(query)
	return slices.ContainsFunc([]string{"SELECT", "INSERT", "UPDATE", "DELETE", "WITH"}, func(verb string) bool {
		return strings.HasPrefix(query, verb)
	})
}

// take returns a statement that nobody uses.
func (c *keepingConn) take(ctx context.Context, query string) (*keptStatement, error) {
	if k := c.kept[query]; k != nil {
		delete(c.kept, query)
		return k, nil
	}
	stmt, err := c.PrepareContext(ctx, query)
	if err != nil {
		return nil, err
	}
	full, ok := stmt.(fullStatement)
	if !ok {
		return nil, fmt.Errorf("the driver's %T lacks a method", stmt)
	}
	return &keptStatement{stmt: full, text: query}, nil
}

// give takes a statement back. One that failed, or of which there is another by now, is closed.
func (c *keepingConn) give(k *keptStatement, failed error) error {
	if failed != nil || c.kept == nil || c.kept[k.text] != nil {
		return k.stmt.Close()
	}
	c.uses++
	k.last = c.uses
	c.kept[k.text] = k
	if len(c.kept) <= keptAtMost {
		return nil
	}
	for _, other := range c.kept {
		if other.last < k.last {
			k = other
		}
	}
	delete(c.kept, k.text)
	return k.stmt.Close()
}

func (c *keepingConn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	if !keepable(query) {
		return c.fullConn.ExecContext(ctx, query, args)
	}
	k, err := c.take(ctx, query)
	if err != nil {
		return nil, err
	}
	r, err := k.stmt.ExecContext(ctx, args)
	if closed := c.give(k, err); err == nil {
		err = closed
	}
	return r, err
}

func (c *keepingConn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	if !keepable(query) {
		return c.fullConn.QueryContext(ctx, query, args)
	}
	k, err := c.take(ctx, query)
	if err != nil {
		return nil, err
	}
	rows, err := k.stmt.QueryContext(ctx, args)
	if err != nil {
		c.give(k, err)
		return nil, err
	}
	return &keptRows{Rows: rows, conn: c, of: k}, nil
}

// keptRows gives its statement back when it is closed.
type keptRows struct {
	driver.Rows
	conn *keepingConn
	of   *keptStatement
}

func (r *keptRows) Close() error {
	if r.of == nil {
		return nil
	}
	k, err := r.of, r.Rows.Close()
	r.of = nil
	if closed := r.conn.give(k, err); err == nil {
		err = closed
	}
	return err
}

// Close closes the statements first: SQLite keeps a connection, and its log, alive as long as one of its statements is open.
func (c *keepingConn) Close() error {
	c.forget()
	c.kept = nil
	return c.fullConn.Close()
}

func (c *keepingConn) forget() {
	for _, k := range c.kept {
		k.stmt.Close()
	}
	clear(c.kept)
}
