package store

import (
	"database/sql"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// A document table has a text primary key, columns for what is queried, and body, the resource as JSON.

// put writes one document: table, key column and value, the other columns, and the body.
func (tx *Tx) put(table, keyCol, key string, cols map[string]any, body any) error {
	b, err := json.Marshal(body)
	if err != nil {
		return err
	}
	names, marks, args := []string{keyCol, "body"}, []string{"?", "?"}, []any{key, string(b)}
	set := []string{"body=excluded.body"}
	for _, n := range slices.Sorted(maps.Keys(cols)) { // the same text each time, which the connection has prepared
		names, marks, args = append(names, n), append(marks, "?"), append(args, cols[n])
		set = append(set, n+"=excluded."+n)
	}
	_, err = tx.tx.ExecContext(tx.ctx, "INSERT INTO "+table+"("+strings.Join(names, ",")+") VALUES("+strings.Join(marks, ",")+
		") ON CONFLICT("+keyCol+") DO UPDATE SET "+strings.Join(set, ","), args...)
	return err
}

// one reads the body that query selects; ok is false if there is none.
func one[T any](tx *Tx, query string, args ...any) (v T, ok bool, err error) {
	var b string
	err = tx.tx.QueryRowContext(tx.ctx, query, args...).Scan(&b)
	if errors.Is(err, sql.ErrNoRows) {
		return v, false, nil
	}
	if err != nil {
		return v, false, err
	}
	return v, true, json.Unmarshal([]byte(b), &v)
}

// list reads the bodies that query selects.
func list[T any](tx *Tx, query string, args ...any) ([]T, error) {
	rows, err := tx.tx.QueryContext(tx.ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	out := []T{}
	for rows.Next() {
		var b string
		if err := rows.Scan(&b); err != nil {
			return nil, err
		}
		var v T
		if err := json.Unmarshal([]byte(b), &v); err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, rows.Err()
}

func (tx *Tx) exec(query string, args ...any) (int64, error) {
	r, err := tx.tx.ExecContext(tx.ctx, query, args...)
	if err != nil {
		return 0, err
	}
	return r.RowsAffected()
}

func (tx *Tx) scalar(dst any, query string, args ...any) error {
	return tx.tx.QueryRowContext(tx.ctx, query, args...).Scan(dst)
}

// recordsPerRead keeps each read transaction well under its limit, even on a busy machine and with large pages.
const recordsPerRead = 100

// setMeta stores a number under a key.
func (tx *Tx) setMeta(key string, value int64) error {
	_, err := tx.exec(`INSERT INTO meta(key, value) VALUES(?,?) ON CONFLICT(key) DO UPDATE SET value=excluded.value`,
		key, strconv.FormatInt(value, 10))
	return err
}
