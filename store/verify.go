package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
)

// VerifyProjections compares every canonical file, byte for byte, with the database, and reports each that differs,
// is missing, is still pending, or still exists although it was removed.
func (s *projection) VerifyProjections(ctx context.Context) error {
	var bad error
	from := ""
	for {
		var rows []fileRow
		err := s.View(ctx, func(tx *Tx) (err error) {
			rows, err = tx.fileRows(`SELECT `+fileColumns+`, coalesce((SELECT max(seq) FROM outbox o WHERE o.path=f.path), 0)
				FROM files f WHERE path>? ORDER BY path LIMIT 500`, from)
			return err
		})
		if err != nil {
			return err
		}
		if len(rows) == 0 {
			return bad
		}
		for _, f := range rows {
			if err := s.verify(ctx, f); err != nil {
				bad = errors.Join(bad, fmt.Errorf("%s: %w", f.path, err))
			}
		}
		from = rows[len(rows)-1].path
	}
}

func (s *projection) verify(ctx context.Context, f fileRow) error {
	if f.pending > 0 {
		return errors.New("not projected yet")
	}
	if f.gone {
		if _, err := s.root.Lstat(f.path); !errors.Is(err, fs.ErrNotExist) {
			return errors.New("still there")
		}
		return nil
	}
	return s.equal(ctx, f)
}

// equal compares the file with what the database says it contains; nil means equal.
func (s *projection) equal(ctx context.Context, f fileRow) error {
	info, err := s.root.Lstat(f.path)
	if err != nil || !info.Mode().IsRegular() {
		return errors.Join(errors.New("no regular file"), err)
	}
	if f.kind != "jsonl" {
		want := f.render()
		if info.Size() != int64(len(want)) {
			return errors.New("differs from the database")
		}
		b, err := readUpTo(s.root, f.path, int64(len(want)))
		if err != nil {
			return err
		}
		if !bytes.Equal(b, want) {
			return errors.New("differs from the database")
		}
		return nil
	}
	in, err := s.root.Open(f.path)
	if err != nil {
		return err
	}
	defer in.Close()
	r := newLineReader(in)
	err = s.eachLine(ctx, &f, 0, func(_ int64, want []byte) error {
		got, err := r.next(len(want))
		if err == nil && !bytes.Equal(got, want) {
			err = errors.New("differs from the database")
		}
		return err
	})
	if err != nil {
		return err
	}
	if rest, err := r.next(1); err != nil || len(rest) > 0 {
		return errors.Join(errors.New("has more than the database"), err)
	}
	return nil
}
