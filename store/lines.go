package store

import (
	"bufio"
	"context"
	"errors"
	"io"
)

// lineReader reads a file in pieces of the length of the lines it is compared with.
type lineReader struct{ r *bufio.Reader }

func newLineReader(r io.Reader) lineReader { return lineReader{bufio.NewReaderSize(r, 1<<16)} }

// next reads up to n bytes; fewer at the end of the file.
func (l lineReader) next(n int) ([]byte, error) {
	b := make([]byte, n)
	got, err := io.ReadFull(l.r, b)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil
	}
	return b[:got], err
}

func newBufferedFile(w io.Writer) *bufio.Writer { return bufio.NewWriterSize(w, 1<<16) }

// eachLine calls fn with the lines of a JSONL file after a sequence, each with its newline.
func (s *projection) eachLine(ctx context.Context, f *fileRow, after int64, fn func(seq int64, line []byte) error) error {
	type line struct {
		seq  int64
		body []byte
	}
	for {
		part := make([]line, 0, recordsPerRead)
		err := s.View(ctx, func(tx *Tx) error {
			rows, err := tx.tx.QueryContext(tx.ctx, `SELECT seq, body FROM lines WHERE path=? AND seq>? AND seq<=? ORDER BY seq LIMIT ?`,
				f.path, after, f.seq, recordsPerRead)
			if err != nil {
				return err
			}
			defer rows.Close()
			for rows.Next() {
				var l line
				if err := rows.Scan(&l.seq, &l.body); err != nil {
					return err
				}
				part = append(part, l)
			}
			return rows.Err()
		})
		if err != nil {
			return err
		}
		for _, l := range part {
			if err := fn(l.seq, append(l.body, '\n')); err != nil {
				return err
			}
		}
		if len(part) < recordsPerRead {
			return nil
		}
		after = part[len(part)-1].seq
	}
}
