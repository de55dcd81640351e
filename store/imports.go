package store

import (
	"context"
	"encoding/json"
	"fmt"

	"showhow/daemon/imports"
	"showhow/daemon/journal"
	"showhow/daemon/wire"
)

// Imports returns the storage of package imports.
func (r rooms) Imports() imports.Store { return importStore{r.store} }

type importStore struct{ s *Store }

func (i importStore) Update(ctx context.Context, fn func(imports.Tx) error) error {
	return i.s.Update(ctx, func(tx *Tx) error { return fn(importTx{tx}) })
}

func (i importStore) View(ctx context.Context, fn func(imports.Tx) error) error {
	return i.s.View(ctx, func(tx *Tx) error { return fn(importTx{tx}) })
}

// Join returns the transaction behind another capability's writer.
func (i importStore) Join(w journal.Writer) (imports.Tx, error) {
	switch w := w.(type) {
	case *Tx:
		return importTx{w}, nil
	case interface{ base() *Tx }:
		return importTx{w.base()}, nil
	}
	return nil, fmt.Errorf("not a transaction of this store: %T", w)
}

// importTx is Tx with the methods of package imports.
type importTx struct{ *Tx }

func (tx importTx) PutImport(i imports.Item) error {
	listed, err := plainJSON(i.Listed())
	if err != nil {
		return err
	}
	return tx.put("skill_imports", "import_id", i.ImportID,
		map[string]any{"state": string(i.StageState), "created_at": i.CreatedAt.String(), "listed": string(listed)}, i)
}

func (tx importTx) Import(id string) (imports.Item, bool, error) {
	return one[imports.Item](tx.Tx, `SELECT body FROM skill_imports WHERE import_id=?`, id)
}

func (tx importTx) Imports(f imports.Filter) ([]imports.Item, int, error) {
	const newest = "created_at DESC, import_id DESC"
	w := where{}
	w.eq("state", f.State)
	if f.Pending {
		w.add("state NOT IN ('installed_private','approved','rejected','discarded','expired')")
	}
	if f.Page < 1 {
		items, err := list[imports.Item](tx.Tx, "SELECT body FROM skill_imports"+w.String()+" ORDER BY "+newest, w.args...)
		return items, len(items), err
	}
	return paged[imports.Item](tx.Tx, "skill_imports", w, newest, wire.PageQuery{Page: f.Page, PageSize: f.PageSize})
}

// Pulls reads the imports in a state that were pulled with a digest.
func (tx importTx) Pulls(state imports.State, digest string) ([]imports.Item, error) {
	return list[imports.Item](tx.Tx, "SELECT body FROM skill_imports WHERE state = ? AND body ->> '$.provenance.digest' = ?",
		string(state), digest)
}

// ListedImports reads what the current view shows of the newest imports, as it was written with them.
func (tx importTx) ListedImports(n int) ([]json.RawMessage, int, error) {
	total := 0
	if err := tx.scalar(&total, `SELECT count(*) FROM skill_imports`); err != nil {
		return nil, 0, err
	}
	rows, err := tx.tx.QueryContext(tx.ctx, `SELECT listed, iif(listed IS NULL, body, '') FROM skill_imports
		ORDER BY created_at DESC, import_id DESC LIMIT ?`, n)
	if err != nil {
		return nil, 0, err
	}
	defer rows.Close()
	out := []json.RawMessage{}
	for rows.Next() {
		var listed []byte
		var body string
		if err := rows.Scan(&listed, &body); err != nil {
			return nil, 0, err
		}
		if listed == nil { // an older version wrote it
			var i imports.Item
			if err := json.Unmarshal([]byte(body), &i); err != nil {
				return nil, 0, err
			}
			if listed, err = plainJSON(i.Listed()); err != nil {
				return nil, 0, err
			}
		}
		out = append(out, listed)
	}
	return out, total, rows.Err()
}

func (tx importTx) LegacyImports() (map[string][]byte, error) {
	rows, err := tx.tx.QueryContext(tx.ctx, `SELECT import_id, body FROM skill_imports WHERE json_extract(body,'$.input_path') IS NOT NULL
		OR json_extract(body,'$.stage_state') IN `+
		`('cancelled','needs_adapter','promoted_shared','promoted','approved_for_workspace','scanned','staged','awaiting_review',`+
		`'lint_failed','failed')`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	out := map[string][]byte{}
	for rows.Next() {
		var id, body string
		if err := rows.Scan(&id, &body); err != nil {
			return nil, err
		}
		out[id] = json.RawMessage(body)
	}
	return out, rows.Err()
}

func (tx importTx) PutUpload(u imports.Stored) error {
	return tx.put("skill_uploads", "upload_ref", u.TempArtifactRef, map[string]any{"created_at": u.CreatedAt.String()}, u)
}

func (tx importTx) Upload(ref string) (imports.Stored, bool, error) {
	return one[imports.Stored](tx.Tx, `SELECT body FROM skill_uploads WHERE upload_ref=?`, ref)
}

func (tx importTx) Uploads() ([]imports.Stored, error) {
	return list[imports.Stored](tx.Tx, `SELECT body FROM skill_uploads ORDER BY created_at, upload_ref`)
}

func (tx importTx) DeleteUpload(ref string) error {
	_, err := tx.exec(`DELETE FROM skill_uploads WHERE upload_ref=?`, ref)
	return err
}
