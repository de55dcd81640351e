package store

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
)

// clear reports whether the file on the disk is ours, so that it may be replaced, appended to or removed. A foreign
// file is moved aside, never overwritten. For a JSONL file of ours it also cuts off a torn last line and sets
// f.disk.seq to the last complete line.
func (s *projection) clear(ctx context.Context, f *fileRow) (ours bool, err error) {
	info, err := s.root.Lstat(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		f.disk.seq = 0
		return false, nil
	}
	if err != nil {
		return false, err
	}
	switch {
	case !info.Mode().IsRegular():
	case s.sameAsLeft(f, info):
		return true, nil
	case f.kind == "jsonl":
		ours, err = s.recognizeLines(ctx, f)
	default:
		ours, err = s.recognizeWhole(f)
	}
	if err != nil || ours {
		return ours, err
	}
	f.disk.seq = 0
	s.opt.Logger.Warn("a file in the place of a canonical file was moved aside")
	return false, s.root.Rename(f.path, f.path+".foreign-"+s.opt.Now().Format("20060102T150405.000"))
}

func (s *projection) sameAsLeft(f *fileRow, info fs.FileInfo) bool {
	return f.disk.seq > 0 && info.Mode().IsRegular() && info.Size() == f.disk.size && info.ModTime().UnixNano() == f.disk.mtime
}

// untouched reports whether the file is as the projector left it, by size and time.
func (s *projection) untouched(f fileRow) bool {
	info, err := s.root.Lstat(f.path)
	return err == nil && f.disk.seq == f.seq && s.sameAsLeft(&f, info)
}

// recognizeWhole recognises our own file: the one we recorded, the one we would write, or one written between the two
// whose mark a crash prevented.
func (s *projection) recognizeWhole(f *fileRow) (bool, error) {
	b, err := s.root.ReadFile(f.path)
	if err != nil {
		return false, err
	}
	if h := hash(b); h == f.disk.hash || (f.body.Valid && h == hash(f.render())) {
		return true, nil
	}
	seq := seqOfText(b)
	if f.kind == "json" {
		var mark struct {
			Seq int64 `json:"outbox_seq"`
		}
		if json.Unmarshal(b, &mark) != nil {
			return false, nil
		}
		seq = mark.Seq
	}
	return f.disk.seq < seq && seq <= f.seq, nil
}

// recognizeLines recognises our own file: its lines are the first of those in the database; anything after the last
// complete line is the beginning of the next one and is cut off.
func (s *projection) recognizeLines(ctx context.Context, f *fileRow) (bool, error) {
	if f.gone || f.disk.seq < f.start { // its lines are no longer in the database
		return s.allLinesOlder(f)
	}
	in, err := s.root.OpenFile(f.path, os.O_RDWR, 0)
	if err != nil {
		return false, err
	}
	defer in.Close()
	var whole, last int64
	torn, foreign := false, false
	r := newLineReader(in)
	err = s.eachLine(ctx, f, 0, func(seq int64, want []byte) error {
		got, err := r.next(len(want))
		switch {
		case err != nil:
			return err
		case bytes.Equal(got, want):
			whole, last = whole+int64(len(want)), seq
			return nil
		case bytes.HasPrefix(want, got):
			torn = len(got) > 0
		default:
			foreign = true
		}
		return errStop
	})
	if err != nil && !errors.Is(err, errStop) {
		return false, err
	}
	if !foreign {
		info, err := in.Stat()
		if err != nil {
			return false, err
		}
		foreign = !torn && info.Size() > whole // more than we ever wrote
	}
	if foreign {
		return false, nil
	}
	f.disk.seq = last
	if torn {
		return true, errors.Join(in.Truncate(whole), in.Sync())
	}
	return true, nil
}

// allLinesOlder recognises a JSONL file that must be removed, by its lines' sequences.
func (s *projection) allLinesOlder(f *fileRow) (bool, error) {
	b, err := s.root.ReadFile(f.path)
	if err != nil {
		return false, err
	}
	for line := range bytes.Lines(b) {
		var mark struct {
			Seq int64 `json:"outbox_seq"`
		}
		if !bytes.HasSuffix(line, []byte("\n")) {
			break // torn
		}
		if json.Unmarshal(line, &mark) != nil || mark.Seq <= 0 || mark.Seq > f.seq {
			return false, nil
		}
	}
	return true, nil
}

var errStop = errors.New("stop")
