package store

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
)

const (
	// mostRecognized is how large a file, or a line, that we have no record of may be to be recognised as ours. What is
	// larger is foreign and is not read.
	mostRecognized = 16 << 20
	// foreignKept is how many foreign files are kept beside one canonical file, the latest.
	foreignKept = 5
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
		ours, err = s.recognizeWhole(f, info.Size())
	}
	if err != nil || ours {
		return ours, err
	}
	f.disk.seq = 0
	s.opt.Logger.Warn("a file in the place of a canonical file was moved aside")
	if err := s.root.Rename(f.path, f.path+foreignMark+s.opt.Now().Format("20060102T150405.000")); err != nil {
		return false, err
	}
	s.thinOut(f.path)
	return false, nil
}

// foreignMark stands between the name of a canonical file and the time at which a foreign one was moved aside.
const foreignMark = ".foreign-"

// thinOut removes all but the latest foreign files that were moved aside from one place. Folders stay.
func (s *projection) thinOut(name string) {
	all, err := fs.ReadDir(s.root.FS(), path.Dir(name)) // by name, the oldest first
	if err != nil {
		return // the next time
	}
	aside := slices.DeleteFunc(all, func(e fs.DirEntry) bool {
		return e.IsDir() || !strings.HasPrefix(e.Name(), path.Base(name)+foreignMark)
	})
	for _, e := range aside[:max(0, len(aside)-foreignKept)] {
		_ = s.root.Remove(path.Join(path.Dir(name), e.Name()))
	}
}

// readUpTo reads a file; of one longer than most it reads most and one byte more.
func readUpTo(root *os.Root, name string, most int64) ([]byte, error) {
	in, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return io.ReadAll(io.LimitReader(in, most+1))
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
func (s *projection) recognizeWhole(f *fileRow, size int64) (bool, error) {
	most := max(mostRecognized, f.disk.size)
	if f.body.Valid {
		most = max(most, int64(len(f.render())))
	}
	if size > most {
		return false, nil
	}
	b, err := readUpTo(s.root, f.path, most)
	if err != nil || int64(len(b)) > most {
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
	in, err := s.root.Open(f.path)
	if err != nil {
		return false, err
	}
	defer in.Close()
	for r := bufio.NewReaderSize(in, 1<<16); ; {
		line, err := wholeLine(r)
		switch {
		case errors.Is(err, io.EOF): // what is left is torn
			return true, nil
		case errors.Is(err, bufio.ErrBufferFull):
			return false, nil
		case err != nil:
			return false, err
		}
		var mark struct {
			Seq int64 `json:"outbox_seq"`
		}
		if json.Unmarshal(line, &mark) != nil || mark.Seq <= 0 || mark.Seq > f.seq {
			return false, nil
		}
	}
}

// wholeLine reads a line with its newline; bufio.ErrBufferFull means that it is longer than mostRecognized.
func wholeLine(r *bufio.Reader) (line []byte, err error) {
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part...)
		if !errors.Is(err, bufio.ErrBufferFull) || len(line) > mostRecognized {
			return line, err
		}
	}
}

var errStop = errors.New("stop")
