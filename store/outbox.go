package store

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"strings"

	"showhow/daemon/journal"
)

var _ journal.Writer = (*Tx)(nil)

// receiptsFile is where every receipt is appended.
const receiptsFile = "system/learning/receipts.jsonl"

// AddReceipt stores r. An empty id, time and version are filled in.
func (tx *Tx) AddReceipt(r journal.Receipt) error {
	if r.ReceiptID == "" {
		r.ReceiptID = tx.s.opt.NewID()
	}
	if r.CreatedAt.IsZero() {
		r.CreatedAt = tx.s.opt.Now()
	}
	r.SchemaVersion = 1
	if r.AbilityID != "" && r.SkillSlug == "" { // a person reads names; and when the skill is gone, nothing else has its name
		err := tx.tx.QueryRowContext(tx.ctx, `SELECT slug FROM abilities WHERE ability_id=?`, r.AbilityID).Scan(&r.SkillSlug)
		if err != nil && !noRows(err) {
			return err
		}
	}
	err := tx.put("receipts", "receipt_id", r.ReceiptID, map[string]any{
		"kind": string(r.Kind), "session_id": null(r.LearnSessionID), "proposal_id": null(r.ProposalID),
		"ability_id": null(r.AbilityID), "created_at": r.CreatedAt.String(),
	}, r)
	if err != nil {
		return err
	}
	return tx.AppendLine(receiptsFile, r)
}

// Emit puts a lifecycle event into the outbox; its position there becomes its Seq.
func (tx *Tx) Emit(e journal.Event) error {
	if e.Timestamp.IsZero() {
		e.Timestamp = tx.s.opt.Now()
	}
	if e.Payload == nil {
		e.Payload = map[string]any{}
	}
	e.SchemaVersion = 1
	b, err := json.Marshal(e)
	if err != nil {
		return err
	}
	_, err = tx.exec(`INSERT INTO outbox(session_id, body) VALUES(?,?)`, null(e.SessionID), string(b))
	tx.events++
	return err
}

// PutFile sets the content of the canonical file at path to v, a JSON object.
func (tx *Tx) PutFile(path string, v any) error {
	if err := checkPath(path, ".json"); err != nil {
		return err
	}
	b, err := object(v)
	if err != nil {
		return err
	}
	seq, err := tx.changed(path)
	if err != nil {
		return err
	}
	_, err = tx.exec(`INSERT INTO files(path, kind, seq, body) VALUES(?,'json',?,?)
		ON CONFLICT(path) DO UPDATE SET kind='json', seq=excluded.seq, body=excluded.body, gone=0`, path, seq, withSeq(b, seq))
	return err
}

// PutText sets the content of the canonical file at path to a text, Markdown for people.
func (tx *Tx) PutText(path, text string) error {
	if err := checkPath(path, ".md"); err != nil {
		return err
	}
	seq, err := tx.changed(path)
	if err != nil {
		return err
	}
	_, err = tx.exec(`INSERT INTO files(path, kind, seq, body) VALUES(?,'text',?,?)
		ON CONFLICT(path) DO UPDATE SET kind='text', seq=excluded.seq, body=excluded.body, gone=0`, path, seq, textWithSeq(text, seq))
	return err
}

// AppendLine appends v, a JSON object, to the canonical JSONL file at path.
func (tx *Tx) AppendLine(path string, v any) error {
	if err := checkPath(path, ".jsonl"); err != nil {
		return err
	}
	b, err := object(v)
	if err != nil {
		return err
	}
	seq, err := tx.changed(path)
	if err != nil {
		return err
	}
	if _, err := tx.exec(`INSERT INTO lines(seq, path, body) VALUES(?,?,?)`, seq, path, withSeq(b, seq)); err != nil {
		return err
	}
	_, err = tx.exec(`INSERT INTO files(path, kind, seq) VALUES(?,'jsonl',?)
		ON CONFLICT(path) DO UPDATE SET kind='jsonl', seq=excluded.seq, gone=0`, path, seq)
	return err
}

// RemoveFile removes a canonical file, or every canonical file below a folder. A missing file is not an error.
func (tx *Tx) RemoveFile(path string) error {
	paths, err := tx.filesAt(path)
	if err != nil {
		return err
	}
	for _, p := range paths {
		if err := tx.remove(p); err != nil {
			return err
		}
	}
	return nil
}

func (tx *Tx) remove(path string) error {
	seq, err := tx.changed(path)
	if err != nil {
		return err
	}
	if _, err := tx.exec(`DELETE FROM lines WHERE path=?`, path); err != nil {
		return err
	}
	_, err = tx.exec(`UPDATE files SET gone=1, body=NULL, seq=?1, start=?1 WHERE path=?2`, seq, path)
	return err
}

// MoveFile moves a canonical file, or a folder of them, replacing its destination.
func (tx *Tx) MoveFile(from, to string) error {
	if err := checkPath(to, ""); err != nil {
		return err
	}
	paths, err := tx.filesAt(from)
	if err != nil {
		return err
	}
	if len(paths) == 0 {
		return fmt.Errorf("no canonical file to move: %w", fs.ErrNotExist)
	}
	for _, p := range paths {
		if err := tx.move(p, to+strings.TrimPrefix(p, from)); err != nil {
			return err
		}
	}
	return nil
}

func (tx *Tx) move(from, to string) error {
	if from == to {
		return nil
	}
	if err := tx.remove(to); err != nil {
		return err
	}
	seq, err := tx.changed(to)
	if err != nil {
		return err
	}
	_, err = tx.exec(`INSERT INTO files(path, kind, seq, body) SELECT ?, kind, ?, body FROM files WHERE path=?
		ON CONFLICT(path) DO UPDATE SET kind=excluded.kind, seq=excluded.seq, body=excluded.body, gone=0`, to, seq, from)
	if err != nil {
		return err
	}
	if _, err := tx.exec(`UPDATE lines SET path=? WHERE path=?`, to, from); err != nil {
		return err
	}
	return tx.remove(from)
}

// filesAt lists the canonical files at path or below it.
func (tx *Tx) filesAt(path string) ([]string, error) {
	if err := checkPath(path, ""); err != nil {
		return nil, err
	}
	rows, err := tx.tx.QueryContext(tx.ctx,
		`SELECT path FROM files WHERE gone=0 AND (path=?1 OR (path > ?1||'/' AND path < ?1||'0')) ORDER BY path`, path)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []string
	for rows.Next() {
		var p string
		if err := rows.Scan(&p); err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, rows.Err()
}

// changed puts the change of a canonical file into the outbox and returns its position there.
func (tx *Tx) changed(path string) (int64, error) {
	r, err := tx.tx.ExecContext(tx.ctx, `INSERT INTO outbox(path) VALUES(?)`, path)
	if err != nil {
		return 0, err
	}
	tx.files++
	return r.LastInsertId()
}

// null stores an absent text as NULL, so that partial indexes stay small.
func null(s string) any {
	if s == "" {
		return nil
	}
	return s
}
