package store

import (
	"context"
	"encoding/json"

	"showhow/daemon/notes"
	"showhow/internal/clock"
)

// Notes returns the storage of package notes.
func (r rooms) Notes() notes.Store { return notesStore{r.store} }

type notesStore struct{ s *Store }

func (n notesStore) Update(ctx context.Context, fn func(notes.Tx) error) error {
	return n.s.Update(ctx, func(tx *Tx) error { return fn(notesTx{tx}) })
}

func (n notesStore) View(ctx context.Context, fn func(notes.Tx) error) error {
	return n.s.View(ctx, func(tx *Tx) error { return fn(notesTx{tx}) })
}

type notesTx struct{ *Tx }

func (tx notesTx) PutNoteChange(c notes.Change) error {
	return tx.put("notes_changes", "change_set_id", c.ChangeSetID, map[string]any{"status": c.Status, "at": c.CreatedAt.String()}, c)
}

func (tx notesTx) NoteChange(id string) (notes.Change, bool, error) {
	return one[notes.Change](tx.Tx, `SELECT body FROM notes_changes WHERE change_set_id=?`, id)
}

func (tx notesTx) NoteChanges(status, agent string) ([]notes.Change, error) {
	where, args := "1", []any{}
	if status != "" {
		where, args = "status=?", append(args, status)
	}
	if agent != "" {
		where += " AND json_extract(body, '$.actor.type')='agent' AND json_extract(body, '$.actor.id')=?"
		args = append(args, agent)
	}
	return list[notes.Change](tx.Tx, `SELECT body FROM notes_changes WHERE `+where+` ORDER BY at DESC, change_set_id DESC LIMIT 500`, args...)
}

func (tx notesTx) CountNoteChanges(agent string, since clock.Time) (n int, err error) {
	err = tx.tx.QueryRowContext(tx.ctx, `SELECT count(*) FROM notes_changes WHERE at>=? AND json_extract(body, '$.actor.type')='agent'
		AND json_extract(body, '$.actor.id')=? AND json_extract(body, '$.Unasked') IS NULL`, since.String(), agent).Scan(&n)
	return n, err
}

func (tx notesTx) DropNoteChanges(before clock.Time) error {
	_, err := tx.exec(`DELETE FROM notes_changes WHERE at<? AND status<>'committing'`, before.String())
	return err
}

func (tx notesTx) PutNoteRow(r notes.Row) error {
	if err := tx.DropNoteRow(r.Path); err != nil {
		return err
	}
	b, err := json.Marshal(r.Doc)
	if err != nil {
		return err
	}
	if _, err := tx.exec(`INSERT INTO notes_rows(path, hash, doc_id, kind, at, body) VALUES(?,?,?,?,?,?)`,
		r.Path, r.Hash, r.Doc.ID, r.Doc.Kind, r.Doc.Updated.String(), string(b)); err != nil {
		return err
	}
	_, err = tx.exec(`INSERT INTO notes_words(rowid, title, text) VALUES((SELECT row_id FROM notes_rows WHERE path=?),?,?)`,
		r.Path, r.Words, r.Text)
	return err
}

func (tx notesTx) DropNoteRow(path string) error {
	if _, err := tx.exec(`DELETE FROM notes_words WHERE rowid=(SELECT row_id FROM notes_rows WHERE path=?)`, path); err != nil {
		return err
	}
	_, err := tx.exec(`DELETE FROM notes_rows WHERE path=?`, path)
	return err
}

func (tx notesTx) NoteHashes(format int) (map[string]string, error) {
	rows, err := tx.tx.QueryContext(tx.ctx,
		`SELECT path, CASE WHEN json_extract(body, '$.format')=? THEN hash ELSE '' END FROM notes_rows`, format)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	out := map[string]string{}
	for rows.Next() {
		var path, hash string
		if err := rows.Scan(&path, &hash); err != nil {
			return nil, err
		}
		out[path] = hash
	}
	return out, rows.Err()
}

func (tx notesTx) NoteByID(id string) (r notes.Row, ok bool, err error) {
	all, err := tx.noteRows(`SELECT path, hash, body FROM notes_rows WHERE doc_id=? ORDER BY path LIMIT 1`, id)
	if err != nil || len(all) == 0 {
		return r, false, err
	}
	return all[0], true, nil
}

func (tx notesTx) NoteRows(kind string) ([]notes.Row, error) {
	if kind == "" {
		return tx.noteRows(`SELECT path, hash, body FROM notes_rows ORDER BY at DESC, path`)
	}
	return tx.noteRows(`SELECT path, hash, body FROM notes_rows WHERE kind=? ORDER BY at DESC, path`, kind)
}

func (tx notesTx) FindNotes(match string) ([]notes.Row, error) {
	return tx.noteRows(`SELECT r.path, r.hash, r.body FROM notes_words w JOIN notes_rows r ON r.row_id=w.rowid
		WHERE notes_words MATCH ? ORDER BY bm25(notes_words, 4.0, 1.0), r.at DESC, r.path`, match)
}

func (tx notesTx) noteRows(query string, args ...any) (out []notes.Row, err error) {
	rows, err := tx.tx.QueryContext(tx.ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var r notes.Row
		var b string
		if err := rows.Scan(&r.Path, &r.Hash, &b); err != nil {
			return nil, err
		}
		if err := json.Unmarshal([]byte(b), &r.Doc); err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	return out, rows.Err()
}
